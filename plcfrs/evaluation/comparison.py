"""Two parsers compared: whether one is better or was lucky, and where they differ.

Both tests are *paired*: they look at the two parses of each sentence, since hard sentences are hard
for both parsers. Both are two-sided and give the probability *p* of a difference of F1 at least as
large as the one seen, if the parsers were equally good.

*Randomisation* (Noreen 1989; Yeh 2000)
    If they were, it would not matter which parse of a sentence is whose. So the two are
    exchanged or not, by chance, in each sentence.
*Bootstrap* (Efron and Tibshirani 1993; Berg-Kirkpatrick et al. 2012)
    Test sets are made by drawing as many sentences from this one, with replacement. How far their
    differences are from the one seen says how far that may be from the true one; 95% of them
    make the interval of confidence.

In both, *p* is (1 + r) / (1 + n) for r of n samples, so it is never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.bracketing import compare_sentences
from plcfrs.evaluation.counts import Counts, Scores
from plcfrs.evaluation.prm import FIELD
from plcfrs.evaluation.report import Cell, Table
from plcfrs.evaluation.settings import Settings
from plcfrs.trees import Tree

MEASURES: dict[str, Callable[[Scores], Counts]] = {
    "LF1": lambda scores: scores.labelled,
    "UF1": lambda scores: scores.unlabelled,
    "LF1 discontinuous": lambda scores: scores.labelled_discontinuous,
    "UF1 discontinuous": lambda scores: scores.unlabelled_discontinuous,
}

CountArray = NDArray[np.int64]
"""Rows of gold, parsed and matched brackets, a row for each sentence."""


@dataclass(frozen=True)
class ComparedSentence:
    """The scores of both parsers on one sentence.

    Parameters
    ----------
    name : str
        Its identifier, with its number if an earlier one has the same, or its number.
    first, second : Scores
    """

    name: str
    first: Scores
    second: Scores

    @property
    def wrong(self) -> tuple[int, int]:
        """How many labelled brackets each parser has wrong: missed and spurious ones."""
        counts = self.first.labelled, self.second.labelled
        first, second = (count.gold + count.parsed - 2 * count.matched for count in counts)
        return first, second


class Difference(NamedTuple):
    """How much better the second parser is than the first, in points of F1.

    Parameters
    ----------
    first, second : float
        The F1 of each.
    low, high : float
        The interval of confidence of their difference (95%).
    bootstrap, randomisation : float
        The *p* of each test.
    """

    first: float
    second: float
    low: float
    high: float
    bootstrap: float
    randomisation: float


def compare_parsers(
    gold: Iterable[Tree],
    first: Iterable[Tree],
    second: Iterable[Tree],
    settings: Settings = FIELD,
) -> Iterator[ComparedSentence]:
    """Score the parses of two parsers sentence by sentence.

    Parameters
    ----------
    gold, first, second : iterable of Tree
        The same sentences in the same order; the trees of one sentence are held at a time.
    settings : Settings

    Raises
    ------
    InputError
        If the sentences differ, or there are none.
    """
    sources = {"gold tree": gold, "first parse": first, "second parse": second}
    number = 0
    names: set[str] = set()
    for number, (tree, *parses) in enumerate(
        align_sentences(sources, settings.equal_words), start=1
    ):
        scores = (_scores(tree, parse, settings) for parse in parses)
        name = tree.id if tree.id and tree.id not in names else f"{tree.id} {number}".strip()
        names.add(name)
        yield ComparedSentence(name, *scores)
    if not number:
        raise InputError("there are no sentences to compare parsers on")


def difference(
    sentences: Sequence[ComparedSentence],
    measure: str = "LF1",
    samples: int = 10_000,
    seed: int = 1,
) -> Difference:
    """Test whether the difference between two parsers is due to chance.

    Parameters
    ----------
    sentences : sequence of ComparedSentence
    measure : {"LF1", "UF1", "LF1 discontinuous", "UF1 discontinuous"}
    samples : int
        For each of the two tests.
    seed : int
        The same seed gives the same result.

    Examples
    --------
    >>> worse, better = (Scores(labelled=Counts(4, 4, matched)) for matched in (2, 4))
    >>> result = difference([ComparedSentence("1", worse, better)], samples=99)
    >>> result.first, result.second, result.randomisation
    (50.0, 100.0, 1.0)
    """
    first = _counts(measure, [sentence.first for sentence in sentences])
    second = _counts(measure, [sentence.second for sentence in sentences])
    scores = f1(first.sum(axis=0)), f1(second.sum(axis=0))
    seen = float(scores[1] - scores[0])
    generator = np.random.default_rng(seed)
    drawn = bootstrap(first, second, samples, generator)
    exchanged = randomise(first, second, samples, generator)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Difference(
        float(scores[0]),
        float(scores[1]),
        float(low),
        float(high),
        _share(drawn - seen, seen),
        _share(exchanged, seen),
    )


def bootstrap(
    first: CountArray, second: CountArray, samples: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return the differences of F1 on test sets drawn from this one with replacement."""
    sentences = len(first)
    differences = np.empty(samples)
    for sample in range(samples):
        drawn = generator.integers(sentences, size=sentences)
        times = np.bincount(drawn, minlength=sentences)
        differences[sample] = f1(times @ second) - f1(times @ first)
    return differences


