"""Reading trees from files of any format, one tree at a time, and selecting some of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import NamedTuple, TypeVar

from plcfrs.errors import InputError, TreebankError
from plcfrs.text import Splitter
from plcfrs.treebank.doubts import Doubts
from plcfrs.treebank.files import STANDARD, Source, check_encoding, find_sources, read_lines
from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.registry import (
    COMPILED,
    DEPENDENCY_FORMATS,
    EXTENSIONS,
    FORMATS,
    RUNNING_TEXT,
    format_named,
    parse_running_text,
    recognize,
    split_running_text,
)
from plcfrs.trees import NO_PARSE, ROOT, DependencyTree, Node, Tree
from plcfrs.trees.tree import check_tree

Item = TypeVar("Item")

_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of trees.

    Parameters
    ----------
    sentences : tuple of range
        Numbers of trees, counted from 1 over all files, including malformed trees. Empty for all.
    max_length : int, optional
        The largest number of tokens, without null elements.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> first = Selection((range(1, 4), range(7, 8)))
    >>> [tree.id for tree in read_trees("plcfrs:demo", selection=first)]
    ['demo:1', 'demo:2', 'demo:3', 'demo:7']
    """

    sentences: tuple[range, ...] = ()
    max_length: int | None = None

    def until_last(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items of the trees of a treebank, up to the last one that may be selected."""
        return islice(items, min(int(self.last), sys.maxsize) if self.sentences else None)

    @property
    def last(self) -> float:
        """The number of the last tree that may be selected."""
        if not self.sentences:
            return inf
        return max((numbers[-1] for numbers in self.sentences if numbers), default=0)

    def names(self, number: int) -> bool:
        """Whether a tree with a number may be selected."""
        return not self.sentences or any(number in numbers for numbers in self.sentences)

    def includes(self, number: int, tree: Tree | DependencyTree) -> bool:
        """Whether a tree with a number is selected."""
        if not self.names(number):
            return False
        if self.max_length is None:
            return True
        return sum(not token.is_null for token in tree.tokens) <= self.max_length


EVERYTHING = Selection()


def parse_ranges(text: str) -> tuple[range, ...]:
    """Return the ranges of numbers in a text.

    >>> parse_ranges("1-500, 600")
    (range(1, 501), range(600, 601))
    """
    ranges = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is None:
            raise InputError(f"{part!r} is not a number or a range such as 1-500")
        ranges.append(range(int(found[1]), int(found[2] or found[1]) + 1))
    return tuple(ranges)


def chosen_ranges(text: str) -> tuple[range, ...]:
    """Return the ranges of sentences in a text, which may be empty; no range is empty."""
    ranges = parse_ranges(text) if text.strip() else ()
    if not all(numbers and numbers[-1] for numbers in ranges):
        raise InputError(f"{text}: empty range: write FIRST-LAST, counting from 1")
    return ranges


Sentence = TypeVar("Sentence", bound=Tree | DependencyTree)
Paths = str | Path | Iterable[str | Path]
Texts = Iterator["TreeText | TreebankError"]
OnError = Callable[[TreebankError], None]

BLANK_LINE = Tree(Node(ROOT), [])
"""Stands for a blank line between brackets."""

_BRACKETS = ("brackets", "discbracket")

# Undecodable bytes come as surrogates (see `read_lines`).
_UNREADABLE = re.compile("[\0\udc80-\udcff]")


class TreeText(NamedTuple):
    """The text of one tree and all that is needed to parse it, here or in another process."""

    chunk: Chunk
    stem: str  # the beginning of the identifier of the tree
    format: str  # one of `FORMATS`
    encoding: str  # the encoding that the user gave, for messages

    @property
    def is_sound(self) -> bool:
        """Whether the tree cannot be malformed; others are read even if they are not selected."""
        return self.format == COMPILED.name

    def parse(self) -> Tree:
        """Return the tree, or raise a TreebankError."""
        if not self.chunk.text:
            return BLANK_LINE
        return self._named(FORMATS[self.format].parse)

    def split(self, splitter: Splitter) -> Tree:
        """Return the tree; running text gets the tokens of a splitter."""
        if self.format not in ("text", "lines"):
            return self.parse()
        return self._named(partial(parse_running_text, splitter=splitter))

    def parse_dependencies(self) -> DependencyTree:
        """Return the dependency tree, or raise a TreebankError."""
        parse = FORMATS[self.format].parse_dependencies
        if parse is None:
            raise TreebankError(
                f"{self.format} has no dependencies: expected {' or '.join(DEPENDENCY_FORMATS)}",
                self.chunk.path,
            )
        return self._named(parse)

    def _named(self, parse: Callable[[Chunk], Sentence]) -> Sentence:
        check_characters(self.chunk, self.encoding)
        tree = parse(self.chunk)
        tree.id = tree.id or f"{self.stem}:{self.chunk.number}"
        return tree


def read_trees(
    paths: Paths,
    format: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    selection: Selection = EVERYTHING,
) -> Iterator[Tree]:
    """Read trees. Names are looked up at once; the trees are then read one at a time.

    Parameters
    ----------
    paths : str, Path, or several of them
        A file (also ``.gz``), a directory or zip file (all treebank files in it), a glob,
        ``@LIST`` (a file with one name per line), ``-`` (standard input), ``nltk:treebank``
        (NLTK's sample of the Penn Treebank), ``nltk:treebank/wsj_018*`` or ``plcfrs:demo``.
    format : str, optional
        One of `FORMATS`; by default recognized by the extension and the beginning of each file,
        discbracket for standard input.
    encoding : str
        The encoding of the files. A line that is not in it is read in the encoding that the file
        declares; in XML files, the declared encoding is tried first.
    on_error : callable, optional
        Called with the error of each malformed tree, which is then skipped. By default, the first
        error is raised.
    selection : Selection

    Yields
    ------
    Tree
        With one top node ROOT; its identifier is that of the file, or else
        ``{file stem}:{number of the tree}``.

    Raises
    ------
    InputError
        If there is no file for a name, or its format or encoding is unknown.
    TreebankError
        If a tree is malformed, or a file has no trees or cannot be read.

    Examples
    --------
    >>> next(read_trees("plcfrs:demo")).id
    'demo:1'
    """
    texts = read_texts(paths, format, encoding)
    return parse_texts(selection.until_last(texts), on_error, selection)


def trees_in_text(text: str) -> Iterator[Tree]:
    """Read the trees of a text like a file; the beginning of the text tells its format.

    >>> [tree.id for tree in trees_in_text("(S (VB Go)) (S (VB Stay))")]
    ['tree:1', 'tree:2']
    """
    source = Source("tree", lambda: BytesIO(text.encode()))
    return parse_texts(_cut_file(source, None, "utf-8"))


def read_in_place(
    paths: Paths,
    format: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    *,
    blank_lines: bool = False,
) -> Iterator[Tree | None]:
    """Read trees like `read_trees`, with None in place of each malformed tree.

    With `blank_lines`, `BLANK_LINE` stands for each blank line between brackets: it may be a
    sentence without a parse, or just a separator.
    """
    texts = _read_texts(_names(paths), format, encoding, FORMATS, blank_lines=blank_lines)
    return _in_place(texts, TreeText.parse, on_error)


def read_dependencies_in_place(
    paths: Paths, format: str | None, encoding: str, on_error: OnError | None = None
) -> Iterator[DependencyTree | None]:
    """Read dependency trees like `read_in_place`."""
    texts = _read_texts(_names(paths), format, encoding, DEPENDENCY_FORMATS)
    return _in_place(texts, TreeText.parse_dependencies, on_error)


def read_dependencies(
    paths: Paths,
    format: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    selection: Selection = EVERYTHING,
) -> Iterator[DependencyTree]:
    """Read dependency trees; `read_trees` reads only the words and tags of their files.

    Parameters
    ----------
    paths, encoding, on_error, selection
        As for `read_trees`; in a directory or a zip file, only files with dependencies are read.
    format : str, optional
        ``conllu`` or ``conllx``; by default recognized by the extension and the beginning of each
        file, CoNLL-U for standard input.

    Examples
    --------
    >>> from plcfrs import read_dependencies
    >>> for tree in read_dependencies("treebank/*.conllu"):  # doctest: +SKIP
    ...     print(tree.id, tree.heads)
    """
    names = _names(paths)
    format = format or ("conllu" if names == [STANDARD] else None)
    texts = _read_texts(names, format, encoding, DEPENDENCY_FORMATS)
    return _parsed(selection.until_last(texts), TreeText.parse_dependencies, on_error, selection)


def has_dependencies(paths: Paths, format: str | None = None) -> bool:
    """Return whether treebanks (see `read_trees`) have dependencies rather than constituents.

    Files that cannot be read do not count. An InputError is raised if there are both.
    """
    if format:
        return format in DEPENDENCY_FORMATS
    examples: dict[bool, str] = {}
    for source in find_sources(_names(paths), EXTENSIONS):
        with suppress(TreebankError):
            examples.setdefault(recognize(source).name in DEPENDENCY_FORMATS, source.name)
    if len(examples) == 2:
        raise InputError(
            f"{examples[True]} has dependencies, {examples[False]} constituents: convert one of "
            "them with plcfrs convert --encoding"
        )
    return True in examples


def read_texts(
    paths: Paths,
    format: str | None = None,
    encoding: str = "utf-8",
    splitter: Splitter | None = None,
) -> Texts:
    """Cut treebanks into the texts of their trees, with the parameters of `read_trees`.

    A wrong name, format or encoding raises an error at once. A file without trees and the
    unreadable rest of a file yield an error. A splitter finds the sentences of running text.
    """
    return _read_texts(_names(paths), format, encoding, FORMATS, splitter=splitter)


def parse_texts(
    texts: Iterable[TreeText | TreebankError],
    on_error: OnError | None = None,
    selection: Selection = EVERYTHING,
    first: int = 1,
    parse: Callable[[TreeText], Tree] = TreeText.parse,
) -> Iterator[Tree]:
    """Parse the texts of trees, numbered from `first`; the rest is as for `read_trees`."""
    return _parsed(texts, parse, on_error, selection, first)


def _parsed(
    texts: Iterable[TreeText | TreebankError],
    parse: Callable[[TreeText], Sentence],
    on_error: OnError | None,
    selection: Selection,
    first: int = 1,
) -> Iterator[Sentence]:
    for number, text in enumerate(texts, start=first):
        if isinstance(text, TreeText) and text.is_sound and not selection.names(number):
            continue
        try:
            if isinstance(text, TreebankError):
                raise text
            tree = parse(text)
        except TreebankError as error:
            if on_error is None:
                raise
            on_error(error.with_traceback(None))  # its frames would keep all parsed trees
        else:
            if selection.includes(number, tree):
                yield tree


def _in_place(
    texts: Texts, parse: Callable[[TreeText], Sentence], on_error: OnError | None
) -> Iterator[Sentence | None]:
    place: tuple[str, int] | None = None
    for text in texts:
        trees = list(_parsed([text], parse, on_error, EVERYTHING))
        if isinstance(text, TreeText) and text.chunk.text:
            before, place = place, (text.chunk.path, text.chunk.number)
            if not trees and place != before:  # text between trees has no place
                yield None
        yield from trees


def _names(paths: Paths) -> list[str]:
    return [str(paths)] if isinstance(paths, str | Path) else [str(path) for path in paths]


def _read_texts(
    names: list[str],
    format: str | None,
    encoding: str,
    formats: Iterable[str],
    *,
    blank_lines: bool = False,
    splitter: Splitter | None = None,
) -> Texts:
    check_encoding(encoding)
    named = format_named(format) if format else None
    possible = [named] if named else [FORMATS[name] for name in formats]
    extensions = tuple(extension for format in possible for extension in format.extensions)
    sources = find_sources(names, extensions)
    cut = partial(
        _cut_file, named=named, encoding=encoding, blank_lines=blank_lines, splitter=splitter
    )
    return _with_doubts(chain.from_iterable(map(cut, sources)))


def _with_doubts(texts: Texts) -> Texts:
    """Yield texts, and warn at the end about what may be meant in another way."""
    doubts = Doubts()
    try:
        for text in texts:
            if isinstance(text, TreeText):
                doubts.look_at(text.format, text.chunk)
            yield text
    finally:
        doubts.warn()


def _cut_file(
    source: Source,
    named: Format | None,
    encoding: str,
    blank_lines: bool = False,
    splitter: Splitter | None = None,
) -> Texts:
    empty, stem = True, source.stem
    try:
        format = named or recognize(source)
        lines = read_lines(source, format, encoding)
        chunks = format.split(lines, source.name)
        if blank_lines and format.name in _BRACKETS:
            chunks = _with_blank_lines(format, lines, source.name)
        elif splitter and format is RUNNING_TEXT:
            chunks = split_running_text(lines, source.name, splitter)
        for chunk in chunks:
            empty = empty and not chunk.text
            yield TreeText(chunk, stem, format.name, encoding)
    except TreebankError as error:  # the file cannot be read any further
        yield error
        return
    if empty and not format.may_be_empty:
        yield TreebankError(f"no trees in this file (read as {format.name})", source.name)


def _with_blank_lines(format: Format, lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the texts of trees in brackets, and an empty text for each line between them."""
    read = last = 0  # numbers of lines

    def count_lines() -> Iterator[str]:
        nonlocal read
        for read, line in enumerate(lines, start=1):  # noqa: B007 (it is used below)
            yield line

    for chunk in format.split(count_lines(), path):
        yield from [chunk._replace(text="")] * (chunk.line - last - 1)
        yield chunk
        last = chunk.line + chunk.text.count("\n", 0, -1)
    yield from [Chunk(path, read, "", 0)] * (read - last)


def check_characters(chunk: Chunk, encoding: str) -> None:
    """Raise an error if a text has bytes that could not be read."""
    is_usual = chunk.text.isascii() and "\0" not in chunk.text
    unreadable = None if is_usual else _UNREADABLE.search(chunk.text)
    if unreadable and unreadable[0] == "\0":
        raise chunk.error("not a text file: it has a NUL byte", unreadable.start())
    if unreadable:
        byte = ord(unreadable[0]) - 0xDC00
        raise chunk.error(
            f"byte 0x{byte:02x} is not {encoding}: name the encoding, such as "
            "--text-encoding latin-1",
            unreadable.start(),
        )


def trainable_trees(trees: Iterable[Tree], on_error: OnError | None = None) -> Iterator[Tree]:
    """Yield the trees that a parser can learn from; others are errors, like malformed trees.

    >>> from plcfrs.trees import Tree
    >>> tree = Tree.from_string("(S (NN rain) (-- uh))")
    >>> list(trainable_trees([tree], on_error=print))
    token 'uh' has no tag
    []
    """
    for tree in trees:
        try:
            check_tree(tree)
            if any(node.category == NO_PARSE for node in tree.root.nodes):
                raise TreebankError("NOPARSE: training needs a parse", sentence=tree.id)
        except TreebankError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield tree


def given_trees(trees: str | Path | Iterable[Tree]) -> Iterable[Tree]:
    """Return the trees of a treebank that `read_trees` finds by name, or trees as they are."""
    return read_trees(trees) if isinstance(trees, str | Path) else trees


def checked_trees(
    trees: Iterable[Sentence], what: str = "tree", kind: type[Tree | DependencyTree] = Tree
) -> Iterator[Sentence]:
    """Yield trees, and raise an InputError for anything else, such as a parse.

    >>> list(checked_trees(["What should we do ?"]))
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: tree 1 is a str, not a Tree
    """
    for number, tree in enumerate(trees, start=1):
        if not isinstance(tree, kind):
            found = type(tree).__name__
            advice = ": use parse.tree" if hasattr(tree, "tree") else ""
            raise InputError(f"{what} {number} is a {found}, not a {kind.__name__}{advice}")
        yield tree
