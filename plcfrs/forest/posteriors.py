"""The probabilities of the constituents of parses, and their calibration.

Models are often too sure. After calibration, a logistic regression of log-odds (Platt 1999), a
fraction p of the constituents with probability p is right. The expected calibration error (Naeini,
Cooper and Hauskrecht 2015) is the mean distance between probability and fraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, fsum, log
from statistics import fmean
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plcfrs.parsing.parse import Constituent, Posterior, Task
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.trees import ROOT, Tree
from plcfrs.trees.tree import positions, span_of

Floats = NDArray[np.float64]

# The smallest distance from 0 and 1: a constituent of all derivations in a forest is wrong as often
# as one of nearly all.
_MARGIN = 0.003

# The precision of a normal prior of both numbers around the values that change nothing, so that a
# calibration on few trees does no harm.
PRIOR = 1.0

_MOST_STEPS = 100  # of Newton's method
_PRECISION = 1e-9

BINS = 10


class Calibration(NamedTuple):
    """A map of probabilities: their log-odds times the scale, plus the offset.

    Parameters
    ----------
    scale : float
        Not negative, to keep the order; below 1 if the probabilities are too extreme.
    offset : float
        Below 0 if they are too high.

    Examples
    --------
    >>> round(Calibration(0.5, 0.0)(0.9), 4)
    0.75
    """

    scale: float = 1.0
    offset: float = 0.0

    def __call__(self, probability: float) -> float:
        """Return the calibrated probability."""
        return 1.0 / (1.0 + exp(-self.scale * _log_odds(probability) - self.offset))

    def log_likelihood(self, constituents: Sequence[tuple[float, bool]]) -> float:
        """Return ``ln p`` of the constituents being right or not, by calibrated probabilities."""
        return fsum(
            log(self(chance) if right else 1.0 - self(chance)) for chance, right in constituents
        )


Key = TypeVar("Key")


def calibrated(
    chances: Mapping[Key, float], calibration: Calibration | None
) -> Mapping[Key, float]:
    """Return calibrated probabilities; without a calibration, they stay the same."""
    if calibration is None:
        return chances
    return {each: calibration(chance) for each, chance in chances.items()}


def fit_calibration(constituents: Sequence[tuple[float, bool]]) -> Calibration:
    """Return the calibration with the highest likelihood times prior, by Newton's method.

    `constituents` has the probability of each constituent by a model, and whether it is right.

    >>> right_in_three_of_four = 1000 * [(0.9, True), (0.9, True), (0.9, True), (0.9, False)]
    >>> round(fit_calibration(right_in_three_of_four)(0.9), 4)
    0.75
    """
    features = np.array([[_log_odds(chance), 1.0] for chance, _ in constituents]).reshape(-1, 2)
    right = np.array([right for _, right in constituents], np.float64)
    fitted = _fit(features, right)
    if fitted.scale < 0.0:  # probable constituents are wrong more often: the order is useless
        return Calibration(0.0, _fit(features * [0.0, 1.0], right).offset)
    return fitted


def _fit(features: Floats, right: Floats) -> Calibration:
    """Maximize the logarithm of likelihood and prior, with shorter steps where they overshoot."""
    start = np.array(Calibration())
    numbers, value = start, -np.inf
    step = np.zeros(2)
    for _ in range(_MOST_STEPS):
        logits = features @ (numbers + step)
        likelihood = float((right * logits - np.logaddexp(0.0, logits)).sum())
        proposed = likelihood - PRIOR / 2 * float(((numbers + step - start) ** 2).sum())
        if proposed < value:
            step = step / 2
            continue
        numbers, value = numbers + step, proposed
        chances = 1.0 / (1.0 + np.exp(-logits))
        gradient = features.T @ (right - chances) - PRIOR * (numbers - start)
        curvature = features.T * (chances * (1.0 - chances)) @ features + PRIOR * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        if np.abs(step).max() < _PRECISION:
            break
    return Calibration(*numbers.tolist())


def _log_odds(probability: float) -> float:
    inside = min(max(probability, _MARGIN), 1.0 - _MARGIN)
    return log(inside / (1.0 - inside))


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


def posteriors_of(tree: Tree, chances: Mapping[Constituent, float]) -> list[Posterior]:
    """Return the probability of each constituent of a tree, or an empty list if none is known.

    The root is in every tree, and has the probability 1.

    >>> tree = Tree.from_string("(ROOT (S (NP (NNS 0=Dogs)) (VP (VBP 1=bark))))")
    >>> [tuple(each) for each in posteriors_of(tree, {("S", 3): 0.75, ("NP", 1): 0.5})]
    [('ROOT', (0, 1), 1.0), ('S', (0, 1), 0.75), ('NP', (0,), 0.5), ('VP', (1,), 0.0)]
    """
    if not chances:
        return []
    spans = tree.yields()
    posteriors = []
    for node in tree.nodes():
        chance = chances.get((node.category, spans[node]), 0.0)
        posteriors.append(Posterior(node.category, tuple(positions(spans[node])), chance))
    posteriors[0] = posteriors[0]._replace(probability=1.0)
    return posteriors


def calibration_of(
    parser: SentenceParser, sentences: Sequence[Tree], gold: Sequence[Tree]
) -> Calibration:
    """Return the calibration of the probabilities of a parser's constituents on a development set.

    Parameters
    ----------
    parser : SentenceParser
        Its probabilities are not calibrated yet.
    sentences : sequence of Tree
        With the tags that the parser gets.
    gold : sequence of Tree
    """
    parses = parser.parse_together(sentences, Task(posteriors=True, functions=False))
    points = (
        each
        for (parse,), tree in zip(parses, gold, strict=True)
        for each in calibration_points(tree, parse.posteriors or [])
    )
    return fit_calibration(list(points))


def calibration_points(
    gold: Tree, constituents: Iterable[tuple[str, tuple[int, ...], float]]
) -> Iterator[tuple[float, bool]]:
    """Yield the probability of each constituent below ROOT, and whether the gold tree has it.

    >>> gold = Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")
    >>> list(calibration_points(gold, [("VP", (0, 2), 0.75), ("NP", (1,), 0.5)]))
    [(0.75, True), (0.5, False)]
    """
    spans = gold.yields()
    left = Counter((node.category, spans[node]) for node in gold.nodes())
    for category, tokens, probability in constituents:
        if category != ROOT:
            constituent = category, span_of(list(tokens))
            yield probability, left[constituent] > 0
            left[constituent] -= 1
