"""The atoms of features: 64-bit numbers for what is known about the items and edges of a forest.

They are made from texts, so they are the same for all grammars: weights learned with forests of one
grammar score those of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart import Forest
from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.experts.decoding import best_tags
from plcfrs.features.kernel import borders
from plcfrs.features.kernel.borders import find_borders
from plcfrs.features.templates import EDGE_ATOMS, ITEM_ATOMS
from plcfrs.linear.kernel.arrays import Keys
from plcfrs.linear.templates import number

Column = Keys | Int64

_LENGTHS = np.array([1, 2, 3, 4, 5, 7, 10, 15, 25, 40])

# Places before the first token and after the last one. What does not exist is at place 0.
_PADDING = 2
_OUTSIDE = ("<none>", "<border>")
_SUFFIX = 3

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Symbols(NamedTuple):
    """The labels, their categories without Markovization, and the rules of a grammar as numbers."""

    labels: Keys
    categories: Keys
    rules: Keys

    @classmethod
    def of(cls, compiled: CompiledGrammar) -> Symbols:
        """Return the symbols and rules of a compiled grammar as numbers."""
        labels = np.array([number(str(symbol)) for symbol in compiled.labels], np.uint64)
        plain = [symbol._replace(siblings=(), ancestors=()) for symbol in compiled.labels]
        rules = np.array([number(str(rule.yield_function)) for rule in compiled.rules], np.uint64)
        for place, factor in enumerate(_FACTORS):
            symbols = [(rule.lhs, *rule.rhs)[place : place + 1] for rule in compiled.rules]
            numbers = [compiled.labels[each[0]] if each else -1 for each in symbols]
            rules += factor * np.append(labels, np.uint64(0))[numbers]
        return cls(labels, np.array([number(str(each)) for each in plain], np.uint64), rules)


class SymbolNumbers:
    """The symbols of the grammar that was asked for last; most forests are of the same one."""

    def __init__(self) -> None:
        self._last: tuple[CompiledGrammar, Symbols] | None = None

    def of(self, compiled: CompiledGrammar) -> Symbols:
        """Return the symbols and rules of a compiled grammar as numbers."""
        last = self._last  # one step: threads may share it
        if last is None or last[0] is not compiled:
            last = self._last = compiled, Symbols.of(compiled)
        return last[1]


class Words(NamedTuple):
    """The words of a sentence as numbers, with two more on each side."""

    words: Keys
    tags: Keys
    suffixes: Keys
    kinds: Keys

    @classmethod
    def of(cls, words: Sequence[str], tags: Sequence[str]) -> Words:
        """Return the words of a sentence with their tags as numbers."""
        return cls(
            _padded(words),
            _padded(tags),
            _padded([_suffix(word) for word in words]),
            _padded([_kind(word) for word in words]),
        )


def words_of(forest: Forest, words: Sequence[str]) -> Words:
    """Return the words with their tags in the best derivation of a forest without cycles."""
    return Words.of(words, best_tags(forest))


class Atoms(NamedTuple):
    """The atoms of items (I, ITEM_ATOMS) and of edges (E, EDGE_ATOMS), and which items have gaps.

    Those of scanned tags mean nothing.
    """

    items: Keys
    edges: Keys
    has_gap: NDArray[np.bool_]


def atoms_of(forest: Forest, symbols: Symbols, words: Words) -> Atoms:
    """Return the atoms of the items and edges of a forest."""
    limits = np.empty((len(forest.label), borders.COLUMNS), np.int64)
    shapes = np.empty(len(forest.label), np.uint64)
    find_borders(forest.bits, words.kinds, _PADDING, limits, shapes)
    around = _around(limits, words)
    labels: dict[str, Column] = {
        "label": symbols.labels[forest.label],
        "category": symbols.categories[forest.label],
        "length": _binned(limits[:, borders.LENGTH]),
        "components": limits[:, borders.COMPONENTS],
        "shape": shapes,
    }
    items = _table(ITEM_ATOMS, {**labels, **around, **_inside(limits, words)})
    mother = forest.edge_mother
    shared = {name: items[mother, ITEM_ATOMS.index(name)] for name in (*around, "length")}
    edges = {"rule": symbols.rules[forest.edge_rule], **shared, **_split(forest, limits, words)}
    return Atoms(items, _table(EDGE_ATOMS, edges), limits[:, borders.COMPONENTS] > 1)


def _around(limits: Int64, words: Words) -> dict[str, Keys]:
    """Return the words and tags at both ends of each item."""
    first, last = limits[:, borders.FIRST] + _PADDING, limits[:, borders.END] - 1 + _PADDING
    places = {"first": first, "last": last, "before": first - 1, "after": last + 1}
    return _words_and_tags(words, places)


def _words_and_tags(words: Words, places: Mapping[str, Int64]) -> dict[str, Keys]:
    found = {f"{name}_word": words.words[place] for name, place in places.items()}
    return found | {f"{name}_tag": words.tags[place] for name, place in places.items()}


def _inside(limits: Int64, words: Words) -> dict[str, Keys]:
    """Return more about the ends of each item, and what is at its first gap."""
    first, last = limits[:, borders.FIRST] + _PADDING, limits[:, borders.END] - 1 + _PADDING
    gap, after_gap = limits[:, borders.GAP], limits[:, borders.AFTER_GAP]
    has_gap = after_gap >= 0
    places = {
        "gap_first": gap,
        "gap_last": after_gap - 1,
        "before_gap": gap - 1,
        "after_gap": after_gap,
    }
    places = {name: np.where(has_gap, place + _PADDING, 0) for name, place in places.items()}
    return {
        "second_tag": words.tags[first + 1],
        "last_but_one_tag": words.tags[last - 1],
        "two_before_tag": words.tags[first - 2],
        "two_after_tag": words.tags[last + 2],
        "first_suffix": words.suffixes[first],
        "last_suffix": words.suffixes[last],
        "gap_length": _binned(np.where(has_gap, after_gap - gap, 0)),
        **_words_and_tags(words, places),
    }


def _split(forest: Forest, limits: Int64, words: Words) -> dict[str, Keys]:
    """Return what is known about the children of each edge."""
    left, right = forest.edge_left, forest.edge_right
    begins_first = limits[left, borders.FIRST] <= limits[right, borders.FIRST]
    split = limits[np.where(begins_first, left, right), borders.GAP] + _PADDING
    split = np.where(right >= 0, split, 1)  # then what is before and after means nothing
    lengths = _binned(limits[:, borders.LENGTH])
    return {
        "left_length": lengths[left],
        "right_length": np.where(right >= 0, lengths[right], np.uint64(0)),
        **_words_and_tags(words, {"split": split - 1, "after_split": split}),
    }


def _table(names: Sequence[str], columns: Mapping[str, Column]) -> Keys:
    table = np.empty((len(columns[names[0]]), len(names)), np.uint64)
    for place, name in enumerate(names):
        table[:, place] = columns[name]
    return table


def _binned(lengths: Int64) -> Keys:
    return np.searchsorted(_LENGTHS, lengths).astype(np.uint64)


def _padded(texts: Sequence[str]) -> Keys:
    return np.array(list(map(number, (*_OUTSIDE, *texts, *_OUTSIDE[::-1]))), np.uint64)


def _suffix(word: str) -> str:
    """Return how a word ends, and whether it has a capital letter or a digit."""
    return f"{word[:1].isupper():d}{any(map(str.isdigit, word)):d}{word[-_SUFFIX:].lower()}"


def _kind(word: str) -> str:
    """Return what a word looks like.

    >>> _kind("Mid-1990s"), _kind("?")
    ('Xx-9x', '?')
    """
    return "".join(kind for kind, _ in groupby(map(_kind_of_letter, word)))


def _kind_of_letter(letter: str) -> str:
    if letter.isdigit():
        return "9"
    return "X" if letter.isupper() else "x" if letter.isalpha() else letter
