"""The bracket format of the Penn Treebank; the empty outer bracket is ROOT.

It holds no crossing branches, identifiers, secondary edges, or fields of tokens but form and tag.
A category that looks like a label with functions is read as one, and parentheses in words are
written ``-LRB-`` and ``-RRB-``. A sentence without tokens is a blank line, which is skipped when
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from plcfrs.errors import TreebankError
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import Tree
from plcfrs.trees.notation import parse_brackets, render_brackets

_BRACKET = re.compile(r"[()]")
_TREE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\((?:\s*[^\s()]+)?(?:\s*\(|\s+[^\s()]+\s*\))")
_POSITION = re.compile(rb"[^()]*(?:\((?:\s*[^\s()]+)?\s*)*\s[0-9]+=[^\s()]")
_Line = tuple[int, str]


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the text of each outermost bracket to the end of its line; text between is no tree."""
    number = 0
    for line, text in _texts(enumerate(lines, start=1)):
        if "(" in text:
            number += 1
        yield Chunk(path, line, text, number)


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    return parse_brackets(chunk.text, chunk.error)


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a continuous tree on one line, with an empty bracket for ROOT."""
    if tree.discontinuous_nodes():
        raise TreebankError(
            "brackets cannot hold crossing branches: write discbracket or export, "
            "or transform with --continuous or --reattach none",
            sentence=tree.id,
        )
    return render_brackets(tree) + "\n" if tree.tokens else "\n"


def is_tree(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets: a bracket with a bracket or a word in it.

    >>> is_tree(b"( (S (NN word)))"), is_tree(b"(Applause) Thank you")
    (True, False)
    """
    return _TREE.match(start) is not None


def is_continuous(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets whose first word has no position.

    >>> is_continuous(b"( (S (NN word)))"), is_continuous(b"(S (NN 0=word))")
    (True, False)
    """
    return is_tree(start) and _POSITION.match(start) is None


BRACKETS = Format(
    "brackets", (".mrg", ".ptb", ".brackets"), split, parse, render, signature=is_continuous
)


def _texts(lines: Iterable[_Line]) -> Iterator[_Line]:
    held: list[_Line] = []
    depth = 0
    for number, line in lines:
        closing = line.count(")")
        if closing < depth:
            held.append((number, line))
            depth += line.count("(") - closing
            continue
        starts, depth = _outermost(line, depth)
        if not held:
            starts = starts[1:]
        for left, right in pairwise([0, *starts, len(line)]):
            held.append((number, line[left:right]))
            if right < len(line) or depth == 0:
                yield from _joined(held)
                held = []
    yield from _recovered(held)


def _outermost(line: str, depth: int) -> tuple[list[int], int]:
    starts = []
    for bracket in _BRACKET.finditer(line):
        if bracket[0] == "(":
            if depth == 0:
                starts.append(bracket.start())
            depth += 1
        elif depth:
            depth -= 1
    return starts, depth


def _joined(held: list[_Line]) -> Iterator[_Line]:
    text = "".join(line for _, line in held)
    if not text.isspace():
        yield held[0][0], text


def _recovered(held: list[_Line]) -> Iterator[_Line]:
    """Cut the text after a tree that is never closed at each line that starts with a bracket."""
    starts = [place for place, (_, line) in enumerate(held) if place and line.startswith("(")]
    if not starts:
        yield from _joined(held) if held else ()
        return
    for left, right in pairwise([0, *starts, len(held)]):
        yield from _texts(held[left:right])
