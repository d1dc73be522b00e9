"""Trees without unary nodes, which dependencies with order labels cannot express."""

from __future__ import annotations

from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy


@on_copy
def without_unaries(tree: Tree) -> Tree:
    """Remove the nodes that have one child, except for the top node, and all secondary edges.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VP (VBP sing) (NP (NNS songs)))))")
    >>> print(without_unaries(tree))
    (ROOT (S (PRP 0=They) (VP (VBP 1=sing) (NNS 2=songs))))
    """
    tree.secondary_edges = []
    for node in tree.nodes():
        node.children = [_below_unaries(child) for child in node.children]
    return tree


def _below_unaries(child: Node | int) -> Node | int:
    while isinstance(child, Node) and len(child.children) == 1:
        child = child.children[0]
    return child
