"""Refined grammars, one and products: scores over several seeds, time to train and to parse.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags and with tags of its
own. Prints Markdown tables.

    python tools/bench_refine.py [--grammars 8] [--jobs 2] [--development]
    python tools/bench_refine.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, median, quantiles, stdev
from typing import NamedTuple

import click
from bench_parse import TEST
from bench_presets import parts
from measuring import header, peak_memory, row, warm_up

from plcfrs.cli.options import transform_options
from plcfrs.evaluation import Scores, score
from plcfrs.pipeline import Parse, RefinedModel, Sentence, train
from plcfrs.refinement import RefinedGrammar, Schedule, compile_trees, train_product
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

DEVELOPMENT = ["nltk:treebank/wsj_016*", "nltk:treebank/wsj_017*"]
LENGTHS = {"<= 25": 25, "<= 40": 40, "all": 10_000}


class Run(NamedTuple):
    """A parse, the gold tree, and the CPU time that it took."""

    gold: Tree
    parse: Parse
    milliseconds: float


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--grammars", default=8, show_default=True, help="How many seeds.")
@click.option("--cycles", default=Schedule().cycles, show_default=True)
@click.option("--jobs", default=1, show_default=True)
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
def main(
    treebank: str | None,
    grammars: int,
    cycles: int,
    jobs: int,
    development: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    training, test = parts(treebank, options, DEVELOPMENT if development else TEST)
    print(f"load or compile the kernels: {_warm_up():.1f} s CPU")
    refined = _train(training, Schedule(cycles), grammars, jobs)
    header(
        *("grammars", "tags"),
        *(f"{name}: {what}" for name in LENGTHS for what in ("F1", "disc.")),
        *("parsed", "tags right", "mean / median / p95 / max, ms of <= 40"),
    )
    sizes = [size for size in (1, 4, 8) if size <= grammars]
    for tagged in (True, False):
        for size in sizes:
            groups = [refined.refinements[k : k + size] for k in range(0, grammars, size)]
            models = [RefinedModel(replace(refined, refinements=group)) for group in groups]
            _report(str(size), [_parse(model, test, tagged) for model in models], tagged)
    print(f"\npeak memory: {peak_memory()}")


def _train(trees: list[Tree], schedule: Schedule, grammars: int, jobs: int) -> RefinedGrammar:
    training = compile_trees(trees)
    grammar = training.refined.grammar
    print(f"training set: {len(trees)} trees, {training.tokens} tokens, {len(grammar.rules)} rules")
    start = time.process_time()
    refined = train_product(training, schedule, range(1, grammars + 1), jobs=jobs)
    seconds = (time.process_time() - start) / grammars
    substates = [refinement.states.sum() for refinement in refined.refinements]
    entries = [len(refinement.probability) for refinement in refined.refinements]
    print(
        f"a grammar: {seconds:.1f} s CPU to train, {mean(substates):.0f} substates of "
        f"{len(refined.symbols)} symbols, {mean(entries):.0f} rules with substates"
    )
    return refined


def _parse(model: RefinedModel, test: list[Tree], tagged: bool) -> list[Run]:
    runs = []
    for tree in test:
        start = time.process_time()
        sentence = Sentence.of(tree)
        parse = model.parse(sentence if tagged else replace(sentence, tags=None))
        runs.append(Run(tree, parse, 1000 * (time.process_time() - start)))
    return runs


def _report(name: str, groups: Sequence[list[Run]], tagged: bool) -> None:
    """Print the means, and standard deviations, over grammars or products of them."""
    cells = []
    for length in LENGTHS.values():
        scores = [_score(_up_to(runs, length)) for runs in groups]
        cells.append(_spread([each.labelled.f1 for each in scores]))
        cells.append(_spread([each.labelled_discontinuous.f1 for each in scores]))
    parsed = mean(sum(run.parse.status == "parsed" for run in runs) for runs in groups)
    times = [run.milliseconds for runs in groups for run in _up_to(runs, 40)]
    row(
        f"{name} ({len(groups)}x)",
        "gold" if tagged else "own",
        *cells,
        f"{parsed:.1f} of {len(groups[0])}",
        _spread([100 * _tagging_accuracy(runs) for runs in groups]),
        f"{mean(times):.0f} / {median(times):.0f} / {quantiles(times, n=20)[-1]:.0f} "
        f"/ {max(times):.0f}",
    )


def _up_to(runs: list[Run], length: int) -> list[Run]:
    return [run for run in runs if len(run.gold.tokens) <= length]


def _score(runs: list[Run]) -> Scores:
    return score((run.gold for run in runs), (run.parse.tree for run in runs))


def _tagging_accuracy(runs: list[Run]) -> float:
    pairs = [
        (gold.tag, token.tag)
        for run in runs
        for gold, token in zip(run.gold.tokens, run.parse.tree.tokens, strict=True)
    ]
    return mean(gold == found for gold, found in pairs)


def _spread(numbers: list[float]) -> str:
    """Return the mean, and the standard deviation of several."""
    deviation = f" ({stdev(numbers):.2f})" if len(numbers) > 1 else ""
    return f"{mean(numbers):.2f}{deviation}"


def _warm_up() -> float:
    """Load or compile the kernels of training and parsing, too, and return the CPU seconds."""
    elapsed = warm_up()
    start = time.process_time()
    trees = list(transform_all(read_trees("plcfrs:demo")))
    model = train("refined", trees, cycles=1)
    _parse(model, trees[:10], tagged=True)
    return elapsed + time.process_time() - start


if __name__ == "__main__":
    main()
