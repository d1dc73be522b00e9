"""Unary chains collapsed: ``S`` over ``VP`` becomes one node ``S+VP``, and comes back.

Transition systems that build unary nodes only above single tokens can then parse trees that have
them anywhere, as those of the Penn Treebank do.
"""

import re

from plcfrs.trees import ROOT, Node, Tree

_SPECIAL = re.compile(r"([\\+^@])")
_PARTS = re.compile(r"((?:\\.|[^\\+^])+)(?:\^((?:\\.|[^\\+])*))?")
_ESCAPED = re.compile(r"\\(.)")


def collapse_chains(tree: Tree) -> Tree:
    r"""Make one node of every chain of nodes that are each the only child of the one above.

    Its category tells everything: the categories of the chain, from the top, with their category
    splits; those that have ``+`` themselves write it with a backslash. Single nodes are written
    in the same way. A label that begins with ROOT is only at the top: below it, ROOT is ``\ROOT``.

    Parameters
    ----------
    tree : Tree
        Changed; function tags, indices and secondary edges are lost.

    Returns
    -------
    Tree
        The same tree.

    Examples
    --------
    >>> clause = Node("S", split="WH", children=[Node("VP", children=[0, 1])])
    >>> collapse_chains(Tree(Node("ROOT", children=[clause]), [])).root.category
    'ROOT+S^WH+VP'
    """
    tree.secondary_edges = []
    stack = [tree.root]
    while stack:
        top = stack.pop()
        chain = [top]
        while len(chain[-1].children) == 1 and (below := chain[-1].nodes):
            chain += below
        label = "+".join(map(_describe, chain))
        is_root_below = top is not tree.root and top.category.startswith(ROOT)
        top.category = "\\" + label if is_root_below else label
        top.children, top.head = chain[-1].children, chain[-1].head
        top.functions, top.split, top.index, top.gap_index = (), "", None, None
        stack += top.nodes
    return tree


def restore_chains(tree: Tree) -> Tree:
    """Undo `collapse_chains`.

    Parameters
    ----------
    tree : Tree
        Changed.

    Returns
    -------
    Tree
        The same tree; the head of a node with one child is that child.
    """
    for top in tree.nodes():
        children, head = top.children, top.head
        node = top
        for number, part in enumerate(chain(top.category)):
            if number:
                node.children, node.head = [Node("")], 0
                node = node.nodes[0]
            node.category, node.split = part
        node.children, node.head = children, head
    return tree


def chain(category: str) -> list[tuple[str, str]]:
    """Return the categories that `collapse_chains` made one of, each with its split.

    Examples
    --------
    >>> chain("ROOT+S^WH")
    [('ROOT', ''), ('S', 'WH')]
    """
    return [
        (_ESCAPED.sub(r"\1", category), _ESCAPED.sub(r"\1", split))
        for category, split in _PARTS.findall(category)
    ]


def _describe(node: Node) -> str:
    category, split = (_SPECIAL.sub(r"\\\1", part) for part in (node.category, node.split))
    return f"{category}^{split}" if split else category
