"""Spines: the nodes that have the same lexical head, for each token of a tree.

A tree is a set of spines, each attached to a node of another one (Carreras et al. 2008).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from plcfrs.reduction.labels import label_of, node_of
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.checks import check_tree
from plcfrs.trees.heads import unmarked_head


class Spines(NamedTuple):
    """The spines of all tokens, which are numbered from 1; entry 0 of each list is not used."""

    # The token on whose spine the spine of a token is attached; 0 is the top of the tree.
    heads: list[int]
    places: list[int]  # to which node of that spine it is attached: 1 is the lowest one
    labels: list[list[str]]  # the labels of the nodes of a spine, from the bottom up


def spines_of(tree: Tree) -> Spines:
    """Return the spines of a tree; a top node with one child is on none of them."""
    check_tree(tree)
    size = len(tree.tokens) + 1
    spines = Spines([0] * size, [0] * size, [[] for _ in range(size)])
    head_of: dict[Node, int] = {}
    for node in tree.bottom_up():
        if node.head is None:
            raise unmarked_head(node, tree)
        tokens = [
            child + 1 if isinstance(child, int) else head_of[child] for child in node.children
        ]
        head = head_of[node] = tokens.pop(node.head)
        is_top = node is tree.root
        if tokens or not is_top:
            spines.labels[head].append(label_of(node, is_top=is_top))
        for token in tokens:
            spines.heads[token], spines.places[token] = head, len(spines.labels[head])
    return spines


class _Part(NamedTuple):
    first: int
    child: Node | int


def tree_of(spines: Spines, tokens: Sequence[Token], sentence: str = "") -> Tree:
    """Return the tree with heads that spines without cycles make up.

    What is attached to no spine, or to a node ROOT of one, is below the top node.
    """
    below = dependents(spines.heads)
    attached: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token in range(1, len(spines.heads)):
        attached[spines.heads[token], spines.places[token]].append(token)
    high = below[0].copy()
    parts: dict[int, _Part] = {}
    for token in reversed(top_down(below)):
        part = _Part(token - 1, token - 1)
        for place, label in enumerate(spines.labels[token], start=1):
            if label == ROOT:
                high += attached[token, place]
            else:
                others = [parts[other] for other in attached[token, place]]
                part = _joined(node_of(label), [part, *others])
        parts[token] = part
    root = Node(ROOT)
    if high:
        _joined(root, [parts[token] for token in high])
    return Tree(root, [replace(token) for token in tokens], sentence)


def _joined(node: Node, parts: list[_Part]) -> _Part:
    """Give a node its children; the first part is the head."""
    ordered = sorted(parts, key=itemgetter(0))
    node.children = [part.child for part in ordered]
    node.head = ordered.index(parts[0])
    return _Part(ordered[0].first, node)


def dependents(heads: Sequence[int]) -> list[list[int]]:
    """Return the dependents of the root and of each token, from left to right."""
    found: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads[1:], start=1):
        found[head].append(token)
    return found


def top_down(below: Sequence[Sequence[int]]) -> list[int]:
    """Return all tokens that are below the root, heads before their dependents."""
    order = list(below[0])
    for token in order:
        order += below[token]
    return order
