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

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import islice
from math import isclose
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import click
import measuring
from grammar_ladder import LADDERS, Rung
from long_sentences import Tags, Trial, glued, tags_of, try_tags, without_parse
from measuring import Report, Run
from splits import LENGTHS, described, parts

from plcfrs.chart import ChartParser
from plcfrs.chart.budget import Budget
from plcfrs.grammar import PRESETS, Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.plots import Curve, CurvePlot, save_plot
from plcfrs.transformation import EVANG_KALLMEYER
from plcfrs.trees import Tree

OF_WORDS = "interpolated-v2h2"
OF_LONG_SENTENCES = ("evang-kallmeyer", "markov-v1h1")
GLUED = {64: 20, 80: 20, 100: 10, 128: 10, 200: 5}  # sentences of each length
SHORTEST = 10  # tokens, of growth with the length
FITTED = (20, 40, 100, 200)  # tokens
BAND = 10  # tokens
STATISTICS: dict[str, Callable[[list[float]], float]] = {"median": median, "total": sum}


class Bench(NamedTuple):
    """What is parsed, and how, and what is found."""

    report: Report
    presets: Sequence[str]
    lengths: Sequence[str]
    sentences: int
    max_length: int
    budget: Budget
    plots: Path | None

    @property
    def presets_of_long_sentences(self) -> list[str]:
        """The chosen presets that parse long and ungrammatical sentences."""
        return [preset for preset in OF_LONG_SENTENCES if preset in self.presets]

    def grammar(self, preset: str) -> tuple[Grammar, list[Tree]]:
        """Return the grammar of a preset, and the test trees."""
        transformation, recipe = PRESETS[preset]
        training, test = parts(None, transformation)
        grammar = recipe.grammar(training)
        measuring.leave_out_of_collection()
        return grammar, test[: self.sentences]

    def chart_parser(self, preset: str) -> tuple[ChartParser, list[Tags]]:
        """Return a parser with the grammar of a preset, and the tags of the test trees."""
        grammar, test = self.grammar(preset)
        return ChartParser(grammar, budget=self.budget), tags_of(test)

    def plain_parts(self) -> tuple[list[Tree], list[Tree]]:
        """Return the trees for training, and the test trees of limited length."""
        training, test = parts(None, EVANG_KALLMEYER)
        short = [tree for tree in test[: self.sentences] if len(tree.tokens) <= self.max_length]
        return training, short

    def plot(self, plot: CurvePlot, name: str) -> None:
        """Write a plot if plots are wanted."""
        if self.plots:
            save_plot(plot, self.plots / name)
            click.echo(f"plot: {self.plots / name}", err=True)


def _report_presets(bench: Bench) -> None:
    bench.report.table("Test sentences, gold tags", "grammar", "rules", "tokens", *MEASURES)
    for preset in bench.presets:
        _report_preset(bench, preset, tagged=True)


def _report_words(bench: Bench) -> None:
    bench.report.table("Test sentences, words alone", "grammar", "rules", "tokens", *MEASURES)
    _report_preset(bench, OF_WORDS, tagged=False)


def _report_preset(bench: Bench, preset: str, *, tagged: bool) -> None:
    grammar, test = bench.grammar(preset)
    model = GrammarModel(grammar, budget=bench.budget)
    runs = [measuring.timed_parse(model, tree, tagged=tagged) for tree in test]
    for tokens, longest in LENGTHS.items():
        chosen = [run for run in runs if longest is None or run.length <= longest]
        measured = (measure(chosen) for measure in MEASURES.values())
        bench.report.row(preset, f"{len(grammar.rules):,}", tokens, *measured)


def _total(name: str) -> Callable[[list[Run]], float]:
    return lambda runs: sum(getattr(run.parse.statistics, name) for run in runs)


MEASURES: dict[str, Callable[[list[Run]], str]] = {
    "sentences": lambda runs: f"{len(runs)}",
    "parsed": lambda runs: f"{measuring.parsed(runs)}",
    "proven": lambda runs: f"{sum(run.is_finished for run in runs)}",
    "CPU: median / p95 / max, ms": measuring.spread,
    "CPU, all, s": measuring.seconds,
    "estimates, s wall": lambda runs: f"{_total('estimate_seconds')(runs):.2f}",
    "deduction, s wall": lambda runs: f"{_total('search_seconds')(runs):.2f}",
    "items created": lambda runs: f"{_total('items')(runs):,}",
    "items popped": lambda runs: f"{_total('popped')(runs):,}",
    "edges": lambda runs: f"{_total('edges')(runs):,}",
}


