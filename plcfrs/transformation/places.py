"""The nodes above a token, to which something can be attached."""

from __future__ import annotations

from plcfrs.trees import Node, Tree


class Paths:
    """Finds the nodes above the tokens of a tree. The tree must not change meanwhile."""

    def __init__(self, tree: Tree) -> None:
        self._parents = tree.parents()
        self.mothers = {
            child: node
            for node in tree.nodes()
            for child in node.children
            if isinstance(child, int)
        }

    def above(self, position: int) -> list[Node]:
        """Return the nodes above a token, from below the root down to its mother."""
        node, path = self.mothers[position], []
        while node in self._parents:
            path.append(node)
            node = self._parents[node]
        return path[::-1]

    def above_both(self, left: int, right: int) -> list[Node]:
        """Return the nodes above two tokens; the last one is the lowest node that covers both."""
        pairs = zip(self.above(left), self.above(right), strict=False)
        return [one for one, other in pairs if one is other]
