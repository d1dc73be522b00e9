"""Matches of a query one by one, and the values by which they are counted and sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, overload
from unicodedata import combining, normalize

import numpy as np

from plcfrs.errors import InputError
from plcfrs.stopping import check_stopped, until_stopped
from plcfrs.treebank.compilation import compile_part, elements_of
from plcfrs.treebank.compiled import CompiledTrees, Integers, NodeKind
from plcfrs.trees import Node, Tree

_DOTS = " ... "  # for a gap
_MANY = 1000  # places


class Hit(NamedTuple):
    """A match.

    Parameters
    ----------
    trees : CompiledTrees
    place : int
        The place of the match; see `plcfrs.treebank.compiled`.
    number : int
        The number of its tree among the trees with matches, from 1.
    named : mapping of str to int
        The places of the named nodes that were asked for.
    """

    trees: CompiledTrees
    place: int
    number: int = 1
    named: Mapping[str, int] = {}

    def __repr__(self) -> str:
        return f"<Hit {self.id} {self.printed}: {self.words}>"

    @property
    def tree_number(self) -> int:
        """The number of its tree in the treebank, from 0."""
        return int(self.trees.tree_of(np.array(self.place)))

    @property
    def id(self) -> str:
        """The identifier of its tree."""
        return self.trees.ids.texts[self.tree_number]

    @property
    def tree(self) -> Tree:
        """Its tree, made anew."""
        return self.marked_tree()[0]

    def marked_tree(self) -> tuple[Tree, Node | int]:
        """Return its tree, made anew, and the constituent or position that matches."""
        number = self.tree_number
        tree, elements = self.trees.elements(number)
        return tree, elements[self.place - int(self.trees.tree_places[number])]

    @property
    def printed(self) -> str:
        """The label of a constituent as it is printed, or the tag of a token."""
        return str(PRINTED(self.trees, np.array([self.place])).values()[0])

    @property
    def function(self) -> str:
        """The functions of a constituent, or of a token."""
        return self.value("function")

    @property
    def words(self) -> str:
        """The words, with dots for gaps."""
        return self.value("words")

    def value(self, key: str) -> str:
        """Return the value of one of `KEYS`, as text."""
        return str(values(self.trees, np.array([self.place]), key)[0])

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The intervals of its positions in the tree, as half-open ranges."""
        start = int(self.trees.tree_numbers[self.tree_number])
        return [(left - start, right - start) for left, right in self.trees.runs(self.place)]

    @property
    def positions(self) -> list[int]:
        """The positions of its tokens, from 0."""
        return [position for run in self.runs for position in range(*run)]

    @property
    def gap_degree(self) -> int:
        """The number of its gaps."""
        return max(len(self.runs) - 1, 0)

    @property
    def parts(self) -> list[str]:
        """The words of its runs, and between two runs the words in the gap.

        >>> tree = Tree.from_string("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
        >>> hit_in(tree, tree.root.nodes[0].nodes[0]).parts
        ['a', 'b', 'c']
        """
        bounds = [bound for run in self.trees.runs(self.place) for bound in run]
        return [" ".join(self.trees.texts("form", *pair)) for pair in pairwise(bounds)]

    def context(self, most: int | None = None) -> tuple[list[str], list[str]]:
        """Return the words before and after it: all words of its sentence, or the nearest ones."""
        start, stop = self.trees.tree_numbers[[self.tree_number, self.tree_number + 1]].tolist()
        runs = self.trees.runs(self.place) or [(start, start)]
        first, last = runs[0][0], runs[-1][1]
        left = start if most is None else max(start, first - most)
        right = stop - 1 if most is None else min(stop - 1, last + most)
        return self.trees.texts("form", left, first), self.trees.texts("form", last, right)

    def concordance(self, most: int) -> tuple[str, str, str]:
        """Return the nearest words before it, its runs in [ ] with the words between, and after it.

        >>> tree = Tree.from_string("(S (VP (A 0=a) (B 2=c)) (C 1=b) (D 3=d))")
        >>> hit_in(tree, tree.root.nodes[0].nodes[0]).concordance(8)
        ('', '[a] b [c]', 'd')
        """
        before, after = map(" ".join, self.context(most))
        marked = (part if i % 2 else f"[{part}]" for i, part in enumerate(self.parts))
        return before, " ".join(marked), after


