"""The features of a forest: atoms, templates that combine them, and the scores of edges and items.

Atoms are 64-bit numbers that describe an item or an edge. They come from texts, so they are the
same for all grammars: weights from forests of one grammar also score forests of another. Templates
combine atoms as in Hall, Durrett and Klein (2014); we add the tags of words, and the words around
gaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart import Forest
from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.forest.scored_forest import best_tags
from plcfrs.forest.votes import ForestScores
from plcfrs.grammar import Grammar
from plcfrs.learning.kernel.arrays import Int32, Keys, Scores
from plcfrs.learning.templates import collapsed, listed, number, outline_of
from plcfrs.learning.weights import checked
from plcfrs.parsers.features import kernel as borders
from plcfrs.parsers.features.kernel import add_up, fill_places, find_borders

# Atoms of an item. A label includes the Markovization of its symbol, a category does not.
ITEM_ATOMS = listed(
    """
    label, category, length, components, shape, first_word, last_word, before_word, after_word,
    first_tag, last_tag, before_tag, after_tag, second_tag, last_but_one_tag, two_before_tag,
    two_after_tag, first_suffix, last_suffix, gap_length, gap_first_word, gap_last_word,
    gap_first_tag, gap_last_tag, before_gap_word, after_gap_word, before_gap_tag, after_gap_tag
    """
)

# Atoms of an edge. The split is the end of the first component of the child that begins first.
EDGE_ATOMS = listed(
    """
    rule, length, left_length, right_length, first_word, last_word, before_word, after_word,
    split_word, after_split_word, first_tag, last_tag, before_tag, after_tag, split_tag,
    after_split_tag
    """
)

_OF_LABELS = listed(
    """,
    length, shape, first_word, last_word, before_word, after_word, first_tag, last_tag, before_tag,
    after_tag, first_suffix, last_suffix, first_tag last_tag, before_tag after_tag,
    before_tag first_tag, last_tag after_tag, first_word last_word, before_word after_word,
    last_word after_word, before_word first_word, before_word first_tag, last_tag after_word,
    length first_tag, length last_tag, length before_tag, length after_tag,
    first_tag last_tag before_tag, first_tag last_tag after_tag
    """
)

_OF_CATEGORIES = listed(
    """
    two_before_tag before_tag, after_tag two_after_tag, first_tag second_tag,
    last_but_one_tag last_tag, before_tag first_tag last_tag, first_word after_word,
    first_word last_tag, first_tag last_word, length first_word, length last_word
    """
)

_OF_GAPS = listed(
    """
    components, components gap_length, gap_first_word, gap_last_word, gap_first_tag gap_last_tag,
    before_gap_tag gap_first_tag, gap_last_tag after_gap_tag, before_gap_tag after_gap_tag,
    before_gap_word, after_gap_word, first_tag gap_length, first_word gap_first_tag
    """
)

_OF_RULES = listed(
    """,
    length, left_length right_length, first_word, last_word, before_word, after_word, split_word,
    after_split_word, first_tag, last_tag, before_tag, after_tag, split_tag, after_split_tag,
    split_tag after_split_tag, split_word after_split_tag, split_tag after_split_word,
    first_tag after_split_tag, split_tag last_tag, before_tag after_tag, first_tag last_tag,
    last_tag after_tag, before_tag first_tag
    """
)


class FeatureTemplates(NamedTuple):
    """Templates as arrays.

    Parameters
    ----------
    seeds : uint64 array (T,)
        The number of each template's text.
    columns : int32 array (T, width)
        The columns of its atoms; -1 after the last one.
    """

    seeds: Keys
    columns: Int32


def compile_templates(templates: Sequence[str], atoms: Sequence[str]) -> FeatureTemplates:
    """Return templates, names of atoms with spaces between them, as arrays.

    >>> compile_templates(["tag", "word tag"], ["word", "tag"]).columns.tolist()
    [[1, -1], [0, 1]]
    """
    rows = [template.split() for template in templates]
    columns = np.full((len(rows), max(map(len, rows))), -1, np.int32)
    for row, names in zip(columns, rows, strict=True):
        row[: len(names)] = [atoms.index(name) for name in names]
    return FeatureTemplates(np.array(list(map(number, templates)), np.uint64), columns)


ITEMS = compile_templates(
    [
        *(f"label {rest}" for rest in _OF_LABELS),
        *(f"category {rest}" for rest in _OF_CATEGORIES),
    ],
    ITEM_ATOMS,
)
GAPS = compile_templates([f"category {rest}" for rest in _OF_GAPS], ITEM_ATOMS)
EDGES = compile_templates([f"rule {rest}" for rest in _OF_RULES], EDGE_ATOMS)


Column = Keys | Int64

_LENGTH_BINS = np.array([1, 2, 3, 4, 5, 7, 10, 15, 25, 40])

# The number of places before the first token, and after the last one. Place 0 stands for no token.
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
    """Keeps the symbols of the last grammar, because most forests belong to the same grammar."""

    def __init__(self) -> None:
        self._last: tuple[CompiledGrammar, Symbols] | None = None

    def of(self, compiled: CompiledGrammar) -> Symbols:
        """Return the symbols and rules of a compiled grammar as numbers."""
        last = self._last  # one step: threads may share it
        if last is None or last[0] is not compiled:
            last = self._last = compiled, Symbols.of(compiled)
        return last[1]


class WordNumbers(NamedTuple):
    """The words of a sentence as numbers, with two places on each side."""

    words: Keys
    tags: Keys
    suffixes: Keys
    kinds: Keys

    @classmethod
    def of(cls, forest: Forest, words: Sequence[str]) -> WordNumbers:
        """Return the words with their tags in the best derivation of a forest without cycles."""
        return cls(
            _padded(words),
            _padded(best_tags(forest)),
            _padded([_suffix(word) for word in words]),
            _padded([collapsed(outline_of(word)) for word in words]),
        )


class Atoms(NamedTuple):
    """The atoms of items (I, ITEM_ATOMS) and of edges (E, EDGE_ATOMS), and which items have gaps.

    The atoms of scanned tags are meaningless.
    """

    items: Keys
    edges: Keys
    has_gap: NDArray[np.bool_]


def atoms_of(forest: Forest, symbols: Symbols, words: WordNumbers) -> Atoms:
    """Return the atoms of the items and edges of a forest."""
    limits = np.empty((len(forest.label), borders.COLUMNS), np.int64)
    shapes = np.empty(len(forest.label), np.uint64)
    find_borders(forest.bits, words.kinds, _PADDING, limits, shapes)
    labels: dict[str, Column] = {
        "label": symbols.labels[forest.label],
        "category": symbols.categories[forest.label],
        "length": _binned(limits[:, borders.LENGTH]),
        "components": limits[:, borders.COMPONENTS],
        "shape": shapes,
    }
    items = _table(ITEM_ATOMS, {**labels, **_ends_and_gap(limits, words)})
    mother = forest.edge_mother
    shared = [name for name in EDGE_ATOMS if name in ITEM_ATOMS]
    edges = {
        "rule": symbols.rules[forest.edge_rule],
        **{name: items[mother, ITEM_ATOMS.index(name)] for name in shared},
        **_of_children(forest, limits, words),
    }
    return Atoms(items, _table(EDGE_ATOMS, edges), limits[:, borders.COMPONENTS] > 1)


def _words_and_tags(words: WordNumbers, places: Mapping[str, Int64]) -> dict[str, Keys]:
    atoms = {f"{name}_word": words.words[place] for name, place in places.items()}
    return atoms | {f"{name}_tag": words.tags[place] for name, place in places.items()}


def _ends_and_gap(limits: Int64, words: WordNumbers) -> dict[str, Keys]:
    """Return the atoms at both ends of each item, and at its first gap."""
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
    places |= {"first": first, "last": last, "before": first - 1, "after": last + 1}
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


def _of_children(forest: Forest, limits: Int64, words: WordNumbers) -> dict[str, Keys]:
    """Return the atoms of the children of each edge."""
    left, right = forest.edge_left, forest.edge_right
    begins_first = limits[left, borders.FIRST] <= limits[right, borders.FIRST]
    split = limits[np.where(begins_first, left, right), borders.GAP] + _PADDING
    split = np.where(right >= 0, split, 1)  # an only child has no split
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
    return np.searchsorted(_LENGTH_BINS, lengths).astype(np.uint64)


def _padded(texts: Sequence[str]) -> Keys:
    return np.array(list(map(number, (*_OUTSIDE, *texts, *_OUTSIDE[::-1]))), np.uint64)


def _suffix(word: str) -> str:
    """Return a word's ending, and whether the word has a capital letter or a digit."""
    return f"{word[:1].isupper():d}{any(map(str.isdigit, word)):d}{word[-_SUFFIX:].lower()}"


