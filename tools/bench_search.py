"""The search on NLTK's sample of the Penn Treebank: CPU time, work, and how they grow.

Trains on files 0001-0159 and parses sentences of files 0180-0199, on one core. Its parts, all of
them by default:

    presets        time and work with gold tags, for each way to make a grammar
    words          the same from words alone
    glued          sentences glued to 64 to 200 tokens; how CPU time grows with the length
    ungrammatical  CPU time of the proof that a sentence has no parse
    agreement      whether astar and knuth find parses of the same cost
    grammar        how CPU time grows with the number of rules

    python tools/bench_search.py [presets] [words] [glued] [ungrammatical] [agreement] [grammar]
        [--preset markov-v1h1] [--length 64] [--sentences 245] [--max-length 25]
        [--max-seconds 60] [--plots DIR] [--json FILE]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import islice, product
from math import isclose
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple
from unittest.mock import patch

import bench
import click
import measuring
from measuring import Report, Run, timed_parse

from plcfrs import PRESETS, Budget, GrammarModel, Node, Recipe, Rule, Token, Tree
from plcfrs.chart.search import Search
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.plots import Curve, CurvePlot, plot_svg
from plcfrs.transformation import EVANG_KALLMEYER, Options

OF_WORDS = "interpolated-v2h2"
OF_LONG_SENTENCES = ("evang-kallmeyer", "markov-v1h1")
GLUED = {64: 20, 80: 20, 100: 10, 128: 10, 200: 5}  # sentences of each length
SHORTEST = 10  # tokens, of growth with the length
FITTED = (20, 40, 100, 200)  # tokens
BAND = 10  # tokens
LADDERS: dict[str, dict[str, Any]] = bench.RUNS["ladders"]
RUNGS = {name: rung for ladder in LADDERS.values() for name, rung in ladder.items()}
STATISTICS: dict[str, Callable[[list[float]], float]] = {"median": median, "total": sum}


class Task(NamedTuple):
    """What is parsed, and how, and what is found."""

    report: Report
    presets: Sequence[str]
    lengths: Sequence[str]
    sentences: int
    max_length: int
    budget: Budget
    plots: Path | None

    def model(self, preset: str) -> tuple[GrammarModel, list[Tree]]:
        """Return a parser with the grammar of a preset, and the test trees."""
        transformation, recipe = PRESETS[preset]
        grammar = recipe.grammar(bench.read(bench.TRAINING, transformation))
        measuring.leave_out_of_collection()
        return GrammarModel(grammar, budget=self.budget), self.test(transformation)

    def models_of_long_sentences(self) -> Iterator[tuple[str, GrammarModel, list[Tree]]]:
        """Yield the chosen presets for long and ungrammatical sentences."""
        for preset in OF_LONG_SENTENCES:
            if preset in self.presets:
                yield preset, *self.model(preset)

    def test(self, transformation: Options = EVANG_KALLMEYER) -> list[Tree]:
        """Return the test trees."""
        return bench.read(bench.TEST, transformation)[: self.sentences]

    def short(self) -> list[Tree]:
        """Return the test trees of limited length."""
        return [tree for tree in self.test() if len(tree.tokens) <= self.max_length]

    def plot(self, plot: CurvePlot, name: str) -> None:
        """Write a plot if plots are wanted."""
        if self.plots:
            (self.plots / name).write_text(plot_svg(plot), encoding="utf-8")
            click.echo(f"plot: {self.plots / name}", err=True)


def _report_tests(task: Task, *, tagged: bool) -> None:
    def rows() -> Iterator[tuple[Sequence[str], list[Run]]]:
        for preset in task.presets if tagged else [OF_WORDS]:
            model, test = task.model(preset)
            runs = [timed_parse(model, tree, tagged=tagged) for tree in test]
            for tokens, longest in bench.LENGTHS.items():
                chosen = [run for run in runs if longest is None or run.length <= longest]
                yield (preset, f"{len(model.grammar.rules):,}", tokens), chosen

    caption = f"Test sentences, {'gold tags' if tagged else 'words alone'}"
    task.report.compare(caption, ("grammar", "rules", "tokens"), MEASURES, rows())


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


def _report_glued(task: Task) -> None:
    task.report.table(
        "Test sentences glued together, gold tags",
        *("grammar", "tokens", "sentences", "proven", "CPU: mean / max, s"),
        *("gap of the others: mean", "first parse, CPU: mean / max, s"),
    )
    curves = [_glued_curve(task, *each) for each in task.models_of_long_sentences()]
    task.report.table(
        f"Growth with the length of the sentence, from {SHORTEST} tokens on",
        *("grammar", "sentences", "exponent"),
        *(f"fitted, {length} tokens, ms" for length in FITTED),
    )
    for curve in curves:
        exponent, factor = curve.power_law()
        fitted = (f"{factor * length**exponent:,.1f}" for length in FITTED)
        task.report.row(curve.name, f"{len(curve.xs)}", f"{exponent:.2f}", *fitted)
    title, y_label = "CPU time by length", "CPU time a sentence (ms)"
    task.plot(CurvePlot(title, "length (tokens)", y_label, curves, fitted=True), "length.svg")


def _glued_curve(task: Task, preset: str, model: GrammarModel, test: list[Tree]) -> Curve:
    """Report glued sentences, and return the times of these and of the test sentences."""
    runs = [timed_parse(model, tree) for tree in test if len(tree.tokens) >= SHORTEST]
    for length in map(int, task.lengths):
        found, first = [], []
        for tree in islice(glued(test, length), GLUED[length]):
            start = time.process_time()
            with first_parse() as times:
                found.append(timed_parse(model, tree))
            first += [time - start for time in times]
        if found:
            gaps = [run.parse.optimality_gap for run in found if run.parse.optimality_gap]
            task.report.row(
                *(preset, str(length), str(len(found)), _proven(found)),
                _mean_and_max([run.milliseconds / 1000 for run in found]),
                f"{mean(gaps):.2f}" if gaps else "-",
                _mean_and_max(first) if first else "-",
            )
        runs += found
    return Curve(preset, [run.length for run in runs], [run.milliseconds for run in runs])


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
    """Note the CPU time when an attempt of the search has found the first parse."""
    found: list[float] = []
    try_within = Search.try_within

    def try_and_note(search: Search, *limits: Any) -> object:  # noqa: ANN401 (as it has)
        try:
            return try_within(search, *limits)
        finally:
            if search.derivation is not None and not found:
                found.append(time.process_time())

    with patch.object(Search, "try_within", try_and_note):
        yield found


def _flat(tokens: list[Token]) -> Tree:
    return Tree(Node("ROOT", children=list(range(len(tokens)))), tokens)


def _mean_and_max(numbers: Sequence[float]) -> str:
    return f"{mean(numbers):.2f} / {max(numbers):.2f}"


def _report_ungrammatical(task: Task) -> None:
    task.report.table(
        "No parse, after two neighbouring tags were swapped",
        *("grammar", "sentences", "tokens", "proven", "by the relaxation alone"),
        "CPU: median / max, ms",
    )
    for preset, model, test in task.models_of_long_sentences():
        if runs := list(without_parse(model, test)):
            lengths, times = zip(*((run.length, run.milliseconds) for run in runs), strict=True)
            task.report.row(
                *(preset, f"{len(runs)}", f"{min(lengths)} to {max(lengths)}", _proven(runs)),
                f"{sum(not run.parse.statistics.items for run in runs)}",
                f"{median(times):.1f} / {max(times):.1f}",
            )


def without_parse(model: GrammarModel, trees: Iterable[Tree]) -> Iterator[Run]:
    """Yield proofs that sentences have no parse any more after two neighbours were swapped.

    Of each sentence there is one at most, that of the first swap of two tags that has this effect.
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