def hit_in(tree: Tree, node: Node, number: int = 1) -> Hit:
    """Return a constituent of a tree as a match.

    >>> tree = Tree.from_string("(S (VP (A 0=a) (B 2=c)) (C 1=b))")
    >>> hit_in(tree, tree.root.nodes[0].nodes[0]).words
    'a ... c'
    """
    return Hit(compile_part([tree]), elements_of(tree).index(node), number)


@dataclass(frozen=True, eq=False, repr=False)
class Hits(Sequence[Hit]):
    """The matches of a query in a compiled treebank.

    Parameters
    ----------
    trees : CompiledTrees
    places : array of int
        Each match, in the order of the treebank; in a tree, constituents from the root, then
        tokens.
    named : dict of array of int
        The places of the named nodes that were asked for, for each match.
    """

    trees: CompiledTrees
    places: Integers
    named: dict[str, Integers]

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"<Hits: {len(self)} in {len(self.matching_trees)} trees>"

    @overload
    def __getitem__(self, which: int) -> Hit: ...
    @overload
    def __getitem__(self, which: slice | Integers | list[int]) -> Hits: ...
    def __getitem__(self, which: int | slice | Integers | list[int]) -> Hit | Hits:
        """Return a match, or some of them, which keep the numbers of their trees."""
        if isinstance(which, int):
            named = {name: int(places[which]) for name, places in self.named.items()}
            return Hit(self.trees, int(self.places[which]), int(self.numbers[which]), named)
        named_nodes = {name: places[which] for name, places in self.named.items()}
        chosen = Hits(self.trees, self.places[which], named_nodes)
        chosen.__dict__["numbers"] = self.numbers[which]
        return chosen

    def numbered_anew(self) -> Hits:
        """Return the matches, with their trees numbered from 1 again."""
        return replace(self)

    @cached_property
    def trees_of(self) -> Integers:
        """The number of the tree of each match, from 0."""
        return self.trees.tree_of(self.places)

    @cached_property
    def numbers(self) -> Integers:
        """The number of the tree of each match among the trees with matches, from 1."""
        ranks = np.zeros(len(self.trees), np.int64)
        ranks[self.matching_trees] = np.arange(1, len(self.matching_trees) + 1)
        return ranks.take(self.trees_of)

    @cached_property
    def matching_trees(self) -> Integers:
        """The numbers of the trees with matches, from 0, in the order of their first matches."""
        different, first = np.unique(self.trees_of, return_index=True)
        return different.take(np.argsort(first))

    def marked_tree(self, number: int) -> tuple[Tree, list[Node | int]]:
        """Make the tree with a number, and return it with its matches."""
        tree, elements = self.trees.elements(number)
        start = int(self.trees.tree_places[number])
        return tree, [elements[at - start] for at in self.places[self.trees_of == number].tolist()]

    def column(self, key: str) -> ValueColumn:
        """Return the value of each match for a key, or for a named node: ``n.words``."""
        name, _, key = key.rpartition(".")
        if name and name not in self.named:
            raise InputError(f"{name}.{key}: no node of the query has the name {name}")
        check_key(key)
        if not self.named:  # all places are different
            return KEYS[key](self.trees, self.places)
        places, at = np.unique(self.named[name] if name else self.places, return_inverse=True)
        column = KEYS[key](self.trees, places)
        return ValueColumn(column.different, column.at[at])

    def values(self, key: str) -> list[str | int]:
        """Return the value of each match for a key as for `column`, or for one of `ORDERS`."""
        if key == "sentence":
            return list(self.numbers.tolist())
        if key in SIDES:
            return [" ".join(hit.context()[SIDES.index(key)]) for hit in until_stopped(self)]
        return self.column(key).values()

    def sorted(self, by: str) -> Hits:
        """Return the matches sorted by one of `ORDERS`, ignoring case.

        A hyphen before the key reverses the order.
        """
        key = by.removeprefix("-")
        check_key(key, ORDERS)
        sort_keys = self.values(key)
        if key == "before":  # the last word counts first
            sort_keys = [" ".join(reversed(str(words).split(" "))) for words in sort_keys]
        order = sorted(range(len(self)), key=lambda at: _rank(sort_keys[at]), reverse=by[:1] == "-")
        return self[order]

    def having(self, key: str, value: str) -> Hits:
        """Return the matches whose value for a key is `value` as text."""
        column = self.column(key)
        fits = np.array([str(different) == value for different in column.different], bool)
        return self[fits[column.at]]

    def sample(self, size: int, seed: int) -> Hits:
        """Return a random sample in the same order; a seed always gives the same sample."""
        return self[sample_of(len(self), size, seed)]

    def counts(self, *keys: str) -> Counter[tuple[str | int, ...]]:
        """Return how many matches have each combination of values, the most frequent first."""
        columns = [self.column(key) for key in keys]
        codes = np.zeros(len(self), np.int64)
        for number, column in enumerate(columns):
            check_stopped()
            if number:  # small numbers again
                codes = np.unique(codes, return_inverse=True)[1]
            codes = codes * len(column.different) + column.at
        _, first, times = np.unique(codes, return_index=True, return_counts=True)
        counts: Counter[tuple[str | int, ...]] = Counter()
        for at, count in zip(first.tolist(), times.tolist(), strict=True):
            check_stopped()
            counts[tuple(column.different[column.at[at]] for column in columns)] += count
        return sorted_counts(counts)


