"""Punctuation at the root, as in NeGra, TIGER and the Potsdam Commentary Corpus.

These treebanks do not annotate punctuation, but each mark inside a constituent makes a gap in it.
The *neighbours* of a mark are the nearest tokens on both sides that are not punctuation at the
root. A mark makes no gap if it is attached at or below the lowest node that covers both neighbours,
next to one of them. Among these places,

*high*
    is the lowest node that covers both neighbours (treetools: ``root_attach``). If this is the
    root, as at the end of a sentence, treetools leaves the mark there; plcfrs takes the largest
    constituent with the left neighbour, or else with the right one.
*low*
    is the mother of the left neighbour, or of the right one if the left one has no mother below the
    root (treetools: ``punctuation_verylow``).

Either way, no constituent gets a new gap, and none keeps a gap with nothing but such marks.
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
    """Attach the punctuation at the root to constituents below it.

    Punctuation below the root stays where it is, and so do marks without a constituent beside them.

    Parameters
    ----------
    tree : Tree
        Without null elements. Heads are to be marked afterwards.
    place : {"low", "high"}
        See the description of the module.

    Returns
    -------
    Tree

    Raises
    ------
    InputError
        If there is no such place.

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
    """Remove all punctuation, and constituents that have nothing else.

    Parameters
    ----------
    tree : Tree
        A tree with nothing but punctuation is left without tokens.

    Returns
    -------
    Tree
    """
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
