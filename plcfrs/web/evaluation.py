"""Scores of parses, kinds of errors, and the sentences in which they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.evaluation import (
    ERROR_TYPES,
    ErrorSummary,
    differences,
    load_settings,
    tables,
)
from plcfrs.evaluation.prm import PACKAGED
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.transformation import remove_splits
from plcfrs.trees import Tree
from plcfrs.web.answers.evaluation import (
    ErrorOfKind,
    KindAnswer,
    PairAnswer,
    ReportAnswer,
    ScoredSentence,
    ScoreTable,
)
from plcfrs.web.limits import RefusedError
from plcfrs.web.parses import Parses
from plcfrs.web.presentation import describe_tree
from plcfrs.web.treebanks import Treebank


class Comparison(NamedTuple):
    """What is compared: gold trees with a treebank, or with the first parses by a model."""

    gold: Treebank
    parses: Treebank | Parses
    transform: bool
    settings: str
    first: int | None = None

    def trees(self) -> tuple[list[Tree], list[Tree]]:
        """Return the gold trees and the parses."""
        gold = self.gold.trees(transformed=self.transform)
        if isinstance(self.parses, Treebank):
            return gold, self.parses.trees(transformed=False)
        return gold[: self.first], self.parses.trees[: self.first]


class Report(NamedTuple):
    """The scores of all sentences, and each sentence."""

    scoring: Scoring
    sentences: list[Scored]


KEYS: dict[str, Callable[[Scored], float]] = {
    "wrong": lambda one: -one.wrong,
    "f1": lambda one: one.f1,
    "missed": lambda one: -one.sentence.wrong[0],
    "spurious": lambda one: -one.sentence.wrong[1],
    "tags": lambda one: one.scores.right_tags - one.scores.words,
    "length": lambda one: -one.sentence.length,
    "gap-degree": lambda one: -one.sentence.gap_degree,
    "number": lambda one: one.sentence.number,
}
"""By what sentences are sorted."""


@lru_cache(4)
def report_of(comparison: Comparison) -> Report:
    """Return the scores and errors of all sentences.

    Raises
    ------
    InputError
        If the sentences differ, gold trees have traces, or there are no such settings.
    """
    if comparison.settings not in PACKAGED:
        raise InputError(f"settings: expected one of {', '.join(PACKAGED)}")
    settings = load_settings(comparison.settings)
    gold, parses = comparison.trees()
    for name, trees, advice in (
        ("gold trees", gold, "turn them into crossing branches (transform)"),
        ("parses", parses, "choose trees without"),
    ):
        if any(token.is_null for tree in trees for token in tree.tokens):
            raise InputError(f"the {name} have traces: {advice}")
    scoring = Scoring(settings, errors=ErrorSummary())
    return Report(scoring, list(scoring.run(comparison.gold.in_time(gold), parses)))


def describe_report(
    report: Report, kind: str | None, sort: str, offset: int, limit: int
) -> ReportAnswer:
    """Return the scores, the kinds of errors, and a page of the sentences.

    Parameters
    ----------
    report : Report
    kind : str, optional
        One of `ERROR_TYPES`: only sentences with such errors.
    sort : str
        One of `KEYS`.
    offset, limit : int

    Raises
    ------
    InputError
        If there is no such kind or key.
    """
    for name, value, known in (("kind", kind, ERROR_TYPES), ("sort", sort, KEYS)):
        if value is not None and value not in known:
            raise InputError(f"{name}: expected one of {', '.join(known)}")
    chosen = [one for one in report.sentences if kind is None or kind in _kinds(one)]
    return ReportAnswer(
        tables=[
            ScoreTable(title=each.title, columns=each.columns, rows=each.rows)
            for each in tables(report.scoring.evaluation)
        ],
        kinds=_count_kinds(report),
        total=len(chosen),
        sentences=[
            _describe(one, kind) for one in sorted(chosen, key=KEYS[sort])[offset : offset + limit]
        ],
    )


def describe_pair(report: Report, number: int, settings: str) -> PairAnswer:
    """Return a gold tree and its parse, their differences marked.

    Raises
    ------
    RefusedError
        If there is no sentence with this number.
    """
    if not 1 <= number <= len(report.sentences):
        raise RefusedError(404, f"there is no sentence {number}, only {len(report.sentences)}")
    one = report.sentences[number - 1]
    gold, parse = remove_splits(one.gold), remove_splits(one.parse)
    missed, spurious = differences(gold, parse, load_settings(settings))
    return PairAnswer(
        sentence=_describe(one, None),
        gold=describe_tree(gold, missed),
        parse=describe_tree(parse, spurious),
    )


def _kinds(one: Scored) -> set[str]:
    return {error.type for error in one.errors}


def _count_kinds(report: Report) -> list[KindAnswer]:
    summary = report.scoring.errors or ErrorSummary()
    return [
        KindAnswer(
            kind=kind,
            missed=summary.missed[kind],
            spurious=summary.spurious[kind],
            sentences=sum(kind in _kinds(one) for one in report.sentences),
        )
        for kind in ERROR_TYPES
    ]


def _describe(one: Scored, kind: str | None) -> ScoredSentence:
    missed, spurious = one.sentence.wrong
    return ScoredSentence(
        number=one.sentence.number,
        id=one.sentence.id,
        words=" ".join(token.form for token in one.gold.tokens if not token.is_null),
        length=one.sentence.length,
        gap_degree=one.sentence.gap_degree,
        f1=one.f1,
        missed=missed,
        spurious=spurious,
        wrong_tags=one.scores.words - one.scores.right_tags,
        parsed=one.sentence.parsed_at_all,
        errors=[
            ErrorOfKind(kind=error.type, text=str(error))
            for error in one.errors
            if kind in (None, error.type)
        ],
    )
