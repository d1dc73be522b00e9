"""All formats by name: a new format needs one module, and one line in `FORMATS`.

The formats of plain text are here, too, with one sentence per line: ``tokens`` and ``tagged``
(``What/WP should/MD``). Only blanks and tabs separate tokens. A blank line is a sentence without
tokens, so that lines stay aligned. ``tokens`` leaves out null elements, which would look like
words; ``tagged`` keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from plcfrs.errors import InputError, TreebankError
from plcfrs.storage.files import is_compiled_treebank, kind_of_foreign, kind_of_model
from plcfrs.text import Splitter
from plcfrs.treebank.alpino import ALPINO
from plcfrs.treebank.cgel import CGEL
from plcfrs.treebank.conll import CONLL2012, CONLLU, CONLLX
from plcfrs.treebank.export import EXPORT, EXPORT3
from plcfrs.treebank.files import STANDARD, STANDARD_INPUT, Source, read_start, uncompressed
from plcfrs.treebank.format import (
    BRACKETS,
    DISCBRACKET,
    MARKUP,
    PENN,
    Chunk,
    Format,
    is_surely_tree,
)
from plcfrs.treebank.jsonl import JSON
from plcfrs.treebank.psd import PSD
from plcfrs.treebank.tigerxml import TIGERXML
from plcfrs.treebank.vertical import VERTICAL
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.labels import escape, escaping, unescape
from plcfrs.trees.notation import field, or_empty

_IN_TAG = escaping(r"[\0\t-\r /]")
_IN_WORD = r"[\0\t-\r ]|\A\ufeff"
# A word that does not look like the beginning of an export or XML file (which may be called .txt).
_IN_TEXT = escaping(
    rf"{_IN_WORD}|\A#(?=(?:FORMAT|BO[ST])\Z)"
    r"|<(?=(?:s|corpus|subcorpus|treebank|alpino_ds|graph)(?![-\w.]))"
)
_BEFORE_TAG = escaping(_IN_WORD)
_TOKEN = re.compile(r"[^ \t\r\n]+")
_DEFAULT = Splitter()
_MARKED = re.compile(r"\s*<(?:s|corpus)(?:\s[^<>]*)?>")  # as parsers and CWB write it


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield every line."""
    for number, line in enumerate(lines, start=1):
        yield Chunk(path, number, line, number)


def parse_tokens(chunk: Chunk) -> Tree:
    """Read a sentence of tokens."""
    forms = map(unescape, _TOKEN.findall(_without_markup(chunk)))
    return _flat([Token(form, "") for form in forms])


def parse_tagged(chunk: Chunk) -> Tree:
    """Read a sentence of tokens with tags."""
    tokens = []
    for text in _TOKEN.findall(chunk.text):
        form, _, tag = text.rpartition("/")
        if not form or not tag:
            raise chunk.error(f"expected word/TAG, but found {text!r}")
        tokens.append(Token(unescape(form), or_empty(tag)))
    return _flat(tokens)


