"""One word a line, with blank lines between sentences, which can only be read.

The second column is the tag, the third the lemma, as taggers write them. Columns with chunks and
names, ``B-NP`` or ``O`` (CoNLL-2000, CoNLL-2003), are left out, and so are lines of markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plcfrs.treebank import conll
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import ROOT, Node, Token, Tree

_OUTSIDE = re.compile(r"<[^<>]*[^<>/]>\s*\Z|-DOCSTART-")
_COLUMN = re.compile(r"[^ \t]+")
_LINE = re.compile(r"^(?!<[^<>]*/>\s*$)[^\r\n]+", re.MULTILINE)  # not <g/>
_PART = re.compile(r"O|[BIELSU]-[A-Za-z]\S*")
_MARK = re.compile(r"[^\w\s]+")
_LEAST_LINES = 3
_LINES = 200  # that tell whether a file is vertical
_TAG = re.compile(r"[A-Z$][A-Z0-9$.:*_-]*|[^\w\s]+")


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the lines up to each blank line, or line of markup."""
    return conll.split(("\n" if _OUTSIDE.match(line) else line for line in lines), path)


def parse(chunk: Chunk) -> Tree:
    """Read a sentence."""
    tokens: list[Token] = []
    expected = 0
    for line in _LINE.finditer(chunk.text):
        form, *others = row = _columns(line[0])
        expected = expected or len(row)
        if len(row) != expected:
            raise chunk.error(f"expected {expected} columns, but found {len(row)}", line.start())
        tag, lemma, *_ = *(text for text in others if not _PART.fullmatch(text)), "", ""
        tokens.append(Token(form, tag, lemma))
    return Tree(Node(ROOT, children=list(range(len(tokens)))), tokens)


def is_vertical(start: bytes) -> bool:
    r"""Whether a file begins with words below each other, with tags, chunks or blank lines.

    >>> is_vertical(b"Rain NN B-NP\nfalls VBZ B-VP\n. . O\n"), is_vertical(b"Rain falls .\n")
    (True, False)
    >>> is_vertical(b"Rain\nfalls\n.\n\nSnow\nfalls\n.\n"), is_vertical(b"rain\nsnow\n")
    (True, False)
    """
    lines = start.decode("utf-8", "replace").splitlines()[:_LINES]
    sentences = [_LINE.findall(chunk.text) for chunk in split((f"{line}\n" for line in lines), "")]
    rows = [_columns(line) for sentence in sentences for line in sentence]
    if len(rows) < _LEAST_LINES or len({*map(len, rows)}) > 1:
        return False
    are_apart = len(sentences) > 1 and all(len(sentence) > 1 for sentence in sentences)
    if len(rows[0]) == 1:
        return are_apart and any(_MARK.fullmatch(form) for (form,) in rows)
    are_apart = (
        are_apart
        or b"\t" in start
        or any(row[0] == row[1] and _MARK.fullmatch(row[0]) for row in rows)
    )
    parts = {row[-1] for row in rows}
    has_parts = parts != {"O"} and all(map(_PART.fullmatch, parts))
    return has_parts or (are_apart and all(_TAG.fullmatch(row[1]) for row in rows))


def _columns(line: str) -> list[str]:
    text = line.strip(" \t\r\n")
    return text.split("\t") if "\t" in text else _COLUMN.findall(text)


VERTICAL = Format("vertical", (".vert", ".vrt"), split, parse, signature=is_vertical)
