"""Make discontinuous trees continuous by reordering their tokens.

See Maier and Lichte (2016), section 3.2: in each node the tokens of one child come before those of
the other. The order says in which nodes the right child comes first:

======  ===========================================================================
left    nowhere
right   everywhere
rightd  in gap creators: continuous nodes with a discontinuous child
dist2   in gap creators, if a child has a gap of at least 2 tokens (or 4, 8, ...)
label   in gap creators that are neither NP nor PP
======  ===========================================================================
"""

import re

from plcfrs.errors import InputError
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.spans import fan_out, gaps

_LEFT_LABELS = ("NP", "PP")
_DISTANCE = re.compile(r"dist([1-9][0-9]{0,8})")
ORDERS = "left, right, rightd, label, or dist and a number, such as dist2"


def check_order(order: str) -> str:
    """Return the name of an order, or raise an InputError if there is no such order."""
    if order not in ("left", "right", "rightd", "label") and not _DISTANCE.fullmatch(order):
        raise InputError(f"{order!r} is not an order of tokens: choose from {ORDERS}")
    return order


def reorder(tree: Tree, order: str = "left") -> list[int]:
    """Return the positions of the tokens in an order that makes the tree continuous.

    The trees of the paper are binary; in a node with more children, all are reversed or none.
    Darüber muss nachgedacht werden:

    Darüber muss nachgedacht werden:

    >>> thought = Node("VP", children=[Node("VP", children=[0, 2]), 3])
    >>> tree = Tree(Node("S", children=[thought, 1]), [])
    >>> reorder(tree, "left"), reorder(tree, "rightd")
    ([0, 2, 3, 1], [1, 0, 2, 3])
    """
    check_order(order)
    spans = tree.yields()
    found: list[int] = []
    stack: list[Node | int] = [tree.root]
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            found.append(node)
        else:
            stack += node.children if _is_right(node, spans, order) else reversed(node.children)
    return found


@on_copy
def reorder_tree(tree: Tree, order: str = "left") -> Tree:
    """Make a tree continuous by reordering its tokens; heads stay marked."""
    positions = reorder(tree, order)
    place = {old: new for new, old in enumerate(positions)}
    tree.tokens = [tree.tokens[old] for old in positions]
    for edge in tree.secondary_edges:
        edge.child = place[edge.child] if isinstance(edge.child, int) else edge.child
    heads: dict[Node, Node | int] = {}
    for node in tree.nodes():
        node.children = [
            place[child] if isinstance(child, int) else child for child in node.children
        ]
        if node.head is not None:
            heads[node] = node.children[node.head]
    tree.sort_children(heads)
    return tree


def _is_right(node: Node, spans: dict[Node, int], order: str) -> bool:
    """Return whether the children come from right to left."""
    if order in ("left", "right"):
        return order == "right"
    found = [gap for child in node.nodes for gap in gaps(spans[child])]
    if fan_out(spans[node]) > 1 or not found:
        return False
    if order == "label":
        return (node.label, *node.chain)[-1].category not in _LEFT_LABELS
    distance = _DISTANCE.fullmatch(order)
    return distance is None or max(right - left for left, right in found) >= int(distance[1])
