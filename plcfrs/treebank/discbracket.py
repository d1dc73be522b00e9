"""The discbracket format (van Cranenburgh): brackets whose words carry their positions, from 0.

It holds what brackets hold, and crossing branches. A sentence without tokens is
``(ROOT (NOPARSE))``.
"""

from plcfrs.treebank import format as brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import Tree
from plcfrs.trees.notation import parse_discbracket, render_discbracket


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    return brackets.with_name(chunk, parse_discbracket)


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree on one line."""
    if not tree.tokens:
        return "(ROOT (NOPARSE))\n"
    return brackets.as_words(tree, render_discbracket(tree)) + "\n"


DISCBRACKET = Format(
    "discbracket",
    (".discbracket", ".dbr"),
    brackets.split,
    parse,
    render,
    lost=brackets.lost_in_brackets,
    signature=brackets.is_tree,
)
