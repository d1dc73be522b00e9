"""What a treebank has, and what distinguishes it from another one.

Two treebanks are compared by the log-likelihood of Rayson and Garside (2000): how far both counts
of a value are from the counts that equal rates would give. A difference above 3.84 is significant
at p < 0.05, above 15.13 at p < 0.0001.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import median

import numpy as np

from plcfrs.query.hits import Hits
from plcfrs.treebank.compilation import compiled_parts
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.tree import NULL_TAG

_FAN_OUTS, _DEGREES, _LENGTHS = (
    "fan-out of constituents",
    "gap degree of trees",
    "length of sentences",
)
_TRACES = "types of traces"
_ORDERED = (_FAN_OUTS, _DEGREES, _LENGTHS)
_PER_TREE = (_DEGREES, _LENGTHS)
COUNTED = (
    "constituents",
    "functions",
    "tags",
    "words",
    _FAN_OUTS,
    _DEGREES,
    "constituents with gaps",
    "what is in gaps",
    _TRACES,
    _LENGTHS,
)
"""What is counted."""

_BAND = 10  # lengths


@dataclass
class TreebankStatistics:
    """The counts of all that a treebank has. Null elements are not tokens; ROOT is not counted.

    Traces are null elements, and in transformed trees the constituents that were moved to one.

    Parameters
    ----------
    lengths : list of int
        The numbers of tokens of the trees.
    counts : dict of str to Counter
        The frequencies of the values of each kind in `COUNTED`.

    Examples
    --------
    >>> tree = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")
    >>> statistics_of([tree]).counts["what is in gaps"]
    Counter({'VP: PRP': 1})
    """

    lengths: list[int] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {counted: Counter() for counted in COUNTED}
    )

    def add(self, trees: CompiledTrees) -> None:
        """Count trees."""
        kinds = trees.kinds.all
        is_node = np.array([False, *(kind.label.category != ROOT for kind in kinds)])[trees.kind]
        is_null = trees.column("tag") == trees.pools["tag"].numbers.get(NULL_TAG, -1)
        is_overt = (trees.kind == 0) & ~is_null[trees.first]
        nodes, tokens = (Hits(trees, np.flatnonzero(mask), {}) for mask in (is_node, is_overt))
        gapped = Hits(trees, trees.gapped[is_node[trees.gapped]], {})
        for counted, hits, *keys in (
            ("constituents", nodes, "category"),
            ("functions", nodes, "function"),
            ("functions", tokens, "function"),
            ("tags", tokens, "category"),
            ("words", tokens, "words"),
            ("constituents with gaps", gapped, "category"),
            ("what is in gaps", gapped, "category", "gap"),
            (_TRACES, nodes, "moved"),
        ):
            for values, times in hits.counts(*keys).items():
                if any(values):
                    self.counts[counted][": ".join(map(str, values))] += times
        null = (trees.pools["form"].texts[form] for form in trees.column("form")[is_null].tolist())
        self.counts[_TRACES].update(form.partition("-")[0] for form in null)
        gaps = np.zeros(len(trees.kind), np.int64)
        gaps[trees.gapped] = np.diff(trees.gap_starts)
        degrees = np.maximum.reduceat(gaps, trees.tree_places[:-1])
        self.counts[_FAN_OUTS].update(map(str, (gaps[is_node] + 1).tolist()))
        self.counts[_DEGREES].update(map(str, degrees.tolist()))
        lengths = np.diff(trees.overt_before[trees.tree_numbers])
        starts = (np.maximum(lengths, 1) - 1) // _BAND * _BAND + 1
        self.counts[_LENGTHS].update(f"{start}-{start + _BAND - 1}" for start in starts.tolist())
        self.lengths += lengths.tolist()

    def summary(self) -> dict[str, float]:
        """Return sizes, lengths of sentences, and how much has gaps."""
        trees, constituents = len(self.lengths), self.counts["constituents"].total()
        gapped = trees - self.counts[_DEGREES]["0"], self.counts["constituents with gaps"].total()
        return {
            "trees": trees,
            "tokens": sum(self.lengths),
            "different words": len(self.counts["words"]),
            "constituents": constituents,
            "mean length": sum(self.lengths) / max(trees, 1),
            "median length": float(median(self.lengths or [0])),
            "greatest length": max(self.lengths, default=0),
            "% of trees with gaps": 100 * gapped[0] / max(trees, 1),
            "% of constituents with gaps": 100 * gapped[1] / max(constituents, 1),
        }


def statistics_of(trees: Iterable[Tree]) -> TreebankStatistics:
    """Count everything in a treebank.

    Parameters
    ----------
    trees : iterable of Tree
        They are read once and not kept.
    """
    statistics = TreebankStatistics()
    for part in compiled_parts(trees):
        statistics.add(part)
    return statistics


def compare_statistics(counted: str, *treebanks: TreebankStatistics) -> dict[str, list[float]]:
    """Return each value with its count and its rate in each treebank, and the log-likelihood.

    Rates are per million tokens, or for degrees and lengths of trees, per million trees. The
    log-likelihood is missing if there is only one treebank. Numbers are in order; other values
    begin with the highest log-likelihood, or with the most frequent one.

    Examples
    --------
    >>> trees = [Tree.from_string("(S (A a) (B b))"), Tree.from_string("(S (A a) (C c) (C c))")]
    >>> compare_statistics("tags", *(statistics_of([tree]) for tree in trees))["A"][:3]
    [1, 500000.0, 1]
    """
    sizes = [len(one.lengths) if counted in _PER_TREE else sum(one.lengths) for one in treebanks]
    rows: dict[str, list[float]] = {}
    for value in dict.fromkeys(value for one in treebanks for value in one.counts[counted]):
        counts = [one.counts[counted][value] for one in treebanks]
        pairs = ((n, 1e6 * n / max(size, 1)) for n, size in zip(counts, sizes, strict=True))
        rows[value] = [cell for pair in pairs for cell in pair]
        rows[value] += [log_likelihood(counts, sizes)] * (len(sizes) > 1)

    def rank(value: str) -> tuple[float, str]:
        is_number = counted in _ORDERED
        return (float(value.partition("-")[0]), "") if is_number else (-rows[value][-1], value)

    return {value: rows[value] for value in sorted(rows, key=rank)}


def log_likelihood(counts: Sequence[int], sizes: Sequence[int]) -> float:
    """Return how far counts are from equal rates (Rayson and Garside 2000).

    >>> round(log_likelihood([10, 30], [1000, 1000]), 2)
    10.46
    """
    rate = sum(counts) / max(sum(sizes), 1)
    pairs = zip(counts, sizes, strict=True)
    return 2 * sum(n * log(n / (size * rate)) for n, size in pairs if n)