def render_tokens(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write the words."""
    return " ".join(escape(word, _IN_TEXT) for word in tree.words()) + "\n"


def render_tagged(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write the words with their tags."""
    words = [
        f"{escape(token.form, _BEFORE_TAG)}/{field(token.tag, _IN_TAG)}" for token in tree.tokens
    ]
    return " ".join(words) + "\n"


def split_running_text(
    lines: Iterable[str], path: str, splitter: Splitter = _DEFAULT
) -> Iterator[Chunk]:
    """Yield every sentence of running text."""
    for number, sentence in enumerate(splitter.split(lines), start=1):
        yield Chunk(path, sentence.line, sentence.text, number, start=sentence.start)


def split_lines(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield every line as a sentence, without the blanks around it."""
    start = 0
    for number, line in enumerate(lines, start=1):
        left = len(line) - len(line.lstrip())
        yield Chunk(path, number, line.strip(), number, start=start + left)
        start += len(line)


def parse_running_text(chunk: Chunk, splitter: Splitter = _DEFAULT) -> Tree:
    """Split a sentence into tokens, which know their places in the text."""
    return _flat(splitter.tokens(_without_markup(chunk), chunk.start))


def split_compiled(_: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the number of every tree of a compiled treebank."""
    from plcfrs.treebank.compiled import open_compiled  # here, because NumPy is slow to import

    for number in range(1, len(open_compiled(path)) + 1):
        yield Chunk(path, number, str(number), number)


def parse_compiled(chunk: Chunk) -> Tree:
    """Return a tree of a compiled treebank."""
    from plcfrs.treebank.compiled import open_compiled

    return open_compiled(chunk.path)[chunk.number - 1]


TOKENS = Format(
    "tokens", (".tokens", ".txt"), split, parse_tokens, render_tokens, may_be_empty=True
)
TAGGED = Format("tagged", (".tagged",), split, parse_tagged, render_tagged, may_be_empty=True)
COMPILED = Format(
    "compiled",
    (".treebank",),
    split_compiled,
    parse_compiled,
    may_be_empty=True,
    signature=is_compiled_treebank,
)
RUNNING_TEXT = Format(
    "text", (".md", ".txt"), split_running_text, parse_running_text, may_be_empty=True
)
LINES = Format("lines", (), split_lines, parse_running_text, may_be_empty=True)


def _without_markup(chunk: Chunk) -> str:
    if _MARKED.match(chunk.text):
        raise chunk.error(MARKUP)
    return chunk.text


def _flat(tokens: list[Token]) -> Tree:
    return Tree(Node(ROOT, children=list(range(len(tokens)))), tokens)


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        BRACKETS,
        PENN,
        PSD,
        DISCBRACKET,
        EXPORT,
        EXPORT3,
        TIGERXML,
        ALPINO,
        CGEL,
        JSON,
        TOKENS,
        TAGGED,
        CONLLU,
        CONLLX,
        CONLL2012,
        VERTICAL,
        COMPILED,
        RUNNING_TEXT,
        LINES,
    )
}
"""If formats share an extension, files with it are written in the first of them."""

EXTENSIONS = tuple(
    dict.fromkeys(extension for one in FORMATS.values() for extension in one.extensions)
)
"""The extensions of all files of treebanks."""

WRITABLE: tuple[str, ...] = tuple(name for name in FORMATS if FORMATS[name].render)
"""The names of the formats in which trees can be written, not only read."""

DEPENDENCY_FORMATS: tuple[str, ...] = tuple(
    name for name in FORMATS if FORMATS[name].parse_dependencies
)
"""The names of the formats with dependencies."""


def format_named(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def format_of(name: str | Path) -> Format:
    """Return the format in which a file of this name is written.

    >>> format_of("wsj_0001.mrg.gz").name
    'brackets'
    """
    formats = formats_of(name)
    if not formats:
        writable = (FORMATS[name] for name in (*WRITABLE, *DEPENDENCY_FORMATS))
        extensions = ", ".join(extension for format in writable for extension in format.extensions)
        raise InputError(
            f"{name}: no treebank format has this extension: use {extensions}, or choose a format "
            "with --to"
        )
    return formats[0]


def formats_of(name: str | Path) -> list[Format]:
    """Return the formats with the extension of a file, apart from ``.gz``; for a pipe discbracket.

    >>> [format.name for format in formats_of("a.xml")]
    ['tigerxml', 'alpino']
    """
    if str(name) in (STANDARD, STANDARD_INPUT):
        return [DISCBRACKET]
    extension = Path(uncompressed(str(name))).suffix
    return [format for format in FORMATS.values() if extension in format.extensions]


# A sentence may begin like a file in these formats.
_MISTAKABLE = ("brackets", "psd", "discbracket", "json", "compiled")


def recognize(source: Source) -> Format:
    """Return the format of a file by its extension, unless it begins like another format."""
    named = formats_of(source.name)
    by_content = [format for format in FORMATS.values() if format.signature]
    start = read_start(source)
    if uncompressed(str(source.name)).endswith(
        ".txt"
    ):  # the extension that editors give to any file
        if is_surely_tree(start):
            named = []
        named = [*(format for format in by_content if format.name not in _MISTAKABLE), *named]
    for format in [*named, *by_content]:
        if format.signature is None or format.signature(start):
            return format
    if len(named) == 1:
        return named[0]
    if what := kind_of_model(start) or kind_of_foreign(start):
        raise TreebankError(what, source.name)
    if not start and not source.is_stream:
        raise TreebankError("the file is empty", source.name)
    names = ", ".join(format.name for format in named or by_content)
    reason = (
        "a pipe can be read only once"
        if source.is_stream
        else f"the beginning fits none of {names}"
    )
    raise TreebankError(f"{reason}: give the format with --from", source.name)
