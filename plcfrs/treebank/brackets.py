"""The bracket format of the Penn Treebank.

    ( (S (NP-SBJ (PRP They)) (VP (VBP sing)) (. .)))

A tree may take one line or many. The parts of labels become fields of the nodes, and null elements
are tokens tagged ``-NONE-``; the empty outer bracket is ROOT. A token without a tag is
tagged ``--``.

What the format cannot hold: crossing branches; identifiers; lemmas, morphology and edge labels of
tokens; secondary edges; categories that look like a label with functions (``S-X`` is read as S
with the function X); parentheses in words (written ``-LRB-`` and ``-RRB-``; in tags such as ``$(``
they are restored). A sentence without tokens becomes a blank line, which is skipped when read.
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
    """Yield the text from each outermost bracket up to the end of the line that closes it.

    Lines between trees are also chunks, but do not count as trees.
    """
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

    Examples
    --------
    >>> is_tree(b"( (S (NN word)))"), is_tree(b"(Applause) Thank you")
    (True, False)
    """
    return _TREE.match(start) is not None


def is_continuous(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets whose first word has no position.

    Examples
    --------
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
    """Return where trees start in a line, and the depth at its end."""
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
    """Cut the text after a tree that is never closed at each line that starts with a bracket.

    Without this error, such a line may well continue a tree.
    """
    starts = [place for place, (_, line) in enumerate(held) if place and line.startswith("(")]
    if not starts:
        yield from _joined(held) if held else ()
        return
    for left, right in pairwise([0, *starts, len(held)]):
        yield from _texts(held[left:right])
