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

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from measuring import Report, f1_of, over_seeds, peak_memory, reports, warm_up
from splits import DEVELOPMENT, LENGTHS, TEST, TRAINING, described, parts

from plcfrs.cli.options import transform_options
from plcfrs.pipeline.transition_training import TransitionTrainer
from plcfrs.transformation import Options
from plcfrs.transition.registry import SYSTEMS
from plcfrs.transition.settings import Settings
from plcfrs.trees import Tree

PARSERS = (
    *(Settings("gap"), Settings("gap", beam=32), Settings("cgap")),
    *(Settings("swap"), Settings("skipshift")),
    Settings("skipshift", ("baseline", "extended", "disco", "spans"), update="max-violation"),
    Settings("skipshift", ("baseline", "extended", "disco"), update="max-violation"),
)
FEATURES = {
    "gap": ("baseline", "baseline extended"),
    "cgap": ("baseline", "baseline extended"),
    "swap": ("baseline", "baseline extended", "baseline extended disco"),
    "skipshift": (
        *("baseline", "baseline extended", "baseline extended disco"),
        *("baseline extended full-queue", "baseline extended disco full-queue"),
        "baseline extended disco spans",
    ),
}
ORDERS = {
    "swap": ("rightd", "label"),
    "skipshift": ("right", "rightd", "dist2", "dist4", "dist8", "label"),
}


class Result(NamedTuple):
    """The scores, times and size of a parser with one seed."""

    f1: list[float]  # by length
    discontinuous_f1: float
    training_seconds: float
    sentences_per_second: float
    megabytes: float  # of the weights


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--system", type=click.Choice(list(SYSTEMS)), help="Only this one.")
@click.option("--features", default="", help="Sets of templates of the system.")
@click.option("--order", default="left", show_default=True)
@click.option("--beam", default=4, show_default=True)
@click.option("--update", default=None, help="early or max-violation.  [default: the system's]")
@click.option("--importance", default=1, show_default=True)
@click.option("--epochs", default=20, show_default=True)
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--templates", is_flag=True, help="All sets of templates, and all orders.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@click.option("--memory", is_flag=True, help="Measure only the memory of one training.")
@transform_options
@reports("Transition parsers")
def main(
    report: Report,
    treebank: str | None,
    system: str | None,
    features: str,
    epochs: int,
    seeds: int,
    templates: bool,
    development: bool,
    memory: bool,
    options: Options,
    **values: Any,  # noqa: ANN401 (those of Settings)
) -> None:
    """Run the benchmark."""
    files = DEVELOPMENT if development else TEST
    report.about = (
        f"{described(treebank, files)}, gold tags, {epochs} epochs; means over {seeds} seeds with "
        "standard deviations; CPU time on one core."
    )
    if memory:
        _measure_memory(report, [treebank] if treebank else TRAINING, system or "gap", epochs)
        return
    training, test = parts(treebank, options, files)
    report.fact("trees", f"{len(training):,} to train on, {len(test)} to parse")
    report.fact("load or compile the kernels", warm_up("gap", epochs=1))
    report.table(
        "Labelled F1 by length, discontinuous F1, time and size",
        *("system", "templates", "order", "beam", "update"),
        *(f"F1 {name}" for name in LENGTHS),
        *("disc. F1", "training, s", "sentences/s", "weights, MB"),
    )
    rows: Iterable[Settings] = _all_templates() if templates else PARSERS
    if system:
        rows = [Settings(system, tuple(features.split()), **values)]
    for settings in rows:
        results = [
            _run(training, test, replace(settings, seed=seed), epochs)
            for seed in range(1, seeds + 1)
        ]
        _add_row(report, settings, results)
    report.fact("peak memory", peak_memory())


def _all_templates() -> Iterator[Settings]:
    """Yield all sets of templates, those by default last, and with these the orders of tokens."""
    for system, sets in FEATURES.items():
        for features in (*sets, ""):
            yield Settings(system, tuple(features.split()))
        for order in ORDERS.get(system, ()):
            yield Settings(system, order=order)


def _run(training: list[Tree], test: list[Tree], settings: Settings, epochs: int) -> Result:
    start = time.process_time()
    learner = TransitionTrainer(training, replace(settings, epochs=epochs), {})
    for epoch in learner.rounds:
        learner.run(epoch, lambda: None)
    parser = learner.model().parser
    seconds = time.process_time() - start
    start = time.process_time()
    found = [parser.parse(tree.tokens).tree for tree in test]
    rate = len(test) / (time.process_time() - start)
    scores = [f1_of(test, found, longest) for longest in LENGTHS.values()]
    size = sum(array.nbytes for array in parser.arrays().values()) / 1e6
    return Result([one for one, _ in scores], scores[-1][1], seconds, rate, size)


def _measure_memory(report: Report, treebank: list[str], system: str, epochs: int) -> None:
    """Report how large the file of a model is, and the memory of the processes that use it."""
    report.table(f"Memory and size of {system}", "what", "MB")
    with TemporaryDirectory() as folder:
        model, parses = Path(folder) / "model", Path(folder) / "parses.export"
        report.row(
            "training", _peak_of("train", system, *treebank, "--epochs", str(epochs), "-o", model)
        )
        report.row("file", f"{model.stat().st_size / 1e6:.1f}")
        report.row("parsing", _peak_of("parse", model, *TEST, "-o", parses))


def _peak_of(*arguments: str | Path) -> str:
    """Run the program, and return how much memory it used at the most."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plcfrs", *map(str, arguments)], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise click.ClickException(f"plcfrs {arguments[0]} has failed")
    return f"{usage.ru_maxrss / 1024:.0f}"


def _add_row(report: Report, settings: Settings, results: list[Result]) -> None:
    report.row(
        settings.system,
        ", ".join(settings.features),
        settings.order if SYSTEMS[settings.system].reorders else "",
        str(settings.beam),
        str(settings.update),
        *(over_seeds(f1) for f1 in zip(*(result.f1 for result in results), strict=True)),
        over_seeds([result.discontinuous_f1 for result in results]),
        f"{mean(result.training_seconds for result in results):.0f}",
        f"{mean(result.sentences_per_second for result in results):.0f}",
        f"{mean(result.megabytes for result in results):.1f}",
    )


if __name__ == "__main__":
    main()
