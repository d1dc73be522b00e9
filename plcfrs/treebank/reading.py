"""Reading trees from files of any format, one tree at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from plcfrs.errors import TreebankError
from plcfrs.treebank.files import Source, check_encoding, find_sources, read_lines, read_start
from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.registry import FORMATS, format_named, formats_of
from plcfrs.trees import Tree

# Undecodable bytes come as surrogates (see `read_lines`).
_UNREADABLE = re.compile("[\0\udc80-\udcff]")


def read_trees(
    paths: str | Path | Iterable[str | Path],
    format: str | None = None,
    encoding: str = "utf-8",
    on_error: Callable[[TreebankError], None] | None = None,
) -> Iterator[Tree]:
    """Read trees.

    Names are looked up at once; the trees are then read one at a time.

    Parameters
    ----------
    paths : str, Path, or several of them
        A file (``.gz``, too), a directory or zip file (all treebank files in it), a glob,
        ``@LIST`` (a file with one name a line), ``-`` (standard input), ``nltk:treebank``
        (NLTK's sample of the Penn Treebank), ``nltk:treebank/wsj_018*`` or ``plcfrs:demo``.
    format : str, optional
        One of `FORMATS`; by the extension of each file by default (by its first element, too,
        for XML), discbracket on standard input.
    encoding : str
        Of the files. A line that is not in it is read in the one that the file declares; what
        an XML file declares goes first.
    on_error : callable, optional
        Takes the error of each malformed tree, which is then left out. By default the first
        one is raised.

    Yields
    ------
    Tree
        With one top node ROOT; identifiers are ``{file stem}:{number of the tree}``, or those
        that the file has.

    Raises
    ------
    InputError
        If a name stands for no file, or its format or encoding is not known.
    TreebankError
        If a tree is malformed, or a file has none or cannot be read.

    Examples
    --------
    >>> next(read_trees("plcfrs:demo")).id
    'demo:1'
    """
    check_encoding(encoding)
    names = [str(paths)] if isinstance(paths, str | Path) else [str(path) for path in paths]
    known = [format_named(format)] if format else list(FORMATS.values())
    extensions = tuple(extension for one in known for extension in one.extensions)
    sources = [
        (source, [format_named(format)] if format else formats_of(source.name))
        for source in find_sources(names, extensions)
    ]
    return _read_all(sources, encoding, on_error)


def _read_all(
    sources: list[tuple[Source, list[Format]]],
    encoding: str,
    on_error: Callable[[TreebankError], None] | None,
) -> Iterator[Tree]:
    for source, formats in sources:
        for tree in _read_file(source, formats, encoding):
            if isinstance(tree, Tree):
                yield tree
            elif on_error is None:
                raise tree
            else:
                on_error(tree)


def _read_file(
    source: Source, formats: list[Format], encoding: str
) -> Iterator[Tree | TreebankError]:
    """Yield the trees of a file, and in the place of a malformed one its error."""
    empty = True
    try:
        format = formats[0] if len(formats) == 1 else _recognize(source, formats)
        for chunk in format.split(read_lines(source, format, encoding), source.name):
            empty = False
            yield _read_chunk(chunk, source, format, encoding)
    except TreebankError as error:  # the file cannot be read any further
        yield error
        return
    if empty and not format.may_be_empty:
        yield TreebankError(f"no trees in this file (read as {format.name})", source.name)


def _recognize(source: Source, formats: list[Format]) -> Format:
    start = read_start(source)
    for format in formats:
        if format.signature and format.signature(start):
            return format
    raise TreebankError(
        f"begins like none of {', '.join(format.name for format in formats)}: "
        "name the format with --from",
        source.name,
    )


def _read_chunk(
    chunk: Chunk, source: Source, format: Format, encoding: str
) -> Tree | TreebankError:
    try:
        _check_characters(chunk, encoding)
        tree = format.parse(chunk)
    except TreebankError as error:
        return error
    tree.id = tree.id or f"{source.stem}:{chunk.number}"
    return tree


def _check_characters(chunk: Chunk, encoding: str) -> None:
    found = _UNREADABLE.search(chunk.text)
    if found and found[0] == "\0":
        raise chunk.error("a NUL byte: this is not a text file", found.start())
    if found:
        byte = ord(found[0]) - 0xDC00
        raise chunk.error(
            f"byte 0x{byte:02x} is not {encoding}: name the encoding, such as --encoding latin-1",
            found.start(),
        )
