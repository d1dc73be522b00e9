"""Surprisal: time a word, its growth with length, memory, and what it has to do with costs.

Grammars are extracted from files 0001-0159 of NLTK's sample of the Penn Treebank; words of files
0180-0199 are read, with gold tags and without.

    python tools/bench_surprisal.py [--presets NAME,NAME] [--max-length N] [--json FILE]
"""

from __future__ import annotations

import time
from math import inf, isfinite
from statistics import correlation, median, quantiles
from typing import NamedTuple

import click
from measuring import Report, peak_memory, reports
from splits import parts

from plcfrs.chart.budget import Budget
from plcfrs.pipeline import GrammarModel
from plcfrs.pipeline.sentence import Input
from plcfrs.pipeline.surprisal import Surprisal
from plcfrs.prefix import PrefixGrammar
from plcfrs.transformation import EVANG_KALLMEYER
from plcfrs.trees import Tree

_PRESETS = "evang-kallmeyer,markov-v1h1"
_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40))


class Reading(NamedTuple):
    """A sentence that was read: its tree, milliseconds a word, and the surprisal of its words."""

    tree: Tree
    milliseconds: float
    words: list[Surprisal]

    @property
    def is_whole(self) -> bool:
        """Whether all words were read."""
        return all(word.status == "read" for word in self.words)


@click.command()
@click.option("--presets", default=_PRESETS, show_default=True)
@click.option("--max-length", type=int, default=40, show_default=True, help="Tokens.")
@reports("Surprisal")
def main(report: Report, presets: str, max_length: int) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: grammars extracted from files 0001-0159; sentences of "
        f"files 0180-0199 with up to {max_length} tokens. Milliseconds of CPU time a word, the "
        "median, the 90th percentile and the highest of the means of sentences."
    )
    training, test = parts(None, EVANG_KALLMEYER)
    sentences = [tree for tree in test if len(tree.tokens) <= max_length]
    found: dict[tuple[str, str], list[Reading]] = {}
    costs: dict[str, list[float]] = {}
    report.table("Grammars", "preset", "rules", "prepared in", "normalised", "peak memory")
    for preset in presets.split(","):
        model = GrammarModel.train(training, preset)
        model = GrammarModel(model.grammar, budget=Budget(inf, 30.0, 1.0))
        start = time.process_time()
        prepared: PrefixGrammar = model.prefixes
        seconds = time.process_time() - start
        model.surprisal(_tagged(sentences[0]))  # compiles the kernels
        found[preset, "tags"] = [_read(model, tree, _tagged(tree)) for tree in sentences]
        found[preset, "words"] = [_read(model, tree, _words(tree)) for tree in sentences]
        costs[preset] = [-model.parse(_tagged(tree)).score for tree in sentences]
        changed = "yes" if prepared.is_changed else "no"
        rules = f"{len(model.grammar.rules):,}"
        report.row(preset, rules, f"{seconds:.1f} s", changed, peak_memory())
    _report_times(report, found)
    _report_lengths(report, found)
    _report_correlation(report, found, costs)


def _tagged(tree: Tree) -> list[tuple[str, str]]:
    return [(token.form, token.tag) for token in tree.tokens]


def _words(tree: Tree) -> list[str]:
    return [token.form for token in tree.tokens]


def _read(model: GrammarModel, tree: Tree, sentence: Input) -> Reading:
    start = time.process_time()
    words = model.surprisal(sentence)
    seconds = time.process_time() - start
    return Reading(tree, 1000 * seconds / len(words), words)


def _report_times(report: Report, found: dict[tuple[str, str], list[Reading]]) -> None:
    report.table(
        "Milliseconds a word",
        *("preset", "read", "median", "90%", "highest", "sentences", "read to the end"),
    )
    for (preset, kind), readings in found.items():
        times = [each.milliseconds for each in readings]
        whole = sum(each.is_whole for each in readings)
        row = (median(times), quantiles(times, n=10)[-1], max(times))
        report.row(preset, kind, *(f"{each:.1f}" for each in row), str(len(times)), str(whole))


def _report_lengths(report: Report, found: dict[tuple[str, str], list[Reading]]) -> None:
    report.table(
        "Median milliseconds a word by the length of the sentence",
        *("preset", "read", *(f"{low}-{high}" for low, high in _LENGTHS)),
    )
    for (preset, kind), readings in found.items():
        cells = []
        for low, high in _LENGTHS:
            times = [each.milliseconds for each in readings if low <= len(each.words) <= high]
            cells.append(f"{median(times):.1f}" if times else "-")
        report.row(preset, kind, *cells)


def _report_correlation(
    report: Report, found: dict[tuple[str, str], list[Reading]], costs: dict[str, list[float]]
) -> None:
    report.table(
        "Mean surprisal of the tags of a sentence, and the cost of its best parse a token: "
        "correlation",
        *("preset", "Pearson", "sentences"),
    )
    for preset, of_preset in costs.items():
        pairs = [
            (sum(word.surprisal or 0.0 for word in each.words) / len(each.words), cost)
            for each, total in zip(found[preset, "tags"], of_preset, strict=True)
            if each.is_whole and isfinite(cost := total / len(each.words))
        ]
        left, right = zip(*pairs, strict=True)
        report.row(preset, f"{correlation(left, right):.3f}", str(len(pairs)))


if __name__ == "__main__":
    main()
