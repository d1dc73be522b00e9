"""What remains to be done after reattachment: remove null elements and indices."""

from __future__ import annotations

from collections.abc import Callable

from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.copying import on_copy


@on_copy
def remove_null_elements(tree: Tree) -> Tree:
    """Remove null elements, constituents without tokens, and indices (see `remove_tokens`).

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    Tree
        Without tokens if all of them were null elements.
    """
    for node in tree.nodes():
        node.index = node.gap_index = None
    return remove_tokens.in_place(tree, lambda token: token.is_null)


@on_copy
def remove_tokens(tree: Tree, unwanted: Callable[[Token], bool]) -> Tree:
    """Remove some tokens, and constituents that are left without tokens.

    The other tokens keep their order and are renumbered; children are ordered by their leftmost
    token.

    Parameters
    ----------
    tree : Tree
    unwanted : callable
        Returns whether a token is removed.

    Returns
    -------
    Tree
        Only the root if all tokens were removed.
    """
    wanted = [position for position, token in enumerate(tree.tokens) if not unwanted(token)]
    number_of = {position: number for number, position in enumerate(wanted)}
    kept: set[Node] = set()
    for node in tree.bottom_up():
        children: list[Node | int] = []
        for child in node.children:
            if isinstance(child, Node) and child in kept:
                children.append(child)
            elif isinstance(child, int) and child in number_of:
                children.append(number_of[child])
        node.children = children
        if children:
            kept.add(node)
    tree.tokens = [tree.tokens[position] for position in wanted]
    for edge in tree.secondary_edges:
        if isinstance(edge.child, int):
            edge.child = number_of.get(edge.child, -1)
    tree.secondary_edges = [
        edge
        for edge in tree.secondary_edges
        if edge.parent in kept and (edge.child in kept or edge.child in range(len(wanted)))
    ]
    tree.sort_children()
    return tree


@on_copy
def remove_constituents(tree: Tree, unwanted: Callable[[Node], bool]) -> Tree:
    """Remove some constituents; their children go to their mothers.

    Parameters
    ----------
    tree : Tree
    unwanted : callable
        Gets a node of the tree, returns whether it is removed. The root always stays.

    Returns
    -------
    Tree
        With all tokens. The head of a mother whose head child was removed is the head of this
        child. Secondary edges of removed constituents are gone.

    Examples
    --------
    >>> tree = Tree.from_string("(S (VP (WP 0=What) (VP (VB 2=do))) (PRP 1=we))")
    >>> print(remove_constituents(tree, lambda node: node.category == "VP"))
    (ROOT (S (WP 0=What) (PRP 1=we) (VB 2=do)))
    """
    removed = {node for node in tree.nodes() if node is not tree.root and unwanted(node)}
    heads: dict[Node, Node | int | None] = {}
    for node in tree.bottom_up():
        head = None if node.head is None else node.children[node.head]
        heads[node] = heads[head] if isinstance(head, Node) and head in removed else head
        node.head = None
        node.children = [
            below
            for child in node.children
            for below in (
                child.children if isinstance(child, Node) and child in removed else [child]
            )
        ]
    tree.secondary_edges = [
        edge for edge in tree.secondary_edges if removed.isdisjoint((edge.child, edge.parent))
    ]
    tree.sort_children({node: head for node, head in heads.items() if head is not None})
    return tree


@on_copy
def remove_unary_sbar(tree: Tree) -> Tree:
    """Replace each SBAR that has exactly one child, a nonterminal, by this child.

    See Evang and Kallmeyer (2011, section 4.2). The child inherits `moved`.

    Parameters
    ----------
    tree : Tree
        Without null elements.

    Returns
    -------
    Tree
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
