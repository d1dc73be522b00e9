"""Transition parsers: scores over several seeds, time to train and to parse, memory.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags.

    python tools/bench_transition.py [--seeds 3] [--development] [--json FILE]  # all systems
    python tools/bench_transition.py --templates  # all sets of templates and orders of tokens
    python tools/bench_transition.py --memory     # that of `plcfrs train` and `parse`, files, F1
    python tools/bench_transition.py --only '{system: skipshift, features: [baseline], beam: 32}'
    python tools/bench_transition.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import bench
import click
import yaml
from measuring import PLCFRS, Report, measured, peak_memory, warm_up

import plcfrs
from plcfrs import Tree
from plcfrs.parsers.transition.settings import SYSTEMS, Settings

COLUMNS: dict[str, bench.Column] = {
    **bench.BY_LENGTH,
    **bench.TRAINING_TIME,
    **bench.RATE,
    "weights, MB": bench.mean_of(
        lambda each: sum(array.nbytes for array in each.model.parser.averages) / 1e6, 1
    ),
}


@bench.on_treebank("Transition parsers", splits=["none"])
@click.option("--only", multiple=True, metavar="YAML", help="Only a parser with these settings.")
@click.option("--epochs", default=20, show_default=True)
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--templates", is_flag=True, help="All sets of templates, and all orders.")
@click.option("--memory", is_flag=True, help="Measure only the memory of one training.")
def main(
    report: Report,
    source: bench.Source,
    only: tuple[str, ...],
    epochs: int,
    seeds: int,
    templates: bool,
    memory: bool,
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, gold tags, {epochs} epochs; means over {seeds} seeds with standard deviations; "
        "CPU time on one core."
    )
    runs = [*map(yaml.safe_load, only)] or bench.RUNS["templates" if templates else "transition"]
    chosen = [
        Settings(**{**run, "features": tuple(run.get("features", ())), "epochs": epochs})
        for run in runs
    ]
    if memory:
        _report_memory(report, source, chosen[0].system, epochs)
        return
    training, test = source.reported_parts(report)
    report.fact("load or compile the kernels", warm_up("gap"))
    report.compare(
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
        seeded = (replace(each, seed=seed) for seed in range(1, seeds + 1))
        models = (bench.trained(each.system, training, settings) for settings in seeded)
        order = each.order if SYSTEMS[each.system].reorders else ""
        names = [each.system, ", ".join(each.features), order, str(each.beam), str(each.update)]
        yield names, [bench.parse_each(model, test, seconds) for model, seconds in models]


def _report_memory(report: Report, source: bench.Source, system: str, epochs: int) -> None:
    """Report the F1 of a model, how large its file is, and the memory of processes that use it."""
    treebank = [source.treebank] if source.treebank else bench.TRAINING
    report.table(f"Memory and size of {system}, MB, and F1", "what", "figure")
    with TemporaryDirectory() as folder:
        model, parses = Path(folder) / "model", Path(folder) / "parses.export"
        used = measured(*PLCFRS, "train", system, *treebank, "--epochs", epochs, "-o", model)
        report.row("training", f"{used.megabytes:.0f}")
        report.row("file", f"{model.stat().st_size / 1e6:.1f}")
        used = measured(*PLCFRS, "parse", model, *bench.TEST, "-o", parses)
        report.row("parsing", f"{used.megabytes:.0f}")
        gold = bench.read(bench.TEST, source.options)
        report.row("labelled F1", bench.f1()([bench.parse_each(plcfrs.load_model(model), gold)]))


if __name__ == "__main__":
    main()
