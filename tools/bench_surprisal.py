"""Surprisal: time a word, its growth, memory, and what it has to do with costs.

Grammars are extracted from files 0001-0159 of NLTK's sample of the Penn Treebank; words of files
0180-0199 are read, with gold tags and without, each sentence within the usual budget.

    python tools/bench_surprisal.py [--presets NAME,NAME] [--max-length N] [--json FILE]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import isfinite
from statistics import correlation, median, quantiles
from typing import Any, NamedTuple

import bench
import click
from measuring import Report, benchmark, peak_memory, timed

from plcfrs import GrammarModel, Tree
from plcfrs.corpus.surprisal_table import surprisal_all
from plcfrs.forest.surprisal import PRECISION, Surprisal
from plcfrs.grammar import tag
from plcfrs.parsing.sentence import Input
from plcfrs.prefix import PrefixChart
from plcfrs.transformation import EVANG_KALLMEYER

_PRESETS = "evang-kallmeyer,markov-v1h1"
_LARGER = "interpolated-v2h2"
_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 60))
_SHARES = (4, 2, 1)  # a quarter, half and all of the training trees
_OF_A_LENGTH = 20  # sentences for which growth is measured
_ANALYSES = 3
_ITEMS, _LONG = 60, 12  # of a list of stimuli, and their words


class Reading(NamedTuple):
    """A sentence that was read: milliseconds a word, and the surprisal of its words."""

    milliseconds: float
    words: list[Surprisal]

    @property
    def is_exact(self) -> bool:
        """Whether all words have bounds up to the precision."""
        return all(word.status == "read" for word in self.words)


Readings = dict[tuple[str, str], list[Reading]]
Models = Mapping[str, GrammarModel]


@benchmark("Surprisal")
@click.option("--presets", default=_PRESETS, show_default=True)
@click.option("--max-length", type=int, help="Tokens.  [default: all]")
def main(report: Report, presets: str, max_length: int | None) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: grammars extracted from files 0001-0159; sentences of "
        "files 0180-0199, each with the usual budget. Milliseconds of CPU time a word, the median, "
        "the 90th percentile and the highest of the means of sentences."
    )
    training, test = (bench.read(each, EVANG_KALLMEYER) for each in (bench.TRAINING, bench.TEST))
    sentences = [tree for tree in test if len(tree.tokens) <= (max_length or len(tree.tokens))]
    report.table("Grammars", "preset", "rules", "prepared in", "normalised", "peak memory")
    models = {preset: _prepared(report, training, preset) for preset in presets.split(",")}
    found = {
        (preset, kind): [_read(model, given(tree)) for tree in sentences]
        for preset, model in models.items()
        for kind, given in _GIVEN.items()
    }
    _report_times(report, found)
    _report_lengths(report, found)
    _report_extras(report, models, [tree for tree in sentences if len(tree.tokens) <= 25])
    _report_stimuli(report, models, test)
    _report_memory(report, models, sentences)
    _report_growth(report, training, [tree for tree in sentences if 11 <= len(tree.tokens) <= 20])
    report.table(
        "Mean surprisal of the tags of a sentence, and the cost of its best parse a token: "
        "correlation",
        *("preset", "Pearson", "sentences"),
        rows=(
            (preset, *_correlation(model, sentences, found[preset, "tags"]))
            for preset, model in models.items()
        ),
    )


def _prepared(report: Report, training: list[Tree], preset: str) -> GrammarModel:
    model = GrammarModel.train(training, preset)
    prepared, seconds = timed(lambda: model.prefixes)
    model.surprisal(_tagged(training[0]), _ANALYSES)  # compiles the kernels
    rules, changed = f"{len(model.grammar.rules):,}", "yes" if prepared.is_changed else "no"
    report.row(preset, rules, f"{seconds:.1f} s", changed, peak_memory())
    return model


def _tagged(tree: Tree) -> list[tuple[str, str]]:
    return [(token.form, token.tag) for token in tree.tokens]


_GIVEN: dict[str, Callable[[Tree], Input]] = {"tags": _tagged, "words": Tree.words}


def _read(model: GrammarModel, sentence: Input, **wanted: Any) -> Reading:  # noqa: ANN401
    words, seconds = timed(partial(model.surprisal, sentence, **wanted))
    return Reading(1000 * seconds / len(words), words)


def _time(model: GrammarModel, sentences: Iterable[Input], **wanted: Any) -> str:  # noqa: ANN401
    """Return the median of the milliseconds a word."""
    return f"{median(_read(model, each, **wanted).milliseconds for each in sentences):.1f}"


def _by_length(figures_of: Callable[[range], list[float]], digits: int) -> Iterator[str]:
    """Yield the median of some figure for each range of lengths."""
    for low, high in _LENGTHS:
        figures = figures_of(range(low, high + 1))
        yield f"{median(figures):.{digits}f}" if figures else "-"


def _report_times(report: Report, found: Readings) -> None:
    report.table(
        "Milliseconds a word",
        *("preset", "read", "median", "90%", "highest", "sentences", f"within {PRECISION} bits"),
        *("wider bounds at the end", "out of time or memory"),
    )
    for (preset, kind), readings in found.items():
        times = [each.milliseconds for each in readings]
        row = (median(times), quantiles(times, n=10)[-1], max(times))
        ends = Counter(each.words[-1].status for each in readings)
        exact = sum(each.is_exact for each in readings)
        numbers = (len(times), exact, ends["bounded"], ends["out of time"] + ends["out of memory"])
        report.row(preset, kind, *(f"{each:.1f}" for each in row), *map(str, numbers))


def _report_lengths(report: Report, found: Readings) -> None:
    def times(readings: list[Reading], lengths: range) -> list[float]:
        return [each.milliseconds for each in readings if len(each.words) in lengths]

    report.table(
        "Median milliseconds a word by the length of the sentence",
        *("preset", "read", *(f"{low}-{high}" for low, high in _LENGTHS)),
        rows=((*key, *_by_length(partial(times, each), 1)) for key, each in found.items()),
    )


def _report_extras(report: Report, models: Models, trees: list[Tree]) -> None:
    report.table(
        "Median milliseconds a word with more, words of sentences up to 25 tokens",
        *("preset", "surprisal", f"with {_ANALYSES} analyses", "with the entropy of derivations"),
    )
    chosen = [tree.words() for tree in trees[:: max(1, len(trees) // _OF_A_LENGTH)]]
    for preset, model in models.items():
        model.surprisal(_tagged(trees[0]), derivation_entropy=True)  # makes its grammars
        plain, analysed = (_time(model, chosen, analyses=number) for number in (0, _ANALYSES))
        report.row(preset, plain, analysed, _time(model, chosen, derivation_entropy=True))


def _report_stimuli(report: Report, models: Models, trees: list[Tree]) -> None:
    items = [tree.words()[:_LONG] for tree in trees if len(tree.tokens) >= _LONG][:_ITEMS]
    half = _LONG // 2
    pairs = zip(items, [*items[1:], items[0]], strict=True)
    stimuli = [[*item[:half], *rest[half:]] for item, other in pairs for rest in (item, other)]
    report.table(
        f"{_ITEMS} items of {_LONG} words in 2 conditions, which differ from the middle on",
        *("preset", "seconds"),
    )
    for preset, model in models.items():
        _, seconds = timed(partial(list, surprisal_all(model, stimuli)))
        report.row(preset, f"{seconds:.1f}")


def _report_memory(report: Report, models: Models, sentences: list[Tree]) -> None:
    def megabytes(model: GrammarModel, lengths: range) -> list[float]:
        found = []
        for tree in [tree for tree in sentences if len(tree.tokens) in lengths][:_OF_A_LENGTH]:
            chart = PrefixChart(model.prefixes)
            for token in tree.tokens:
                chart.extend({tag(token.tag): 1.0})
            found.append(1024 * chart.memory)
        return found

    report.table(
        "Median MB of the arrays of a chart by the length of the sentence, with tags",
        *("preset", *(f"{low}-{high}" for low, high in _LENGTHS)),
        rows=((name, *_by_length(partial(megabytes, each), 0)) for name, each in models.items()),
    )


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


def _correlation(
    model: GrammarModel, sentences: list[Tree], readings: list[Reading]
) -> tuple[str, str]:
    """Return the correlation for the sentences with both numbers, and how many they are."""
    pairs = [
        (sum(word.surprisal or 0.0 for word in each.words) / len(each.words), cost)
        for tree, each in zip(sentences, readings, strict=True)
        if each.is_exact and isfinite(cost := -model.parse(tree).score / len(each.words))
    ]
    left, right = zip(*pairs, strict=True)
    return f"{correlation(left, right):.3f}", str(len(pairs))


if __name__ == "__main__":
    main()
