"""The matches of a query as answers: with their words in context, and counted."""

from __future__ import annotations

from collections.abc import Iterable

from plcfrs.errors import InputError
from plcfrs.query.hits import Hit, count_hits
from plcfrs.trees import Token
from plcfrs.trees.spans import positions, runs
from plcfrs.web.answers.treebanks import CountAnswer, CountsAnswer, HitAnswer

_CONTEXT = 8  # words on each side

COUNT_ORDERS = ("-count", "count", "value", "-value")
"""Orders of counts: a hyphen stands for the opposite one."""


def describe_counts(hits: list[Hit], by: str, sort: str, limit: int) -> CountsAnswer:
    """Return how many hits there are of each kind, the first kinds only.

    Raises
    ------
    InputError
        If there is no such key or order.
    """
    counts = list(count_hits(hits, by).items())
    if sort not in COUNT_ORDERS:
        raise InputError(f"{sort}: expected one of {', '.join(COUNT_ORDERS)}")
    if sort.endswith("value"):
        counts.sort(key=lambda item: item[0])
    if sort in ("count", "-value"):
        counts.reverse()
    return CountsAnswer(
        total=len(hits),
        kinds=len(counts),
        counts=[CountAnswer(value=str(value), count=count) for value, count in counts[:limit]],
    )


def describe_hit(hit: Hit) -> HitAnswer:
    """Return a hit with its context."""
    where = positions(hit.span)
    tokens = hit.tree.tokens
    return HitAnswer(
        number=hit.number,
        id=hit.tree.id,
        label=hit.printed,
        function=hit.function,
        before=_text(tokens[max(where[0] - _CONTEXT, 0) : where[0]]),
        words=hit.words,
        after=_text(tokens[where[-1] + 1 : where[-1] + 1 + _CONTEXT]),
        positions=where,
        gap_degree=len(runs(hit.span)) - 1,
    )


def hits_table(hits: Iterable[Hit]) -> str:
    """Return a table of hits: identifier, label, words, positions of the tokens from 0."""
    rows = (
        (hit.tree.id, hit.printed, hit.words, " ".join(map(str, positions(hit.span))))
        for hit in hits
    )
    return _table(("id", "label", "words", "positions"), rows)


def counts_table(hits: Iterable[Hit], by: str) -> str:
    """Return a table of all counts.

    Raises
    ------
    InputError
        If there is no such key.
    """
    counts = count_hits(hits, by).items()
    return _table(("count", by), ((str(count), str(value)) for value, count in counts))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "".join("\t".join(row) + "\n" for row in (head, *rows))


def _text(tokens: list[Token]) -> str:
    return " ".join(token.form for token in tokens)
