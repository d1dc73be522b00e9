"""Where else a part of a tree could be, and what else it could be, in the best parses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plcfrs.parsing.parse import Parse, shares_of
from plcfrs.trees import Tree
from plcfrs.trees.editing import Part
from plcfrs.trees.tree import positions

_MOST, _LEAST = 5, 0.01


class Choice(NamedTuple):
    """What a part can become.

    Parameters
    ----------
    text : str
        For people.
    probability : float
        The share of the parses that have it.
    is_current : bool
        Whether it is what the tree has.
    """

    text: str
    probability: float
    is_current: bool


class _Place(NamedTuple):
    """What a tree makes of some words: a label, and the mother with the words below it."""

    category: str | None
    mother: str
    span: int


class Alternatives:
    """What the best parses of a sentence make of a part of its tree, the most probable first.

    Parameters
    ----------
    parses : sequence of Parse
        With categories alone.
    tree : Tree
        That of the sentence, without null elements.
    part : Node or int
    """

    def __init__(self, parses: Sequence[Parse], tree: Tree, part: Part) -> None:
        span = 1 << part if isinstance(part, int) else tree.yields()[part]
        category = None if isinstance(part, int) else part.category
        self._span, self._is_token = span, isinstance(part, int)
        self._current = _place(tree, span, category, part)
        shares = shares_of([parse.score for parse in parses], 1.0) if parses else []
        self._shares: dict[_Place, float] = {}
        self._parses: dict[_Place, Parse] = {}
        for parse, share in zip(parses, shares, strict=True):
            place = _place(parse.tree, span, category)
            self._shares[place] = self._shares.get(place, 0.0) + share
            self._parses.setdefault(place, parse)
        probable = [
            place
            for place, share in self._shares.items()
            if share >= _LEAST or place == self._current
        ]
        self._places = sorted(probable, key=lambda place: -self._shares[place])[:_MOST]

    def choices(self) -> list[Choice]:
        """Return the choices; none if all parses agree with the tree."""
        if self._places in ([], [self._current]):
            return []
        return [
            Choice(self._text(place), self._shares[place], place == self._current)
            for place in self._places
        ]

    def parse(self, number: int) -> Parse | None:
        """Return the best parse with the choice of a number, or None if there is no such choice."""
        return self._parses[self._places[number]] if 0 <= number < len(self._places) else None

    def part(self, number: int, tree: Tree) -> Part | None:
        """Return the part that a choice is about in a tree that has it, if it is any."""
        category = self._places[number].category
        if category is None:
            return None
        return _part(tree, self._span, None if self._is_token else category)

    def _text(self, place: _Place) -> str:
        if place.category is None:
            return "no constituent"
        others = [other for other in self._places if other.category is not None]
        has_mothers = len({other[1:] for other in [*others, self._current]}) > 1
        has_labels = len({other.category for other in [*others, self._current]}) > 1
        below = f"below {place.mother} ({_word(self._parses[place].tree, place)})"
        return " ".join([place.category] * (has_labels or not has_mothers) + [below] * has_mothers)


def _place(tree: Tree, span: int, category: str | None, part: Part | None = None) -> _Place:
    """Return what a tree makes of some words, preferably with a category."""
    found = _part(tree, span, category) if part is None else part
    if found is None:
        return _Place(None, "", 0)
    mother = tree.mothers()[found]
    label = tree.tokens[found].tag if isinstance(found, int) else found.category
    return _Place(label, mother.category, tree.yields()[mother])


def _part(tree: Tree, span: int, category: str | None) -> Part | None:
    """Return the constituent over words, preferably with a category; without one, the token."""
    if category is None:
        return positions(span)[0]
    spans = tree.yields()
    same = [node for node in tree.nodes()[1:] if spans[node] == span]
    return next((node for node in same if node.category == category), same[0] if same else None)


def _word(tree: Tree, place: _Place) -> str:
    """Return a word that tells which constituent is meant: one of its own, or else its first."""
    spans = tree.yields()
    for node in tree.nodes():
        if node.category == place.mother and spans[node] == place.span:
            own = [child for child in node.children if isinstance(child, int)]
            return tree.tokens[(own or positions(place.span))[0]].form
    return ""
