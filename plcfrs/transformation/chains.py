"""Unary chains, such as ``S`` over ``VP``: collapse them into one node, restore or remove them.

With collapsed chains, transition systems that build unary nodes only above single tokens can parse
trees with unary nodes anywhere, as in the Penn Treebank. Dependencies with order labels cannot
express unary nodes at all.
"""

from __future__ import annotations

from plcfrs.trees import Label, Node, Tree
from plcfrs.trees.heads import on_copy
from plcfrs.trees.tree import nodes_of


@on_copy
def collapse_chains(tree: Tree) -> Tree:
    """Make one node of every unary chain; function tags, indices and secondary edges are lost.

    The node has the label of the topmost node, and the labels of the others as its `chain`.

    >>> clause = Node("S", split="WH", children=[Node("VP", children=[0, 1])])
    >>> collapse_chains(Tree(Node("ROOT", children=[clause]), [])).root
    <Node ROOT+S^WH+VP: 2 children>
    """
    tree.secondary_edges = []
    stack = [tree.root]
    while stack:
        top = stack.pop()
        chain = [top]
        while len(chain[-1].children) == 1 and (below := chain[-1].nodes):
            chain += below
        top.chain = tuple([Label(node.category, split=node.split) for node in chain[1:]])
        top.children, top.head = chain[-1].children, chain[-1].head
        top.functions, top.index, top.gap_index = (), None, None
        stack += top.nodes
    return tree


@on_copy
def restore_chains(tree: Tree) -> Tree:
    """Undo `collapse_chains`; an only child becomes the head."""
    for node in tree.nodes():
        if node.chain:
            below = nodes_of(node.chain)
            below[-1].children, below[-1].head = node.children, node.head
            node.children, node.head, node.chain = [below[0]], 0, ()
    return tree


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
