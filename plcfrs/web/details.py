"""What trees have besides words, tags and labels: in answers, and in requests to draw them."""

from __future__ import annotations

from typing import TypeVar

from plcfrs.errors import InputError
from plcfrs.trees import Node, SecondaryEdge, Token, Tree
from plcfrs.web.answers.trees import DrawRequest, EdgeAnswer, TokenAnswer

Item = TypeVar("Item")


def describe_tokens(tree: Tree) -> list[TokenAnswer]:
    """Return the tokens of a tree."""
    return [
        TokenAnswer(
            form=token.form,
            tag=token.tag,
            lemma=token.lemma,
            morph=token.morph,
            function=token.function,
        )
        for token in tree.tokens
    ]


def describe_edges(tree: Tree) -> list[EdgeAnswer]:
    """Return the secondary edges of a tree."""
    numbers = {node: number for number, node in enumerate(tree.nodes())}
    return [
        EdgeAnswer(
            label=edge.label,
            node=numbers[edge.child] if isinstance(edge.child, Node) else None,
            token=None if isinstance(edge.child, Node) else edge.child,
            mother=numbers[edge.parent],
        )
        for edge in tree.secondary_edges
        if edge.parent in numbers and (isinstance(edge.child, int) or edge.child in numbers)
    ]


def add_details(tree: Tree, wanted: DrawRequest) -> Tree:
    """Return a tree with the tokens and the secondary edges of a request.

    Raises
    ------
    InputError
        If they are not those of this tree.
    """
    tokens = [Token(**token.model_dump()) for token in wanted.tokens] or tree.tokens
    if len(tokens) != len(tree.tokens):
        raise InputError(f"tokens: expected {len(tree.tokens)}, as many as the tree has")
    nodes = tree.nodes()
    edges = [
        SecondaryEdge(edge.label, _child(edge, nodes, tokens), _at(nodes, edge.mother))
        for edge in wanted.secondary_edges
    ]
    return Tree(tree.root, tokens, tree.id, edges)


def _child(edge: EdgeAnswer, nodes: list[Node], tokens: list[Token]) -> Node | int:
    if edge.node is not None:
        return _at(nodes, edge.node)
    return _at(list(range(len(tokens))), -1 if edge.token is None else edge.token)


def _at(items: list[Item], place: int) -> Item:
    if 0 <= place < len(items):
        return items[place]
    raise InputError("secondary_edges: expected numbers of constituents and positions of tokens")