def _report_agreement(task: Task) -> None:
    grammar = Recipe().grammar(bench.read(bench.TRAINING, EVANG_KALLMEYER))
    astar = GrammarModel(grammar, "astar", budget=task.budget)
    knuth = GrammarModel(grammar, "knuth", budget=task.budget)
    pairs = [(timed_parse(astar, tree), timed_parse(knuth, tree)) for tree in task.short()]
    bands = {
        f"{low}-{high}": [pair for pair in pairs if low <= pair[0].length <= high]
        for low in range(1, task.max_length + 1, BAND)
        for high in [min(low + BAND - 1, task.max_length)]
    }
    task.report.table(
        "Costs of the best parses by astar and by knuth",
        *("tokens", "sentences", "same cost", "another cost"),
        *("astar not finished", "knuth not finished", "CPU astar, s", "CPU knuth, s"),
        rows=((name, *_agreement(band)) for name, band in {**bands, "all": pairs}.items() if band),
    )


def _agreement(pairs: list[tuple[Run, Run]]) -> Iterator[str]:
    finished = [pair for pair in pairs if all(run.is_finished for run in pair)]
    # Without a parse, the cost of both is infinite, which is the same.
    same = sum(isclose(one.parse.score, other.parse.score, rel_tol=1e-9) for one, other in finished)
    columns = list(zip(*pairs, strict=True))
    unfinished = [sum(not run.is_finished for run in runs) for runs in columns]
    yield from map(str, (len(pairs), same, len(finished) - same, *unfinished))
    yield from map(measuring.seconds, columns)