def sample_of(total: int, size: int, seed: int) -> Integers:
    """Return `size` random numbers below `total`, in order."""
    return np.sort(np.random.default_rng(seed).permutation(total)[:size])


def joined_hits(trees: CompiledTrees, parts: Iterable[Hits]) -> Hits:
    """Return the matches of all parts of a treebank as one."""
    nothing = np.zeros(0, np.int64)
    parts = list(parts)
    names = parts[0].named if parts else {}
    return Hits(
        trees,
        np.concatenate([nothing, *(part.places for part in parts)]),
        {name: np.concatenate([part.named[name] for part in parts]) for name in names},
    )


def sorted_counts(counts: Counter[tuple[str | int, ...]]) -> Counter[tuple[str | int, ...]]:
    """Return counts, the most frequent first, then by value."""
    return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


class ValueColumn(NamedTuple):
    """The values of matches: different values, and the index of the value of each match."""

    different: Sequence[str | int]
    at: Integers

    def values(self) -> list[str | int]:
        """Return the value of each match."""
        return [self.different[at] for at in self.at.tolist()]


def values(trees: CompiledTrees, places: Integers, key: str) -> list[str | int]:
    """Return the values of places for one of `KEYS`."""
    return KEYS[key](trees, places).values()


_Values = Callable[[CompiledTrees, Integers], ValueColumn]


def _label(text_of: Callable[[NodeKind], str], part: str | None) -> _Values:
    """Return a function that gives a text of constituents, and a part of tokens, if any."""

    def column(trees: CompiledTrees, places: Integers) -> ValueColumn:
        kinds = trees.kind[places].astype(np.int64)
        pool = trees.pools[part].texts if part else [""]
        texts = [*pool, *[""] * len(trees.kinds.all)]
        for kind in np.flatnonzero(np.bincount(kinds, minlength=1)[1:]).tolist():
            texts[len(pool) + kind] = text_of(trees.kinds.all[kind])
        tokens = trees.column(part)[trees.first[places]] if part else 0
        return ValueColumn(texts, np.where(kinds, len(pool) + kinds - 1, tokens))

    return column


def _tokens(part: str) -> _Values:
    """Return a function that joins a part of all tokens, with dots for gaps."""

    def column(trees: CompiledTrees, places: Integers) -> ValueColumn:
        between = _texts_between(trees, part, places)
        first = np.maximum(trees.first[places], 0)
        end = np.where(trees.first[places] < 0, 0, first + trees.reach[places] + 1)
        bounds = zip(first.tolist(), end.tolist(), strict=True)
        texts = [between(*pair) for pair in until_stopped(bounds)]
        for at in np.flatnonzero(np.isin(places, trees.gapped)).tolist():
            runs = (between(*run) for run in trees.runs(int(places[at])))
            texts[at] = _DOTS.join(filter(None, runs))
        return _different(texts)

    return column


def _texts_between(trees: CompiledTrees, part: str, places: Integers) -> Callable[[int, int], str]:
    """Return a function that joins the texts of tokens; for many places, it holds all texts."""
    if len(places) < _MANY:
        return lambda left, right: " ".join(filter(None, trees.texts(part, left, right)))
    texts = trees.texts(part, 0, int(trees.tree_numbers[-1]))
    return lambda left, right: " ".join(filter(None, texts[left:right]))


