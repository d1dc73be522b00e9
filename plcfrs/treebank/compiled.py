"""Compiled treebanks: the columns of all tokens and nodes in one file, mapped into memory.

The *places* of a treebank are all nodes and tokens, each before its children, tree after tree, so
that everything below a node is an interval of places. Tokens also have *numbers*, from left to
right. One number stays free after each tree, so that tokens of different trees are never adjacent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.storage import model_file
from plcfrs.storage.files import UNMAPPABLE
from plcfrs.storage.model_file import MODEL, ModelFile
from plcfrs.treebank.files import STANDARD_INPUT
from plcfrs.trees import Label, Node, SecondaryEdge, Token, Tree, render_label
from plcfrs.trees.tree import NULL_TAG

KIND = "treebank"
"""The kind of the file, where models have their family."""

Integers = NDArray[Any]
TEXTS = ("form", "tag", "lemma", "morph", "function")
"""The parts of tokens that are texts."""

OFFSETS = ("start", "end")
"""The parts of tokens that are places in a text."""

_SEPARATOR = "\0"


class Pool:
    """Different texts, each with a number: its index."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = list(texts)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each text."""
        return {text: number for number, text in enumerate(self.texts)}

    def stored(self) -> bytes:
        """Return the texts joined to one."""
        if any(_SEPARATOR in text for text in self.texts):
            raise InputError("cannot compile a text with a NUL character")
        return _SEPARATOR.join(self.texts).encode("utf-8", "surrogatepass")

    @classmethod
    def restored(cls, data: bytes) -> Pool:
        """Return the pool of stored texts."""
        return cls(data.decode("utf-8", "surrogatepass").split(_SEPARATOR))


class NodeKind(NamedTuple):
    """What nodes of a kind have in common: everything but their places."""

    label: Label
    head: int | None
    moved: str | None

    @property
    def printed(self) -> str:
        """The label as it is printed."""
        return render_label(self.label)

    def node(self) -> Node:
        """Return a new node without children."""
        return Node(*self.label, [], self.head, self.moved)


@dataclass(frozen=True)
class Kinds:
    """The kinds of nodes; kind 0 is a token."""

    all: tuple[NodeKind, ...]

    def stored(self) -> str:
        """Return them as JSON, in which named tuples are lists, and surrogates are escaped."""
        return json.dumps(self.all)

    @classmethod
    def restored(cls, text: str) -> Kinds:
        """Return the stored kinds."""
        rows = json.loads(text)
        return cls(tuple(NodeKind(_restored_label(label), *rest) for label, *rest in rows))


def _restored_label(parts: list[Any]) -> Label:
    *own, chain = (tuple(part) if isinstance(part, list) else part for part in parts)
    return Label._make([*own, tuple(map(_restored_label, chain))])


