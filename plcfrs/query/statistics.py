"""What a treebank has, and what distinguishes it from another one.

Two treebanks are compared by the log-likelihood of Rayson and Garside (2000): how far both counts
of a value are from those that equal rates would give. A difference above 3.84 is significant at
p < 0.05, above 15.13 at p < 0.0001.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import median
from typing import NamedTuple

import numpy as np

from plcfrs.query.hits import Hits
from plcfrs.query.segment import Mask
from plcfrs.treebank.compilation import compiled_parts
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.tree import NULL_TAG

_BAND = 10  # sentence lengths


class Counted(NamedTuple):
    """What is counted, its unit (tokens or trees), and whether its values have an order."""

    name: str
    unit: str = "tokens"
    is_ordered: bool = False


CATEGORIES = Counted("constituents")
FUNCTIONS = Counted("functions")
TAGS = Counted("tags")
WORDS = Counted("words")
FAN_OUTS = Counted("fan-out of constituents", is_ordered=True)
GAP_DEGREES = Counted("gap degree of trees", "trees", is_ordered=True)
GAPPED = Counted("constituents with gaps")
FILLED = Counted("constituents with gaps: what is in the gaps")
TRACES = Counted("types of traces")
LENGTHS = Counted("length of sentences", "trees", is_ordered=True)
ALL_COUNTED = (
    CATEGORIES,
    FUNCTIONS,
    TAGS,
    WORDS,
    FAN_OUTS,
    GAP_DEGREES,
    GAPPED,
    FILLED,
    TRACES,
    LENGTHS,
)


class ComparedValue(NamedTuple):
    """A value with its count in each treebank, and the rates per million tokens or trees.

    The log-likelihood is 0 if there is only one treebank.
    """

    value: str
    counts: tuple[int, ...]
    rates: tuple[float, ...]
    log_likelihood: float = 0.0


@dataclass
class TreebankStatistics:
    """The counts of all that a treebank has. Null elements are not tokens; ROOT is not counted.

    Traces are null elements, and in transformed trees the constituents that were moved to one.

    Parameters
    ----------
    totals : dict of str to int
        How many "trees", "tokens" and so on.
    lengths : Counter of int
        How many trees have each number of tokens.
    counts : dict of Counted to Counter

    Examples
    --------
    >>> tree = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")
    >>> statistics = statistics_of([tree])
    >>> statistics.totals["tokens"], statistics.counts[FILLED]
    (3, Counter({'VP: PRP': 1}))
    """

    totals: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    counts: dict[Counted, Counter[str]] = field(
        default_factory=lambda: {counted: Counter() for counted in ALL_COUNTED}
    )

    def add(self, trees: CompiledTrees) -> None:
        """Count trees."""
        self._add_tokens(trees)
        is_node = self._add_nodes(trees)
        gaps = np.zeros(len(trees.kind), np.int64)
        gaps[trees.gapped] = np.diff(trees.gap_starts)
        self.counts[FAN_OUTS].update(map(str, (gaps[is_node & (trees.first >= 0)] + 1).tolist()))
        degrees = np.maximum.reduceat(gaps, trees.tree_places[:-1])
        self.counts[GAP_DEGREES].update(map(str, degrees.tolist()))
        hits = Hits(trees, trees.gapped[is_node[trees.gapped]], {})
        for (category, filling), times in hits.counts("category", "gap").items():
            self.counts[GAPPED][str(category)] += times
            self.counts[FILLED][f"{category}: {filling}"] += times

    def _add_tokens(self, trees: CompiledTrees) -> None:
        lengths = np.diff(trees.overt_before[trees.tree_numbers])
        starts = (np.maximum(lengths, 1) - 1) // _BAND * _BAND + 1
        self.counts[LENGTHS].update(f"{start}-{start + _BAND - 1}" for start in starts.tolist())
        self.lengths.update(lengths.tolist())
        self.totals.update({"trees": len(trees), "tokens": int(lengths.sum())})
        is_overt = np.diff(trees.overt_before) > 0
        for part, counted in (("form", WORDS), ("tag", TAGS), ("function", FUNCTIONS)):
            for text, times in _frequencies(trees, part, is_overt):
                self.counts[counted][text] += times if text else 0
        is_null = trees.column("tag") == trees.pools["tag"].numbers.get(NULL_TAG, -1)
        for text, times in _frequencies(trees, "form", is_null):
            self.counts[TRACES][text.partition("-")[0]] += times

    def _add_nodes(self, trees: CompiledTrees) -> Mask:
        """Count constituents by their labels, and return which places have one."""
        kinds = trees.kinds.all
        times_of = np.bincount(trees.kind, minlength=len(kinds) + 1)[1:].tolist()
        for (label, _, moved), times in zip(kinds, times_of, strict=True):
            if label.category != ROOT:
                self.totals["constituents"] += times
                self.counts[CATEGORIES][label.category] += times
                self.counts[FUNCTIONS].update(dict.fromkeys(label.functions, times))
                self.counts[TRACES].update({moved: times} if moved else {})
        is_constituent = np.array([False, *(kind.label.category != ROOT for kind in kinds)])
        return is_constituent[trees.kind]

    def summary(self) -> dict[str, float]:
        """Return sizes, lengths of sentences, and how much has gaps."""
        lengths = sorted(self.lengths.elements())
        trees, constituents = max(len(lengths), 1), max(self.totals["constituents"], 1)
        gapped_trees = self.totals["trees"] - self.counts[GAP_DEGREES]["0"]
        return {
            "trees": self.totals["trees"],
            "tokens": self.totals["tokens"],
            "different words": len(self.counts[WORDS]),
            "constituents": self.totals["constituents"],
            "mean length": self.totals["tokens"] / trees,
            "median length": float(median(lengths or [0])),
            "greatest length": max(lengths, default=0),
            "% of trees with gaps": 100 * gapped_trees / trees,
            "% of constituents with gaps": 100 * self.counts[GAPPED].total() / constituents,
        }


def _frequencies(trees: CompiledTrees, part: str, chosen: Mask) -> Iterator[tuple[str, int]]:
    """Yield the texts of a part of chosen tokens with their frequencies."""
    numbers, times = np.unique(trees.column(part)[chosen], return_counts=True)
    texts = trees.pools[part].texts
    yield from (
        (texts[number], count) for number, count in zip(numbers, times.tolist(), strict=True)
    )


def statistics_of(trees: Iterable[Tree]) -> TreebankStatistics:
    """Count everything in a treebank.

    Parameters
    ----------
    trees : iterable of Tree
        In any order; they are read once and not kept.
    """
    statistics = TreebankStatistics()
    for part in compiled_parts(trees):
        statistics.add(part)
    return statistics


def compare_statistics(counted: Counted, *treebanks: TreebankStatistics) -> list[ComparedValue]:
    """Return the values of one or two treebanks.

    Values with an order have it. Others begin with the highest log-likelihood, or with the most
    frequent one if there is only one treebank.

    Examples
    --------
    >>> trees = [Tree.from_string("(S (A a) (B b))"), Tree.from_string("(S (A a) (C c) (C c))")]
    >>> for row in compare_statistics(TAGS, *(statistics_of([tree]) for tree in trees)):
    ...     print(row.value, row.counts, round(row.log_likelihood, 3))
    C (0, 2) 2.043
    B (1, 0) 1.833
    A (1, 1) 0.081
    """
    sizes = [statistics.totals[counted.unit] for statistics in treebanks]
    rows = []
    for value in dict.fromkeys(value for one in treebanks for value in one.counts[counted]):
        counts = tuple(statistics.counts[counted][value] for statistics in treebanks)
        rates = tuple(1e6 * n / max(size, 1) for n, size in zip(counts, sizes, strict=True))
        likelihood = log_likelihood(counts, sizes) if len(sizes) > 1 else 0.0
        rows.append(ComparedValue(value, counts, rates, likelihood))
    if counted.is_ordered:
        return sorted(rows, key=lambda row: int(row.value.partition("-")[0]))
    return sorted(rows, key=lambda row: (-row.log_likelihood, -max(row.counts), row.value))


def log_likelihood(counts: Sequence[int], sizes: Sequence[int]) -> float:
    """Return how far counts are from equal rates (Rayson and Garside 2000).

    >>> round(log_likelihood([10, 30], [1000, 1000]), 2)
    10.46
    """
    rate = sum(counts) / max(sum(sizes), 1)
    pairs = zip(counts, sizes, strict=True)
    return 2 * sum(n * log(n / (size * rate)) for n, size in pairs if n)
