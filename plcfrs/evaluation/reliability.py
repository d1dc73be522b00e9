"""Calibration of probabilities: of all constituents with probability p, a share of p is right.

The expected calibration error (Naeini, Cooper and Hauskrecht 2015) is the mean distance between
probability and share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from statistics import fmean
from typing import NamedTuple

BINS = 10


class Bin(NamedTuple):
    """Constituents with a probability in a range: their number, mean probability, and right share.

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
    filled: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, right in constituents:
        filled[min(int(probability * bins), bins - 1)].append((probability, right))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(inside),
            fmean(probability for probability, _ in inside),
            fmean(right for _, right in inside),
        )
        for number, inside in enumerate(filled)
        if inside
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean of abs(probability - share that is right).

    >>> calibration_error(reliability([(0.75, True), (0.75, False), (0.25, False)]))
    0.25
    """
    total = sum(each.number for each in bins)
    return fsum(each.number * abs(each.probability - each.right) for each in bins) / (total or 1)
