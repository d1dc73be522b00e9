"""A tree as queries see it, and the operators: which elements are in a relation to an element.

Children are ordered by their first tokens. A precedes B if all tokens of A are before all tokens of
B, immediately if no token is between them; so a constituent neither precedes nor follows what is in
its gaps. The last descendants (``<<'``) end with the last token. Null elements are tokens. In trees
without crossing branches, all operators are as in tgrep2 (Rohde 2005).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.tree import fan_out, gaps, leftmost

if TYPE_CHECKING:
    from plcfrs.query.syntax import Label

Element = Node | int
"""A constituent, a tag (the position of its token) or a word (``~position``, which is negative):
as in tgrep, a tag dominates its word."""

Elements = dict[Element, None]
"""A set that keeps its order: constituents from the root, then tags, then words."""


def position(token: int) -> int:
    """Return the position of a tag or a word.

    >>> position(5), position(~5)
    (5, 5)
    """
    return max(token, ~token)


class View:
    """A tree that is being searched; properties that only some queries need are computed late."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.nodes = tree.nodes()
        self.named: dict[str, Element] = {}
        """The named nodes of the match that is being tried."""
        self._found: dict[Label, Elements] = {}

    def having(self, label: Label) -> Elements:
        """Return the elements with a label."""
        if label not in self._found:
            self._found[label] = label.find(self)
        return self._found[label]

    @cached_property
    def labels(self) -> list[str]:
        """The printed labels of the constituents."""
        return [render_label(node) for node in self.nodes]

    @cached_property
    def order(self) -> dict[Element, int]:
        """The numbers of all elements; no element has a smaller one than its mother."""
        tags = range(len(self.tree.tokens))
        elements = [*self.nodes, *tags, *(~tag for tag in tags)]
        return {element: number for number, element in enumerate(elements)}

    @cached_property
    def spans(self) -> dict[Element, int]:
        """The tokens of each element as a bitset."""
        yields = self.tree.yields()
        return {
            element: yields[element] if isinstance(element, Node) else 1 << position(element)
            for element in self.order
        }

    @cached_property
    def first(self) -> dict[Element, int]:
        """The first token of each element; without tokens -1, so that it follows no element."""
        return {element: leftmost(span) for element, span in self.spans.items()}

    @cached_property
    def last(self) -> dict[Element, int]:
        """The last token of each element; without tokens so large that it precedes no element."""
        beyond = len(self.tree.tokens) + 1
        return {e: (span.bit_length() or beyond) - 1 for e, span in self.spans.items()}

    @cached_property
    def overt(self) -> int:
        """The tokens that are not null elements, as a bitset."""
        return sum(1 << i for i, token in enumerate(self.tree.tokens) if not token.is_null)

    @cached_property
    def mothers(self) -> dict[Element, Element]:
        """The mother of every element except the root."""
        tags: dict[Element, Element] = {~tag: tag for tag in range(len(self.tree.tokens))}
        return tags | {child: node for node in self.nodes for child in node.children}

    def children(self, element: Element) -> Sequence[Element]:
        """Return the children, ordered by their first tokens."""
        if isinstance(element, Node):
            return element.children
        return [~element] if element >= 0 else []

    def sisters(self, element: Element) -> list[Element]:
        """Return the other children of the mother."""
        if element not in self.mothers:
            return []
        return [child for child in self.children(self.mothers[element]) if child != element]


Related = Callable[[View, Element, Collection[Element]], Iterable[Element]]
"""Returns the candidates that are in the relation to an element."""

_Links = Callable[[View, Element], Sequence[Element]]
_Check = Callable[[View, Element, Element], bool]


def relation(operator: str) -> Related:
    """Return the relation of an operator."""
    numbered = _NUMBERED.fullmatch(operator)
    if numbered:
        return _numbered(numbered[1], int(numbered[2]))
    return RELATIONS[operator.replace("'", "`")]


def _numbered(direction: str, number: int) -> Related:
    place = number - 1 if number > 0 else number

    def has_there(view: View, element: Element, other: Element) -> bool:
        children = view.children(element)
        return -len(children) <= place < len(children) and children[place] == other

    if direction == "<":
        return _both(View.children, has_there)
    return _both(_mother, _inverse(has_there))


def _linked(links: _Links) -> Related:
    return lambda view, element, candidates: (
        other for other in links(view, element) if other in candidates
    )


def _checked(holds: _Check) -> Related:
    return lambda view, element, candidates: (
        other for other in candidates if holds(view, element, other)
    )


def _inverse(holds: _Check) -> _Check:
    return lambda view, element, other: holds(view, other, element)


