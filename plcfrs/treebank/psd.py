"""Treebanks in the style of the Penn corpora of historical English (`.psd`), which are only read.

The outermost bracket holds the identifier, ``(ID X,1.2)``; null elements have no tag of their own,
``(NP-SBJ *con*)``; ``(CODE <P_12>)``, comments and metadata are not words. In some treebanks
(IcePaHC), words have their lemmas, ``word-lemma``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice

from plcfrs.errors import TreebankError
from plcfrs.treebank import format as brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import Node, Token, Tree, parse_label
from plcfrs.trees.notation import parse_brackets
from plcfrs.trees.tree import NULL_TAG

_NO_TEXT = ("METADATA", "COMMENT")  # constituents and leaves
_NO_WORD = ("CODE", *_NO_TEXT)
_MARKUP = re.compile(r"\{.*\}|<(?!dash/>).*>")
_DASH = re.compile(r"</?dash/?>")
_NULL = re.compile(r"0|\*(?:-[0-9]+)?|\*[^\s*]+\*\S*")

_LEAF = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_LEMMAS = "lemmas"
_SAMPLE = 30  # trees that tell whether words have lemmas
# More of the words have a hyphen in a file with lemmas; hardly any in other files.
_SHARE_WITH_HYPHENS = 0.7


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield each bracket that has words, null elements or an identifier."""
    chunks = brackets.split(lines, path)
    first = list(islice(chunks, _SAMPLE))
    version = _LEMMAS if _have_lemmas(first) else ""
    kept = (chunk for chunk in chain(first, chunks) if not _is_only_code(chunk))
    for number, chunk in enumerate(kept, start=1):
        yield chunk._replace(number=number, version=version)


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    tree = brackets.with_name(chunk, parse_brackets)
    nodes = tree.bottom_up()
    dropped = {
        place
        for node in nodes
        if node.category in _NO_TEXT
        for below in node.preorder()
        for place in below.children
        if isinstance(place, int)
    }
    new: dict[Node | int, Node | int] = {}
    tokens: list[Token] = []
    for place, token in enumerate(tree.tokens):
        kind, form, lemma = _read_leaf(token.tag, token.form, chunk.version == _LEMMAS)
        if kind == "identifier":
            tree.id = form
        elif kind != "code" and place not in dropped:
            new[place] = len(tokens)
            if kind == "null":
                new[place] = Node(*parse_label(token.tag), children=[len(tokens)])
                token.tag = NULL_TAG
            token.form, token.lemma = form, lemma
            tokens.append(token)
    for node in nodes:
        node.children = [new[child] for child in node.children if child in new]
        if node.children:
            new[node] = node
    tree.tokens = tokens
    return tree


PSD = Format("psd", (".psd",), split, parse, signature=brackets.is_continuous)


@lru_cache(maxsize=20_000)  # treebanks repeat most words
def _read_leaf(tag: str, form: str, has_lemma: bool) -> tuple[str, str, str]:
    """Return the kind of a leaf (identifier, code, null or word), its form and its lemma."""
    is_number = form == "0" and tag.startswith(("NUM", "CD"))
    if tag == "ID":
        return "identifier", form, ""
    if tag in _NO_WORD or _MARKUP.fullmatch(form):
        return "code", form, ""
    if tag == NULL_TAG:
        return "word", form, ""
    if not is_number and _NULL.fullmatch(form):
        return "null", form, ""
    return "word", *_word(form, has_lemma=has_lemma)


def _is_only_code(chunk: Chunk) -> bool:
    """Whether a bracket is not a tree: it has no identifier, and only code."""
    if "(ID " in chunk.text or not any(f"({label}" in chunk.text for label in _NO_WORD):
        return False
    with suppress(TreebankError):
        return not parse(chunk).tokens
    return False


def _word(text: str, *, has_lemma: bool) -> tuple[str, str]:
    """Return the form and the lemma of a word; a hyphen may be a part of the form.

    >>> [_word(text, has_lemma=True) for text in ["sang-sing", "a--a", "---", "-", "o<dash/>ja"]]
    [('sang', 'sing'), ('a-', 'a'), ('-', '-'), ('-', ''), ('o-ja', '')]
    """
    form, lemma = text, ""
    if has_lemma and (place := text.rfind("-", 1)) > 0:
        middle = len(text) // 2
        if len(text) % 2 and text[middle] == "-" and text[:middle] == text[middle + 1 :]:
            place = middle  # a mark that is its own lemma, such as two hyphens
        if place < len(text) - 1:
            form, lemma = text[:place], text[place + 1 :]
    return _DASH.sub("-", form), _DASH.sub("-", lemma)


def _have_lemmas(chunks: list[Chunk]) -> bool:
    words = [
        word
        for chunk in chunks
        for tag, word in _LEAF.findall(chunk.text)
        if tag not in ("ID", *_NO_WORD) and not _NULL.fullmatch(word) and not _MARKUP.match(word)
    ]
    is_split = any("$-" in word for word in words)  # no other file has these
    with_hyphens = sum("-" in word[1:] for word in words)
    return is_split or with_hyphens > _SHARE_WITH_HYPHENS * len(words)
