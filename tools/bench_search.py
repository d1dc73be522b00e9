"""The search on NLTK's sample of the Penn Treebank: CPU time, work, and how they grow.

Trains on files 0001-0159 and parses the sentences of files 0180-0199 with gold tags, on one core.
Its parts, all of them by default:

    cases      time, work and memory for sentences of at most 25 and 40 tokens, and for all
    agreement  whether astar and knuth find parses of the same cost
    length     how CPU time grows with the length of the sentence
    grammar    how CPU time grows with the number of rules

    python tools/bench_search.py [cases] [agreement] [length] [grammar]
        [--strategy knuth] [--max-length 25] [--max-seconds 60] [--plots DIR] [--json FILE]
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from importlib.util import find_spec
from math import isclose
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click
from grammar_ladder import LADDERS, Rung
from measuring import (
    Report,
    Run,
    parsed,
    peak_memory,
    reports,
    seconds,
    spread,
    timed_parse,
    warm_up,
)
from splits import described, parts

from plcfrs.chart import Strategy
from plcfrs.grammar import Grammar
from plcfrs.pipeline import Budget, GrammarModel
from plcfrs.plots import Curve, CurvePlot, save_plot
from plcfrs.transformation import EVANG_KALLMEYER
from plcfrs.trees import Tree

PARTS = ("cases", "agreement", "length", "grammar")
FITTED_LENGTHS = range(10, 61)
BAND = 10  # tokens


class Bench(NamedTuple):
    """What is parsed, and how, and what is found."""

    report: Report
    training: list[Tree]
    test: list[Tree]
    strategy: Strategy
    max_length: int
    max_seconds: float
    plots: Path | None

    def short(self) -> list[Tree]:
        """Return the test trees of limited length."""
        return [tree for tree in self.test if len(tree.tokens) <= self.max_length]

    def timed_model(self, grammar: Grammar) -> tuple[GrammarModel, float]:
        """Return a parser, and the CPU seconds for compiling the grammar to arrays."""
        start = time.process_time()
        model = GrammarModel(grammar, self.strategy, budget=Budget(max_seconds=self.max_seconds))
        return model, time.process_time() - start

    def plot(self, plot: CurvePlot, name: str) -> None:
        """Write a plot if plots are wanted."""
        if self.plots:
            save_plot(plot, self.plots / name)
            click.echo(f"plot: {self.plots / name}", err=True)


@click.command()
@click.argument("chosen", nargs=-1, metavar="[PARTS]...", type=click.Choice(PARTS))
@click.option("--strategy", type=click.Choice(["astar", "knuth"]), default="astar")
@click.option("--max-length", default=25, show_default=True, help="Of agreement and grammar.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Wall time a sentence.")
@click.option("--plots", type=click.Path(path_type=Path, file_okay=False), help="A directory.")
@reports("The search")
def main(
    report: Report,
    chosen: tuple[str, ...],
    strategy: Strategy,
    max_length: int,
    max_seconds: float,
    plots: Path | None,
) -> None:
    """Run the parts of the benchmark, all by default."""
    if plots:
        if find_spec("matplotlib") is None:
            raise click.UsageError("--plots needs matplotlib: pip install matplotlib")
        plots.mkdir(parents=True, exist_ok=True)
    report.about = (
        f"{described(None)}, gold tags, one core, {strategy}; agreement and growth with the "
        f"grammar: sentences of at most {max_length} tokens."
    )
    bench = Bench(report, *parts(None, EVANG_KALLMEYER), strategy, max_length, max_seconds, plots)
    grammar = Rung().grammar(bench.training)
    _describe(bench, grammar)
    chosen = chosen or PARTS
    if "cases" in chosen or "length" in chosen:
        runs = _run_all(bench, grammar)
        if "cases" in chosen:
            _report_cases(report, runs)
        if "length" in chosen:
            _report_length(bench, runs)
    if "agreement" in chosen:
        _report_agreement(bench, grammar)
    if "grammar" in chosen:
        _report_grammars(bench)


def _describe(bench: Bench, grammar: Grammar) -> None:
    tokens = sum(len(tree.tokens) for tree in bench.test)
    bench.report.fact("training", f"{len(bench.training):,} trees")
    bench.report.fact("test", f"{len(bench.test)} sentences, {tokens:,} tokens")
    bench.report.fact(
        "grammar",
        f"{len(grammar.rules):,} binarized rules, {len(grammar.nonterminals()):,} symbols",
    )
    bench.report.fact("load or compile the kernels", warm_up())


def _run_all(bench: Bench, grammar: Grammar) -> list[Run]:
    model, compiled = bench.timed_model(grammar)
    runs = [timed_parse(model, tree) for tree in bench.test]
    bench.report.fact("compile the grammar to arrays", f"{compiled:.2f} s CPU")
    bench.report.fact("peak memory, training and all test sentences", peak_memory())
    return runs


def _total(name: str) -> Callable[[list[Run]], float]:
    return lambda runs: sum(getattr(run.parse.statistics, name) for run in runs)


def _pair_tests(runs: list[Run]) -> str:
    return f"{_total('pair_tests')(runs) / _total('edges')(runs):.2f}"


AGREEMENT = [
    "sentences",
    "same cost",
    "another cost",
    "astar not finished",
    "knuth not finished",
    "CPU astar, s",
    "CPU knuth, s",
]

MEASURES: dict[str, Callable[[list[Run]], str]] = {
    "sentences": lambda runs: f"{len(runs)}",
    "parsed": lambda runs: f"{parsed(runs)}",
    "not finished": lambda runs: f"{sum(not run.is_finished for run in runs)}",
    "CPU a sentence: median / p95 / max, ms": spread,
    "CPU, all sentences, s": seconds,
    "in the estimates, s wall": lambda runs: f"{_total('estimate_seconds')(runs):.2f}",
    "in the deduction, s wall": lambda runs: f"{_total('search_seconds')(runs):.2f}",
    "items created": lambda runs: f"{_total('items')(runs):,}",
    "items popped": lambda runs: f"{_total('popped')(runs):,}",
    "items improved after popping": lambda runs: f"{_total('improved')(runs):,}",
    "edges": lambda runs: f"{_total('edges')(runs):,}",
    "pair tests an edge": _pair_tests,
}


def _report_cases(report: Report, runs: list[Run]) -> None:
    columns = [[run for run in runs if run.length <= longest] for longest in (25, 40)]
    report.table("Time and work", "one run", "<= 25 tokens", "<= 40 tokens", "all")
    for name, measure in MEASURES.items():
        report.row(name, *map(measure, [*columns, runs]))


def _report_length(bench: Bench, runs: list[Run]) -> None:
    fitted = [run for run in runs if run.length in FITTED_LENGTHS and run.is_finished]
    growth = Curve(
        f"{len(fitted)} sentences, {bench.strategy}",
        [run.length for run in fitted],
        [run.milliseconds for run in fitted],
    )
    exponent, factor = growth.power_law()
    bench.report.table("Growth with the length of the sentence", "what", "value")
    lengths = f"{FITTED_LENGTHS[0]} to {FITTED_LENGTHS[-1]} tokens"
    bench.report.row("sentences with a finished search", f"{len(fitted)}, of {lengths}")
    bench.report.row("exponent", f"{exponent:.2f}")
    bench.report.row("fitted CPU time for 20 tokens", f"{factor * 20**exponent:.1f} ms")
    bench.report.row("fitted CPU time for 40 tokens", f"{factor * 40**exponent:.1f} ms")
    title, y_label = "CPU time by length", "CPU time a sentence (ms)"
    bench.plot(CurvePlot(title, "length (tokens)", y_label, [growth], fitted=True), "length.png")


def _report_agreement(bench: Bench, grammar: Grammar) -> None:
    astar = GrammarModel(grammar, "astar", budget=Budget(max_seconds=bench.max_seconds))
    knuth = GrammarModel(grammar, "knuth", budget=Budget(max_seconds=bench.max_seconds))
    bands: dict[int, list[tuple[Run, Run]]] = defaultdict(list)
    for tree in bench.short():
        pair = timed_parse(astar, tree), timed_parse(knuth, tree)
        bands[(len(tree.tokens) - 1) // BAND].append(pair)
    bench.report.table("Costs of the best parses by astar and by knuth", "tokens", *AGREEMENT)
    for band, pairs in sorted(bands.items()):
        longest = min(BAND * (band + 1), bench.max_length)
        _report_band(bench.report, f"{BAND * band + 1}-{longest}", pairs)
    _report_band(bench.report, "all", [pair for pairs in bands.values() for pair in pairs])


def _report_band(report: Report, name: str, pairs: list[tuple[Run, Run]]) -> None:
    astar, knuth = zip(*pairs, strict=True)
    finished = [pair for pair in pairs if all(run.is_finished for run in pair)]
    # Without a parse, the cost of both is infinite, which is the same.
    same = sum(isclose(one.parse.score, other.parse.score, rel_tol=1e-9) for one, other in finished)
    unfinished = [sum(not run.is_finished for run in runs) for runs in (astar, knuth)]
    counts = [len(pairs), same, len(finished) - same, *unfinished]
    report.row(name, *map(str, counts), seconds(astar), seconds(knuth))


def _report_grammars(bench: Bench) -> None:
    runs: dict[Rung, list[Run]] = {}
    rules: dict[Rung, int] = {}
    parsed_name = f"parsed, of {len(bench.short())}"
    bench.report.table(
        "Grammars of many sizes",
        *("grammar", "binarized rules", "symbols", "to arrays, s CPU", parsed_name, "CPU, all, s"),
    )
    for rung in dict.fromkeys(rung for ladder in LADDERS.values() for rung in ladder):
        grammar = rung.grammar(bench.training)
        model, compiled = bench.timed_model(grammar)
        rules[rung] = len(grammar.rules)
        runs[rung] = [timed_parse(model, tree) for tree in bench.short()]
        sizes = [f"{rules[rung]:,}", f"{len(grammar.nonterminals()):,}"]
        cells = [f"{compiled:.2f}", str(parsed(runs[rung])), seconds(runs[rung])]
        bench.report.row(str(rung), *sizes, *cells)
    _report_growth(bench, runs, rules)


def _report_growth(bench: Bench, runs: dict[Rung, list[Run]], rules: dict[Rung, int]) -> None:
    """Report the times of the sentences that all grammars parse."""
    common = [
        same
        for same in zip(*runs.values(), strict=True)
        if all(run.parse.status == "parsed" for run in same)
    ]
    times = {
        rung: [run.milliseconds for run in column]
        for rung, column in zip(runs, zip(*common, strict=True), strict=True)
    }
    bench.report.table(
        f"Growth with the grammar: {len(common)} sentences that all grammars parse",
        *("sentence", "CPU by grammar, ms", "exponent"),
    )
    medians = [_growth(name, times, rules, median) for name in LADDERS]
    totals = [_growth(name, times, rules, sum) for name in LADDERS]
    for what, growths in (("median", medians), ("total", totals)):
        for growth in growths:
            listed = ", ".join(f"{quantity:,.1f}" for quantity in growth.ys)
            bench.report.row(f"{growth.name}, {what}", listed, f"{growth.power_law()[0]:.2f}")
    title, y_label = f"CPU time by grammar, {len(common)} sentences", "median CPU time (ms)"
    x_label = "size of the grammar (binarized rules)"
    bench.plot(CurvePlot(title, x_label, y_label, medians, fitted=True), "grammar.png")


def _growth(
    ladder: str,
    times: dict[Rung, list[float]],
    rules: dict[Rung, int],
    statistic: Callable[[list[float]], float],
) -> Curve:
    rungs = LADDERS[ladder]
    return Curve(
        ladder,
        [rules[rung] for rung in rungs],
        [statistic(times[rung]) for rung in rungs],
    )


if __name__ == "__main__":
    main()
