"""Reattachment types and gap degrees: table 1 of Evang and Kallmeyer (2011)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from plcfrs.text import aligned
from plcfrs.transformation.traces import SURROUNDING, TRACE_TYPES
from plcfrs.trees import Tree

TYPES = (TRACE_TYPES[0], SURROUNDING, *TRACE_TYPES[1:])
ANY, NONE, TOTAL = "any reattachment", "no reattachment", "total"


class ReattachmentTable:
    """A table of trace types: moved phrases, and the gap degrees of their trees.

    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> table = ReattachmentTable()
    >>> for tree in table.watch(map(transform, read_trees("plcfrs:demo"))):
    ...     pass
    >>> [row[0] for row in table.rows()[1:]]
    ['*T*', '*T*-PRN', '*ICH*', '*EXP*', '*RNR*', 'any reattachment', 'no reattachment', 'total']
    """

    def __init__(self) -> None:
        self.instances: Counter[str] = Counter()
        self.trees: Counter[str] = Counter()
        self.gap_degrees: Counter[tuple[str, int]] = Counter()

    def add(self, tree: Tree) -> None:
        """Count a transformed tree."""
        moved = Counter(node.moved for node in tree.nodes() if node.moved)
        rows = [*moved, ANY if moved else NONE, TOTAL]
        self.instances.update({**moved, ANY: moved.total()})
        self.trees.update(rows)
        degree = tree.gap_degree()
        self.gap_degrees.update((row, degree) for row in rows)

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees and count each of them."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the rows, a header first: type, instances, trees, trees of each gap degree."""
        degrees = range(max((degree for _, degree in self.gap_degrees), default=0) + 1)
        table = [["type", "instances", "trees", *(f"gap degree {degree}" for degree in degrees)]]
        for name in (*TYPES, ANY, NONE, TOTAL):
            instances = "n/a" if name in (NONE, TOTAL) else str(self.instances[name])
            counts = [str(self.gap_degrees[name, degree]) for degree in degrees]
            table.append([name, instances, str(self.trees[name]), *counts])
        return table

    def __str__(self) -> str:
        return aligned(self.rows())
