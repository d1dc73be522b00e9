"""What a treebank format is, and what all of them have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plcfrs.errors import TreebankError
from plcfrs.trees import ROOT, Node, Tree, render_label

NOTHING = "--"
"""What files have in a place that must not be empty (NeGra's sign, here for all formats)."""

_ROOT_LABELS = ("", ROOT, "TOP", "VROOT")
_WHITESPACE = re.compile(r"\s", re.ASCII)


class Chunk(NamedTuple):
    """The text of one tree.

    Parameters
    ----------
    path : str
        The file, for messages.
    line : int
        The line in which the text starts, from 1.
    text : str
    number : int
        The number of the tree in the file, from 1; malformed trees count.
    """

    path: str
    line: int
    text: str
    number: int

    def error(self, message: str, offset: int = 0) -> TreebankError:
        """Return an error that names the line of a place in the text."""
        line = self.line + self.text.count("\n", 0, offset)
        return TreebankError(message, self.path, line)


@dataclass(frozen=True)
class Format:
    """How trees are written in files.

    Parameters
    ----------
    name : str
    extensions : tuple of str
        The file extensions that stand for the format.
    split : callable
        Takes the lines of a file and its name and yields one `Chunk` a tree. It never
        fails: what is not a tree becomes a chunk that `parse` complains about.
    parse : callable
        Turns a `Chunk` into a tree, or raises a `TreebankError` that names the line.
    render : callable
        Turns a tree and its number in the file into text that ends with a line end, or
        raises a `TreebankError` if the format cannot hold the tree.
    header : str
        The lines before the first tree.
    may_be_empty : bool
        Whether a file without trees is right.
    encoding_declaration : compiled pattern, optional
        Finds, as its group 1, the encoding that the first lines of a file declare.
    """

    name: str
    extensions: tuple[str, ...]
    split: Callable[[Iterable[str], str], Iterator[Chunk]]
    parse: Callable[[Chunk], Tree]
    render: Callable[[Tree, int], str]
    header: str = ""
    may_be_empty: bool = False
    encoding_declaration: re.Pattern[bytes] | None = None


def add_root(children: list[Node | int]) -> Node:
    """Return the one top node, of category ROOT, over what a file has at the top.

    A node with an empty label, ROOT, TOP or VROOT above everything is the top node.

    Examples
    --------
    >>> add_root([Node("TOP", children=[Node("S", children=[0])])]).nodes[0].category
    'S'
    """
    root = Node(ROOT, children=children)
    while len(root.nodes) == len(root.children) == 1:
        only = root.nodes[0]
        if render_label(only) not in _ROOT_LABELS:
            break
        root.children = only.children
    return root


def one_word(text: str) -> str:
    """Return a text as it can stand between blanks.

    Examples
    --------
    >>> one_word("in front of"), one_word("")
    ('in_front_of', '--')
    """
    return _WHITESPACE.sub("_", text) or NOTHING


def or_empty(text: str) -> str:
    """Return a text as read, where ``--`` stands for nothing."""
    return "" if text == NOTHING else text
