"""The discbracket format (van Cranenburgh): brackets whose words carry their positions.

    (ROOT (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we)) (. 4=?)))

Branches may cross. Positions count from 0, and each one occurs exactly once.

What the format cannot hold: identifiers; lemmas, morphology and edge labels of tokens; secondary
edges; categories that look like a label with functions; parentheses in words, as in brackets. A
sentence without tokens becomes a blank line, which is skipped when read.
"""

from __future__ import annotations

import re
from operator import itemgetter

from plcfrs.treebank import brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import ROOT, Node, Tree

_LEAF = re.compile(r"([0-9]{1,18})=(.+)")


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    tree = brackets.parse(chunk)
    places = []
    for token in tree.tokens:
        found = _LEAF.fullmatch(token.form)
        if found is None:
            raise chunk.error(f"expected position=word, as in 0=What, but found {token.form!r}")
        place, token.form = found.groups()
        places.append(int(place))
    if places != list(range(len(places))):  # most trees have no crossing branches
        _check_places(chunk, places)
        _move_tokens(tree, places)
    return tree


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree on one line."""
    return brackets.render_nodes(
        tree, ROOT, lambda position: f"{position}={tree.tokens[position].form}"
    )


DISCBRACKET = Format(
    "discbracket",
    (".discbracket", ".dbr"),
    brackets.split,
    parse,
    render,
    signature=brackets.is_tree,
)


def _move_tokens(tree: Tree, places: list[int]) -> None:
    """Put the tokens into their places in the sentence, and all children into their order.

    In one walk; with `Tree.nodes` and `Tree.sort_children`, reading takes a third longer.
    """
    tokens = dict(zip(places, tree.tokens, strict=True))
    tree.tokens = [tokens[place] for place in range(len(places))]
    nodes = [tree.root]
    for node in nodes:
        nodes.extend([child for child in node.children if isinstance(child, Node)])
    leftmost: dict[Node, int] = {}
    for node in reversed(nodes):
        children = [
            (leftmost[child] if isinstance(child, Node) else places[child], child)
            for child in node.children
        ]
        children.sort(key=itemgetter(0))
        node.children = [child if isinstance(child, Node) else place for place, child in children]
        leftmost[node] = children[0][0]


def _check_places(chunk: Chunk, places: list[int]) -> None:
    found: set[int] = set()
    for place in places:
        if place in found:
            raise chunk.error(f"position {place} occurs twice in this tree")
        found.add(place)
    for place in range(len(places)):
        if place not in found:
            raise chunk.error(
                f"position {place} is missing in this tree: "
                f"{len(places)} words take the positions 0 to {len(places) - 1}"
            )
