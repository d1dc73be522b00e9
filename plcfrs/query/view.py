"""A tree as queries see it; what only some queries need is computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.spans import leftmost

if TYPE_CHECKING:
    from plcfrs.query.labels import Label

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
    """A tree that is being searched."""

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
        """The first token of each element; without tokens -1, so that it follows nothing."""
        return {element: leftmost(span) for element, span in self.spans.items()}

    @cached_property
    def last(self) -> dict[Element, int]:
        """The last token of each element; without tokens so large that it precedes nothing."""
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
