"""Trees as spines: the spine of a token is all nodes that it heads (Carreras et al. 2008).

Each spine is attached to a node of another spine. A node is written as its category with its split,
``S^WH``; labels are joined to chains, ``S+VP``, and spines, ``VP|S``; a number follows ``#``. In
categories, these characters get a backslash, and so does ROOT below the top node. The order in
which dependents are attached to a head may be written as differences, and may be nested.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.heads import unmarked_head
from plcfrs.trees.labels import Label, parse_chain, render_chain
from plcfrs.trees.tree import check_tree

DEFAULT = "X"
"""The category of a node whose label cannot be read."""

_SPECIAL = re.compile(r"([#|])")
_LABEL = re.compile(r"(?:\\.|[^\\+^])+(?:\^(?:\\.|[^\\+])*)?")
_PIECES = {
    separator: re.compile(rf"(?:\\.|[^\\{separator}])+", re.DOTALL) for separator in ("+", "|")
}


def label_of(node: Node, *, is_top: bool) -> str:
    r"""Return the label of a node.

    >>> label_of(Node("S", split="WH"), is_top=False), label_of(Node("A|#"), is_top=False)
    ('S^WH', 'A\\|\\#')
    >>> label_of(Node("ROOT"), is_top=True), label_of(Node("ROOT"), is_top=False)
    ('ROOT', '\\ROOT')
    """
    return _rendered(node.category, node.split, is_top)


@lru_cache(maxsize=10_000)  # treebanks repeat a few labels
def _rendered(category: str, split: str, is_top: bool) -> str:
    return _SPECIAL.sub(r"\\\1", render_chain(Label(category, split=split), is_top=is_top))


def node_of(label: str) -> Node:
    """Return a new node with this label; a text that is not a label becomes the category X.

    >>> node_of("S^WH"), node_of("")
    (<Node S^WH: 0 children>, <Node X: 0 children>)
    """
    return Node(*_parsed(label))


@lru_cache(maxsize=10_000)
def _parsed(label: str) -> Label:
    if label == ROOT or not _LABEL.fullmatch(label):
        return Label(DEFAULT)
    return parse_chain(label)


@lru_cache(maxsize=10_000)
def split(text: str, separator: str) -> tuple[str, ...]:
    r"""Return the labels that are joined in a text.

    >>> split(r"S+A\+B", "+")
    ('S', 'A\\+B')
    """
    return tuple(_PIECES[separator].findall(text))


class Spines(NamedTuple):
    """The spines of all tokens, which are numbered from 1; entry 0 of each list is not used."""

    # The token to whose spine the spine of a token is attached; 0 is the top of the tree.
    heads: list[int]
    places: list[int]  # the node of that spine to which it is attached: 1 is the lowest one
    labels: list[list[str]]  # the labels of the nodes of a spine, from the bottom up


def spines_of(tree: Tree) -> Spines:
    """Return the spines of a tree; a top node with one child is on no spine."""
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


class _Subtree(NamedTuple):
    first: int  # the place that orders it among its sisters
    child: Node | int


def tree_of(spines: Spines, tokens: Sequence[Token], sentence: str = "") -> Tree:
    """Return the tree of spines without cycles, with marked heads.

    Tokens without a head, and tokens attached to a node ROOT of a spine, are below the top node.
    """
    below = dependents(spines.heads)
    attached: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token in range(1, len(spines.heads)):
        attached[spines.heads[token], spines.places[token]].append(token)
    high = below[0].copy()
    subtrees: dict[int, _Subtree] = {}
    for token in reversed(top_down(below)):
        subtree = _Subtree(token - 1, token - 1)
        for place, label in enumerate(spines.labels[token], start=1):
            if label == ROOT:
                high += attached[token, place]
            else:
                others = [subtrees[other] for other in attached[token, place]]
                subtree = _joined(node_of(label), [subtree, *others])
        subtrees[token] = subtree
    root = Node(ROOT)
    if high:
        _joined(root, [subtrees[token] for token in high])
    return Tree(root, [replace(token) for token in tokens], sentence)


def _joined(node: Node, subtrees: list[_Subtree]) -> _Subtree:
    """Give a node its children, of which the first is the head, and return it as a subtree."""
    ordered = sorted(subtrees, key=itemgetter(0))
    node.children = [subtree.child for subtree in ordered]
    node.head = ordered.index(subtrees[0])
    return _Subtree(ordered[0].first, node)


def dependents(heads: Sequence[int]) -> list[list[int]]:
    """Return the dependents of the root and of each token, from left to right."""
    below: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads[1:], start=1):
        below[head].append(token)
    return below


def top_down(below: Sequence[Sequence[int]]) -> list[int]:
    """Return all tokens below the root, heads before their dependents."""
    order = list(below[0])
    for token in order:
        order += below[token]
    return order


def sides(heads: Sequence[int]) -> Iterator[list[int]]:
    """Yield the left and the right dependents of each token, each from the head outward.

    >>> list(filter(None, sides([0, 3, 3, 0, 3])))
    [[2, 1], [4]]
    """
    for head, others in enumerate(dependents(heads)):
        if head:
            yield [other for other in reversed(others) if other < head]
            yield [other for other in others if other > head]


def differences(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Return the differences of the orders on each side of a head, from the head outward.

    >>> differences([0, 4, 4, 4, 0, 4], [0, 4, 3, 1, 0, 2])
    [0, 1, 2, 1, 0, 2]
    """
    numbers = list(orders)
    for side in sides(heads):
        for nearer, farther in pairwise(side):
            numbers[farther] = orders[farther] - orders[nearer]
    return numbers


def from_differences(heads: Sequence[int], numbers: Sequence[int | None]) -> list[int]:
    """Return the orders: the inverse of `differences`.

    A token without a number has the order of its neighbour nearer to the head, or else 1.

    >>> from_differences([0, 4, 4, 4, 0, 4], [0, 1, 2, 1, 0, None])
    [0, 4, 3, 1, 0, 1]
    """
    orders = [1 if head else 0 for head in heads]
    for side in sides(heads):
        order = 0
        for token in side:
            number = numbers[token]
            order = orders[token] = max(order, 1) if number is None else order + number
    return orders


def nested_orders(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Lower orders until no dependent is attached later than one farther from the head.

    See Fernández-González and Martins (2015), section 4.3.

    >>> nested_orders([0, 4, 4, 4, 0, 4], [0, 2, 1, 3, 0, 1])
    [0, 2, 1, 1, 0, 1]
    """
    nested = list(orders)
    for side in sides(heads):
        for farther, nearer in pairwise(reversed(side)):
            nested[nearer] = min(nested[nearer], nested[farther])
    return nested
