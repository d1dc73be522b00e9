"""The definition of a treebank format, and what all formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plcfrs.errors import TreebankError
from plcfrs.trees import DependencyTree, Node, Tree

FIRST_NODE = 500
"""The number of the first node of a sentence (NeGra's)."""


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
    version : str
        The version of the format, if the file states one.
    """

    path: str
    line: int
    text: str
    number: int
    version: str = ""

    def error(self, message: str, offset: int = 0, sentence: str | None = None) -> TreebankError:
        """Return an error that names the line of a place in the text, and the sentence."""
        line = self.line + self.text.count("\n", 0, offset)
        return TreebankError(message, self.path, line, sentence)


@dataclass(frozen=True)
class Format:
    """A format of files of trees.

    Parameters
    ----------
    name : str
    extensions : tuple of str
    split : callable
        Yields one `Chunk` per tree, given the lines of a file and its name, and never fails.
    parse : callable
        Turns a `Chunk` into a tree, or raises a `TreebankError` that names the line.
    render : callable, optional
        Turns a tree and its number in the file into text that ends with a line end, or raises a
        `TreebankError`. None if the format can only be read.
    header, footer : str
        The lines around the trees; ``{encoding}`` in the header is the encoding of the file.
    may_be_empty : bool
        Whether a file without trees is allowed.
    encoding_declaration : compiled pattern, optional
        Finds, as its group 1, the encoding that the first lines of a file declare.
    declaration_first : bool
        Whether the declared encoding is tried before the one that the user gives.
    signature : callable, optional
        Tells from the first bytes of a file whether it may have this format.
    parse_dependencies, render_dependencies : callable, optional
        The same for dependency trees.
    """

    name: str
    extensions: tuple[str, ...]
    split: Callable[[Iterable[str], str], Iterator[Chunk]]
    parse: Callable[[Chunk], Tree]
    render: Callable[[Tree, int], str] | None = None
    header: str = ""
    footer: str = ""
    may_be_empty: bool = False
    encoding_declaration: re.Pattern[bytes] | None = None
    declaration_first: bool = False
    signature: Callable[[bytes], bool] | None = None
    parse_dependencies: Callable[[Chunk], DependencyTree] | None = None
    render_dependencies: Callable[[DependencyTree], str] | None = None


def numbered_nodes(tree: Tree, first: int = FIRST_NODE) -> dict[Node, int]:
    """Return NeGra's numbers of all nodes except the root: children before mothers.

    >>> tree = Tree(Node("ROOT", children=[Node("S", children=[Node("NP", children=[0])])]), [])
    >>> {node.category: number for node, number in numbered_nodes(tree).items()}
    {'NP': 500, 'S': 501}
    """
    found = []
    stack = [tree.root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(node.nodes)
    return {node: number for number, node in enumerate(found[:0:-1], start=first)}