def _both(links: _Links, holds: _Check) -> Related:
    return lambda view, element, candidates: (
        other
        for other in links(view, element)
        if other in candidates and holds(view, element, other)
    )


def _mother(view: View, element: Element) -> Sequence[Element]:
    return [view.mothers[element]] if element in view.mothers else []


def _only_child(view: View, element: Element) -> Sequence[Element]:
    children = view.children(element)
    return children if len(children) == 1 else []


def _mother_of_only_child(view: View, element: Element) -> Sequence[Element]:
    return [mother for mother in _mother(view, element) if _only_child(view, mother)]


def _chain(link: _Links) -> _Links:
    def follow(view: View, element: Element) -> Sequence[Element]:
        found: list[Element] = []
        following = link(view, element)
        while following:
            found += following
            following = link(view, found[-1])
        return found

    return follow


def _dominates(view: View, element: Element, other: Element) -> bool:
    """Test dominance: if two elements share a token, one dominates the other."""
    span, is_above = view.spans[other], view.order[element] < view.order[other]
    return is_above and span != 0 and span & view.spans[element] == span


def _starts_with(view: View, element: Element, other: Element) -> bool:
    return view.first[element] == view.first[other] and _dominates(view, element, other)


def _ends_with(view: View, element: Element, other: Element) -> bool:
    return view.last[element] == view.last[other] and _dominates(view, element, other)


def _precedes(view: View, element: Element, other: Element) -> bool:
    return view.last[element] < view.first[other]


def _is_next_to(view: View, element: Element, other: Element) -> bool:
    return view.last[element] + 1 == view.first[other]


def _has_in_gap(view: View, element: Element, other: Element) -> bool:
    span = view.spans[element]
    return fan_out(span) > 1 and any(
        left <= view.first[other] and view.last[other] < right for left, right in gaps(span)
    )


def _has_gap_filled(view: View, element: Element, other: Element) -> bool:
    span = view.spans[element]
    return fan_out(span) > 1 and any(
        view.spans[other] == (1 << right) - (1 << left) for left, right in gaps(span)
    )


def _interleaves(view: View, element: Element, other: Element) -> bool:
    """Whether each has a token in a gap of the other (Maier and Lichte 2011: ill-nested)."""
    span, other_span = view.spans[element], view.spans[other]
    return (
        fan_out(span) > 1
        and fan_out(other_span) > 1
        and span & other_span == 0
        and _reach(view, element) & other_span != 0
        and _reach(view, other) & span != 0
    )


def _reach(view: View, element: Element) -> int:
    return (2 << view.last[element]) - (1 << view.first[element])


RELATIONS: dict[str, Related] = {
    "<": _linked(View.children),
    ">": _linked(_mother),
    "<<": _checked(_dominates),
    ">>": _checked(_inverse(_dominates)),
    "<,": _numbered("<", 1),
    ">,": _numbered(">", 1),
    "<-": _numbered("<", -1),
    ">-": _numbered(">", -1),
    "<`": _numbered("<", -1),
    ">`": _numbered(">", -1),
    "<:": _linked(_only_child),
    ">:": _linked(_mother_of_only_child),
    "<<,": _checked(_starts_with),
    ">>,": _checked(_inverse(_starts_with)),
    "<<`": _checked(_ends_with),
    ">>`": _checked(_inverse(_ends_with)),
    "<<:": _linked(_chain(_only_child)),
    ">>:": _linked(_chain(_mother_of_only_child)),
    ".": _checked(_is_next_to),
    ",": _checked(_inverse(_is_next_to)),
    "..": _checked(_precedes),
    ",,": _checked(_inverse(_precedes)),
    "$": _linked(View.sisters),
    "$.": _both(View.sisters, _is_next_to),
    "$,": _both(View.sisters, _inverse(_is_next_to)),
    "$..": _both(View.sisters, _precedes),
    "$,,": _both(View.sisters, _inverse(_precedes)),
    "<~": _checked(_has_in_gap),
    ">~": _checked(_inverse(_has_in_gap)),
    "<~:": _checked(_has_gap_filled),
    ">~:": _checked(_inverse(_has_gap_filled)),
    "><": _checked(_interleaves),
}
"""The relations by operator; there are also ``<N`` and ``>N`` for the N-th child."""

_NUMBERED = re.compile(r"([<>])(-?[1-9][0-9]{0,8})")

OPERATOR = "|".join(
    [
        "[<>]-?[1-9][0-9]{0,8}(?![0-9])",
        "(?:<<|>>|<|>)'",
        *map(re.escape, sorted(RELATIONS, key=len, reverse=True)),
    ]
)
"""A regular expression for operators, the longest first. NLTK has ``'`` for the backquote of
tgrep2; both are accepted."""
