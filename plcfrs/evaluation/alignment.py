"""Aligning trees of several files: the same sentences with the same words, or an error.

The first trees decide which sentences there are. A parse that is malformed or has no words counts
as missing. Words may differ in how brackets, quotes and blanks are written; with `Settings.align`,
only their characters must be the same. Top nodes such as S1 are roots.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import accumulate, count, pairwise, zip_longest
from typing import Generic, TypeVar, cast

from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation.prm import Settings
from plcfrs.treebank.reading import BLANK_LINE, EVERYTHING, Selection
from plcfrs.trees import NULL_TAG, ROOT, DependencyTree, Node, Token, Tree, no_parse
from plcfrs.trees.notation import NOTHING

Sentence = TypeVar("Sentence", bound=Tree | DependencyTree)

_TOPS = (ROOT, "TOP", "VROOT", "S1")
_ENCODINGS = ("latin-1", "cp1252", "cp437", "mac-roman")
_WRITTEN = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LCB-": "{",
    "-RCB-": "}",
    "-LSB-": "[",
    "-RSB-": "]",
    "``": '"',
    "''": '"',
    "\\": "",
}
_ESCAPE = re.compile(r"-[LR][RCS]B-|``|''|\\(?=[/*])|\s")
NO_HEAD = -1
"""The head of each word in a sentence without dependencies."""

_LEAST_ALIKE = 0.7  # of the characters of a sentence and its parse


Unit = tuple[frozenset[int], frozenset[int]]
"""Positions of words in a gold tree and in its parse that belong together: usually one each."""


def align_sentences(
    sources: Mapping[str, Iterable[Sentence | None]],
    settings: Settings,
    selection: Selection = EVERYTHING,
) -> Iterator[tuple[int, list[Sentence]]]:
    """Yield the number and the trees of each selected sentence, one sentence at a time.

    The keys of `sources` name a tree in messages: ``gold tree``, ``parse``. None stands for a
    malformed tree (see `read_in_place`); if the first tree is malformed, the sentence is left out.
    An `InputError` says which source has more trees, or which words differ; null elements are not
    words.
    """
    roles = list(sources)
    streams = [_Stream(trees, role) for role, trees in sources.items()]
    for number in count(1):
        if number > selection.last:
            return
        (first, *others) = [stream.next(number) for stream in streams]
        if first:
            others = [stream.take(first[0], settings) for stream in streams[1:]]
            streams[0].take(None, settings)
        if not first and not any(others):
            return
        if not first or not all(others):
            raise _incomplete(number, dict(zip(roles, [first, *others], strict=True)))
        if first[0] is None or not selection.includes(number, first[0]):
            continue
        trees = [first[0], *(_completed(tree, first[0]) for (tree,) in others)]
        for role, tree in zip(roles[1:], trees[1:], strict=True):
            _check_words(number, (roles[0], role), (first[0], tree), settings)
        yield number, [_without_top(tree) for tree in trees] if others else trees


def align_with_reference(
    gold: Iterable[Tree | None],
    parses: Iterable[Tree | None],
    reference: Iterable[Tree | None] | None,
    settings: Settings,
    selection: Selection = EVERYTHING,
) -> Iterator[tuple[int, Tree, Tree, Tree]]:
    """Yield the number, the gold tree, the parse and the reference tree of each sentence."""
    sources = {"gold tree": gold, "parse": parses}
    if reference is not None:
        sources["reference tree"] = reference
    for number, trees in align_sentences(sources, settings, selection):
        yield number, trees[0], trees[1], trees[0] if reference is None else trees[2]


def words(tree: Tree | DependencyTree) -> list[int]:
    """Return the positions of the tokens that are not null elements."""
    return [position for position, token in enumerate(tree.tokens) if token.tag != NULL_TAG]


def align_words(gold: Tree, parse: Tree) -> list[Unit]:
    """Return the words of two trees of a sentence side by side, aligned by their characters.

    A unit ends where a word ends in both trees, as in jp-evalb (Jo, Park and Park 2024). If the
    other tree lacks the characters of a word, the word belongs to the next unit.
    """
    ones, others = words(gold), words(parse)
    forms = _letters(gold), _letters(parse)
    ends = [dict(zip(accumulate(map(len, own)), count(1), strict=False)) for own in forms]
    cuts, last = [(0, 0)], (len(ones), len(others))
    for block in _matcher(*map("".join, forms)).get_matching_blocks():
        for step in range(block.size + 1):
            cut = ends[0].get(block.a + step, 0), ends[1].get(block.b + step, 0)
            if cut[0] > cuts[-1][0] and cut[1] > cuts[-1][1]:
                cuts.append(cut)
    if cuts[-1] != last:  # the other tree lacks the last characters
        cuts[max(1, len(cuts) - 1) :] = [last]
    return [
        (frozenset(ones[left:right]), frozenset(others[low:high]))
        for (left, low), (right, high) in pairwise(cuts)
    ]


def have_same_letters(one: Tree | DependencyTree, other: Tree | DependencyTree) -> bool:
    """Whether two trees have the same characters, apart from blanks."""
    return "".join(_letters(one)) == "".join(_letters(other))


class _Stream(Generic[Sentence]):
    """The trees of a source one by one, with the blank lines before the next one."""

    def __init__(self, trees: Iterable[Sentence | None], role: str) -> None:
        self._trees, self._role = iter(trees), role
        self._blank_lines = 0
        self._read: list[Sentence | None] = []

    def next(self, number: int) -> list[Sentence | None]:
        """Return the next tree as a list, which is empty at the end."""
        try:
            while not self._read:
                tree = next(self._trees)
                if tree is BLANK_LINE:
                    self._blank_lines += 1
                else:
                    self._read = [tree]
        except StopIteration:
            pass
        except TreebankError as error:
            if error.line is None:
                raise
            raise InputError(f"{error} (the {self._role} of sentence {number})") from None
        return self._read

    def take(self, first: Sentence | None, settings: Settings) -> list[Sentence | None]:
        """Take the tree of a sentence, or a blank line if the next tree has other words."""
        waiting = self._read
        tree = waiting[0] if waiting else None
        has_words = tree is not None and _has_words(tree)
        if (self._blank_lines and first is not None) and (
            not waiting or (tree and has_words and _difference(first, tree, settings))
        ):
            self._blank_lines -= 1
            return [None]
        if has_words:
            self._blank_lines = 0
        self._read = []
        return waiting


def _incomplete(number: int, trees_of: Mapping[str, list[Sentence | None]]) -> InputError:
    present = next(role for role, trees in trees_of.items() if trees)
    missing = next(role for role, trees in trees_of.items() if not trees)
    return InputError(
        f"{_name(number, trees_of[present][0])} has a {present} but no {missing}: "
        f"there must be as many {missing}s as {present}s, in the same order"
    )


def _completed(tree: Sentence | None, first: Sentence) -> Sentence:
    """Return a tree with words, or NOPARSE (or no heads) over the words of the first tree."""
    if tree is not None and (_has_words(tree) or not _has_words(first)):
        return tree
    tokens = [Token(form, "") for form in _forms(first)]
    if isinstance(first, Tree):
        return cast(Sentence, no_parse(tokens, first.id))
    heads, relations = [NO_HEAD] * len(tokens), [""] * len(tokens)
    return cast(Sentence, DependencyTree(tokens, heads, relations, first.id))


def _has_words(tree: Tree | DependencyTree) -> bool:
    return any(token.tag != NULL_TAG for token in tree.tokens)


def _without_top(tree: Sentence) -> Sentence:
    """Return a tree whose root has the children of TOP, S1 and the like."""
    if isinstance(tree, DependencyTree):
        return tree
    root = tree.root
    if len(root.children) > 1:  # the usual case
        return tree
    while len(root.nodes) == len(root.children) == 1 and root.nodes[0].category in _TOPS:
        root = Node(ROOT, children=root.nodes[0].children)
    return tree if root is tree.root else cast(Sentence, Tree(root, tree.tokens, tree.id))


def _check_words(
    number: int, roles: tuple[str, str], trees: tuple[Sentence, Sentence], settings: Settings
) -> None:
    different = _difference(*trees, settings)
    if different:
        place, expected, found = different
        reason = (
            _hint(expected, found)
            or (have_same_letters(*trees) and "--align aligns words of another tokenization")
            or f"{roles[0]}s and {roles[1]}s must have the same words"
        )
        raise InputError(
            f"{_name(number, trees[0])}: word {place} is {_quote(expected)} in the {roles[0]}, "
            f"{_quote(found)} in the {roles[1]}; {reason}"
        )


def _difference(
    first: Sentence, tree: Sentence, settings: Settings
) -> tuple[int, str | None, str | None] | None:
    """Return the first word that differs: its number from 1, and its forms."""
    one, other = _forms(first), _forms(tree)
    if one == other or (settings.align and _are_alike(first, tree)):
        return None
    for place, (expected, found) in enumerate(zip_longest(one, other), start=1):
        if expected is None or found is None or not _same(expected, found, settings.equal_words):
            return place, expected, found
    return None


def _are_alike(first: Tree | DependencyTree, tree: Tree | DependencyTree) -> bool:
    texts = ("".join(_letters(sentence)) for sentence in (first, tree))
    return have_same_letters(first, tree) or _matcher(*texts).ratio() >= _LEAST_ALIKE


def _matcher(one: str, other: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, one, other, autojunk=False)


def _same(one: str, other: str, equal: Mapping[str, str]) -> bool:
    return equal.get(one, one) == equal.get(other, other) or _plain(one) == _plain(other)


def _letters(tree: Tree | DependencyTree) -> list[str]:
    """Return the words without blanks, in lower case, as jp-evalb compares them."""
    return [_plain(form).replace("_", "").lower() for form in _forms(tree)]


def _forms(tree: Tree | DependencyTree) -> list[str]:
    return [token.form for token in tree.tokens if token.tag != NULL_TAG]


def _plain(form: str) -> str:
    r"""Return a word as formats write it, but with plain brackets and quotes.

    >>> _plain("singer-LRB-s-RRB-"), _plain("in front"), _plain("1\\/2")
    ('singer(s)', 'in_front', '1/2')
    """
    return _ESCAPE.sub(lambda found: _WRITTEN.get(found[0], "_"), form) or NOTHING


def _hint(expected: str | None, found: str | None) -> str | None:
    """Return why the same word looks different in two trees, or None for different words."""
    if expected is None or found is None:
        return None
    for encoding in _ENCODINGS:
        misread = _misread(found, encoding)
        if found in (expected, _misread(expected, encoding)) or expected == misread:
            return (
                f"one of the files is in utf-8 but was read, or earlier written, as {encoding}: "
                "see --text-encoding and --parses-encoding"
            )
    if unicodedata.normalize("NFC", expected) == unicodedata.normalize("NFC", found):
        return "the letters are the same, but composed differently: normalize both files to NFC"
    return None


def _misread(word: str, encoding: str) -> str:
    return word.encode("utf-8", "surrogateescape").decode(encoding, "replace")


def _name(number: int, tree: Tree | DependencyTree | None) -> str:
    return f"sentence {number} ({tree.id})" if tree and tree.id else f"sentence {number}"


def _quote(form: str | None) -> str:
    return "missing" if form is None else repr(form)