def randomise(
    first: CountArray, second: CountArray, samples: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return the differences of F1 where the parses of some sentences are exchanged, by chance."""
    totals = first.sum(axis=0), second.sum(axis=0)
    differences = np.empty(samples)
    for sample in range(samples):
        moved = generator.integers(2, size=len(first)) @ (second - first)
        differences[sample] = f1(totals[1] - moved) - f1(totals[0] + moved)
    return differences


def f1(counts: CountArray) -> float:
    """Return the F1 of gold, parsed and matched brackets.

    Examples
    --------
    >>> f1(np.array([4, 6, 4]))
    80.0
    """
    return Counts(*map(int, counts)).f1


def difference_table(results: Mapping[str, Difference]) -> Table:
    """Return the table of both parsers' scores, their differences and the tests.

    Parameters
    ----------
    results : mapping of str to Difference
        By the measure.
    """
    columns = ["first", "second", "difference", "95% from", "to", "p bootstrap", "p random."]
    rows: dict[str, list[Cell]] = {
        measure: [result.first, result.second, result.second - result.first, *result[2:]]
        for measure, result in results.items()
    }
    return Table("Difference", columns, rows, {"p bootstrap": 4, "p random.": 4})


def sentence_table(sentences: Iterable[ComparedSentence]) -> Table:
    """Return a table of sentences: the wrong brackets and the F1 of each parser."""
    rows: dict[str, list[Cell]] = {
        sentence.name: [
            *sentence.wrong,
            sentence.first.labelled.f1,
            sentence.second.labelled.f1,
        ]
        for sentence in sentences
    }
    columns = ["wrong: first", "wrong: second", "LF1: first", "LF1: second"]
    return Table("Most different sentences", columns, rows)


def _scores(gold: Tree, parse: Tree, settings: Settings) -> Scores:
    (sentence,) = compare_sentences([gold], [parse], settings)
    return sentence.scores(settings.discontinuous_only)


def _counts(measure: str, scores: Iterable[Scores]) -> CountArray:
    counts = map(MEASURES[measure], scores)
    return np.array([(count.gold, count.parsed, count.matched) for count in counts])


def _share(differences: NDArray[np.float64], seen: float) -> float:
    """Return the share of differences that are as large as the one seen, which is one of them."""
    as_large = np.abs(differences) >= abs(seen) - 1e-9  # the same brackets, summed in other order
    return float(1 + np.count_nonzero(as_large)) / (1 + len(differences))
