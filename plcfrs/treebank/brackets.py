"""The bracket format of the Penn Treebank.

    ( (S (NP-SBJ (PRP They)) (VP (VBP sing)) (. .)))

A tree may take one line or many. Whole labels are kept in the fields of the nodes, and null
elements are tokens tagged ``-NONE-``; the empty outer bracket is ROOT. A token without a tag is
tagged ``--``.

What the format cannot hold: crossing branches; identifiers; lemmas, morphology and edge labels of
tokens; secondary edges; categories that look like a label with functions (``S-X`` is read as S
with the function X); parentheses in words (written ``-LRB-`` and ``-RRB-``; in tags such as ``$(``
they are restored). A sentence without tokens becomes a blank line, which is skipped when read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from plcfrs.errors import TreebankError
from plcfrs.treebank.format import Chunk, Format, add_root, one_word, or_empty
from plcfrs.trees import Node, Token, Tree, parse_label, render_label

# ASCII: a no-break space belongs to its word.
_PIECE = re.compile(
    r"\(\s*(?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)"
    r"|\(\s*(?P<label>[^\s()]*)"
    r"|(?P<close>\))"
    r"|(?P<stray>[^\s()]+)",
    re.ASCII,
)
_BRACKET = re.compile(r"[()]")
_TREE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\((?:\s*[^\s()]+)?(?:\s*\(|\s+[^\s()]+\s*\))")
_POSITION = re.compile(rb"[^()]*(?:\((?:\s*[^\s()]+)?\s*)*\s[0-9]+=[^\s()]")
_Line = tuple[int, str]


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the text from each outermost bracket up to the end of the line that closes it.

    A line between trees is a chunk, too, but does not count as a tree.
    """
    number = 0
    for line, text in _texts(enumerate(lines, start=1)):
        if "(" in text:
            number += 1
        yield Chunk(path, line, text, number)


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    tokens: list[Token] = []
    above = Node("")
    open_nodes = [above]
    for piece in _PIECE.finditer(chunk.text):
        tag, word, label, close, stray = piece.groups()
        if word is not None:
            open_nodes[-1].children.append(len(tokens))
            tokens.append(Token(word, _read_tag(tag) if "-" in tag else tag))
        elif close is not None:
            if len(open_nodes) == 1 or not open_nodes[-1].children:
                raise _misclosed(chunk, piece.start(), open_nodes)
            open_nodes.pop()
        elif stray is not None or (not label and len(open_nodes) > 1):
            raise _misplaced(chunk, piece.start(), stray, open_nodes)
        else:
            # Most labels are a category alone, which needs no taking apart.
            node = Node(label) if label.isalpha() else Node(*parse_label(label))
            open_nodes[-1].children.append(node)
            open_nodes.append(node)
    if len(open_nodes) > 1:
        raise chunk.error(f"missing ')': {len(open_nodes) - 1} more to close this tree")
    return Tree(add_root(above.children), tokens)


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a continuous tree on one line, with an empty bracket for ROOT."""
    if tree.discontinuous_nodes():
        raise TreebankError(
            "brackets cannot hold crossing branches: write discbracket or export, "
            "or transform with --continuous or --context-free",
            sentence=tree.id,
        )
    return render_nodes(tree, "", lambda position: tree.tokens[position].form)


def render_nodes(tree: Tree, top: str, form: Callable[[int], str]) -> str:
    """Write a tree on one line.

    Parameters
    ----------
    tree : Tree
    top : str
        The label of the top node.
    form : callable
        What is printed for the token at a position.
    """
    if not tree.tokens:
        return "\n"
    text: dict[Node | int, str] = {
        position: f"({_escape(token.tag)} {_escape(form(position))})"
        for position, token in enumerate(tree.tokens)
    }
    for node in tree.bottom_up():
        label = top if node is tree.root else _escape(render_label(node))
        text[node] = f"({label} {' '.join(text.pop(child) for child in node.children)})"
    return text[tree.root] + "\n"


def is_tree(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets: a bracket with another one or a word in it.

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
    """Cut what follows a tree that is never closed at each line that starts with a bracket.

    Only then: in a file without this error, such a line may well continue a tree.
    """
    starts = [place for place, (_, line) in enumerate(held) if place and line.startswith("(")]
    if not starts:
        yield from _joined(held) if held else ()
        return
    for left, right in pairwise([0, *starts, len(held)]):
        yield from _texts(held[left:right])


def _misclosed(chunk: Chunk, place: int, open_nodes: list[Node]) -> TreebankError:
    if len(open_nodes) == 1:
        return chunk.error("extra ')': no bracket is open here", place)
    label = render_label(open_nodes[-1])
    return chunk.error(f"empty constituent: ({label}) has neither a word nor children", place)


def _misplaced(chunk: Chunk, place: int, word: str | None, open_nodes: list[Node]) -> TreebankError:
    if word is None:
        return chunk.error("a bracket without a label: only the outermost may have none", place)
    if len(open_nodes) == 1:
        return chunk.error(f"{word!r} stands outside of all brackets", place)
    return chunk.error(f"the word {word!r} needs a bracket and a tag of its own: (TAG word)", place)


def _escape(text: str) -> str:
    return one_word(text).replace("(", "-LRB-").replace(")", "-RRB-")


def _read_tag(tag: str) -> str:
    """Return a tag as it is; the tag ``$(`` of STTS is written ``$-LRB-``."""
    if tag not in ("-LRB-", "-RRB-"):
        tag = tag.replace("-LRB-", "(").replace("-RRB-", ")")
    return or_empty(tag)