def _report_glued(bench: Bench) -> None:
    bench.report.table(
        "Test sentences glued together, gold tags",
        *("grammar", "tokens", "sentences", "proven", "CPU: mean / max, s"),
        *("gap of the others: mean", "first parse, CPU: mean / max, s"),
    )
    curves = [_glued_curve(bench, preset) for preset in bench.presets_of_long_sentences]
    bench.report.table(
        f"Growth with the length of the sentence, from {SHORTEST} tokens on",
        *("grammar", "sentences", "exponent"),
        *(f"fitted, {length} tokens, ms" for length in FITTED),
    )
    for curve in curves:
        exponent, factor = curve.power_law()
        fitted = (f"{factor * length**exponent:,.1f}" for length in FITTED)
        bench.report.row(curve.name, f"{len(curve.xs)}", f"{exponent:.2f}", *fitted)
    title, y_label = "CPU time by length", "CPU time a sentence (ms)"
    bench.plot(CurvePlot(title, "length (tokens)", y_label, curves, fitted=True), "length.png")


def _glued_curve(bench: Bench, preset: str) -> Curve:
    """Report glued sentences, and return the times of these and of the test sentences."""
    parser, sentences = bench.chart_parser(preset)
    trials = [try_tags(parser, tags) for tags in sentences if len(tags) >= SHORTEST]
    for length in map(int, bench.lengths):
        long = islice(glued(sentences, length), GLUED[length])
        found = [try_tags(parser, tags) for tags in long]
        if found:
            bench.report.row(preset, str(length), *_cells(found))
        trials += found
    milliseconds = [1000 * trial.seconds for trial in trials]
    return Curve(preset, [trial.length for trial in trials], milliseconds)


def _cells(trials: list[Trial]) -> Iterator[str]:
    yield f"{len(trials)}"
    yield f"{sum(trial.is_proven for trial in trials)}"
    yield _mean_and_max([trial.seconds for trial in trials])
    gaps = [trial.gap for trial in trials if trial.gap]
    yield f"{mean(gaps):.2f}" if gaps else "-"
    first = [trial.first_seconds for trial in trials if trial.first_seconds is not None]
    yield _mean_and_max(first) if first else "-"


def _mean_and_max(numbers: Sequence[float]) -> str:
    return f"{mean(numbers):.2f} / {max(numbers):.2f}"


def _report_ungrammatical(bench: Bench) -> None:
    bench.report.table(
        "No parse, after two neighbouring tags were swapped",
        *("grammar", "sentences", "tokens", "proven", "by the relaxation alone"),
        "CPU: median / max, ms",
    )
    for preset in bench.presets_of_long_sentences:
        trials = list(without_parse(*bench.chart_parser(preset)))
        if trials:
            lengths = [trial.length for trial in trials]
            times = [1000 * trial.seconds for trial in trials]
            bench.report.row(
                *(preset, f"{len(trials)}", f"{min(lengths)} to {max(lengths)}"),
                f"{sum(trial.is_proven for trial in trials)}",
                f"{sum(not trial.result.statistics.items for trial in trials)}",
                f"{median(times):.1f} / {max(times):.1f}",
            )


def _report_agreement(bench: Bench) -> None:
    training, test = bench.plain_parts()
    grammar = Rung().grammar(training)
    astar = GrammarModel(grammar, "astar", budget=bench.budget)
    knuth = GrammarModel(grammar, "knuth", budget=bench.budget)
    pairs = [
        (measuring.timed_parse(astar, each), measuring.timed_parse(knuth, each)) for each in test
    ]
    bench.report.table(
        "Costs of the best parses by astar and by knuth",
        *("tokens", "sentences", "same cost", "another cost"),
        *("astar not finished", "knuth not finished", "CPU astar, s", "CPU knuth, s"),
    )
    for low in range(1, bench.max_length + 1, BAND):
        high = min(low + BAND - 1, bench.max_length)
        if band := [pair for pair in pairs if low <= pair[0].length <= high]:
            _report_band(bench.report, f"{low}-{high}", band)
    _report_band(bench.report, "all", pairs)


def _report_band(report: Report, name: str, pairs: list[tuple[Run, Run]]) -> None:
    astar, knuth = zip(*pairs, strict=True)
    finished = [pair for pair in pairs if all(run.is_finished for run in pair)]
    # Without a parse, the cost of both is infinite, which is the same.
    same = sum(isclose(one.parse.score, other.parse.score, rel_tol=1e-9) for one, other in finished)
    unfinished = [sum(not run.is_finished for run in runs) for runs in (astar, knuth)]
    counts = [len(pairs), same, len(finished) - same, *unfinished]
    report.row(name, *map(str, counts), measuring.seconds(astar), measuring.seconds(knuth))


