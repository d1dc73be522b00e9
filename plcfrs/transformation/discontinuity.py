"""How discontinuous a treebank is: gap degree, ill-nestedness, edge degree.

A tree is *well-nested* if no two disjoint constituents interleave (a1 < b1 < a2 < b2; Maier and
Lichte 2011). The *edge degree* of a constituent is, like that of a dependency (Kuhlmann and Nivre
2006), the number of largest constituents or single tokens that fill its gaps; each counts once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import fan_out, leftmost, positions
from plcfrs.wording import aligned

CONSTITUENTS, TREES = "all constituents", "trees"
_FURTHER = re.compile(r"\w+ degree (?!1$)")


def edge_degree(tree: Tree, node: Node) -> int:
    """Return how many maximal constituents or single tokens fill the gaps of a node.

    >>> verb, noun = Node("VP", children=[0, 3]), Node("NP", children=[1, 2])
    >>> edge_degree(Tree(Node("S", children=[verb, noun]), []), verb)
    1
    """
    return _edge_degree(tree, node, tree.yields())


def _edge_degree(tree: Tree, node: Node, spans: dict[Node, int]) -> int:
    span = spans[node]
    gaps = (1 << span.bit_length()) - (1 << leftmost(span)) & ~span
    degree, stack = 0, [tree.root]
    while stack:
        for child in stack.pop().children:
            filling = spans[child] if isinstance(child, Node) else 1 << child
            if not filling & ~gaps:
                degree += 1
            elif isinstance(child, Node) and filling & gaps:
                stack.append(child)
    return degree


def ill_nested_nodes(tree: Tree) -> list[Node]:
    """Return the constituents that interleave with a disjoint one; none in a well-nested tree.

    >>> one, other = Node("VP", children=[0, 2]), Node("NP", children=[1, 3])
    >>> [node.category for node in ill_nested_nodes(Tree(Node("S", children=[one, other]), []))]
    ['VP', 'NP']
    """
    spans = tree.yields()
    nodes = tree.discontinuous_nodes()
    return [
        node for node in nodes if any(_interleave(spans[node], spans[other]) for other in nodes)
    ]


def _interleave(one: int, other: int) -> bool:
    if one & other:
        return False
    owners = [one >> position & 1 for position in positions(one | other)]
    return sum(left != right for left, right in pairwise(owners)) > 2


class DiscontinuityTable:
    """A table of gap degrees, ill-nestedness and edge degrees, by category and for whole trees.

    >>> from plcfrs.transformation import transform
    >>> from plcfrs.treebank import read_trees
    >>> table = DiscontinuityTable()
    >>> for tree in table.watch(map(transform, read_trees("plcfrs:demo"))):
    ...     pass
    >>> table.rows()[0][:4]
    ['category', 'all', 'discontinuous', '%']
    """

    def __init__(self) -> None:
        self.all: Counter[str] = Counter()
        self.ill_nested: Counter[str] = Counter()
        self.gap_degrees: Counter[tuple[str, int]] = Counter()
        self.edge_degrees: Counter[tuple[str, int]] = Counter()

    def add(self, tree: Tree) -> None:
        """Count a tree and its constituents, except the root."""
        spans = tree.yields()
        ill_nested = ill_nested_nodes(tree)
        gap_degrees, edge_degrees = [0], [0]
        for node in tree.nodes()[1:]:
            gap_degrees.append(fan_out(spans[node]) - 1)
            edge_degrees.append(_edge_degree(tree, node, spans) if gap_degrees[-1] else 0)
            for row in (node.category, CONSTITUENTS):
                self._count(row, gap_degrees[-1], edge_degrees[-1], node in ill_nested)
        self._count(TREES, max(gap_degrees), max(edge_degrees), bool(ill_nested))

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees and count each of them."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the rows: a header, the categories with gaps, all constituents, trees."""
        gaps = range(1, max((degree for _, degree in self.gap_degrees), default=0) + 1)
        edges = range(1, max((degree for _, degree in self.edge_degrees), default=0) + 1)
        header = ["category", "all", "discontinuous", "%"]
        header += [f"gap degree {degree}" for degree in gaps]
        header += ["ill-nested", *(f"edge degree {degree}" for degree in edges)]
        table = [header]
        for name in [*self._discontinuous_categories(), CONSTITUENTS, TREES]:
            total, with_gaps = self.all[name], self._discontinuous(name)
            row = [name, str(total), str(with_gaps), f"{100 * with_gaps / max(total, 1):.1f}"]
            row += [str(self.gap_degrees[name, degree]) for degree in gaps]
            row += [str(self.ill_nested[name])]
            row += [str(self.edge_degrees[name, degree]) for degree in edges]
            table.append(row)
        return table

    def __str__(self) -> str:
        # "gap degree 1", "gap degree 2" is printed as "gap degree 1  2".
        header, *rows = self.rows()
        return aligned([[_FURTHER.sub("", name) for name in header], *rows])

    def _count(self, row: str, gap_degree: int, edge_degree: int, ill_nested: bool) -> None:
        self.all[row] += 1
        self.gap_degrees[row, gap_degree] += 1
        self.edge_degrees[row, edge_degree] += 1
        self.ill_nested[row] += ill_nested

    def _discontinuous(self, row: str) -> int:
        return self.all[row] - self.gap_degrees[row, 0]

    def _discontinuous_categories(self) -> list[str]:
        names = {name for name in self.all if self._discontinuous(name)} - {CONSTITUENTS, TREES}
        return sorted(names, key=lambda name: (-self._discontinuous(name), name))
