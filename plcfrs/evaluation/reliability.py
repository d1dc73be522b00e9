"""Reliability of probabilities: how often constituents of each probability are right.

Probabilities are calibrated if of all constituents with probability p, a fraction p is right. The
expected calibration error (Naeini, Cooper and Hauskrecht 2015) is the mean distance of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from statistics import fmean
from typing import NamedTuple

from plcfrs.plots import BarPlot
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.spans import span_of

BINS = 10


class Bin(NamedTuple):
    """How many constituents have a probability in a range, its mean, and the share that is right.

    `low` itself belongs to the bin, `high` only if it is 1.
    """

    low: float
    high: float
    number: int
    probability: float
    right: float


def reliability(constituents: Iterable[tuple[float, bool]], bins: int = BINS) -> list[Bin]:
    """Return bins of equal width that are not empty.

    >>> for each in reliability([(0.25, False), (0.75, True), (0.5, False), (1.0, True)], bins=2):
    ...     print(each)
    Bin(low=0.0, high=0.5, number=1, probability=0.25, right=0.0)
    Bin(low=0.5, high=1.0, number=3, probability=0.75, right=0.6666666666666666)
    """
    found: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, right in constituents:
        found[min(int(probability * bins), bins - 1)].append((probability, right))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(inside),
            fmean(probability for probability, _ in inside),
            fmean(right for _, right in inside),
        )
        for number, inside in enumerate(found)
        if inside
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean of abs(probability - share that is right).

    >>> calibration_error(reliability([(0.75, True), (0.75, False), (0.25, False)]))
    0.25
    """
    total = sum(each.number for each in bins)
    return fsum(each.number * abs(each.probability - each.right) for each in bins) / (total or 1)


def constituents_judged(
    gold: Tree, constituents: Iterable[tuple[str, tuple[int, ...], float]]
) -> Iterator[tuple[float, bool]]:
    """Yield the probability of each constituent below ROOT, and whether the gold tree has it.

    >>> gold = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")
    >>> list(constituents_judged(gold, [("VP", (0, 2), 0.75), ("NP", (1,), 0.5)]))
    [(0.75, True), (0.5, False)]
    """
    spans = gold.yields()
    left = Counter((node.category, spans[node]) for node in gold.nodes())
    for category, positions, probability in constituents:
        if category != ROOT:
            constituent = category, span_of(list(positions))
            yield probability, left[constituent] > 0
            left[constituent] -= 1


def reliability_plot(title: str, bins: Sequence[Bin]) -> BarPlot:
    """Return a plot of the mean probability and the fraction of right constituents of bins."""
    rows = {
        f"{each.low:g}-{each.high:g} ({each.number})": [100 * each.probability, 100 * each.right]
        for each in bins
    }
    return BarPlot(title, ("probability", "right"), rows, percent=True)
