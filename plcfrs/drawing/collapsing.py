"""Collapsed constituents: their words become one token for each part."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from plcfrs.trees import Node, SecondaryEdge, Token, Tree
from plcfrs.trees.tree import positions, runs

MANY = "…"
"""The tag of several words."""


class Collapsed(NamedTuple):
    """A tree with collapsed constituents."""

    tree: Tree
    nodes: list[Node]  # the original of each node, in the order of `Tree.nodes`
    parts: list[list[int]]  # the original positions of each token


def collapse(tree: Tree, chosen: Collection[Node]) -> Collapsed:
    """Return a tree in which constituents have only their words below them.

    >>> tree = Tree.from_string("(S (VP (A 0=a) (B 3=d)) (NP (C 1=b) (D 2=c)))")
    >>> _, _, vp, np = tree.nodes()
    >>> [token.form for token in collapse(tree, [np]).tree.tokens]
    ['a', 'b c', 'd']
    >>> collapse(tree, [vp]).parts  # one word each
    [[0], [1], [2], [3]]
    """
    yields = tree.yields()
    shut = _outermost(tree, chosen, yields)
    hidden = {position for node in shut for position in positions(yields[node])}
    ranges = [run for node in shut for run in runs(yields[node])]
    ranges += [(i, i + 1) for i in range(len(tree.tokens)) if i not in hidden]
    parts = [list(range(*each)) for each in sorted(ranges)]
    place = {position: number for number, part in enumerate(parts) for position in part}
    copies: dict[Node, Node] = {}
    for node in tree.bottom_up():
        children: list[Node | int]
        if node in shut:
            children = [place[left] for left, _ in runs(yields[node])]
        else:
            children = [place[c] if isinstance(c, int) else copies[c] for c in node.children]
        copies[node] = replace(node, children=children, head=None)
    originals = {copy: node for node, copy in copies.items()}
    drawn = Tree(copies[tree.root], [_joined(tree, part) for part in parts], tree.id)
    shown: dict[Node | int, Node | int] = {originals[node]: node for node in drawn.nodes()}
    shown |= {part[0]: position for position, part in enumerate(parts) if len(part) == 1}
    drawn.secondary_edges = _shown_edges(tree, shown)
    return Collapsed(drawn, [originals[node] for node in drawn.nodes()], parts)


def _shown_edges(tree: Tree, shown: dict[Node | int, Node | int]) -> list[SecondaryEdge]:
    found = []
    for edge in tree.secondary_edges:
        child, parent = shown.get(edge.child), shown.get(edge.parent)
        if child is not None and isinstance(parent, Node):
            found.append(SecondaryEdge(edge.label, child, parent))
    return found


def _outermost(tree: Tree, chosen: Collection[Node], yields: dict[Node, int]) -> list[Node]:
    inside: set[Node] = set()
    for node in tree.nodes():
        if node in chosen or node in inside:
            inside.update(node.nodes)
    return [node for node in tree.nodes() if node in chosen and node not in inside and yields[node]]


def _joined(tree: Tree, part: list[int]) -> Token:
    if len(part) == 1:
        return tree.tokens[part[0]]
    return Token(" ".join(tree.tokens[position].form for position in part), MANY)
