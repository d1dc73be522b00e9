"""Pairwise comparison of parsers: whether one is better or only lucky, and where trees differ.

Both tests are paired and two-sided: randomisation exchanges the parses of random sentences
(Noreen 1989; Yeh 2000), the bootstrap draws test sets with replacement (Efron and Tibshirani 1993;
Berg-Kirkpatrick et al. 2012). *p* is (1 + r) / (1 + n) for r of n samples; for several pairs it is
corrected as by Holm (1979).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.bracketing import Counts, Scores
from plcfrs.evaluation.prm import FIELD, Settings
from plcfrs.evaluation.report import Cell, Table
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.treebank import EVERYTHING, Selection
from plcfrs.trees import Tree

MEASURES: dict[str, Callable[[Scores], Counts]] = {
    "LF1": lambda scores: scores.labelled,
    "UF1": lambda scores: scores.unlabelled,
    "LF1 discontinuous": lambda scores: scores.labelled_discontinuous,
    "UF1 discontinuous": lambda scores: scores.unlabelled_discontinuous,
}
ANNOTATION: dict[str, Callable[[Scores], Counts]] = {
    "Function tags F1": lambda scores: scores.functions,
    "Null elements F1": lambda scores: scores.nulls,
    "Nulls with antecedent F1": lambda scores: scores.nulls_with_antecedents,
}
"""Measures of what only some parsers give."""

EXACT_MATCH = "Exact match"
_COUNTED: dict[str, Callable[[Scores], Counts]] = {
    **MEASURES,
    **ANNOTATION,
    # A sentence is like one bracket, which is matched or not.
    EXACT_MATCH: lambda scores: Counts(scores.sentences, scores.sentences, scores.exact),
}

CountArray = NDArray[np.int64]
"""The numbers of gold, parsed and matched brackets, one row for each sentence."""


@dataclass(frozen=True)
class ComparedSentence:
    """A sentence with the scores and the trees of all parsers; its name is unique."""

    name: str
    scores: tuple[Scores, ...]
    trees: tuple[Scored, ...] = ()

    @property
    def wrong(self) -> tuple[int, ...]:
        """Number of wrong labelled brackets of each parser, missed or spurious."""
        counts = (scores.labelled for scores in self.scores)
        return tuple(count.gold + count.parsed - 2 * count.matched for count in counts)


class Difference(NamedTuple):
    """The F1 of two parsers, the 95% confidence interval of their difference, and *p* of each test.

    All but *p* are in points of F1.
    """

    first: float
    second: float
    low: float
    high: float
    bootstrap: float
    randomisation: float


def compare_parsers(
    gold: Iterable[Tree | None],
    parses: Mapping[str, Iterable[Tree | None]],
    settings: Settings = FIELD,
    selection: Selection = EVERYTHING,
) -> Iterator[ComparedSentence]:
    """Score the parses of several parsers sentence by sentence, one sentence at a time."""
    sources = {"gold tree": gold, **{f"{name} parse": trees for name, trees in parses.items()}}
    scorings = [Scoring(settings) for _ in parses]
    names: set[str] = set()
    for number, (tree, *parsed) in align_sentences(sources, settings, selection):
        name = tree.id if tree.id and tree.id not in names else f"{tree.id} {number}".strip()
        names.add(name)
        scored = tuple(
            scoring.add(number, tree, parse, tree)
            for scoring, parse in zip(scorings, parsed, strict=True)
        )
        yield ComparedSentence(name, tuple(sentence.scores for sentence in scored), scored)
    if not names and selection == EVERYTHING:
        raise InputError("no sentences: there is nothing to compare")


def measures_of(sentences: Sequence[ComparedSentence]) -> list[str]:
    """Return what can be compared: the measures of constituents, and of what any parser gives."""
    given = [
        measure
        for measure, count in ANNOTATION.items()
        if any(count(scores).parsed for sentence in sentences for scores in sentence.scores)
    ]
    return [*MEASURES, *given]


def difference(
    sentences: Sequence[ComparedSentence],
    measure: str = "LF1",
    samples: int = 10_000,
    seed: int = 1,
    pair: tuple[int, int] = (0, 1),
    watched: Callable[[Iterable[float]], Iterable[float]] = iter,
) -> Difference:
    """Test in two ways whether the difference between a pair of parsers is due to chance.

    `watched` passes the samples on, and may raise an error to stop.

    >>> both = tuple(Scores(labelled=Counts(4, 4, matched)) for matched in (2, 4))
    >>> result = difference([ComparedSentence("1", both)], samples=99)
    >>> result.first, result.second, result.randomisation
    (50.0, 100.0, 1.0)
    """
    first, second = (_counts(measure, sentences, number) for number in pair)
    scores = f1(first.sum(axis=0)), f1(second.sum(axis=0))
    observed = scores[1] - scores[0]
    generator = np.random.default_rng(seed)
    drawn, exchanged = (
        np.array([*islice(watched(test), samples)])
        for test in (bootstrap(first, second, generator), randomise(first, second, generator))
    )
    low, high = np.percentile(drawn, [2.5, 97.5]).tolist()
    return Difference(
        *scores,
        low,
        high,
        bootstrap=_p_value(drawn - observed, observed),
        randomisation=_p_value(exchanged, observed),
    )


def correct(values: Sequence[float]) -> list[float]:
    """Return the p of several tests, corrected for their number (Holm 1979).

    >>> correct([0.02, 0.5, 0.01])
    [0.04, 0.5, 0.03]
    """
    corrected = [0.0] * len(values)
    largest = 0.0
    for place, number in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - place) * values[number]))
        corrected[number] = largest
    return corrected


def bootstrap(
    first: CountArray, second: CountArray, generator: np.random.Generator
) -> Iterator[float]:
    """Yield the differences of F1 on test sets drawn from this one with replacement."""
    while True:
        drawn = generator.integers(len(first), size=len(first))
        times = np.bincount(drawn, minlength=len(first))
        yield f1(times @ second) - f1(times @ first)


def randomise(
    first: CountArray, second: CountArray, generator: np.random.Generator
) -> Iterator[float]:
    """Yield the differences of F1 when the parses of random sentences are exchanged."""
    totals, change = (first.sum(axis=0), second.sum(axis=0)), second - first
    while True:
        moved = generator.integers(2, size=len(first)) @ change
        yield f1(totals[1] - moved) - f1(totals[0] + moved)


def f1(counts: CountArray) -> float:
    """Return the F1 of gold, parsed and matched brackets.

    >>> f1(np.array([4, 6, 4]))
    80.0
    """
    return Counts(*map(int, counts)).f1


def difference_table(results: Mapping[str, Difference]) -> Table:
    """Return the table of the scores of two parsers, their difference and its tests."""
    columns = ["first", "second", "difference", "95% from", "to", "p bootstrap", "p random."]
    rows: dict[str, list[Cell]] = {
        measure: [result.first, result.second, result.second - result.first, *result[2:]]
        for measure, result in results.items()
    }
    return Table("Difference", columns, rows, {"p bootstrap": 4, "p random.": 4})


def score_table(parsers: Sequence[str], sentences: Sequence[ComparedSentence]) -> Table:
    """Return the table of the scores of all parsers."""
    measures = measures_of(sentences)
    rows: dict[str, list[Cell]] = {measure: [] for measure in measures}
    for measure, number in product(measures, range(len(parsers))):
        rows[measure].append(f1(_counts(measure, sentences, number).sum(axis=0)))
    return Table("Scores", list(parsers), rows)


def pair_table(measure: str, results: Mapping[str, Difference]) -> Table:
    """Return the table of the differences in one measure, with p corrected for their number."""
    columns = ["difference", "95% from", "to", "p bootstrap", "p random."]
    corrected = [f"{column} (Holm)" for column in columns[3:]]
    tests = [
        [getattr(result, name) for result in results.values()] for name in Difference._fields[4:]
    ]
    rows: dict[str, list[Cell]] = {
        pair: [result.second - result.first, *result[2:], *both]
        for (pair, result), both in zip(
            results.items(), zip(*map(correct, tests), strict=True), strict=True
        )
    }
    decimals = dict.fromkeys([*columns[3:], *corrected], 4)
    return Table(f"Differences of {measure}", columns + corrected, rows, decimals)


def sentence_table(parsers: Sequence[str], sentences: Iterable[ComparedSentence]) -> Table:
    """Return a table of sentences: the wrong brackets and the F1 of each parser."""
    rows: dict[str, list[Cell]] = {
        sentence.name: [*sentence.wrong, *(scores.labelled.f1 for scores in sentence.scores)]
        for sentence in sentences
    }
    columns = [f"{what}: {parser}" for what in ("wrong", "LF1") for parser in parsers]
    return Table("Most different sentences", columns, rows)


def _counts(measure: str, sentences: Iterable[ComparedSentence], number: int) -> CountArray:
    """Return the counts of a parser, by its number, on each sentence."""
    counts = (_COUNTED[measure](sentence.scores[number]) for sentence in sentences)
    return np.array([(count.gold, count.parsed, count.matched) for count in counts])


def _p_value(differences: NDArray[np.float64], observed: float) -> float:
    """Return the share of differences that are at least as large as the observed one."""
    as_large = np.abs(differences) >= abs(observed) - 1e-9  # the sums may have different orders
    return float(1 + np.count_nonzero(as_large)) / (1 + len(differences))