class PlacedFeatures(NamedTuple):
    """Features of some edges or items (rows,), and the places of their weights (rows, T)."""

    rows: Int64
    places: Int32

    def scores(self, values: Scores, size: int) -> Costs:
        """Return the sum of the weights of each of `size` edges or items."""
        scores, sums = np.zeros(size), np.empty(len(self.rows))
        add_up(values, self.places, sums)
        scores[self.rows] = sums
        return scores


class ForestFeatures(NamedTuple):
    """The features of a forest. Scanned tags have none."""

    items: tuple[PlacedFeatures, ...]
    edges: tuple[PlacedFeatures, ...]

    @classmethod
    def of(
        cls, forest: Forest, symbols: Symbols, words: WordNumbers, places: int
    ) -> ForestFeatures:
        """Return the features of a forest, given the number of weights."""
        atoms = atoms_of(forest, symbols, words)
        is_rule = forest.edge_rule >= 0
        is_constituent = is_rule[forest.edge_start[:-1]]
        return cls(
            (
                _part(is_constituent, atoms.items, ITEMS, places),
                _part(is_constituent & atoms.has_gap, atoms.items, GAPS, places),
            ),
            (_part(is_rule, atoms.edges, EDGES, places),),
        )

    def judge(self, forest: Forest, values: Scores) -> ForestScores:
        """Return the scores of edges and items: ``log p`` and the weights of their features."""
        edge_scores = sum(part.scores(values, len(forest.edge_rule)) for part in self.edges)
        item_scores = sum(part.scores(values, len(forest.label)) for part in self.items)
        return ForestScores(edge_scores - forest.edge_cost, np.asarray(item_scores))


def _part(
    chosen: np.ndarray, atoms: Keys, templates: FeatureTemplates, places: int
) -> PlacedFeatures:
    rows = np.flatnonzero(chosen)
    placed = np.empty((len(rows), len(templates.seeds)), np.int32)
    fill_places(atoms[rows], templates.seeds, templates.columns, places, placed)
    return PlacedFeatures(rows, placed)


# The number of weights that hashed features share. Places are numbers of 32 bits.
PLACES = 1 << 22
MOST_PLACES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FeatureGrammar:
    """A grammar of rank 1 or 2 with the weights of features, float32 (places,).

    The shares, float64 (components,), are the cost of each component of each rule, for the search
    (see `ChartParser`).
    """

    grammar: Grammar
    weights: Scores
    shares: Costs | None = None

    def check(self) -> None:
        """Raise a ValueError if the weights are damaged."""
        if not 0 < len(self.weights) <= MOST_PLACES:
            raise ValueError("the weights are damaged")
        checked(self.weights, len(self.weights))
