"""Trees with crossing branches for tests, from discbracket text."""

from plcfrs.treebank import FORMATS
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Tree

DISCBRACKET = FORMATS["discbracket"]


def crossing(text: str) -> Tree:
    """Return the tree of a text in discbracket format."""
    return DISCBRACKET.parse(Chunk("a.discbracket", 1, " ".join(text.split()), 1))


def written(tree: Tree) -> str:
    """Return a tree in discbracket format."""
    return DISCBRACKET.render(tree, 1).rstrip("\n")
