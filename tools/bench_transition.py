"""Transition parsers: scores over several seeds, time to train and to parse, memory.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags.

    python tools/bench_transition.py [--seeds 3] [--development] [--json FILE]  # all systems
    python tools/bench_transition.py --templates  # all sets of templates and orders of tokens
    python tools/bench_transition.py --memory     # that of `plcfrs train` and `parse`, and files
    python tools/bench_transition.py --system skipshift --features 'baseline extended' --beam 32
    python tools/bench_transition.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bench
import click
from measuring import Report, peak_memory, run_plcfrs, timed_parse, warm_up
from splits import RUNS, TEST, TRAINING

from plcfrs.parsers.transition.settings import SYSTEMS, Settings
from plcfrs.trees import Tree

COLUMNS: dict[str, bench.Column] = {
    **bench.BY_LENGTH,
    **bench.TRAINING,
    **bench.RATE,
    "weights, MB": bench.mean_of(
        lambda each: sum(array.nbytes for array in each.model.parser.averages) / 1e6, 1
    ),
}


@bench.on_treebank("Transition parsers", splits=["none"])
@click.option("--system", type=click.Choice(list(SYSTEMS)), help="Only this one.")
@click.option("--features", default="", help="Sets of templates of the system.")
@click.option("--order", default="left", show_default=True)
@click.option("--beam", default=4, show_default=True)
@click.option("--update", default=None, help="early or max-violation.  [default: the system's]")
@click.option("--importance", default=1, show_default=True)
@click.option("--epochs", default=20, show_default=True)
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--templates", is_flag=True, help="All sets of templates, and all orders.")
@click.option("--memory", is_flag=True, help="Measure only the memory of one training.")
def main(
    report: Report,
    source: bench.Source,
    system: str | None,
    features: str,
    epochs: int,
    seeds: int,
    templates: bool,
    memory: bool,
    **values: Any,  # noqa: ANN401 (those of Settings)
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, gold tags, {epochs} epochs; means over {seeds} seeds with standard deviations; "
        "CPU time on one core."
    )
    if memory:
        files = [source.treebank] if source.treebank else TRAINING
        _report_memory(report, files, system or "gap", epochs)
        return
    training, test = source.reported_parts(report)
    report.fact("load or compile the kernels", warm_up("gap", epochs=1))
    runs = RUNS["templates" if templates else "transition"]
    if system:
        runs = [{"system": system, "features": features.split(), **values}]
    chosen = [
        Settings(**{**run, "features": tuple(run.get("features", ())), "epochs": epochs})
        for run in runs
    ]
    bench.compare(
        report,
        "Labelled F1 by length, discontinuous F1, time and size",
        ("system", "templates", "order", "beam", "update"),
        COLUMNS,
        _rows(chosen, training, test, seeds),
    )
    report.fact("peak memory", peak_memory())


def _rows(
    parsers: list[Settings], training: list[Tree], test: list[Tree], seeds: int
) -> Iterator[bench.Row]:
    for each in parsers:
        outcomes = []
        for seed in range(1, seeds + 1):
            model, seconds = bench.trained(each.system, training, replace(each, seed=seed))
            outcomes.append(
                bench.Outcome(model, [timed_parse(model, tree) for tree in test], seconds)
            )
        order = each.order if SYSTEMS[each.system].reorders else ""
        names = [each.system, ", ".join(each.features), order, str(each.beam), str(each.update)]
        yield names, outcomes


def _report_memory(report: Report, treebank: list[str], system: str, epochs: int) -> None:
    """Report how large the file of a model is, and the memory of the processes that use it."""
    report.table(f"Memory and size of {system}", "what", "MB")
    with TemporaryDirectory() as folder:
        model, parses = Path(folder) / "model", Path(folder) / "parses.export"
        used = run_plcfrs("train", system, *treebank, "--epochs", epochs, "-o", model)
        report.row("training", f"{used.megabytes:.0f}")
        report.row("file", f"{model.stat().st_size / 1e6:.1f}")
        used = run_plcfrs("parse", model, *TEST, "-o", parses)
        report.row("parsing", f"{used.megabytes:.0f}")


if __name__ == "__main__":
    main()
