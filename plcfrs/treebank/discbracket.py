"""The discbracket format (van Cranenburgh): brackets whose words carry their positions.

    (ROOT (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we)) (. 4=?)))

Branches may cross. Positions count from 0, and each position occurs exactly once.

What the format cannot hold: identifiers; lemmas, morphology and edge labels of tokens; secondary
edges; categories that look like a label with functions; parentheses in words, as in brackets. A
sentence without tokens becomes a blank line, which is skipped when read.
"""

from plcfrs.treebank import brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import Tree
from plcfrs.trees.notation import parse_discbracket, render_discbracket


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    return parse_discbracket(chunk.text, chunk.error)


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree on one line."""
    return render_discbracket(tree) + "\n" if tree.tokens else "\n"


DISCBRACKET = Format(
    "discbracket",
    (".discbracket", ".dbr"),
    brackets.split,
    parse,
    render,
    signature=brackets.is_tree,
)
