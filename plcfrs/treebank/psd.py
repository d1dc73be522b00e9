"""Treebanks in the style of the Penn corpora of historical English (`.psd`), which are only read.

The outermost bracket holds the identifier, ``(ID X,1.2)``; null elements have no tag of their own,
``(NP-SBJ *con*)``; ``(CODE <P_12>)``, comments, metadata and Annotald's header are not words. In
some treebanks (IcePaHC), words have their lemmas, ``word-lemma``; in others (FarPaHC), only marks
have them, ``.-.``. In Annotald's deep format, a leaf is ``(N (ORTHO it) (METADATA (LEMMA it)))``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from plcfrs.errors import TreebankError, TreebankWarning
from plcfrs.treebank import format as brackets
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import Node, Token, Tree, parse_label, render_label
from plcfrs.trees.notation import parse_brackets
from plcfrs.trees.tree import NULL_TAG

_DEEP = ("METADATA", "META")  # beside (ORTHO word), or in a constituent
_NO_TEXT = ("METADATA", "COMMENT", "VERSION")  # constituents and leaves
_NO_WORD = ("CODE", *_NO_TEXT)
_MARKUP = re.compile(r"\{.*\}|<(?!dash/>).*>")
_DASH = re.compile(r"</?dash/?>")
_NULL = re.compile(r"0|\*(?:-[0-9]+)?|\*[^\s*]+\*\S*")

_LEAF = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)")
_TRACE = re.compile(r"\*(?:[A-Z]+\*)?")
_MARK = re.compile(r"([^\w\s]+)-\1")
_LEMMAS = "lemmas"
_SAMPLE = 30  # trees that tell whether words have lemmas
_LATER_SAMPLE = 10  # the first of as many trees that tell whether this still holds
# More of the words have a hyphen in a file with lemmas; hardly any in other files.
_SHARE_WITH_HYPHENS = 0.7
_SHARE_ALIKE = 0.5  # of the words with a hyphen begin like their lemmas, if they have them
_FEW = 20  # words tell nothing about lemmas


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield each bracket that has words, null elements or an identifier."""
    chunks = brackets.split(lines, path)
    number, version, is_decided, is_said = 0, "", False, False
    while sample := list(islice(chunks, _SAMPLE)):
        words = _words(sample[:_LATER_SAMPLE] if is_decided else sample)
        found = _LEMMAS if _have_lemmas(words) else ""
        if not is_decided:
            version, is_decided = found, len(words) > _FEW
        elif found != version and not is_said and len(words) > _FEW:
            is_said = True
            here, before = ("have", "had none") if found else ("have no", "had them")
            message = f"from here on, words {here} lemmas, but those before {before}"
            warnings.warn(
                TreebankWarning(str(sample[0].error(f"{message}: read as before"))), stacklevel=2
            )
        for chunk in sample:
            if not _is_only_code(chunk):
                number += 1
                yield chunk._replace(number=number, version=version)


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    tree = brackets.with_name(chunk, parse_brackets)
    if "(ORTHO " in chunk.text:
        for node in tree.nodes():
            node.children = [part for child in node.children for part in _flat(tree, child)]
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
            token.form, token.lemma = form, lemma or token.lemma
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


def _flat(tree: Tree, child: Node | int) -> list[Node | int]:
    """Return a child with the index that is in its metadata; a deep leaf becomes a token."""
    if isinstance(child, int):
        return [child]
    words = (place for place in child.children if isinstance(place, int))
    word = next((place for place in words if tree.tokens[place].tag == "ORTHO"), None)
    metadata = [
        tree.tokens[place]
        for part in (child.nodes if word is None else [child])
        if word is not None or part.category in _DEEP
        for below in part.preorder()
        for place in below.children
        if isinstance(place, int) and place != word and tree.tokens[place].tag != "ID"
    ]
    values = {token.tag: token.form for token in metadata}
    for token in metadata:
        token.tag = _NO_TEXT[0]
    index, kind = values.pop("INDEX", ""), values.pop("IDX-TYPE", "")
    if index:
        label = parse_label(render_label(child) + ("=" if kind == "gap" else "-") + index)
        child.index, child.gap_index = label.index, label.gap_index
    if word is None:
        return [child]
    token = tree.tokens[word]
    if index and _TRACE.fullmatch(token.form):
        token.form, child.index = f"{token.form}-{index}", None
    token.tag, token.lemma = render_label(child), values.pop("LEMMA", "")
    token.morph = "|".join(f"{name}={value}" for name, value in values.items())
    return [word, *child.nodes]


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
    if (mark := _MARK.fullmatch(text)) and (has_lemma or mark[1].strip("-")):
        form = lemma = mark[1]
    elif has_lemma and 0 < (place := text.rfind("-", 1)) < len(text) - 1:
        form, lemma = text[:place], text[place + 1 :]
    return _DASH.sub("-", form), _DASH.sub("-", lemma)


def _words(chunks: list[Chunk]) -> list[str]:
    return [
        word
        for chunk in chunks
        for tag, word in _LEAF.findall(chunk.text)
        if tag not in ("ID", *_NO_WORD) and not _NULL.fullmatch(word) and not _MARKUP.match(word)
    ]


def _have_lemmas(words: list[str]) -> bool:
    if any("$-" in word for word in words):  # no other file has these
        return True
    with_hyphens = [word for word in words if "-" in word[1:] and not _MARK.fullmatch(word)]
    alike = sum(
        word[0].casefold() == word[word.rfind("-") + 1 :][:1].casefold() for word in with_hyphens
    )
    return len(with_hyphens) > _SHARE_WITH_HYPHENS * len(words) or (
        len(with_hyphens) > 2 and alike >= _SHARE_ALIKE * len(with_hyphens)
    )
