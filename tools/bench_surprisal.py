"""Surprisal: time a word, its growth, memory, and what it has to do with costs.

Grammars are extracted from files 0001-0159 of NLTK's sample of the Penn Treebank; words of files
0180-0199 are read, with gold tags and without, each sentence within the usual budget.

    python tools/bench_surprisal.py [--presets NAME,NAME] [--max-length N] [--json FILE]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import isfinite
from statistics import correlation, median, quantiles
from typing import NamedTuple

import click
from measuring import Report, peak_memory, reports, timed
from splits import parts

from plcfrs.grammar import tag
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.sentence import Input
from plcfrs.parsing.surprisal import Surprisal
from plcfrs.prefix import PrefixChart
from plcfrs.transformation import EVANG_KALLMEYER
from plcfrs.trees import Tree

_PRESETS = "evang-kallmeyer,markov-v1h1"
_LARGER = "interpolated-v2h2"
_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 60))
_SHARES = (4, 2, 1)  # a quarter, half and all of the training trees
_OF_A_LENGTH = 20  # sentences for which growth is measured
_ANALYSES = 3


class Reading(NamedTuple):
    """A sentence that was read: milliseconds a word, and the surprisal of its words."""

    milliseconds: float
    words: list[Surprisal]

    @property
    def status(self) -> str:
        """That of the first word that was not read exactly, or "read"."""
        return next((word.status for word in self.words if word.status != "read"), "read")


Readings = dict[tuple[str, str], list[Reading]]


@click.command()
@click.option("--presets", default=_PRESETS, show_default=True)
@click.option("--max-length", type=int, help="Tokens.  [default: all]")
@reports("Surprisal")
def main(report: Report, presets: str, max_length: int | None) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: grammars extracted from files 0001-0159; sentences of "
        "files 0180-0199, each with the usual budget. Milliseconds of CPU time a word, the median, "
        "the 90th percentile and the highest of the means of sentences."
    )
    training, test = parts(None, EVANG_KALLMEYER)
    sentences = [tree for tree in test if len(tree.tokens) <= (max_length or len(tree.tokens))]
    found: Readings = {}
    costs: dict[str, list[float]] = {}
    report.table("Grammars", "preset", "rules", "prepared in", "normalised", "peak memory")
    models = {preset: _prepared(report, training, preset) for preset in presets.split(",")}
    for preset, model in models.items():
        for kind, given in _GIVEN.items():
            found[preset, kind] = [_read(model, given(tree)) for tree in sentences]
        costs[preset] = [-model.parse(_tagged(tree)).score for tree in sentences]
    _report_times(report, found)
    _report_lengths(report, found)
    _report_extras(report, models, [tree for tree in sentences if len(tree.tokens) <= 25])
    _report_memory(report, models, sentences)
    _report_growth(report, training, [tree for tree in sentences if 11 <= len(tree.tokens) <= 20])
    _report_correlation(report, found, costs)


def _prepared(report: Report, training: list[Tree], preset: str) -> GrammarModel:
    model = GrammarModel.train(training, preset)
    prepared, seconds = timed(lambda: model.prefixes)
    model.surprisal(_tagged(training[0]), _ANALYSES)  # compiles the kernels
    changed = "yes" if prepared.is_changed else "no"
    rules = f"{len(model.grammar.rules):,}"
    report.row(preset, rules, f"{seconds:.1f} s", changed, peak_memory())
    return model


def _tagged(tree: Tree) -> list[tuple[str, str]]:
    return [(token.form, token.tag) for token in tree.tokens]


_GIVEN: dict[str, Callable[[Tree], Input]] = {"tags": _tagged, "words": Tree.words}


def _read(
    model: GrammarModel, sentence: Input, analyses: int = 0, *, entropy: bool = False
) -> Reading:
    words, seconds = timed(partial(model.surprisal, sentence, analyses, derivation_entropy=entropy))
    return Reading(1000 * seconds / len(words), words)


def _time(
    model: GrammarModel, sentences: Iterable[Input], wanted: int = 0, *, entropy: bool = False
) -> str:
    """Return the median of the milliseconds a word."""
    times = (_read(model, each, wanted, entropy=entropy).milliseconds for each in sentences)
    return f"{median(times):.1f}"


def _by_length(of_lengths: Callable[[int, int], list[float]], digits: int) -> Iterator[str]:
    """Return the median of some figure for each range of lengths."""
    for low, high in _LENGTHS:
        figures = of_lengths(low, high)
        yield f"{median(figures):.{digits}f}" if figures else "-"


def _report_times(report: Report, found: Readings) -> None:
    report.table(
        "Milliseconds a word",
        *("preset", "read", "median", "90%", "highest", "sentences", "exact"),
        *("with bounds at the end", "out of time or memory"),
    )
    for (preset, kind), readings in found.items():
        times = [each.milliseconds for each in readings]
        row = (median(times), quantiles(times, n=10)[-1], max(times))
        ends = Counter(each.words[-1].status for each in readings)
        exact = sum(each.status == "read" for each in readings)
        numbers = (len(times), exact, ends["bounded"], ends["out of time"] + ends["out of memory"])
        report.row(preset, kind, *(f"{each:.1f}" for each in row), *map(str, numbers))


def _report_lengths(report: Report, found: Readings) -> None:
    report.table(
        "Median milliseconds a word by the length of the sentence",
        *("preset", "read", *(f"{low}-{high}" for low, high in _LENGTHS)),
    )
    for (preset, kind), readings in found.items():

        def times(low: int, high: int, readings: list[Reading] = readings) -> list[float]:
            return [each.milliseconds for each in readings if low <= len(each.words) <= high]

        report.row(preset, kind, *_by_length(times, 1))


def _report_extras(report: Report, models: dict[str, GrammarModel], trees: list[Tree]) -> None:
    report.table(
        "Median milliseconds a word with more, words of sentences up to 25 tokens",
        *("preset", "surprisal", f"with {_ANALYSES} analyses", "with the entropy of derivations"),
    )
    for preset, model in models.items():
        model.surprisal(_tagged(trees[0]), derivation_entropy=True)  # makes its grammars
        chosen = [tree.words() for tree in trees[:: max(1, len(trees) // _OF_A_LENGTH)]]
        plain, analysed = (_time(model, chosen, number) for number in (0, _ANALYSES))
        report.row(preset, plain, analysed, _time(model, chosen, entropy=True))


def _report_memory(report: Report, models: dict[str, GrammarModel], sentences: list[Tree]) -> None:
    report.table(
        "Median MB of the arrays of a chart by the length of the sentence, with tags",
        *("preset", *(f"{low}-{high}" for low, high in _LENGTHS)),
    )
    for preset, model in models.items():

        def megabytes(low: int, high: int, model: GrammarModel = model) -> list[float]:
            trees = [tree for tree in sentences if low <= len(tree.tokens) <= high]
            return [_size(model, tree) for tree in trees[:_OF_A_LENGTH]]

        report.row(preset, *_by_length(megabytes, 0))


def _size(model: GrammarModel, tree: Tree) -> float:
    """Return the size of the chart of a sentence in MB."""
    chart = PrefixChart(model.prefixes)
    for token in tree.tokens:
        chart.extend({tag(token.tag): 1.0})
    return 1024 * chart.memory


def _report_growth(report: Report, training: list[Tree], trees: list[Tree]) -> None:
    report.table(
        "Median milliseconds a word of 20 sentences with 11 to 20 tokens, by grammar",
        *("preset", "trees", "rules", "prepared in", "tags", "words"),
    )
    rows = [(preset, share) for preset in _PRESETS.split(",") for share in _SHARES]
    for preset, share in [*rows, (_LARGER, 1)]:
        known = training[: len(training) // share]
        model = GrammarModel.train(known, preset)
        _, seconds = timed(partial(getattr, model, "prefixes"))
        times = [_time(model, map(given, trees[:_OF_A_LENGTH])) for given in _GIVEN.values()]
        sizes = (f"{len(known):,}", f"{len(model.grammar.rules):,}")
        report.row(preset, *sizes, f"{seconds:.1f} s", *times)


def _report_correlation(report: Report, found: Readings, costs: dict[str, list[float]]) -> None:
    report.table(
        "Mean surprisal of the tags of a sentence, and the cost of its best parse a token: "
        "correlation",
        *("preset", "Pearson", "sentences"),
    )
    for preset, of_preset in costs.items():
        pairs = [
            (sum(word.surprisal or 0.0 for word in each.words) / len(each.words), cost)
            for each, total in zip(found[preset, "tags"], of_preset, strict=True)
            if each.status == "read" and isfinite(cost := total / len(each.words))
        ]
        left, right = zip(*pairs, strict=True)
        report.row(preset, f"{correlation(left, right):.3f}", str(len(pairs)))


if __name__ == "__main__":
    main()
