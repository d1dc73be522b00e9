"""Surprisal: time per word, and its growth with sentences and grammars.

Grammars are extracted from files 0001-0159 of NLTK's sample of the Penn Treebank; words of files
0180-0199 are read, with and without gold tags, each sentence within the usual budget.

    python tools/bench_surprisal.py [--max-length N] [--json FILE]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from statistics import median, quantiles
from typing import NamedTuple

import click
from measuring import TEST, TRAINING, Report, benchmark, peak_memory, read, timed

from plcfrs import GrammarModel, Tree
from plcfrs.corpus.surprisal_table import surprisal_all
from plcfrs.forest.surprisal import PRECISION, Surprisal
from plcfrs.parsing.sentence import Input
from plcfrs.transformation import EVANG_KALLMEYER

_PRESETS = ("evang-kallmeyer", "markov-v1h1")
_LARGER = "interpolated-v2h2"
_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 60))
_SHARES = (4, 2, 1)  # a quarter, half and all of the training trees
_OF_A_LENGTH = 20  # sentences for which growth is measured
_ITEMS, _LONG = 60, 12  # of a list of stimuli, and their words


class Reading(NamedTuple):
    """A sentence that was read: milliseconds per word, and the surprisal of its words."""

    milliseconds: float
    words: list[Surprisal]


Readings = dict[str, list[Reading]]


@benchmark("Surprisal")
@click.option("--max-length", type=int, help="Tokens.  [default: all]")
def main(report: Report, max_length: int | None) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: grammars extracted from files 0001-0159; sentences of "
        "files 0180-0199, each with the usual budget. Milliseconds of CPU time a word, the median, "
        "the 90th percentile and the highest of the means of sentences."
    )
    training, test = (read(names, EVANG_KALLMEYER) for names in (TRAINING, TEST))
    sentences = [tree for tree in test if len(tree.tokens) <= (max_length or len(tree.tokens))]
    report.table("Grammars", "rules", "prepared in", "normalised", "peak memory")
    models = {preset: _prepared(report, training, preset) for preset in _PRESETS}
    readings = {
        f"{preset}, {kind}": [_read(model, input_of(tree)) for tree in sentences]
        for preset, model in models.items()
        for kind, input_of in _INPUTS.items()
    }
    _report_times(report, readings)
    _report_lengths(report, readings)
    _report_stimuli(report, models, test)
    _report_growth(report, training, [tree for tree in sentences if 11 <= len(tree.tokens) <= 20])


def _prepared(report: Report, training: list[Tree], preset: str) -> GrammarModel:
    model = GrammarModel.train(training, preset)
    prepared, seconds = timed(lambda: model.prefixes)
    model.surprisal(_tagged(training[0]))  # compiles the kernels
    rules, changed = f"{len(model.grammar.rules):,}", "yes" if prepared.is_changed else "no"
    report.row(preset, rules, f"{seconds:.1f} s", changed, peak_memory())
    return model


def _tagged(tree: Tree) -> list[tuple[str, str]]:
    return [(token.form, token.tag) for token in tree.tokens]


_INPUTS: dict[str, Callable[[Tree], Input]] = {"tags": _tagged, "words": Tree.words}


def _read(model: GrammarModel, sentence: Input) -> Reading:
    words, seconds = timed(partial(model.surprisal, sentence))
    return Reading(1000 * seconds / len(words), words)


def _report_times(report: Report, readings: Readings) -> None:
    report.table(
        "Milliseconds a word",
        "median",
        "90%",
        "highest",
        "sentences",
        f"within {PRECISION} bits",
        "wider bounds at the end",
        "out of time or memory",
    )
    for name, sentences in readings.items():
        times = [sentence.milliseconds for sentence in sentences]
        row = (median(times), quantiles(times, n=10)[-1], max(times))
        ends = Counter(sentence.words[-1].status for sentence in sentences)
        exact = sum(all(word.status == "read" for word in it.words) for it in sentences)
        numbers = (len(times), exact, ends["bounded"], ends["out of time"] + ends["out of memory"])
        report.row(name, *(f"{time:.1f}" for time in row), *map(str, numbers))


def _report_lengths(report: Report, readings: Readings) -> None:
    report.table(
        "Median milliseconds a word by the length of the sentence",
        *(f"{low}-{high}" for low, high in _LENGTHS),
    )
    for name, sentences in readings.items():
        by_length = (
            [it.milliseconds for it in sentences if low <= len(it.words) <= high]
            for low, high in _LENGTHS
        )
        report.row(name, *(f"{median(times):.1f}" if times else "-" for times in by_length))


def _report_stimuli(report: Report, models: dict[str, GrammarModel], trees: Iterable[Tree]) -> None:
    items = [tree.words()[:_LONG] for tree in trees if len(tree.tokens) >= _LONG][:_ITEMS]
    half = _LONG // 2
    pairs = zip(items, [*items[1:], items[0]], strict=True)
    stimuli = [[*item[:half], *rest[half:]] for item, other in pairs for rest in (item, other)]
    report.table(
        f"{_ITEMS} items of {_LONG} words in 2 conditions, which differ from the middle on",
        "seconds",
    )
    for preset, model in models.items():
        _, seconds = timed(partial(list, surprisal_all(model, stimuli)))
        report.row(preset, f"{seconds:.1f}")


def _report_growth(report: Report, training: list[Tree], trees: list[Tree]) -> None:
    report.table(
        "Median milliseconds a word of 20 sentences with 11 to 20 tokens, by grammar",
        "rules",
        "prepared in",
        *_INPUTS,
    )
    rows = [(preset, share) for preset in _PRESETS for share in _SHARES]
    for preset, share in [*rows, (_LARGER, 1)]:
        part = training[: len(training) // share]
        model = GrammarModel.train(part, preset)
        _, seconds = timed(partial(getattr, model, "prefixes"))
        times = (
            median(_read(model, input_of(tree)).milliseconds for tree in trees[:_OF_A_LENGTH])
            for input_of in _INPUTS.values()
        )
        rules = f"{len(model.grammar.rules):,}"
        cells = (f"{time:.1f}" for time in times)
        report.row(f"{preset}, {len(part):,} trees", rules, f"{seconds:.1f} s", *cells)


if __name__ == "__main__":
    main()
