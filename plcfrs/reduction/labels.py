r"""The labels of nodes in the relations of dependency trees.

A label is a category with its split, ``S^WH``. Labels are joined in chains, ``S+VP``, and spines,
``VP|S``; a number follows after ``#``. In categories, such characters get a backslash, and so does
ROOT below the top node.
"""

import re
from functools import lru_cache

from plcfrs.trees import Node
from plcfrs.trees.labels import ROOT, Label, parse_chain, render_chain

DEFAULT = "X"
"""The category of a node without a label that can be read."""

_SPECIAL = re.compile(r"([#|])")
_LABEL = re.compile(r"(?:\\.|[^\\+^])+(?:\^(?:\\.|[^\\+])*)?")
_PIECES = {
    separator: re.compile(rf"(?:\\.|[^\\{separator}])+", re.DOTALL) for separator in ("+", "|")
}


def label_of(node: Node, *, is_top: bool) -> str:
    r"""Return the label of a node.

    >>> label_of(Node("S", split="WH"), is_top=False), label_of(Node("A|#"), is_top=False)
    ('S^WH', 'A\\|\\#')
    >>> label_of(Node("ROOT"), is_top=True), label_of(Node("ROOT"), is_top=False)
    ('ROOT', '\\ROOT')
    """
    return _rendered(node.category, node.split, is_top)


@lru_cache(maxsize=10_000)  # treebanks repeat a few labels
def _rendered(category: str, split: str, is_top: bool) -> str:
    return _SPECIAL.sub(r"\\\1", render_chain(Label(category, split=split), is_top=is_top))


def node_of(label: str) -> Node:
    """Return a new node with this label; what is no label becomes the category X.

    >>> node_of("S^WH"), node_of("")
    (<Node S^WH: 0 children>, <Node X: 0 children>)
    """
    return Node(*_parsed(label))


@lru_cache(maxsize=10_000)
def _parsed(label: str) -> Label:
    if label == ROOT or not _LABEL.fullmatch(label):
        return Label(DEFAULT)
    return parse_chain(label)


@lru_cache(maxsize=10_000)
def split(text: str, separator: str) -> tuple[str, ...]:
    r"""Return the labels that are joined in a text.

    >>> split(r"S+A\+B", "+")
    ('S', 'A\\+B')
    """
    return tuple(_PIECES[separator].findall(text))
