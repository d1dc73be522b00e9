"""Treebank formats, and the first two: the brackets of the Penn Treebank, and discbracket.

In brackets, the empty outer bracket is ROOT. A label, tag or word that would be misread is escaped
(`plcfrs.trees.labels`), as in all formats. Brackets cannot hold crossing branches, identifiers or
secondary edges, and hold only form and tag of tokens. A sentence without tokens is ``(())``, as
parsers write it; the other texts that parsers write instead of a parse are read as such, too (see
`_FAILED`).

In discbracket (van Cranenburgh), words carry their positions, so that branches can cross. A
sentence without tokens is ``(ROOT (NOPARSE))``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from plcfrs.errors import TreebankError
from plcfrs.treebank.leaves import read_leaves, repaired, with_words, without_features
from plcfrs.treebank.nbest import BEFORE, OUTSIDE, Names, without_score
from plcfrs.trees import DependencyTree, Node, Tree, no_parse, restore_traces
from plcfrs.trees.notation import (
    MakeError,
    parse_brackets,
    parse_discbracket,
    render_brackets,
    render_discbracket,
)
from plcfrs.trees.tree import NULL_TAG

FIRST_NODE = 500
"""The number of the first node of a sentence (NeGra's)."""


MARKUP = "text with markup: remove the markup and read the words with --from tokens"


class Chunk(NamedTuple):
    """The text of one tree."""

    path: str  # the file, for messages
    line: int  # the line in which the text starts, from 1
    text: str
    number: int  # the number of the tree in the file, from 1; malformed trees count
    version: str = ""  # the version of the format, if the file states one
    start: int = 0  # the number of characters before the text, if it is running text

    def error(self, message: str, offset: int = 0, sentence: str | None = None) -> TreebankError:
        """Return an error that names the line of a place in the text, and the sentence."""
        line = self.line + self.text.count("\n", 0, offset)
        return TreebankError(message, self.path, line, sentence)


@dataclass(frozen=True)
class Format:
    """A format of files of trees."""

    name: str
    extensions: tuple[str, ...]
    # Yields one `Chunk` per tree, given the lines of a file and its name; never fails.
    split: Callable[[Iterable[str], str], Iterator[Chunk]]
    # Turns a `Chunk` into a tree, or raises a `TreebankError` that names the line.
    parse: Callable[[Chunk], Tree]
    # Turns a tree and its number in the file into text that ends with a line end, or raises a
    # `TreebankError`. None if the format can only be read.
    render: Callable[[Tree, int], str] | None = None
    # The lines around the trees; ``{encoding}`` in the header is the encoding of the file.
    header: str = ""
    footer: str = ""
    # Names the parts of a tree, or of a dependency tree, that the format cannot hold.
    lost: Callable[[Any], Iterable[str]] = lambda _: ()
    may_be_empty: bool = False  # whether a file without trees is allowed
    # Finds, as its group 1, the encoding that the first lines of a file declare.
    encoding_declaration: re.Pattern[bytes] | None = None
    # Whether the declared encoding is tried before the one that the user gives.
    declaration_first: bool = False
    # Tells from the first bytes of a file whether it may have this format.
    signature: Callable[[bytes], bool] | None = None
    # `parse` and `render` for dependency trees.
    parse_dependencies: Callable[[Chunk], DependencyTree] | None = None
    render_dependencies: Callable[[DependencyTree], str] | None = None


_OF_WORDS = {
    "functions of words": attrgetter("function"),
    "lemmas": attrgetter("lemma"),
    "morphology": attrgetter("morph"),
}


def lost_in_brackets(tree: Tree) -> Iterator[str]:
    """Name the parts of a tree that brackets cannot hold."""
    for part, get in _OF_WORDS.items():
        if any(map(get, tree.tokens)):
            yield part
    if tree.secondary_edges:
        yield "secondary edges"
    yield from _lost_places(tree)


def lost_in_columns(tree: Tree) -> Iterator[str]:
    """Name the parts of a tree that export and TigerXML cannot hold."""
    nodes = tree.nodes()
    if any(node.index is not None or node.gap_index is not None for node in nodes):
        yield "indices"
    if any(node.intermediate or node.ancestors for node in nodes):
        yield "marks of binarization"
    yield from _lost_places(tree)


def _lost_places(tree: Tree) -> Iterator[str]:
    if any(token.start is not None for token in tree.tokens):
        yield "places in the text"
    yield from lost_notes(tree)


def lost_notes(tree: Tree) -> Iterator[str]:
    """Name comments and notes, which only CGELBank has: trees with notes have comments."""
    if tree.comments:
        yield "comments"
        if any(node.note for node in tree.nodes()):
            yield "notes"


def numbered_nodes(tree: Tree, first: int = FIRST_NODE) -> dict[Node, int]:
    """Return NeGra's numbers of all nodes except the root: children before mothers.

    >>> tree = Tree(Node("ROOT", children=[Node("S", children=[Node("NP", children=[0])])]), [])
    >>> {node.category: number for node, number in numbered_nodes(tree).items()}
    {'NP': 500, 'S': 501}
    """
    nodes = []
    stack = [tree.root]
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack.extend(node.nodes)
    return {node: number for number, node in enumerate(nodes[:0:-1], start=first)}


_BRACKET = re.compile(r"[()]")
# Before trees: comments, and the containers of Switchboard and of the Chinese Treebank.
_OUTSIDE = re.compile(r"\s*(?:#|\*x\*|={5}|</?[A-Za-z][^>]*>)")
_OUTSIDE_BYTES = (
    rb"(?:\xef\xbb\xbf)?(?:\s*(?:(?:#|\*x\*|={5}|</?[A-Za-z])[^\n]*\n|%b))*\s*(?:%b)?(?=\((?!\t))"
    % (OUTSIDE.encode(), BEFORE.encode())
)
_NAME = re.compile(r"\s*<(?:S|SU)\s+ID\s*=\s*\"?([^\s>\"]+)\"?\s*>", re.IGNORECASE)
_TREE = re.compile(
    _OUTSIDE_BYTES + rb"\((?:(?:\s*[^\s()]+)?(?:\s*\(|\s+[^\s()]+\s*\))"
    rb"|\s+(?:[A-Z_]+|[^\s()]+/[A-Z]+)\s*\))"
)
_WORD = re.compile(r"\s([^\s()]+)\s*\)", re.ASCII)
_POSITION = re.compile(r"([0-9]+)=.")
_ZERO = re.compile(rb"\s0=\S")
_FIRST_TREE = 1 << 13  # bytes with the first tree, or most of it
# With a tag, *T*-1; with the category of a phrase, also * and 0.
_BARE_NULL = (
    r"\(\s*(?!-NONE-)(?:[^\s()]+\s+(?:[0-9]+=)?(?=\*[^\s()])"
    r"|(?:(?:WH?)?(?:NP|PP|ADVP|ADJP)|[CIV]P|S|SBAR|C|COMP)(?:-[^\s()]+)?\s+(?:[0-9]+=)?(?=[0*]\s*\)))"
    r"(0|\*(?:(?:T|ICH|EXP|RNR|PPA|PRO|NOT|CL|U|con|pro|exp|arb)\*)?(?:-[^\s()/]+)?)\s*\)"
)
# An identifier at the end of a tree; a tree that only marks a page, or says who wrote the text.
_HISTORICAL = re.compile(
    r"\(\s*(ID)\s+[^\s()]+\s*\)\s*\)[^\S\n]*(?:\n|\Z)"
    rf"|\(\s*\(\s*(CODE\s+[<{{]|(?:METADATA|VERSION)\s*\()|{_BARE_NULL}",
    re.ASCII,
)
_PENN_HISTORICAL = re.compile(_HISTORICAL.pattern.encode())
_HINTS = ("(ID ", "( (CODE ", "( (METADATA ", "( (VERSION ")
_NULLS = re.compile(_BARE_NULL, re.ASCII)
_MAY_BE_NULL = re.compile(r"[\s=](?<!\(-NONE-.)[0*]", re.ASCII | re.DOTALL)
# Labels are in capitals, or numbers (the Stanford Sentiment Treebank).
_SURE = re.compile(
    _OUTSIDE_BYTES + rb"(?:\(\s*(?:[A-Z][^\s()]*\s*)?(?:\(\s*[A-Z][^\s()]*\s*)*"
    rb"\(\s*[A-Z.,:`'$#-][^\s()]*\s+(?:[^\s()]+|[()])\s*\)"
    rb"|(?:\(\s*[A-Z][A-Z$-]*\s*){2,}\([^\s()]+\)\s*\)"
    rb"|(?:\([0-9]+\s+[^\s()]+\)\s+)*(?:\([0-9]+\s+){2,}[^\s()]+\))"
)
_SLASHED = "word/TAG"
_SLASHED_WORD = re.compile(r"(?<=\s)([^\s()]+)/([^\s()/a-z]+)(?=[\s)])", re.ASCII)
_ALONE = re.compile(r"\s*\(\s*([^\s()]+)\s*\)\s*", re.ASCII)
# Words with a bracket of their own; labels, after a blank only without a slash; other words.
_WORDS = re.compile(
    r"\(\s*[^\s()]+\s+([^\s()]+)\s*\)|\([^\s()]+|\(\s*[^\s()/]*(?=[\s(])|([^\s()]+)",
    re.ASCII,
)
# Only brackets and names of roots; or what Berkeley, Java and Stanford print.
_FAILED = re.compile(
    r"\s*(?:(?:\(\s*(?:(?:ROOT|TOP|VROOT|S1|NOPARSE)\s*)?)+(?:\)\s*)+"
    r"|(?:NO[ _-]?PARSE|FAIL(?:ED|URE)?|NULL|SENTENCE_SKIPPED_OR_UNPARSABLE)\s*)",
    re.IGNORECASE | re.ASCII,  # a no-break space is a word
)
_Line = tuple[int, str]


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield each outermost bracket to the end of its line, and the text between brackets.

    That text is malformed, unless it is an identifier, ``<S ID=1>``, or stands for a failed parse.
    """
    number, name, version = 0, "", ""
    for line, text in _texts(enumerate(lines, start=1)):
        version = version or (_SLASHED if _is_slashed(text) else "")
        alone = _ALONE.fullmatch(text) if version else None
        if alone:  # ATIS has ( @k0y012/CD ) before a sentence, and ( END_OF_TEXT_UNIT )
            name = f"<S ID={alone[1].removesuffix('/CD')}>" if "/" in alone[1] else name
        elif _NAME.match(text):
            name = text.strip()
        else:
            number += "(" in text or _FAILED.fullmatch(text) is not None
            yield Chunk(path, line, name + text, number, version)
            name = ""


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    return with_name(chunk, parse_brackets)


def with_name(chunk: Chunk, read: Callable[[str, MakeError], Tree]) -> Tree:
    """Read a tree with the identifier before it, if any; NOPARSE if a parser found no tree."""
    text, name = chunk.text, _NAME.match(chunk.text)
    if name:
        text = " " * name.end() + text[name.end() :]
    if chunk.version == _SLASHED:
        text = _SLASHED_WORD.sub(_with_bracket, text)
    if _FAILED.fullmatch(text):
        tree = no_parse([])
    else:
        tree = _read(without_features(text), chunk.error, read)
    tree.id = name[1] if name else ""
    return tree


def _read(text: str, error: MakeError, read: Callable[[str, MakeError], Tree]) -> Tree:
    try:
        tree = read(text, error)
    except TreebankError:
        found = _read_repaired(text, error, read)
        if found is None:
            raise
        return read_leaves(found)
    return read_leaves(tree) if "##" in text else tree


def _read_repaired(
    text: str, error: MakeError, read: Callable[[str, MakeError], Tree]
) -> Tree | None:
    """Return the tree of a repaired text; None if it has none: two errors would hold each other."""
    try:
        return read(repaired(text), error)
    except TreebankError:
        return None


def check_continuous(tree: Tree, format: str) -> None:
    """Raise a TreebankError if a tree has crossing branches, which a format cannot hold."""
    if tree.discontinuous_nodes():
        raise TreebankError(
            f"{format} cannot hold crossing branches: write discbracket or export, or transform "
            "with --continuous or --reattach none",
            sentence=tree.id,
        )


def render(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a continuous tree on one line, with an empty bracket for ROOT."""
    check_continuous(tree, "brackets")
    return _continuous(tree)


def _continuous(tree: Tree) -> str:
    if not tree.tokens:
        return "(())\n"
    return as_words(tree, render_brackets(tree), _HISTORICAL) + "\n"


def as_words(tree: Tree, text: str, like: re.Pattern[str] = _NULLS) -> str:
    r"""Escape words in the text of a tree that look like null elements, or like `.psd` files.

    >>> tree = Tree.from_string("(S (UH *T*) (UH *LOL*) (-NONE- *))")
    >>> as_words(tree, str(tree))
    '(ROOT (S (UH 0=\\u{2A}T*) (UH 1=*LOL*) (-NONE- 2=*)))'
    """
    doubtful = ("*" in text or "0)" in text) and any(
        token.form[:1] in "*0" and not token.is_null for token in tree.tokens
    )
    if doubtful or any(map(text.count, _HINTS)):
        while like.search(text):  # (ID *pro*) looks like both
            text = like.sub(_escape_first, text)
    return text


def _escape_first(found: re.Match[str]) -> str:
    assert found.lastindex is not None
    place, text = found.start(found.lastindex) - found.start(), found[0]
    return f"{text[:place]}\\u{{{ord(text[place]):X}}}{text[place + 1 :]}"


def is_tree(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets: a bracket with a bracket or a word in it.

    Comments and containers may come first.

    >>> is_tree(b"( (S (NN word)))"), is_tree(b"(Applause) Thank you")
    (True, False)
    """
    return _TREE.match(start) is not None


def is_continuous(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets whose words have no positions.

    >>> is_continuous(b"( (S (NN word)))"), is_continuous(b"(S (NN 0=word))")
    (True, False)
    """
    first = start[:_FIRST_TREE]
    return is_tree(start) and not (_ZERO.search(first) and has_positions(first.decode("latin-1")))


def has_positions(text: str) -> bool:
    """Whether all words of the first tree of a text have positions, one of them 0.

    >>> has_positions("(S (NN 0=rain) (VB 1=fell))"), has_positions("(NP (CD 2=2) (NN 0=sum))")
    (True, True)
    >>> has_positions("(NP (CD 2=2) (NN rain))"), has_positions("(NP (CD 2=2))")
    (False, False)
    """
    first = next((tree for _, tree in _texts(enumerate(StringIO(text))) if "(" in tree), "")
    places = [_POSITION.match(word) for word in _WORD.findall(first)]
    return None not in places and any(int(place[1]) == 0 for place in places if place)


def is_surely_tree(start: bytes) -> bool:
    """Whether a file begins with a tree in brackets, and not with text that has brackets.

    >>> is_surely_tree(b"(S (NN word))"), is_surely_tree(b"(see (the) map) We go .")
    (True, False)
    """
    return _SURE.match(start) is not None


def bare_nulls(text: str) -> list[str]:
    """Return the words of a tree in brackets that look like null elements without their tag.

    >>> bare_nulls("(S (NP *T*-1) (NP (-NONE- *)) (VP (VB go)))")
    ['*T*-1']
    """
    return _NULLS.findall(text) if _MAY_BE_NULL.search(text) else []


def is_penn_treebank(start: bytes) -> bool:
    """Whether a file begins with a continuous tree, and not in the style of `plcfrs.treebank.psd`.

    >>> is_penn_treebank(b"( (S (NP (-NONE- *T*-1)) (VP (VB go))))")
    True
    >>> is_penn_treebank(b"( (IP-MAT (NP-SBJ *con*) (VBD left)))")
    False
    """
    is_historical = b"-NONE-" not in start and _PENN_HISTORICAL.search(start)
    return is_continuous(start) and not is_historical


BRACKETS = Format(
    "brackets",
    (".mrg", ".ptb", ".brackets", ".parse", ".prd", ".tree", ".tbf"),
    split,
    parse,
    render,
    lost=lost_in_brackets,
    signature=is_penn_treebank,
)


def render_penn(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree as the Penn Treebank has it: traces and indices instead of crossing branches."""
    restored = restore_traces(tree)
    if restored.gap_degree():  # the annotation does not describe these branches
        restored = restore_traces(restored)
    return _continuous(restored)


PENN = Format("penn", (".penn",), split, parse, render_penn, lost=lost_in_brackets)


def parse_positions(chunk: Chunk) -> Tree:
    """Read a tree whose words carry their positions, from 0."""
    return with_name(chunk, parse_discbracket)


def render_positions(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write a tree on one line, its words with their positions."""
    if not tree.tokens:
        return "(ROOT (NOPARSE))\n"
    return as_words(tree, render_discbracket(tree)) + "\n"


DISCBRACKET = Format(
    "discbracket",
    (".discbracket", ".dbr"),
    split,
    parse_positions,
    render_positions,
    lost=lost_in_brackets,
    signature=is_tree,
)


def _with_bracket(word: re.Match[str]) -> str:
    form, tag = word.groups()
    return f"({NULL_TAG if tag == 'XXX' else tag} {form})"


def _is_slashed(text: str) -> bool:
    """Whether all words have a tag behind a slash, and some lack a bracket of their own."""
    are_stray = False
    for found in _WORDS.finditer(text) if "/" in text else ():
        if found.lastindex and "/" not in found[found.lastindex]:
            return False
        are_stray = are_stray or found.lastindex == 2
    return are_stray


def _texts(lines: Iterable[_Line]) -> Iterator[_Line]:
    held: list[_Line] = []
    depth = 0
    names = Names()
    for number, line in lines:
        if not held:
            if _OUTSIDE.match(line) and not _NAME.match(line):
                continue
            name, line = names.cut(line)
            if name:
                yield number, f"<S ID={name}>"
            if not line:
                continue
        if "()" in line or " ))" in line:
            line = with_words(line)
        closing = line.count(")")
        if closing < depth:
            held.append((number, line))
            depth += line.count("(") - closing
            continue
        if not line.endswith(")\n") or "(p=" in line:
            line = without_score(line)
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
    """Return where outermost brackets begin in a line, and the depth behind it."""
    *parts, rest = line.split(")")
    depths = list(accumulate([part.count("(") - 1 for part in parts], initial=depth))
    ends_here = depths[-1] == 0 and "(" not in rest
    if min(depths[1:-1], default=1) > 0 and (depths[-1] > 0 or ends_here):
        return [], depths[-1] + rest.count("(")  # most lines are in one bracket: no need to cut
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
