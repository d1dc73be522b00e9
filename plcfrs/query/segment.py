"""Trees of a compiled treebank as queries see them: elements, and arrays of them.

An *element* is a constituent, a tag or a word: as in tgrep, a tag dominates its word. The element
of a node, or of the tag of a token, is twice its place, counted from the first place of the
segment; the element of the word of the token is one more. So all elements below an element are an
interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from plcfrs.query.hits import values
from plcfrs.query.syntax import (
    COMPARISONS,
    NODE_TEXTS,
    TOKEN_TEXTS,
    Alternatives,
    NumberTest,
    QueryLabel,
    TextTest,
)
from plcfrs.stopping import NO_LIMIT, TimeLimit
from plcfrs.treebank.compiled import CompiledTrees, Integers
from plcfrs.trees import parse_label, render_label
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.heads import PUNCTUATION_TAGS, collins, head_among, negra
from plcfrs.trees.tree import NULL_TAG, null_parts

Elements = Integers
Mask = Any

_NO_WORDS = PUNCTUATION_TAGS | {NULL_TAG}

NEVER = np.int32(2**31 - 2)
"""Larger than all numbers of tokens."""


class Lookup:
    """Finds the kinds of nodes and the texts of a treebank that fit parts of queries, each once."""

    def __init__(self, trees: CompiledTrees, limit: TimeLimit = NO_LIMIT) -> None:
        self._trees = trees
        self._limit = limit
        self._masks: dict[tuple[Alternatives, str], Mask] = {}

    def kinds(self, label: QueryLabel) -> Mask:
        """Return for each kind of node whether it has a label."""
        kinds = self._trees.kinds.all

        def find() -> Mask:
            labels = [parse_label(kind.printed) for kind in kinds]
            whole = [render_label(parts._replace(split="")) for parts in labels]
            named = list(map(label.names, labels))
            return np.append(False, np.array(named, bool) | self._found_in(whole, label))

        return self._once(label, "", find)

    def kinds_with(self, test: TextTest) -> Mask:
        """Return for each kind of node whether an attribute has a value."""
        values_of = NODE_TEXTS.get(test.attribute)

        def find() -> Mask:
            kinds = self._trees.kinds.all
            values_by_kind = [list(values_of(kind)) if values_of else [] for kind in kinds]
            texts = list({text for values in values_by_kind for text in values})
            fits = dict(zip(texts, self._fitting(texts, test.values), strict=True))
            return np.array([False, *(any(map(fits.get, values)) for values in values_by_kind)])

        return self._once(test.values, f"{test.attribute} of nodes", find)

    def texts(self, part: str, values: Alternatives) -> Mask:
        """Return for each text of a part of tokens whether it is one of some values."""
        texts = self._trees.pools[part].texts
        return self._once(values, part, lambda: self._fitting(texts, values))

    def null_types(self, values: Alternatives) -> Mask:
        """Return for each form whether its type, as a null element, is one of some values."""
        types = [null_parts(form)[0] for form in self._trees.pools["form"].texts]
        return self._once(values, "null", lambda: self._fitting(types, values))

    def _fitting(self, texts: Sequence[str], values: Alternatives) -> Mask:
        return np.array([text in values.texts for text in texts], bool) | self._found_in(
            texts, values
        )

    def _found_in(self, texts: Sequence[str], values: Alternatives) -> Mask:
        """Return for each text whether one of the regular expressions matches."""
        found = np.zeros(len(texts), bool)
        for expression in values.expressions:
            with self._limit.part():
                found[expression.places(texts)] = True
        return found

    def _once(self, values: Alternatives, part: str, find: Callable[[], Mask]) -> Mask:
        if (values, part) not in self._masks:
            self._masks[values, part] = find()
        return self._masks[values, part]


class Segment:
    """Consecutive trees of a compiled treebank, with arrays that are made when a query needs them.

    Parameters
    ----------
    trees : CompiledTrees
    numbers : range
        The numbers of the trees, from 0.
    """

    def __init__(self, trees: CompiledTrees, numbers: range) -> None:
        self.trees = trees
        self.numbers = numbers
        ends = [numbers.start, numbers.stop]
        self.first_place, last_place = trees.tree_places[ends].tolist()
        self.first_number, last_number = trees.tree_numbers[ends].tolist()
        self._places = slice(self.first_place, last_place)
        self._numbers = slice(self.first_number, last_number)

    def column(self, part: str) -> Integers:
        """Return a column of tokens, by their numbers in the segment."""
        return self.trees.column(part)[self._numbers]

    @cached_property
    def kind(self) -> Integers:
        """The kind of each place."""
        return self.trees.kind[self._places]

    @cached_property
    def mothers(self) -> Integers:
        """The place of the mother of each place; -1 for a root."""
        up = self.trees.up[self._places]
        return np.where(up == 0, np.int32(-1), np.arange(len(up), dtype=np.int32) - up)

    @cached_property
    def ends(self) -> Integers:
        """The first place after each place and everything below it."""
        size = self.trees.size[self._places]
        return np.arange(len(size), dtype=np.int32) + size

    @cached_property
    def firsts(self) -> Integers:
        """The number of the first token of each place; -1 if it has no tokens."""
        first = self.trees.first[self._places]
        return np.where(first < 0, np.int32(-1), first - np.int32(self.first_number))

    @cached_property
    def lasts(self) -> Integers:
        """The number of the last token of each place; `NEVER` if it has no tokens."""
        reach = self.trees.reach[self._places]
        return np.where(self.firsts < 0, NEVER, self.firsts + reach)

    @cached_property
    def places(self) -> Integers:
        """The place of each token; -1 for the free numbers."""
        places = np.full(self._numbers.stop - self._numbers.start, -1, np.int32)
        tokens = np.flatnonzero(self.kind == 0)
        places[self.firsts[tokens]] = tokens
        return places

    @cached_property
    def only_children(self) -> Mask:
        """Whether each place is the only child of its mother."""
        mothers = np.maximum(self.mothers, 0)
        before = np.arange(-1, len(mothers) - 1, dtype=np.int32)
        return (self.mothers >= 0) & (self.ends[mothers] == self.ends) & (mothers == before)

    @cached_property
    def tops(self) -> Integers:
        """The highest place from which only children lead to each place."""
        places = np.arange(len(self.kind), dtype=np.int32)
        return np.maximum.accumulate(np.where(self.only_children, 0, places))

    @cached_property
    def are_heads(self) -> Mask:
        """Whether each place is the head of its mother: as marked, or by the rules for heads.

        The rules are those for German treebanks if there is the function HD.
        """
        kinds, places = self.trees.kinds.all, np.arange(self._places.start, self._places.stop)
        names, functions = (
            list(map(str, values(self.trees, places, key))) for key in ("category", "function")
        )
        rules = negra() if "HD" in functions else collins()
        children: dict[int, list[int]] = defaultdict(list)
        for place, mother in enumerate(self.mothers.tolist()):
            children[mother].append(place)
        children.pop(-1, None)  # the roots
        are_heads = np.zeros(len(places), bool)
        for mother, below in children.items():
            head = kinds[self.kind[mother] - 1].head
            if head is None:
                labels = [names[place] for place in below], [functions[place] for place in below]
                head = head_among(names[mother], *labels, rules)
            are_heads[below[head]] = True
        return are_heads

    @cached_property
    def head_tops(self) -> Integers:
        """The highest place from which only heads lead to each place."""
        tops = np.arange(len(self.kind), dtype=np.int32)
        tops = np.where(self.are_heads, self.mothers, tops)
        while (tops != (higher := tops[tops])).any():
            tops = higher
        return tops

    @cached_property
    def ranks(self) -> tuple[Integers, Integers]:
        """The rank of each place among its sisters: from 1 upwards, and from -1, the last, down."""
        order = np.argsort(self.mothers, kind="stable")
        counts = np.bincount(self.mothers + 1)
        numbers = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        ranks = np.empty((2, len(order)), np.int32)
        ranks[0, order] = numbers + 1
        ranks[1, order] = numbers - np.repeat(counts, counts)
        return ranks[0], ranks[1]

    @cached_property
    def gaps(self) -> tuple[Integers, Integers, Integers]:
        """The places with gaps, the starts of their gaps, and all gaps, shape (gaps, 2)."""
        trees = self.trees
        left, right = np.searchsorted(trees.gapped, (self._places.start, self._places.stop))
        starts = trees.gap_starts[left : right + 1]
        gaps = trees.gaps[starts[0] : starts[-1]] - np.int32(self.first_number)
        return trees.gapped[left:right] - np.int32(self.first_place), starts - starts[0], gaps

    @cached_property
    def gap_degrees(self) -> Integers:
        """The number of gaps of each place."""
        places, starts, _ = self.gaps
        degrees = np.zeros(len(self.kind), np.int32)
        degrees[places] = np.diff(starts)
        return degrees

    @cached_property
    def word_gap_degrees(self) -> Integers:
        """The number of gaps of each place with a word, not only punctuation and traces."""
        places, starts, gaps = self.gaps
        no_words = [tag in _NO_WORDS for tag in self.trees.pools["tag"].texts]
        words = np.append(0, np.cumsum(~np.array(no_words, bool)[self.column("tag")]))
        with_words = np.append(0, np.cumsum(np.diff(words[gaps])[:, 0] > 0))
        degrees = np.zeros(len(self.kind), np.int32)
        degrees[places] = np.diff(with_words[starts])
        return degrees

    @cached_property
    def are_null(self) -> Mask:
        """Whether each token is a null element."""
        return self.column("tag") == self.trees.pools["tag"].numbers.get(NULL_TAG, -1)

    @cached_property
    def antecedents(self) -> Integers:
        """The place of the antecedent of each place; -1 if it is not a null element with one.

        They are those of `plcfrs.trees.antecedents.antecedents`.
        """
        found = np.full(len(self.kind), -1, np.int32)
        for number in np.unique(self.tree_of(2 * self._places_where(self.are_null))).tolist():
            tree, elements = self.trees.elements(number)
            first = int(self.trees.tree_places[number]) - self.first_place
            places = {element: place for place, element in enumerate(elements, start=first)}
            for null, phrase in antecedents(tree).items():
                found[places[null]] = places[phrase]
        return found

    def lengths(self, elements: Elements) -> Integers:
        """Return the numbers of tokens of elements, without null elements."""
        return self.trees.counts((elements >> 1) + self.first_place, self.trees.overt_before)

    def fan_outs(self, elements: Elements) -> Integers:
        """Return the numbers of blocks of elements."""
        return np.where(self.first(elements) < 0, 0, self.gap_degrees[elements >> 1] + 1)

    def mother(self, elements: Elements) -> Elements:
        """Return the mothers of elements; negative for a root."""
        return np.where(elements & 1, elements - 1, 2 * self.mothers[elements >> 1])

    def antecedent(self, elements: Elements) -> Elements:
        """Return the antecedents of null elements; negative for elements without one."""
        found: Elements = 2 * self.antecedents[elements >> 1]
        return found

    def end(self, elements: Elements) -> Elements:
        """Return the elements that follow everything below these elements."""
        return np.where(elements & 1, elements + 1, 2 * self.ends[elements >> 1])

    def first(self, elements: Elements) -> Integers:
        """Return the first tokens of elements; -1 for an element without tokens."""
        return self.firsts.take(elements >> 1)

    def last(self, elements: Elements) -> Integers:
        """Return the last tokens of elements; `NEVER` for an element without tokens."""
        return self.lasts.take(elements >> 1)

    def tree_bounds(self, elements: Elements) -> tuple[Integers, Integers]:
        """Return the first token number of the tree of each element, and the number after it."""
        bounds = self.trees.tree_numbers[self.numbers.start : self.numbers.stop + 1]
        tree = self.tree_of(elements) - self.numbers.start
        return bounds[tree] - self.first_number, bounds[tree + 1] - self.first_number

    def tree_of(self, elements: Elements) -> Integers:
        """Return the numbers of the trees of elements."""
        return self.trees.tree_of((elements >> 1) + self.first_place)

    def all_elements(self) -> Elements:
        """Return all elements in order."""
        is_token = self.kind == 0
        elements = np.arange(2 * len(is_token), dtype=np.int32)
        return elements.compress(np.repeat(is_token, 2) | (elements & 1 == 0))

    def having(self, label: QueryLabel, lookup: Lookup) -> Elements:
        """Return the elements with a label, in order."""
        if label.fits_all:
            return self.all_elements()
        nodes = np.flatnonzero(lookup.kinds(label)[self.kind])
        tags = self._places_where(lookup.texts("tag", label)[self.column("tag")])
        words = self._places_where(lookup.texts("form", label)[self.column("form")])
        elements = np.concatenate([2 * nodes, 2 * tags, 2 * words + 1]).astype(np.int32)
        elements.sort()
        return elements

    def _places_where(self, mask: Mask) -> Integers:
        places = self.places[np.flatnonzero(mask)]
        return places[places >= 0]

    def has_text(self, test: TextTest, elements: Elements, lookup: Lookup) -> Mask:
        """Test an attribute of elements whose values are texts."""
        places = elements >> 1
        if test.attribute == "antecedent":
            antecedents = self.antecedents[places]
            category = lookup.kinds_with(test._replace(attribute="category"))
            return (antecedents >= 0) & category[self.kind[antecedents]]
        if test.attribute == "null":
            numbers = self.firsts[places]
            is_null = (self.kind[places] == 0) & self.are_null[numbers]
            return is_null & lookup.null_types(test.values)[self.column("form")[numbers]]
        mask = lookup.kinds_with(test)[self.kind[places]]
        if test.attribute in TOKEN_TEXTS:
            part = TOKEN_TEXTS[test.attribute]
            fits = lookup.texts(part, test.values)[self.column(part)[self.firsts[places]]]
            mask = np.where(self.kind[places] == 0, fits, mask)
        return mask

    def has_number(self, test: NumberTest, elements: Elements) -> Mask:
        """Test an attribute of elements whose values are numbers."""
        match test.attribute:
            case "fanout":
                numbers = self.fan_outs(elements)
            case "gaps with words":
                numbers = self.word_gap_degrees[elements >> 1]
            case _:
                numbers = self.lengths(elements)
        return COMPARISONS[test.comparison](numbers, test.number)
