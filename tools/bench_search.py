"""The search on NLTK's sample of the Penn Treebank: CPU time, work, and how they grow.

Trains on files 0001-0159 and parses sentences of files 0180-0199 with gold tags, on one core. Its
parts, all of them by default:

    steps          reading, transforming and extracting, one step after the other
    presets        time and work for each way to make a grammar
    glued          sentences glued to 64 to 200 tokens; how CPU time grows with the length
    ungrammatical  CPU time of the proof that a sentence has no parse

    python tools/bench_search.py [PART ...] [--sentences 245] [--max-length 25] [--max-seconds 60]
        [--json FILE]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from statistics import mean, median
from typing import Any, NamedTuple
from unittest.mock import patch

import click
import measuring
from measuring import LENGTHS, TEST, TRAINING, Report, Run, timed, timed_parse

from plcfrs import PRESETS, Budget, GrammarModel, Node, Recipe, Token, Tree, read_trees
from plcfrs.chart.search import ChartSearch
from plcfrs.experiment.plots import PlotCurve
from plcfrs.transformation import EVANG_KALLMEYER, Options, transform_all

OF_LONG_SENTENCES = ("evang-kallmeyer", "markov-v1h1")
GLUED = {64: 20, 80: 20, 100: 10, 128: 10, 200: 5}  # sentences of each length
SHORTEST = 10  # tokens, of growth with the length
FITTED = (20, 40, 100, 200)  # tokens


class SearchTask(NamedTuple):
    """What is parsed and how, and the report."""

    report: Report
    sentences: int
    max_length: int
    budget: Budget

    def models(self, presets: Iterable[str]) -> Iterator[tuple[str, GrammarModel, list[Tree]]]:
        """Yield a parser with the grammar of each preset, and the test trees."""
        for preset in presets:
            transformation, recipe = PRESETS[preset]
            grammar = recipe.grammar(measuring.read(TRAINING, transformation))
            measuring.leave_out_of_collection()
            yield preset, GrammarModel(grammar, budget=self.budget), self.test(transformation)

    def test(self, transformation: Options = EVANG_KALLMEYER) -> list[Tree]:
        """Return the test trees."""
        return measuring.read(TEST, transformation)[: self.sentences]


def _report_steps(task: SearchTask) -> None:
    task.report.table("The job step by step", "CPU s")
    trees, reading = timed(lambda: list(read_trees("nltk:treebank")))
    transformed, transforming = timed(lambda: list(transform_all(trees)))
    training = [tree for tree in transformed if tree.id < "wsj_0160"]
    grammar, extracting = timed(lambda: Recipe().grammar(training))
    model, compiling = timed(lambda: GrammarModel(grammar, budget=task.budget))
    short = [tree for tree in transformed if tree.id >= "wsj_0180"]
    short = [tree for tree in short if len(tree.tokens) <= task.max_length]
    _, parsing = timed(lambda: [timed_parse(model, tree) for tree in short])
    steps = {
        f"read {len(trees):,} trees": reading,
        "transform them": transforming,
        f"extract and binarize {len(training):,} trees": extracting,
        "compile the grammar to arrays": compiling,
        f"parse {len(short)} sentences of at most {task.max_length} tokens": parsing,
    }
    for name, taken in steps.items():
        task.report.row(name, f"{taken:.2f}")


def _report_presets(task: SearchTask) -> None:
    task.report.table("Test sentences, gold tags", "rules", *MEASURES)
    for preset, model, test in task.models(PRESETS):
        runs = [timed_parse(model, tree) for tree in test]
        for tokens, longest in LENGTHS.items():
            chosen = [run for run in runs if longest is None or run.length <= longest]
            cells = (measure(chosen) for measure in MEASURES.values())
            task.report.row(f"{preset}, {tokens}", f"{len(model.grammar.rules):,}", *cells)


def _total(name: str) -> Callable[[list[Run]], float]:
    return lambda runs: sum(getattr(run.parse.statistics, name) for run in runs)


def _proven(runs: Iterable[Run]) -> str:
    return f"{sum(run.is_finished for run in runs)}"


MEASURES: dict[str, Callable[[list[Run]], str]] = {
    "sentences": lambda runs: f"{len(runs)}",
    "parsed": lambda runs: f"{measuring.parsed(runs)}",
    "proven": _proven,
    "CPU: median / p95 / max, ms": measuring.spread,
    "CPU, all, s": measuring.seconds,
    "estimates, s wall": lambda runs: f"{_total('estimate_seconds')(runs):.2f}",
    "deduction, s wall": lambda runs: f"{_total('search_seconds')(runs):.2f}",
    "items created": lambda runs: f"{_total('items')(runs):,}",
    "items popped": lambda runs: f"{_total('popped')(runs):,}",
    "edges": lambda runs: f"{_total('edges')(runs):,}",
}


def _report_glued(task: SearchTask) -> None:
    task.report.table(
        "Test sentences glued together, gold tags",
        "sentences",
        "proven",
        "CPU: mean / max, s",
        "gap of the others: mean",
        "first parse, CPU: mean / max, s",
    )
    models = task.models(OF_LONG_SENTENCES)
    curves = [_glued_curve(task, preset, model, test) for preset, model, test in models]
    task.report.table(
        f"Growth with the length of the sentence, from {SHORTEST} tokens on",
        "sentences",
        "exponent",
        *(f"fitted, {length} tokens, ms" for length in FITTED),
    )
    for curve in curves:
        exponent, factor = curve.power_law()
        fitted = (f"{factor * length**exponent:,.1f}" for length in FITTED)
        task.report.row(curve.name, f"{len(curve.xs)}", f"{exponent:.2f}", *fitted)


def _glued_curve(task: SearchTask, preset: str, model: GrammarModel, test: list[Tree]) -> PlotCurve:
    """Report glued sentences, and return their times and those of the test sentences."""
    runs = [timed_parse(model, tree) for tree in test if len(tree.tokens) >= SHORTEST]
    for length, number in GLUED.items():
        glued_runs, first_seconds = [], []
        for tree in islice(glued(test, length), number):
            start = time.process_time()
            with first_parse() as times:
                glued_runs.append(timed_parse(model, tree))
            first_seconds += [time - start for time in times]
        if glued_runs:
            gaps = [run.parse.optimality_gap for run in glued_runs if run.parse.optimality_gap]
            task.report.row(
                f"{preset}, {length} tokens",
                f"{len(glued_runs)}",
                _proven(glued_runs),
                _mean_and_max([run.milliseconds / 1000 for run in glued_runs]),
                f"{mean(gaps):.2f}" if gaps else "-",
                _mean_and_max(first_seconds) if first_seconds else "-",
            )
        runs += glued_runs
    return PlotCurve(preset, [run.length for run in runs], [run.milliseconds for run in runs])


def glued(trees: Iterable[Tree], length: int) -> Iterator[Tree]:
    """Glue the tokens of trees in their order, and cut the result at a length."""
    tokens: list[Token] = []
    for tree in trees:
        tokens = tokens + tree.tokens
        if len(tokens) >= length:
            yield _flat(tokens[:length])
            tokens = []


@contextmanager
def first_parse() -> Iterator[list[float]]:
    """Note the CPU time at which an attempt of the search has found the first parse."""
    times: list[float] = []
    try_within = ChartSearch.try_within

    def try_and_note(search: ChartSearch, *limits: Any) -> object:  # noqa: ANN401 (as it has)
        try:
            return try_within(search, *limits)
        finally:
            if search.derivation is not None and not times:
                times.append(time.process_time())

    with patch.object(ChartSearch, "try_within", try_and_note):
        yield times


def _flat(tokens: list[Token]) -> Tree:
    return Tree(Node("ROOT", children=list(range(len(tokens)))), tokens)


def _mean_and_max(numbers: Sequence[float]) -> str:
    return f"{mean(numbers):.2f} / {max(numbers):.2f}"


def _report_ungrammatical(task: SearchTask) -> None:
    task.report.table(
        "No parse, after two neighbouring tags were swapped",
        "sentences",
        "tokens",
        "proven",
        "by the relaxation alone",
        "CPU: median / max, ms",
    )
    for preset, model, test in task.models(OF_LONG_SENTENCES):
        if runs := list(without_parse(model, test)):
            lengths, times = zip(*((run.length, run.milliseconds) for run in runs), strict=True)
            task.report.row(
                preset,
                f"{len(runs)}",
                f"{min(lengths)} to {max(lengths)}",
                _proven(runs),
                f"{sum(not run.parse.statistics.items for run in runs)}",
                f"{median(times):.1f} / {max(times):.1f}",
            )


def without_parse(model: GrammarModel, trees: Iterable[Tree]) -> Iterator[Run]:
    """Yield proofs that sentences have no parse after two neighbouring words were swapped.

    There is up to one proof for each sentence: of the first swap of different tags without a parse.
    """
    for tree in trees:
        if timed_parse(model, tree).parse.derivation is None:
            continue
        for place, (first, second) in enumerate(zip(tree.tokens, tree.tokens[1:], strict=False)):
            if first.tag != second.tag:
                swapped = [*tree.tokens[:place], second, first, *tree.tokens[place + 2 :]]
                run = timed_parse(model, _flat(swapped))
                if run.parse.derivation is None:
                    yield run
                    break


PARTS: dict[str, Callable[[SearchTask], None]] = {
    "steps": _report_steps,
    "presets": _report_presets,
    "glued": _report_glued,
    "ungrammatical": _report_ungrammatical,
}


@measuring.benchmark("The search")
@click.argument("chosen", nargs=-1, metavar="[PARTS]...", type=click.Choice([*PARTS]))
@click.option("--sentences", default=245, show_default=True, help="Number of test sentences.")
@click.option("--max-length", default=25, show_default=True, help="Tokens, for the part steps.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Wall time per sentence.")
def main(
    report: Report, chosen: tuple[str, ...], sentences: int, max_length: int, max_seconds: float
) -> None:
    """Run the parts of the benchmark, all by default."""
    task = SearchTask(report, sentences, max_length, Budget(max_seconds=max_seconds))
    report.about = (
        "NLTK's sample of the Penn Treebank: trained on files 0001-0159, tested on 0180-0199, gold "
        f"tags, one core, at most {max_seconds:g} s a sentence."
    )
    measuring.warm_up()
    for part in chosen or PARTS:
        PARTS[part](task)
        report.fact(f"peak memory up to the end of {part}", measuring.peak_memory())


if __name__ == "__main__":
    main()
