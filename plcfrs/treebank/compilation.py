"""Compiling treebanks: turning trees into columns, and joining parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from plcfrs.stopping import check_stopped, until_stopped
from plcfrs.treebank.compiled import (
    OFFSETS,
    TEXTS,
    CompiledTrees,
    Integers,
    Kinds,
    NodeKind,
    Pool,
    spread,
)
from plcfrs.trees import Label, Node, Token, Tree

PART = 2000
"""The number of trees that are compiled at a time: so many that they share most texts."""

_Key = TypeVar("_Key")
_FREE = Token("", "")  # for the free number after a tree
_NONE = np.iinfo(np.int32).max  # the first token of a node, until it is known
_LABEL = len(Label._fields)
_PLACES = ("kind", "up", "size", "first", "reach")
_EDGES = "labels of secondary edges"
_NOTHING = np.zeros(0, np.uint8)

_kind_parts = attrgetter(*Label._fields, "head", "moved")


class _Numbers(dict[_Key, int]):
    """Numbers keys in the order of their first use."""

    def __missing__(self, key: _Key) -> int:
        self[key] = number = len(self)
        return number

    def translate(self, keys: Iterable[_Key]) -> Integers:
        """Return the numbers of keys."""
        return np.array([*map(self.__getitem__, keys)], np.int32)


def _texts() -> _Numbers[str]:
    """Return numbers of texts; 0 is the empty text, which the free number after a tree has."""
    return _Numbers({"": 0})


def elements_of(tree: Tree) -> list[Node | int]:
    """Return the nodes and positions of a tree in the order of their places.

    >>> elements_of(Tree(Node("ROOT", children=[1, 0]), []))[1:]
    [1, 0]
    """
    elements: list[Node | int] = []
    stack: list[Node | int] = [tree.root]
    while stack:
        element = stack.pop()
        elements.append(element)
        stack += reversed(element.children) if isinstance(element, Node) else ()
    return elements


def compile_trees(trees: Iterable[Tree]) -> CompiledTrees:
    """Return trees as columns.

    >>> trees = compile_trees([Tree.from_string("(S (VP (WP 0=What) (VB 2=do)) (PRP 1=we))")])
    >>> print(trees[0])
    (ROOT (S (VP (WP 0=What) (VB 2=do)) (PRP 1=we)))
    """
    return joined(list(compiled_parts(trees)))


def compiled_parts(trees: Iterable[Tree], part: int = PART) -> Iterator[CompiledTrees]:
    """Yield trees as columns, up to `part` at a time."""
    rest = iter(trees)
    while batch := list(islice(rest, part)):
        yield compile_part(batch)


def compile_part(trees: Iterable[Tree]) -> CompiledTrees:
    """Return trees as columns; more than `PART` at once waste memory."""
    trees = list(trees)
    tokens = [token for tree in trees for token in (*tree.tokens, _FREE)]
    tree_numbers = _starts([len(tree.tokens) + 1 for tree in trees])
    pools = {part: _texts() for part in TEXTS}
    columns = {
        name: numbers.translate(map(attrgetter(name), tokens)) for name, numbers in pools.items()
    }
    for name in OFFSETS:
        places = map(attrgetter(name), tokens)
        columns[name] = np.array([-1 if each is None else each for each in places], np.int32)
    edge_labels = _texts()
    edges = [
        edge for number, tree in enumerate(trees) for edge in _edges(number, tree, edge_labels)
    ]
    return _narrowed(
        CompiledTrees(
            **_shape([tree.root for tree in trees], tree_numbers),
            tree_numbers=tree_numbers,
            ids=Pool(tree.id for tree in trees),
            pools={name: Pool(numbers) for name, numbers in pools.items()},
            columns=columns,
            edges=np.array(edges, np.int32).reshape(-1, 4),
            edge_labels=Pool(edge_labels),
        )
    )


def _starts(counts: Iterable[int]) -> Integers:
    """Return the starts of adjacent intervals, given their lengths, and the end of the last."""
    return np.array([0, *accumulate(counts)], np.int32)


def _edges(number: int, tree: Tree, labels: _Numbers[str]) -> Iterator[tuple[int, int, int, int]]:
    if tree.secondary_edges:
        places = {element: place for place, element in enumerate(elements_of(tree))}
        for edge in tree.secondary_edges:
            yield number, labels[edge.label], places[edge.child], places[edge.parent]


def joined(parts: Sequence[CompiledTrees]) -> CompiledTrees:
    """Return the trees of all parts as one."""
    if not parts:
        return compile_part([])
    if len(parts) == 1:
        return parts[0]
    texts = {name: _texts() for name in (*TEXTS, _EDGES)}
    kinds: _Numbers[NodeKind] = _Numbers()
    sizes = np.array([(len(p), len(p.kind), len(p.column(TEXTS[0])), len(p.gaps)) for p in parts])
    before = (np.cumsum(sizes, axis=0) - sizes).astype(np.int32)
    shifted = [
        _shifted(part, _Offsets._make(offsets), kinds, texts)
        for part, offsets in zip(parts, before, strict=True)
    ]
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in shifted])
        for name in (*_PLACES, "gapped", "gaps", "edges")
    }
    starts: dict[str, Any] = {
        name: np.concatenate([np.zeros(1, np.int32), *(getattr(part, name) for part in shifted)])
        for name in ("tree_places", "tree_numbers", "gap_starts")
    }
    columns = {
        name: np.concatenate([part.columns[name] for part in shifted])
        for name in (*TEXTS, *OFFSETS)
    }
    return _narrowed(
        CompiledTrees(
            **arrays,
            **starts,
            ids=Pool(text for part in parts for text in part.ids.texts),
            kinds=Kinds(tuple(kinds)),
            pools={name: Pool(texts[name]) for name in TEXTS},
            columns=columns,
            edge_labels=Pool(texts[_EDGES]),
        )
    )


class _Offsets(NamedTuple):
    """How many trees, places, numbers and gaps come before a part."""

    trees: int
    places: int
    numbers: int
    gaps: int


def _shifted(
    part: CompiledTrees,
    before: _Offsets,
    kinds: _Numbers[NodeKind],
    texts: dict[str, _Numbers[str]],
) -> CompiledTrees:
    """Return a part with the numbers that it has behind other parts."""
    columns = {name: part.column(name) for name in OFFSETS}
    for name, pool in part.pools.items():
        columns[name] = _narrow(texts[name].translate(pool.texts))[part.column(name)]
    edges = part.edges + np.array([before.trees, 0, 0, 0], np.int32)
    edges[:, 1] = texts[_EDGES].translate(part.edge_labels.texts)[part.edges[:, 1]]
    return replace(
        part,
        tree_places=part.tree_places[1:] + before.places,
        tree_numbers=part.tree_numbers[1:] + before.numbers,
        kind=_narrow(np.append(0, kinds.translate(part.kinds.all) + 1))[part.kind],
        first=np.where(part.first < 0, np.int32(-1), part.first + before.numbers),
        gapped=part.gapped + before.places,
        gap_starts=part.gap_starts[1:] + before.gaps,
        gaps=part.gaps + before.numbers,
        columns=columns,
        edges=edges,
    )


def _narrowed(trees: CompiledTrees) -> CompiledTrees:
    """Return the same columns in the narrowest types that hold their values."""
    columns = {
        name: _narrow(column) if len(column) and (column != column[-1]).any() else _NOTHING
        for name, column in trees.columns.items()
    }
    narrow: dict[str, Any] = {
        name: _narrow(getattr(trees, name)) for name in _PLACES if name != "first"
    }
    return replace(trees, columns=columns, **narrow)


def _narrow(column: Integers) -> Integers:
    if not len(column) or column.min() < 0:
        return column.astype(np.int32)
    return column.astype(np.min_scalar_type(column.max()))


class _Level:
    """The nodes and tokens of all trees at one depth."""

    def __init__(self, elements: list[Node | int], trees: Integers) -> None:
        self.nodes = [element for element in elements if not isinstance(element, int)]
        self.tokens = [element for element in elements if isinstance(element, int)]
        self.is_node = np.array([not isinstance(element, int) for element in elements], bool)
        self.trees = trees
        self.counts = np.zeros(len(elements), np.int32)  # of children
        self.counts[self.is_node] = [len(node.children) for node in self.nodes]
        self.has_children = self.counts > 0
        self.starts = (np.cumsum(self.counts) - self.counts)[self.has_children]

    def next(self) -> _Level:
        """Return the next level, the children."""
        children = [child for node in self.nodes for child in node.children]
        return _Level(children, np.repeat(self.trees, self.counts))

    def measure(self, below: Integers, tree_numbers: Integers) -> Integers:
        """Return the sizes, first and last tokens of the elements, given those of the children."""
        measures = np.ones((3, len(self.trees)), np.int32)
        measures[1], measures[2] = _NONE, -1
        measures[1:, ~self.is_node] = tree_numbers[self.trees[~self.is_node]] + np.array(
            self.tokens, np.int32
        )
        if len(self.starts):
            measures[0, self.has_children] += np.add.reduceat(below[0], self.starts)
            measures[1, self.has_children] = np.minimum.reduceat(below[1], self.starts)
            measures[2, self.has_children] = np.maximum.reduceat(below[2], self.starts)
        return measures

    def places_below(self, places: Integers, sizes: Integers) -> Integers:
        """Return the places of the children, given those of the elements."""
        before = np.cumsum(sizes) - sizes
        first = np.repeat(before[self.starts], self.counts[self.has_children])
        found: Integers = np.repeat(places, self.counts) + 1 + before - first
        return found


def _shape(roots: list[Node], tree_numbers: Integers) -> dict[str, Any]:
    """Return the columns of places: levels are measured bottom-up, then placed top-down."""
    levels = [_Level([*roots], np.arange(len(roots)))]
    while len(levels[-1].starts):
        check_stopped()
        levels.append(levels[-1].next())
    measures = [np.zeros((3, 0), np.int32)]
    for level in until_stopped(reversed(levels)):
        measures.append(level.measure(measures[-1], tree_numbers))
    tree_places = _starts(measures[-1][0].tolist())
    kind, up, size, first, last = columns = np.zeros((5, tree_places[-1]), np.int32)
    numbers: _Numbers[Any] = _Numbers({None: 0})
    places = mothers = tree_places[:-1]
    for level, below in until_stopped(zip(levels, measures[-2::-1], strict=True)):
        kind[places[level.is_node]] = [numbers[_kind_parts(node)] for node in level.nodes]
        up[places] = places - mothers
        columns[2:, places] = measures.pop()
        mothers, places = np.repeat(places, level.counts), level.places_below(places, below[0])
    kinds, first_at = np.unique(kind[kind > 0], return_index=True)
    in_order = np.argsort(first_at)  # kinds are numbered by their first places
    kind[:] = np.append(0, np.argsort(in_order) + 1)[kind]
    first[last < 0] = -1
    before = np.append(0, np.cumsum(kind == 0))
    tokens = before[np.arange(len(kind)) + size] - before[:-1]
    gapped = np.flatnonzero((last - first + 1 != tokens) & (last >= 0)).astype(np.int32)
    starts, gaps = _gaps(gapped, size, np.where(kind == 0, first, -1))
    all_parts = list(numbers)
    ordered = (all_parts[number] for number in kinds[in_order].tolist())
    return {
        "tree_places": tree_places,
        "kinds": Kinds(tuple(NodeKind(Label(*p[:_LABEL]), *p[_LABEL:]) for p in ordered)),
        "kind": kind,
        "up": up,
        "size": size,
        "first": first,
        "reach": last - first,
        "gapped": gapped,
        "gap_starts": starts,
        "gaps": gaps,
    }


def _gaps(gapped: Integers, size: Integers, number: Integers) -> tuple[Integers, Integers]:
    """Return the starts of the gaps of some places, and the gaps; the number of nodes is -1."""
    owners = np.repeat(np.arange(len(gapped)), size[gapped])
    numbers = number[spread(gapped, size[gapped])]
    order = np.lexsort((numbers, owners))
    owners, numbers = owners[order], numbers[order]
    is_gap = (np.diff(numbers) > 1) & (np.diff(owners) == 0) & (numbers[:-1] >= 0)
    at = np.flatnonzero(is_gap)
    starts = np.cumsum(np.bincount(owners[at] + 1, minlength=len(gapped) + 1))
    return starts.astype(np.int32), np.stack([numbers[at] + 1, numbers[at + 1]], axis=1)