@dataclass(frozen=True, eq=False, repr=False)
class CompiledTrees(Sequence[Tree]):
    """Trees as columns. Indexing makes a tree, equal to the one that was compiled.

    Columns have the narrowest types that hold their values. A column that no token needs is empty.

    Parameters
    ----------
    tree_places, tree_numbers : array of int, shape (trees + 1,)
        The first place and the first token number of each tree, then the ends.
    ids : Pool
        The identifiers of the trees.
    kind, up, size, first, reach : array of int, shape (places,)
        The kind of node (0 for a token), the distance to its mother in places (0 for a root), the
        number of places for it and all below it, the number of its first token (-1 without tokens),
        and the distance to its last token in numbers.
    gapped : array of int
        The places of nodes with gaps, in order.
    gap_starts : array of int, shape (gapped + 1,)
        Where in `gaps` the gaps of each begin.
    gaps : array of int, shape (gaps, 2)
        The first token number in each gap, and the first after it.
    columns : dict of array of int, shape (numbers,)
        The parts of tokens: numbers in `pools`, and the places in the text (-1: not known).
    edges : array of int, shape (edges, 4)
        The secondary edges in order: their trees, labels, and the places of child and mother in
        the tree.
    """

    tree_places: Integers
    tree_numbers: Integers
    ids: Pool
    kinds: Kinds
    kind: Integers
    up: Integers
    size: Integers
    first: Integers
    reach: Integers
    gapped: Integers
    gap_starts: Integers
    gaps: Integers
    pools: dict[str, Pool]
    columns: dict[str, Integers]
    edge_labels: Pool
    edges: Integers

    def check(self) -> None:
        """Raise an InputError if lengths of columns do not fit; a checksum guards the values."""
        places, numbers = int(self.tree_places[-1]), int(self.tree_numbers[-1])
        of_places = (self.kind, self.up, self.size, self.first, self.reach)
        if (
            {len(column) for column in of_places} != {places}
            or not {len(column) for column in self.columns.values()} <= {0, numbers}
            or len(self.tree_numbers) != len(self.tree_places)
            or len(self.gap_starts) != len(self.gapped) + 1
        ):
            raise InputError("the columns do not fit together")

    def __len__(self) -> int:
        return len(self.tree_places) - 1

    def __repr__(self) -> str:
        return f"<CompiledTrees: {len(self)} trees, {len(self.kind)} nodes and tokens>"

    @overload
    def __getitem__(self, number: int) -> Tree: ...
    @overload
    def __getitem__(self, number: slice) -> list[Tree]: ...
    def __getitem__(self, number: int | slice) -> Tree | list[Tree]:
        """Make a tree, or several of them."""
        if isinstance(number, slice):
            return [self[index] for index in range(len(self))[number]]
        return self.elements(range(len(self))[number])[0]

    def __iter__(self) -> Iterator[Tree]:
        return (self[number] for number in range(len(self)))

    def column(self, part: str) -> Integers:
        """Return a column of tokens."""
        column = self.columns[part]
        fill: Any = np.int32(-1) if part in OFFSETS else np.uint8(0)
        return column if len(column) else np.broadcast_to(fill, int(self.tree_numbers[-1]))

    def elements(self, number: int) -> tuple[Tree, list[Node | int]]:
        """Make a tree, and return it with the node or token at each of its places."""
        start, stop = self.tree_places[number : number + 2].tolist()
        base = int(self.tree_numbers[number])
        elements: list[Node | int] = []
        columns = (column[start:stop].tolist() for column in (self.kind, self.up, self.first))
        for kind, up, first in zip(*columns, strict=True):
            element = self.kinds.all[kind - 1].node() if kind else first - base
            if elements:
                mother: Any = elements[-up]
                mother.children.append(element)
            elements.append(element)
        root: Any = elements[0]
        tree = Tree(root, self._tokens(number), self.ids.texts[number])
        left, right = np.searchsorted(self.edges[:, 0], (number, number + 1))
        for _, label, child, parent in self.edges[left:right].tolist():
            mother = elements[parent]
            edge = SecondaryEdge(self.edge_labels.texts[label], elements[child], mother)
            tree.secondary_edges.append(edge)
        return tree, elements

    def _tokens(self, number: int) -> list[Token]:
        start, stop = self.tree_numbers[number : number + 2].tolist()
        tokens = list(map(Token, *(self.texts(part, start, stop - 1) for part in TEXTS)))
        for part in OFFSETS:
            places = self.columns[part][start : stop - 1].tolist()
            for token, place in zip(tokens, places, strict=False):  # an empty column: not known
                setattr(token, part, None if place < 0 else place)
        return tokens

    def tree_of(self, places: Integers) -> Integers:
        """Return the numbers of the trees of places, from 0."""
        found: Integers = np.searchsorted(self.tree_places, places, side="right") - 1
        return found

    def runs(self, place: int) -> list[tuple[int, int]]:
        """Return the intervals of token numbers of a place, as half-open ranges."""
        first = int(self.first[place])
        if first < 0:
            return []
        at = np.searchsorted(self.gapped, (place, place + 1))
        left, right = self.gap_starts[at].tolist()
        gaps = self.gaps[left:right].ravel().tolist()
        bounds = [first, *gaps, first + int(self.reach[place]) + 1]
        return list(zip(bounds[::2], bounds[1::2], strict=True))

    @cached_property
    def overt_before(self) -> Integers:
        """How many tokens that are not null elements come before each number, and in total."""
        is_overt = self.column("tag") != self.pools["tag"].numbers.get(NULL_TAG, -1)
        is_overt[self.tree_numbers[1:] - 1] = False  # free numbers
        return np.append(0, np.cumsum(is_overt, dtype=np.int32))

    def counts(self, places: Integers, before: Integers) -> Integers:
        """Return how many tokens of places count, given how many count before each number."""
        first = np.maximum(self.first[places], 0)
        end = np.where(self.first[places] < 0, 0, first + self.reach[places] + 1)
        sums = np.append(0, np.cumsum(before[self.gaps[:, 1]] - before[self.gaps[:, 0]]))
        left, right = self.gap_starts[np.searchsorted(self.gapped, (places, places + 1))]
        found: Integers = before[end] - before[first] - (sums[right] - sums[left])
        return found

    def texts(self, part: str, left: int, right: int) -> list[str]:
        """Return a part of the tokens with the numbers of a half-open range."""
        texts = self.pools[part].texts
        return [texts[number] for number in self.column(part)[left:right].tolist()]

    def without_splits(self) -> CompiledTrees:
        """Return the same trees without category splits."""
        kinds = (kind._replace(label=kind.label._replace(split="")) for kind in self.kinds.all)
        return replace(self, kinds=Kinds(tuple(kinds)))

    def save(self, path: str | Path) -> None:
        """Write the trees to a file, always to the same bytes."""
        model_file.save(path, ModelFile.of(KIND, **{MODEL: self}))

    @classmethod
    def load(cls, path: str | Path) -> CompiledTrees:
        """Map the file of `save` into memory.

        Raises
        ------
        GrammarError
            If the file is not a compiled treebank, or is damaged.
        """
        with model_file.opened(path) as contents:
            if contents.kind != KIND:
                raise GrammarError("this is a trained parser, not a treebank")
            return contents.read(MODEL, cls)


def spread(starts: Integers, counts: Integers) -> Integers:
    """Return the numbers of several intervals, one after the other.

    >>> spread(np.array([5, 9]), np.array([3, 1])).tolist()
    [5, 6, 7, 9]
    """
    ends = np.cumsum(counts)
    found: Integers = np.repeat(starts - ends + counts, counts)
    return found + np.arange(len(found))


def open_compiled(path: str) -> CompiledTrees:
    """Return the trees of a file; it is opened again only after it has changed.

    Raises
    ------
    TreebankError
        If the file is not a compiled treebank, is damaged, or is in a pipe or packed.
    """
    file = Path(path)
    if path == STANDARD_INPUT or path.endswith(".gz") or (file.exists() and not file.is_file()):
        raise TreebankError(UNMAPPABLE, path)
    try:
        changed = file.stat().st_mtime_ns
    except FileNotFoundError as error:
        raise TreebankError(f"cannot be read: {error.strerror}", path) from None
    except NotADirectoryError:  # a member of a zip file
        raise TreebankError(UNMAPPABLE, path) from None
    return _opened(path, changed)


@lru_cache(maxsize=8)
def _opened(path: str, _: int) -> CompiledTrees:
    try:
        return CompiledTrees.load(path)
    except GrammarError:
        raise TreebankError(
            "not a compiled treebank of this version, or damaged: compile it with plcfrs index",
            path,
        ) from None
