"""What belongs to a tree with crossing branches beside its nodes, so that traces can come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plcfrs.trees.tree import Node, Tree

FUNCTIONS, NULLS = ANNOTATION = ("functions", "nulls")
"""What a treebank may have beside categories: functions; null elements with indices."""

HOLE = "_"
"""The form and tag of a token of a small tree that stands for a part of the large tree."""


@dataclass(slots=True, eq=False)
class Removed:
    """A small tree that a transformation has taken out, and where it belongs.

    Parameters
    ----------
    mother : Node
        The node of the transformed tree below which it belongs.
    position : int
        The number of words of the sentence before it.
    tree : Tree
        Its root has one child. Its tokens are null elements, and holes for parts of the transformed
        tree. A hole alone is the place of a phrase that has moved.
    parts : list of Node or int
        What fills the holes.
    """

    mother: Node
    position: int
    tree: Tree
    parts: list[Node | int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Annotation:
    """The null elements, and the places and indices of phrases, of a transformed tree.

    Parameters
    ----------
    removed : list of Removed
        In the order of the text.
    indices : dict of Node to (int or None, int or None)
        The index and the gap index of nodes that have one.
    """

    removed: list[Removed] = field(default_factory=list)
    indices: dict[Node, tuple[int | None, int | None]] = field(default_factory=dict)

    def renamed(self, new: Mapping[Node | int, Node]) -> Annotation:
        """Return the annotation of a copy of the tree, given the nodes of the copy."""
        removed = [
            Removed(
                new[each.mother],
                each.position,
                each.tree,
                [part if isinstance(part, int) else new[part] for part in each.parts],
            )
            for each in self.removed
        ]
        return Annotation(removed, {new[node]: indices for node, indices in self.indices.items()})
