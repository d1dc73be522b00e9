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
    """The text of one tree."""

    path: str  # the file, for messages
    line: int  # the line in which the text starts, from 1
    text: str
    number: int  # the number of the tree in the file, from 1; malformed trees count
    version: str = ""  # the version of the format, if the file states one

    def error(self, message: str, offset: int = 0, sentence: str | None = None) -> TreebankError:
        """Return an error that names the line of a place in the text, and the sentence."""
        line = self.line + self.text.count("\n", 0, offset)
        return TreebankError(message, self.path, line, sentence)


@dataclass(frozen=True)
class Format:
    """A format of files of trees."""

    name: str
    extensions: tuple[str, ...]
    # Yields one `Chunk` per tree, given the lines of a file and its name, and never fails.
    split: Callable[[Iterable[str], str], Iterator[Chunk]]
    # Turns a `Chunk` into a tree, or raises a `TreebankError` that names the line.
    parse: Callable[[Chunk], Tree]
    # Turns a tree and its number in the file into text that ends with a line end, or raises a
    # `TreebankError`. None if the format can only be read.
    render: Callable[[Tree, int], str] | None = None
    # The lines around the trees; ``{encoding}`` in the header is the encoding of the file.
    header: str = ""
    footer: str = ""
    may_be_empty: bool = False  # whether a file without trees is allowed
    # Finds, as its group 1, the encoding that the first lines of a file declare.
    encoding_declaration: re.Pattern[bytes] | None = None
    # Whether the declared encoding is tried before the one that the user gives.
    declaration_first: bool = False
    # Tells from the first bytes of a file whether it may have this format.
    signature: Callable[[bytes], bool] | None = None
    # The same for dependency trees.
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
