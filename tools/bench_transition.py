"""Transition parsers: scores over several seeds, time to train and to parse, memory.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags. Prints a Markdown table.

    python tools/bench_transition.py [--system skipshift] [--beam 32] [--seeds 3] [--development]
    python tools/bench_transition.py --all    # all systems, feature sets and orders
    python tools/bench_transition.py --memory # that of `plcfrs train` and `parse`, and files
    python tools/bench_transition.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from bench_parse import TEST, TRAINING
from bench_presets import parts
from bench_refine import DEVELOPMENT, LENGTHS
from measuring import header, peak_memory, row

from plcfrs.cli.options import transform_options
from plcfrs.evaluation import score
from plcfrs.transformation import Options, transform_all
from plcfrs.transition.parser import TransitionParser
from plcfrs.transition.registry import SYSTEMS
from plcfrs.transition.settings import Settings
from plcfrs.transition.training import Training
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

GAP_FEATURES = ("baseline", "baseline extended", "baseline extended spans")
QUEUE_FEATURES = (
    *("baseline", "baseline extended", "baseline extended disco", "baseline extended full-queue"),
    *("baseline extended disco spans", "baseline extended disco full-queue"),
)
FEATURES = {
    "gap": GAP_FEATURES,
    "cgap": GAP_FEATURES,
    "swap": QUEUE_FEATURES,
    "skipshift": (*QUEUE_FEATURES, "baseline extended disco spans skips"),
}
ORDERS = ("left", "rightd", "dist2", "dist4", "dist8", "label")


class Result(NamedTuple):
    """What a parser has come to with one seed."""

    f1: list[float]  # by length
    discontinuous_f1: float
    training_seconds: float
    sentences_per_second: float
    megabytes: float  # of the weights


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--system", default="gap", show_default=True, type=click.Choice(list(SYSTEMS)))
@click.option("--features", default="", help="Sets of templates.")
@click.option("--order", default="left", show_default=True)
@click.option("--beam", default=4, show_default=True)
@click.option("--update", default=None, help="early or max-violation.  [default: the system's]")
@click.option("--importance", default=1, show_default=True)
@click.option("--epochs", default=20, show_default=True)
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--all", "is_all", is_flag=True, help="All systems, feature sets and orders.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@click.option("--memory", is_flag=True, help="Measure only the memory of one training.")
@transform_options
def main(
    treebank: str | None,
    epochs: int,
    seeds: int,
    is_all: bool,
    development: bool,
    memory: bool,
    options: Options,
    features: str,
    update: str | None,
    **chosen: str | int,
) -> None:
    """Run the benchmark."""
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    if memory:
        _measure_memory([treebank] if treebank else TRAINING, str(chosen["system"]), epochs)
        return
    training, test = parts(treebank, options, DEVELOPMENT if development else TEST)
    print(f"{len(training)} trees to train on, {len(test)} sentences to parse")
    print(f"load or compile the kernels: {_warm_up():.1f} s CPU")
    names = tuple(features.split())
    settings = Settings(features=names, update=update, **chosen)  # type: ignore[arg-type]
    header(
        *("system", "features", "order", "beam", "update"),
        *(f"F1 {name}" for name in LENGTHS),
        *("disc. F1", "training, s CPU", "sentences/s", "weights, MB"),
    )
    for each in _all_settings(settings, update) if is_all else [settings]:
        results = [
            _run(training, test, replace(each, seed=seed), epochs) for seed in range(1, seeds + 1)
        ]
        _report(each, results)
    print(f"\npeak memory: {peak_memory()}")


def _all_settings(settings: Settings, update: str | None) -> Iterator[Settings]:
    for system in SYSTEMS:
        for features in FEATURES[system]:
            for order in ORDERS if SYSTEMS[system].reorders else ("left",):
                names = tuple(features.split())
                changes = {"system": system, "features": names, "order": order, "update": update}
                yield replace(settings, **changes)  # type: ignore[arg-type]


def _run(training: list[Tree], test: list[Tree], settings: Settings, epochs: int) -> Result:
    start = time.process_time()
    learner = Training(training, settings)
    for _ in range(epochs):
        learner.run_epoch()
    parser = learner.parser()
    seconds = time.process_time() - start
    start = time.process_time()
    found = [parser.parse(tree.tokens).tree for tree in test]
    rate = len(test) / (time.process_time() - start)
    scores = [_score(test, found, length) for length in LENGTHS.values()]
    size = sum(array.nbytes for array in parser.arrays().values()) / 1e6
    return Result([one for one, _ in scores], scores[-1][1], seconds, rate, size)


def _measure_memory(treebank: list[str], system: str, epochs: int) -> None:
    """Print how large the file of a model is, and the memory of the processes that use it."""
    header("", "MB")
    with TemporaryDirectory() as folder:
        model, parses = Path(folder) / "model", Path(folder) / "parses.export"
        row("training", _peak_of("train", system, *treebank, "--epochs", str(epochs), "-o", model))
        row("file", f"{model.stat().st_size / 1e6:.1f}")
        row("parsing", _peak_of("parse", model, *TEST, "-o", parses))


def _peak_of(*arguments: str | Path) -> str:
    """Run the program, and return how much memory it used at the most."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plcfrs", *map(str, arguments)], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise click.ClickException(f"plcfrs {arguments[0]} has failed")
    return f"{usage.ru_maxrss / 1024:.0f}"


def _score(test: list[Tree], found: list[Tree], length: int) -> tuple[float, float]:
    """Return F1, and that of discontinuous constituents, of sentences of this length at most."""
    pairs = [pair for pair in zip(test, found, strict=True) if len(pair[0].tokens) <= length]
    scores = score((gold for gold, _ in pairs), (parse for _, parse in pairs))
    return scores.labelled.f1, scores.labelled_discontinuous.f1


def _report(settings: Settings, results: list[Result]) -> None:
    row(
        settings.system,
        " ".join(settings.features),
        settings.order if SYSTEMS[settings.system].reorders else "",
        str(settings.beam),
        str(settings.update),
        *(_spread(list(f1)) for f1 in zip(*(result.f1 for result in results), strict=True)),
        _spread([result.discontinuous_f1 for result in results]),
        f"{mean(result.training_seconds for result in results):.0f}",
        f"{mean(result.sentences_per_second for result in results):.0f}",
        f"{mean(result.megabytes for result in results):.1f}",
    )


def _spread(numbers: list[float]) -> str:
    """Return the mean, and the standard deviation of several."""
    deviation = f" ({stdev(numbers):.2f})" if len(numbers) > 1 else ""
    return f"{mean(numbers):.2f}{deviation}"


def _warm_up() -> float:
    """Load or compile the kernels, and return the CPU seconds."""
    start = time.process_time()
    trees = list(transform_all(read_trees("plcfrs:demo")))[:10]
    learner = Training(trees, Settings())
    learner.run_epoch()
    parser: TransitionParser = learner.parser()
    parser.parse(trees[0].tokens)
    return time.process_time() - start


if __name__ == "__main__":
    main()
