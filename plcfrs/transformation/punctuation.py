"""Punctuation at the root, as in NeGra, TIGER and the Potsdam Commentary Corpus.

*High* is ``root_attach`` of treetools (which leaves some marks at the root, as at the end of a
sentence), *low* is ``punctuation_verylow``.
"""

from __future__ import annotations

from bisect import bisect
from typing import Literal

from plcfrs.errors import InputError
from plcfrs.transformation.cleanup import remove_tokens
from plcfrs.transformation.places import Paths
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.punctuation import is_punctuation


@on_copy
def attach_punctuation(tree: Tree, place: Literal["low", "high"]) -> Tree:
    """Attach the punctuation at the root to constituents below it, so that it makes no gaps.

    *High* is the lowest node that covers the nearest other tokens on both sides (instead of the
    root, the largest constituent with one of them); *low* is the mother of the left one, or else of
    the right one. Marks without a constituent beside them stay. The tree must have no null
    elements. Mark heads afterwards.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("Gut", "ADJD"), Token(",", "$,"), Token("so", "ADV")]
    >>> phrase = Node("AP", children=[Node("AVP", children=[0]), 2])
    >>> tree = Tree(Node("ROOT", children=[phrase, 1]), tokens)
    >>> tree.gap_degree()
    1
    >>> attach_punctuation(tree, "high").root.nodes[0].children[1:]
    [1, 2]
    """
    if place not in ("low", "high"):
        raise InputError(f"place: {place!r} is not one of low, high")
    marks = root_punctuation(tree)
    tree.root.children = [child for child in tree.root.children if child not in marks]
    paths = Paths(tree)
    words = sorted(paths.mothers)
    for mark in marks:
        number = bisect(words, mark)
        neighbours = words[max(number - 1, 0) : number + 1]
        _place(tree.root, paths, neighbours, place).children.append(mark)
    tree.sort_children()
    return tree


@on_copy
def remove_punctuation(tree: Tree) -> Tree:
    """Remove all punctuation, and constituents that have nothing else."""
    return remove_tokens.in_place(tree, is_punctuation)


def root_punctuation(tree: Tree) -> list[int]:
    """Return the positions of the punctuation marks at the root."""
    return [
        child
        for child in tree.root.children
        if isinstance(child, int) and is_punctuation(tree.tokens[child])
    ]


def _place(root: Node, paths: Paths, neighbours: list[int], place: Literal["low", "high"]) -> Node:
    covering = paths.above_both(neighbours[0], neighbours[-1]) if neighbours[1:] else []
    if covering and place == "high":
        return covering[-1]
    for neighbour in neighbours:
        path = paths.above(neighbour)
        if path:
            return path[-1] if place == "low" else path[0]
    return root
