"""Other children of the root in NeGra and TIGER: parentheses, vocatives, comments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from plcfrs.transformation.places import Paths
from plcfrs.transformation.punctuation import root_punctuation
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.spans import fan_out, leftmost, positions, span_of


@on_copy
def attach_low(tree: Tree) -> Tree:
    """Attach children of the root inside constituents that they interrupt, until nothing changes.

    A child of the root interrupts another one if it lies between tokens of it. It is attached to
    the lowest node that covers the nearest of these tokens on both sides and at which it makes no
    new gap; if there is no such node below the root, it stays. If it interrupts several
    constituents, the one with the nearest tokens gets it. Punctuation at the root is not moved, and
    gaps are counted without it. The tree must have no null elements. Mark heads afterwards.
    """
    while _attach_one(tree):
        pass
    return tree


def _attach_one(tree: Tree) -> bool:
    marks = root_punctuation(tree)
    places = _Places(tree, marks)
    for child in tree.root.children:
        place = None if child in marks else places.find(child)
        if place is not None:
            tree.root.children.remove(child)
            place.children.append(child)
            tree.sort_children()
            return True
    return False


class _Places:
    def __init__(self, tree: Tree, marks: list[int]) -> None:
        self.root = tree.root
        self.paths = Paths(tree)
        self.spans = tree.yields()
        words = sorted(self.paths.mothers.keys() - set(marks))
        self.number_of = {position: number for number, position in enumerate(words)}

    def find(self, child: Node | int) -> Node | None:
        """Return the node to which a child of the root can be attached, if there is one."""
        span = self.spans[child] if isinstance(child, Node) else 1 << child

        def makes_no_gap(node: Node) -> bool:
            return self.gaps(self.spans[node] | span) <= self.gaps(self.spans[node])

        for left, right in sorted(self.neighbours(span), key=lambda pair: pair[1] - pair[0]):
            path = list(takewhile(makes_no_gap, self.paths.above_both(left, right)))
            if path:
                return path[-1]
        return None

    def neighbours(self, span: int) -> Iterator[tuple[int, int]]:
        """Yield the nearest tokens on both sides of a span, for each constituent at the root."""
        for node in self.root.nodes:
            before = self.spans[node] & ((1 << leftmost(span)) - 1)
            behind = self.spans[node] >> span.bit_length()
            if before and behind:
                yield before.bit_length() - 1, leftmost(behind) + span.bit_length()

    def gaps(self, span: int) -> int:
        """Return the number of gaps that contain more than punctuation at the root."""
        return fan_out(span_of([self.number_of[position] for position in positions(span)])) - 1
