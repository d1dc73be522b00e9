"""Null elements, indices and other constituents are removed after reattachment."""

from __future__ import annotations

from collections.abc import Callable

from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.copying import on_copy


@on_copy
def remove_null_elements(tree: Tree) -> Tree:
    """Remove null elements, constituents without tokens, and indices."""
    for node in tree.nodes():
        node.index = node.gap_index = None
    return remove_tokens.in_place(tree, lambda token: token.is_null)


@on_copy
def remove_tokens(tree: Tree, unwanted: Callable[[Token], bool]) -> Tree:
    """Remove some tokens, and constituents that are left without tokens, but not the root."""
    wanted = [position for position, token in enumerate(tree.tokens) if not unwanted(token)]
    number_of = {position: number for number, position in enumerate(wanted)}
    kept: set[Node] = set()
    for node in tree.bottom_up():
        node.children = [
            child if isinstance(child, Node) else number_of[child]
            for child in node.children
            if child in kept or child in number_of
        ]
        if node.children:
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
    """Remove some constituents, but not the root; their children and heads go to their mothers.

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
    """Replace each SBAR over a single constituent by it (Evang and Kallmeyer 2011, section 4.2).

    The tree must have no null elements. The constituent inherits `moved`.
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