def _report_grammars(task: Task) -> None:
    training, test = bench.read(bench.TRAINING, EVANG_KALLMEYER), task.short()
    runs: dict[str, list[Run]] = {}
    rules: dict[str, int] = {}
    task.report.table(
        "Grammars of many sizes",
        *("grammar", "binarized rules", "symbols", "to arrays, s CPU", f"parsed, of {len(test)}"),
        "CPU, all, s",
    )
    for name, (options, states) in RUNGS.items():
        grammar = split_symbols(Recipe(**options).grammar(training), states)
        model, compiled = measuring.timed(partial(GrammarModel, grammar, budget=task.budget))
        rules[name] = len(grammar.rules)
        runs[name] = [timed_parse(model, tree) for tree in test]
        sizes = (f"{rules[name]:,}", f"{len(grammar.nonterminals()):,}", f"{compiled:.2f}")
        parsed, seconds = str(measuring.parsed(runs[name])), measuring.seconds(runs[name])
        task.report.row(name, *sizes, parsed, seconds)
    _report_growth(task, runs, rules)


def split_symbols(grammar: Grammar, states: int) -> Grammar:
    """Return a grammar with several symbols for each one except the start symbol and tags.

    Each rule becomes one rule for each choice of states, as before the first round of training
    latent annotations (Petrov et al. 2006). Its count is multiplied by a random number between 0.5
    and 1.5.
    """
    if states == 1:
        return grammar
    random = Random(1)
    split = Grammar({}, grammar.lexicon, grammar.start)

    def variants(symbol: Nonterminal) -> list[Nonterminal]:
        if symbol.kind == "tag" or symbol == grammar.start:
            return [symbol]
        return [symbol._replace(category=f"{symbol.category}/{n}") for n in range(states)]

    for rule, count in grammar.rules.items():
        for lhs, *rhs in product(*map(variants, (rule.lhs, *rule.rhs))):
            split.add(Rule(lhs, tuple(rhs), rule.yield_function), count * random.uniform(0.5, 1.5))
    return split


def _report_growth(task: Task, runs: dict[str, list[Run]], rules: dict[str, int]) -> None:
    """Report the times of the sentences that all grammars parse."""
    rows = zip(*runs.values(), strict=True)
    common = [row for row in rows if measuring.parsed(row) == len(row)]
    columns = zip(runs, zip(*common, strict=True), strict=True)
    times = {name: [run.milliseconds for run in column] for name, column in columns}
    task.report.table(
        f"Growth with the grammar: {len(common)} sentences that all grammars parse",
        *("sentence", "CPU by grammar, ms", "exponent"),
    )
    curves = {
        (ladder, what): Curve(
            ladder, [rules[name] for name in names], [statistic(times[name]) for name in names]
        )
        for what, statistic in STATISTICS.items()
        for ladder, names in LADDERS.items()
    }
    for (ladder, what), curve in curves.items():
        listed = ", ".join(f"{quantity:,.1f}" for quantity in curve.ys)
        task.report.row(f"{ladder}, {what}", listed, f"{curve.power_law()[0]:.2f}")
    medians = [curves[ladder, "median"] for ladder in LADDERS]
    title, y_label = f"CPU time by grammar, {len(common)} sentences", "median CPU time (ms)"
    x_label = "size of the grammar (binarized rules)"
    task.plot(CurvePlot(title, x_label, y_label, medians, fitted=True), "grammar.svg")


PARTS: dict[str, Callable[[Task], None]] = {
    "presets": partial(_report_tests, tagged=True),
    "words": partial(_report_tests, tagged=False),
    "glued": _report_glued,
    "ungrammatical": _report_ungrammatical,
    "agreement": _report_agreement,
    "grammar": _report_grammars,
}


def _all_by_default(name: str, field: str, values: Iterable[object]) -> Callable[..., Any]:
    texts = [*map(str, values)]
    return click.option(name, field, multiple=True, type=click.Choice(texts), default=texts)


@measuring.benchmark("The search")
@click.argument("chosen", nargs=-1, metavar="[PARTS]...", type=click.Choice([*PARTS]))
@_all_by_default("--preset", "presets", PRESETS)
@_all_by_default("--length", "lengths", GLUED)
@click.option("--sentences", default=245, show_default=True, help="The first of the test files.")
@click.option("--max-length", default=25, show_default=True, help="Of agreement and grammar.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Wall time a sentence.")
@click.option("--plots", type=click.Path(path_type=Path, file_okay=False), help="A directory.")
def main(
    report: Report,
    chosen: tuple[str, ...],
    max_seconds: float,
    **options: Any,  # noqa: ANN401
) -> None:
    """Run the parts of the benchmark, all by default."""
    task = Task(report, budget=Budget(max_seconds=max_seconds), **options)
    if task.plots:
        if find_spec("matplotlib") is None:
            raise click.UsageError("--plots needs matplotlib: pip install matplotlib")
        task.plots.mkdir(parents=True, exist_ok=True)
    report.about = (
        f"{bench.ON_SAMPLE}, one core, at most {max_seconds:g} s a sentence; agreement and growth "
        f"with the grammar: sentences of at most {task.max_length} tokens."
    )
    report.fact("load or compile the kernels", measuring.warm_up())
    for part in chosen or PARTS:
        PARTS[part](task)
        report.fact(f"peak memory up to the end of {part}", measuring.peak_memory())


if __name__ == "__main__":
    main()