def _different(texts: Iterable[str]) -> ValueColumn:
    numbers: dict[str | int, int] = {}
    at = [numbers.setdefault(text, len(numbers)) for text in texts]
    return ValueColumn(list(numbers), np.array(at, np.int64))


def _children(trees: CompiledTrees, places: Integers) -> ValueColumn:
    """Give the categories and tags of the children of constituents."""
    return _different(_children_of(trees, place) for place in until_stopped(places.tolist()))


def _children_of(trees: CompiledTrees, place: int) -> str:
    children, child, end = [], place + 1, place + int(trees.size[place])
    while child < end:
        children.append(child)
        child += int(trees.size[child])
    return " ".join(map(str, values(trees, np.array(children, np.int64), "category")))


def _gaps(trees: CompiledTrees, places: Integers) -> ValueColumn:
    """Give the categories and tags of what fills the gaps, with dots between two gaps."""
    return _different(_gap_of(trees, place) for place in until_stopped(places.tolist()))


def _gap_of(trees: CompiledTrees, place: int) -> str:
    number = int(trees.tree_of(np.array(place)))
    all_places = np.arange(*trees.tree_places[number : number + 2])
    first = trees.first[all_places]
    last, mothers = first + trees.reach[all_places], all_places - trees.up[all_places]
    fillings = []
    for (_, left), (right, _) in pairwise(trees.runs(place)):
        is_inside = (left <= first) & (last < right)
        largest = np.flatnonzero(is_inside & ~is_inside[mothers - all_places[0]])
        in_order = all_places[largest[np.argsort(first[largest])]]
        fillings.append(" ".join(map(str, values(trees, in_order, "category"))))
    return _DOTS.join(fillings)


def _numbers(numbers_of: Callable[[CompiledTrees, Integers], Integers]) -> _Values:
    def column(trees: CompiledTrees, places: Integers) -> ValueColumn:
        numbers = numbers_of(trees, places)
        return ValueColumn(range(int(numbers.max(initial=0)) + 1), numbers)

    return column


def _gap_degrees(trees: CompiledTrees, places: Integers) -> Integers:
    left, right = trees.gap_starts[np.searchsorted(trees.gapped, (places, places + 1))]
    degrees: Integers = right - left
    return degrees


def _lengths(trees: CompiledTrees, places: Integers) -> Integers:
    return trees.counts(places, np.arange(int(trees.tree_numbers[-1]) + 1))


KEYS: dict[str, _Values] = {
    "category": _label(lambda kind: kind.label.category, "tag"),
    "label": _label(lambda kind: "-".join([kind.label.category, *kind.label.functions]), "tag"),
    "function": _label(lambda kind: "-".join(kind.label.functions), "function"),
    "words": _tokens("form"),
    "tags": _tokens("tag"),
    "lemmas": _tokens("lemma"),
    "morph": _tokens("morph"),
    "children": _children,
    "moved": _label(lambda kind: kind.moved or "", None),
    "gap": _gaps,
    "gap-degree": _numbers(_gap_degrees),
    "length": _numbers(_lengths),
}
"""The keys by which hits are counted and sorted: texts, and numbers of gaps and of tokens."""

PRINTED = _label(lambda kind: kind.printed, "tag")
"""Gives the labels of constituents as they are printed, and the tags of tokens."""

SIDES = ("before", "after")
"""More keys for sorting: the words on the sides of matches."""

ORDERS = (*KEYS, "sentence", *SIDES)
"""The keys by which hits are sorted: `KEYS`, the sentence, and the words before (the last word
first) and after a match."""


def _rank(value: str | int) -> tuple[int, str, str]:
    return (value, "", "") if isinstance(value, int) else (0, _plain(value), value)


def _plain(text: str) -> str:
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFD", text) if not combining(sign))
    return text.casefold()


def check_key(key: str, keys: Iterable[str] = KEYS) -> None:
    """Raise an InputError for an unknown key; the name of a node may stand before it."""
    if key.rpartition(".")[2] not in keys:
        raise InputError(f"{key}: expected one of {', '.join(keys)}")
