"""The matches of a query one by one: with their words in context, sorted and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.stopping import until_stopped
from plcfrs.trees import Node, Token, Tree, render_label
from plcfrs.trees.spans import positions, runs, span_of_runs
from plcfrs.web.answers.treebanks import CountAnswer, HitAnswer
from plcfrs.web.treebanks import Found

_CONTEXT = 8  # words on each side


class Hit(NamedTuple):
    """A match: the number of its tree among those found, from 1, and its tokens as a bitset."""

    number: int
    tree: Tree
    match: Node | int
    span: int

    @property
    def label(self) -> str:
        """The label of a constituent, or the tag of a token."""
        if isinstance(self.match, int):
            return self.tree.tokens[self.match].tag
        return render_label(self.match)

    @property
    def category(self) -> str:
        """The category of a constituent, or the tag of a token."""
        return self.label if isinstance(self.match, int) else self.match.category

    @property
    def function(self) -> str:
        """The functions of a constituent, or of a token."""
        if isinstance(self.match, int):
            return self.tree.tokens[self.match].function
        return "-".join(self.match.functions)

    @property
    def words(self) -> str:
        """The words, with dots for gaps."""
        return " … ".join(_text(self.tree.tokens[left:right]) for left, right in runs(self.span))

    @property
    def gap_degree(self) -> int:
        """The number of gaps."""
        return len(runs(self.span)) - 1

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self.span.bit_count()


KEYS: dict[str, Callable[[Hit], int | str]] = {
    "category": lambda hit: hit.category,
    "label": lambda hit: hit.label,
    "words": lambda hit: hit.words.lower(),
    "function": lambda hit: hit.function,
    "gap-degree": lambda hit: hit.gap_degree,
    "length": lambda hit: hit.length,
}
"""By what hits are sorted and counted."""


def hits_of(found: Iterable[Found]) -> Iterator[Hit]:
    """Yield each match in the order of the treebank."""
    for number, (tree, matches) in enumerate(until_stopped(found), start=1):
        yields = tree.yields() if matches else {}
        for match in matches:
            span = span_of_runs([(match, match + 1)]) if isinstance(match, int) else yields[match]
            yield Hit(number, tree, match, span)


def sort_hits(hits: list[Hit], by: str) -> list[Hit]:
    """Return hits sorted by one of `KEYS`, or in the order of the treebank if it is empty.

    Raises
    ------
    InputError
        If there is no such key.
    """
    return sorted(hits, key=_key(by)) if by else hits


def count_hits(hits: list[Hit], by: str) -> list[CountAnswer]:
    """Return how many hits there are of each kind, the most frequent first.

    Raises
    ------
    InputError
        If there is no such key.
    """
    counts = Counter(map(_key(by), hits))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return [CountAnswer(value=str(value), count=count) for value, count in ordered]


def describe_hit(hit: Hit) -> HitAnswer:
    """Return a hit with its context."""
    where = positions(hit.span)
    tokens = hit.tree.tokens
    return HitAnswer(
        number=hit.number,
        id=hit.tree.id,
        label=hit.label,
        before=_text(tokens[max(where[0] - _CONTEXT, 0) : where[0]]),
        words=hit.words,
        after=_text(tokens[where[-1] + 1 : where[-1] + 1 + _CONTEXT]),
        positions=where,
    )


def tab_separated(hits: Iterable[Hit]) -> str:
    """Return a table of hits: identifier, label, words, positions of the tokens from 0."""
    rows = [
        (hit.tree.id, hit.label, hit.words, " ".join(map(str, positions(hit.span)))) for hit in hits
    ]
    return "".join("\t".join(row) + "\n" for row in [("id", "label", "words", "positions"), *rows])


def _key(name: str) -> Callable[[Hit], int | str]:
    if name not in KEYS:
        raise InputError(f"{name}: expected one of {', '.join(KEYS)}")
    return KEYS[name]


def _text(tokens: list[Token]) -> str:
    return " ".join(token.form for token in tokens)
