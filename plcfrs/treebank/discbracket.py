"""The discbracket format (van Cranenburgh): brackets whose words carry their positions.

    (ROOT (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we)) (. 4=?)))

Branches may cross. Positions count from 0, and each one occurs exactly once.

What the format cannot hold: lemmas, morphology and edge labels of tokens; secondary edges;
categories that look like a label with functions; parentheses in words, as in brackets. A
sentence without tokens becomes a blank line, which is skipped when read.
"""

from __future__ import annotations

import re

from plcfrs.treebank import brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import ROOT, Token, Tree

_LEAF = re.compile(r"([0-9]{1,18})=(.+)")


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    tree = brackets.parse(chunk)
    places = []
    tokens = {}
    for leaf in tree.tokens:
        found = _LEAF.fullmatch(leaf.form)
        if found is None:
            raise chunk.error(f"expected position=word, as in 0=What, but found {leaf.form!r}")
        places.append(int(found[1]))
        tokens[places[-1]] = Token(found[2], leaf.tag)
    _check_places(chunk, places)
    tree.tokens = [tokens[place] for place in range(len(places))]
    for node in tree.nodes():
        node.children = [
            places[child] if isinstance(child, int) else child for child in node.children
        ]
    tree.sort_children()
    return tree


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree on one line."""
    return brackets.render_nodes(
        tree, ROOT, lambda position: f"{position}={tree.tokens[position].form}"
    )


DISCBRACKET = Format("discbracket", (".discbracket", ".dbr"), brackets.split, parse, render)


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
