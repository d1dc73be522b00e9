"""Trees of several files side by side: the same sentences with the same words, or an error."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, zip_longest
from typing import TypeVar

from plcfrs.errors import InputError, TreebankError
from plcfrs.trees import NULL_TAG, DependencyTree, Tree

Sentence = TypeVar("Sentence", bound=Tree | DependencyTree)

_ENCODINGS = ("latin-1", "cp1252", "cp437", "mac-roman")


def align_sentences(
    sources: Mapping[str, Iterable[Sentence]], equal_words: Mapping[str, str]
) -> Iterator[list[Sentence]]:
    """Yield the trees of each sentence, one sentence at a time.

    The keys of `sources` name a tree in messages: ``gold tree``, ``parse``. An `InputError` says
    which source has more trees, or which words differ; null elements are not words.
    """
    roles = list(sources)
    streams = [iter(source) for source in sources.values()]
    for number in count(1):
        found = [_next(stream, role, number) for role, stream in zip(roles, streams, strict=True)]
        trees = [tree for tree in found if tree is not None]
        if not trees:
            return
        if len(trees) < len(found):
            present, missing = roles[found.index(trees[0])], roles[found.index(None)]
            raise InputError(
                f"{_name(number, trees[0])} has a {present} but no {missing}: "
                f"there must be as many {missing}s as {present}s, in the same order"
            )
        for role, tree in zip(roles[1:], trees[1:], strict=True):
            _check_words(number, (roles[0], role), (trees[0], tree), equal_words)
        yield trees


def align_with_reference(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    reference: Iterable[Tree] | None,
    equal_words: Mapping[str, str],
) -> Iterator[tuple[int, Tree, Tree, Tree]]:
    """Yield the number, the gold tree, the parse and the reference tree of each sentence."""
    sources = {"gold tree": gold, "parse": parses}
    if reference is not None:
        sources["reference tree"] = reference
    for number, trees in enumerate(align_sentences(sources, equal_words), start=1):
        yield number, trees[0], trees[1], trees[0] if reference is None else trees[2]


def words(tree: Tree) -> list[int]:
    """Return the positions of the tokens that are not null elements."""
    return [position for position, token in enumerate(tree.tokens) if token.tag != NULL_TAG]


def _next(stream: Iterator[Sentence], role: str, number: int) -> Sentence | None:
    try:
        return next(stream, None)
    except TreebankError as error:
        if error.line is None:
            raise
        raise InputError(f"{error} (the {role} of sentence {number})") from None


def _check_words(
    number: int, roles: tuple[str, str], trees: tuple[Sentence, Sentence], equal: Mapping[str, str]
) -> None:
    one, other = ([token.form for token in tree.tokens if token.tag != NULL_TAG] for tree in trees)
    if one == other:
        return
    for place, (expected, found) in enumerate(zip_longest(one, other), start=1):
        if expected is None or found is None or not _same(expected, found, equal):
            raise InputError(
                f"{_name(number, trees[0])}: word {place} is {_quote(expected)} in the {roles[0]}, "
                f"{_quote(found)} in the {roles[1]}; "
                + (
                    _hint(expected, found)
                    or f"{roles[0]}s and {roles[1]}s must have the same words"
                )
            )


def _same(one: str, other: str, equal: Mapping[str, str]) -> bool:
    return equal.get(one, one) == equal.get(other, other)


def _hint(one: str | None, other: str | None) -> str | None:
    """Return why two words look different although they are the same, if they are."""
    if one is None or other is None:
        return None
    for encoding in _ENCODINGS:
        if other in (_misread(one, encoding), one) or one == _misread(other, encoding):
            return (
                f"one of the files is in utf-8 but was read, or earlier written, as {encoding}: "
                "see --text-encoding and --parses-encoding"
            )
    if unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other):
        return "the letters are the same, but composed differently: normalize both files to NFC"
    return None


def _misread(word: str, encoding: str) -> str:
    return word.encode("utf-8", "surrogateescape").decode(encoding, "replace")


def _name(number: int, tree: Tree | DependencyTree) -> str:
    return f"sentence {number} ({tree.id})" if tree.id else f"sentence {number}"


def _quote(form: str | None) -> str:
    return "missing" if form is None else repr(form)
