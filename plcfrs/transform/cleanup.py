"""What remains to be done once fillers are in their places: no null elements, no indices."""

from __future__ import annotations

from plcfrs.trees import Node, Tree


def remove_null_elements(tree: Tree) -> Tree:
    """Remove null elements, constituents without tokens, and indices.

    Tokens keep the order of the text and are numbered anew; children are ordered by their leftmost
    token. A tree of null elements alone is left without tokens.

    Parameters
    ----------
    tree : Tree
        Changed.

    Returns
    -------
    Tree
        The same tree.
    """
    overt = [position for position, token in enumerate(tree.tokens) if not token.is_null]
    number_of = {position: number for number, position in enumerate(overt)}
    kept: set[Node] = set()
    for node in tree.bottom_up():
        children: list[Node | int] = []
        for child in node.children:
            if isinstance(child, Node) and child in kept:
                children.append(child)
            elif isinstance(child, int) and child in number_of:
                children.append(number_of[child])
        node.children = children
        node.index = node.gap_index = None
        if children:
            kept.add(node)
    tree.tokens = [tree.tokens[position] for position in overt]
    for edge in tree.secondary_edges:
        if isinstance(edge.child, int):
            edge.child = number_of.get(edge.child, -1)
    tree.secondary_edges = [
        edge
        for edge in tree.secondary_edges
        if edge.parent in kept and (edge.child in kept or edge.child in range(len(overt)))
    ]
    tree.sort_children()
    return tree


def remove_unary_sbar(tree: Tree) -> Tree:
    """Replace each SBAR that has exactly one child, a nonterminal, by this child.

    Evang and Kallmeyer (2011, section 4.2). The child inherits the record of having been moved.

    Parameters
    ----------
    tree : Tree
        Without null elements; changed.

    Returns
    -------
    Tree
        The same tree.
    """
    for node in tree.bottom_up():
        node.children = [_without_unary_sbar(child) for child in node.children]
    return tree


def _without_unary_sbar(child: Node | int) -> Node | int:
    if isinstance(child, Node) and child.category == "SBAR" and len(child.children) == 1:
        only = child.children[0]
        if isinstance(only, Node):
            only.moved = only.moved or child.moved
            return only
    return child