def _report_grammars(bench: Bench) -> None:
    training, test = bench.plain_parts()
    runs: dict[Rung, list[Run]] = {}
    rules: dict[Rung, int] = {}
    bench.report.table(
        "Grammars of many sizes",
        *("grammar", "binarized rules", "symbols", "to arrays, s CPU", f"parsed, of {len(test)}"),
        "CPU, all, s",
    )
    for rung in dict.fromkeys(rung for ladder in LADDERS.values() for rung in ladder):
        grammar = rung.grammar(training)
        model, compiled = measuring.timed(partial(GrammarModel, grammar, budget=bench.budget))
        rules[rung] = len(grammar.rules)
        runs[rung] = [measuring.timed_parse(model, tree) for tree in test]
        sizes = (f"{rules[rung]:,}", f"{len(grammar.nonterminals()):,}", f"{compiled:.2f}")
        parsed, seconds = str(measuring.parsed(runs[rung])), measuring.seconds(runs[rung])
        bench.report.row(str(rung), *sizes, parsed, seconds)
    _report_growth(bench, runs, rules)


def _report_growth(bench: Bench, runs: dict[Rung, list[Run]], rules: dict[Rung, int]) -> None:
    """Report the times of the sentences that all grammars parse."""
    rows = zip(*runs.values(), strict=True)
    common = [row for row in rows if measuring.parsed(row) == len(row)]
    columns = zip(runs, zip(*common, strict=True), strict=True)
    times = {rung: [run.milliseconds for run in column] for rung, column in columns}
    bench.report.table(
        f"Growth with the grammar: {len(common)} sentences that all grammars parse",
        *("sentence", "CPU by grammar, ms", "exponent"),
    )
    curves = {
        (ladder, what): Curve(
            ladder, [rules[rung] for rung in rungs], [statistic(times[rung]) for rung in rungs]
        )
        for what, statistic in STATISTICS.items()
        for ladder, rungs in LADDERS.items()
    }
    for (ladder, what), curve in curves.items():
        listed = ", ".join(f"{quantity:,.1f}" for quantity in curve.ys)
        bench.report.row(f"{ladder}, {what}", listed, f"{curve.power_law()[0]:.2f}")
    medians = [curves[ladder, "median"] for ladder in LADDERS]
    title, y_label = f"CPU time by grammar, {len(common)} sentences", "median CPU time (ms)"
    x_label = "size of the grammar (binarized rules)"
    bench.plot(CurvePlot(title, x_label, y_label, medians, fitted=True), "grammar.png")


PARTS: dict[str, Callable[[Bench], None]] = {
    "presets": _report_presets,
    "words": _report_words,
    "glued": _report_glued,
    "ungrammatical": _report_ungrammatical,
    "agreement": _report_agreement,
    "grammar": _report_grammars,
}


def _all_by_default(name: str, field: str, values: Iterable[object]) -> Callable[..., Any]:
    texts = [*map(str, values)]
    return click.option(name, field, multiple=True, type=click.Choice(texts), default=texts)


@click.command()
@click.argument("chosen", nargs=-1, metavar="[PARTS]...", type=click.Choice([*PARTS]))
@_all_by_default("--preset", "presets", PRESETS)
@_all_by_default("--length", "lengths", GLUED)
@click.option("--sentences", default=245, show_default=True, help="The first of the test files.")
@click.option("--max-length", default=25, show_default=True, help="Of agreement and grammar.")
@click.option("--max-seconds", default=60.0, show_default=True, help="Wall time a sentence.")
@click.option("--plots", type=click.Path(path_type=Path, file_okay=False), help="A directory.")
@measuring.reports("The search")
def main(
    report: Report,
    chosen: tuple[str, ...],
    max_seconds: float,
    **options: Any,  # noqa: ANN401
) -> None:
    """Run the parts of the benchmark, all by default."""
    bench = Bench(report, budget=Budget(max_seconds=max_seconds), **options)
    if bench.plots:
        if find_spec("matplotlib") is None:
            raise click.UsageError("--plots needs matplotlib: pip install matplotlib")
        bench.plots.mkdir(parents=True, exist_ok=True)
    report.about = (
        f"{described(None)}, one core, at most {max_seconds:g} s a sentence; agreement and growth "
        f"with the grammar: sentences of at most {bench.max_length} tokens."
    )
    report.fact("load or compile the kernels", measuring.warm_up())
    for part in chosen or PARTS:
        PARTS[part](bench)
        report.fact(f"peak memory up to the end of {part}", measuring.peak_memory())


if __name__ == "__main__":
    main()
