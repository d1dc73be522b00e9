"""The labeler, which finds the relations of tokens to their heads.

The relations of a head's dependents are a chain, from the first one on its left to the last one on
its right (Fernández-González and Martins 2015, section 4.2). Features are about an arc, or about
two neighbouring dependents. The end of a chain is a step of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

import numpy as np

from plcfrs.errors import InputError
from plcfrs.learning.kernel.arrays import Averages
from plcfrs.learning.sequences import CandidateLists, Steps, check_lists, find, train
from plcfrs.learning.templates import ContextTemplates, Keys, folded, listed, number
from plcfrs.learning.weights import weights_of
from plcfrs.trees import DependencyTree, Token

# Positions whose words and tags are atoms: the head and the dependent, the tokens around them, the
# dependents before and after, the next dependents nearer to the head and farther from it, the
# head's own head, the ends of the dependent's subtree and its children, and the first and the last
# dependent.
_POSITIONS = listed(
    """
    head, head-1, head+1, own, own-1, own+1, before, after, before2, after2, nearer, farther,
    grandhead, left, right, left-1, right+1, first_child, last_child, first, last
    """
)

# The side of the dependent and its distance; the tags between; its number, counted from the head;
# the numbers of dependents on its side and on the other; the tags of all dependents of the head,
# and of those on either side; the same for the dependent itself; whether the head is between tokens
# below the dependent; the side of the head's own head; and the place of the pair.
_NUMBERS = listed(
    """
    side, distance, between, index, same, other, frame, left_frame, right_frame, below, left_below,
    right_below, around, grandside, pair
    """
)
_ATOMS = (
    *(f"word:{position}" for position in _POSITIONS),
    *(f"tag:{position}" for position in _POSITIONS),
    *_NUMBERS,
)

# Our templates, after McDonald et al. (2006) and the paper's appendix. H and D are the tags of the
# head and the dependent, h and d are their words.
_SHORT = {"H": "tag:head", "D": "tag:own", "h": "word:head", "d": "word:own"}
_ARC_TEMPLATES = listed(
    """
    H, D, h, d, H D, h D, H d, h d, H D side, h D side, H d side, h d side, H D side distance,
    H D between, H D tag:head-1 tag:own-1, H D tag:head+1 tag:own+1, H D tag:head+1 tag:own-1,
    H D tag:head-1 tag:own+1, D tag:own-1, D tag:own+1, D word:own-1, D word:own+1, H tag:head-1,
    H tag:head+1, side index, side index same other, H D side index, D side index same,
    H side index same, h side index same, d side index same, H D index pair, H D tag:nearer side,
    H D tag:farther side, D tag:nearer tag:farther side, H D tag:before tag:after,
    H D word:nearer side, H D word:farther side, H d tag:nearer side, H d tag:farther side,
    h D tag:nearer side, h D tag:farther side, H D tag:first tag:last, D tag:first tag:last,
    D tag:before tag:before2, D tag:after tag:after2, H frame index side, H left_frame index side,
    H right_frame index side, H D left_frame, H D right_frame, frame index side, H D tag:grandhead,
    H D tag:grandhead grandside, H D word:grandhead, tag:grandhead grandside index side,
    tag:grandhead H index side, D tag:first_child tag:last_child, H D tag:first_child,
    H D tag:last_child, D below, H D below, left_below D side, right_below D side,
    tag:left tag:right side, H tag:left tag:right, H D word:left, H D word:right, H D tag:left-1,
    H D tag:right+1, word:left side, word:right side, word:left-1 D, word:right+1 D, around D,
    around H D, around side index
    """
)
_PAIR_TEMPLATES = listed(
    """
    pair, H pair, H D tag:before pair, D tag:before pair, h D tag:before pair, H d tag:before pair,
    H D word:before pair, H D pair, H tag:before pair
    """
)

# Places and numbers of dependents above this one count as this.
_MOST = 15
_DISTANCES = (5, 8, 15)


def _spelled(template: str) -> str:
    return " ".join(_SHORT.get(atom, atom) for atom in template.split())


_ARCS = ContextTemplates(_ATOMS, list(map(_spelled, _ARC_TEMPLATES)))
_PAIRS = ContextTemplates(_ATOMS, list(map(_spelled, _PAIR_TEMPLATES)))


class ChainFeatures:
    """The chains of dependents of a sentence with heads.

    Parameters
    ----------
    heads : sequence of int
        The number of the head of each token, from 1; 0 stands for the root. They may have cycles.

    Attributes
    ----------
    start : list of int
        Where the chain of each head with dependents starts, and where the last one ends.
    arcs : list of (int, int)
        The head and the dependent of each step; the dependent is 0 at the end of a chain.

    Raises
    ------
    ValueError
        If a token has no head, or a head is out of range.
    """

    def __init__(self, tokens: Sequence[Token], heads: Sequence[int]) -> None:
        length = len(tokens)
        if len(heads) != length or not all(0 <= head <= length for head in heads):
            raise ValueError("heads must be numbers of tokens, one for each token")
        self._outside = length + 1
        self._heads = heads
        self._words = [1, *(number(token.form) for token in tokens), 0]
        self._tags = [1, *(number(token.tag) for token in tokens), 0]
        self._dependents: list[list[int]] = [[] for _ in range(length + 1)]
        for dependent, head in enumerate(heads, start=1):
            self._dependents[head].append(dependent)
        self._left, self._right = _ends_below(self._dependents)
        self._frames = [self._frames_of(head) for head in range(length + 1)] + [(0, 0, 0)]
        self.start = [0]
        self.arcs: list[tuple[int, int]] = []
        for head, dependents in enumerate(self._dependents):
            if dependents:
                self.arcs += [(head, dependent) for dependent in [*dependents, 0]]
                self.start.append(len(self.arcs))

    def keys(self) -> tuple[Keys, Keys]:
        """Return the keys of the features of all steps, and the keys of the features of pairs.

        Steps at the ends of chains have only features of pairs.
        """
        atoms = self.atoms()
        keys = _ARCS.keys(atoms)
        keys[[dependent == 0 for _, dependent in self.arcs]] = 0
        return keys, _PAIRS.keys(atoms)

    def atoms(self) -> Keys:
        """Return the atoms of all steps."""
        rows = [
            self._step(head, place, dependents)
            for head, dependents in enumerate(self._dependents)
            if dependents
            for place in range(len(dependents) + 1)
        ]
        places = np.array([row[: len(_POSITIONS)] for row in rows], np.int64)
        numbers = np.array([row[len(_POSITIONS) :] for row in rows], np.uint64)
        # Nothing is before the root, nor after the last token.
        places = places.reshape(-1, len(_POSITIONS)) % (self._outside + 1)
        words, tags = np.array([self._words, self._tags], np.uint64)
        return np.hstack([words[places], tags[places], numbers.reshape(-1, len(_NUMBERS))])

    def _step(self, head: int, place: int, dependents: list[int]) -> list[int]:
        """Return the positions and the numbers of a step."""
        outside = self._outside
        left = bisect_left(dependents, head)
        around = [outside, outside, *dependents, outside, outside, outside]
        before2, before, own, after, after2 = around[place : place + 5]
        pair = _place_of_pair(place, left, len(dependents))
        grandhead = self._heads[head - 1] if head else outside
        grandside = 1 + (grandhead < head)
        if own == outside:
            ends = children = [outside, outside]
            numbers = [0] * 6 + [*self._frames[head], 0, 0, 0, 0]
            nearer = farther = outside
        else:
            ends = [self._left[own], self._right[own]]
            children = self._dependents[own] or [outside]
            is_left = own < head
            index, same = (
                (left - place, left) if is_left else (place - left + 1, len(dependents) - left)
            )
            nearer, farther = (after, before) if is_left else (before, after)
            if index == 1:
                nearer = head
            between = range(own + 1, head) if is_left else range(head + 1, own)
            numbers = [
                1 + is_left,
                _distance(len(between) + 1),
                reduce(xor, {self._tags[token] for token in between}, 0),
                min(index, _MOST),
                min(same, _MOST),
                min(len(dependents) - same, _MOST),
                *self._frames[head],
                *self._frames[own],
                1 + (ends[0] <= head <= ends[1]),
            ]
        return [
            head,
            head - 1,
            head + 1,
            own,
            own - 1,
            min(own + 1, outside),
            before,
            after,
            before2,
            after2,
            nearer,
            farther,
            grandhead,
            *ends,
            ends[0] - 1,
            min(ends[1] + 1, outside),
            children[0],
            children[-1],
            dependents[0],
            dependents[-1],
            *numbers,
            grandside,
            pair,
        ]

    def _frames_of(self, head: int) -> tuple[int, int, int]:
        """Return numbers for the tags of all dependents, of the left ones and of the right ones."""
        dependents = self._dependents[head]
        border = bisect_left(dependents, head)
        tags = [self._tags[dependent] for dependent in dependents]
        left, right = folded(tags[:border]), folded(tags[border:])
        return folded([left, right]), left, right


def _place_of_pair(place: int, left: int, dependents: int) -> int:
    """Return a number: the pair is at the start, at the end, around the head, or on a side."""
    if place == dependents:
        return 1 if dependents == left else 2
    if place == 0:
        return 3 if left else 4
    return 5 if place < left else 6 if place == left else 7


def _distance(distance: int) -> int:
    return min(distance, _DISTANCES[0]) + sum(distance >= least for least in _DISTANCES[1:])


def _ends_below(dependents: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Return the first and the last token below each token; a token on a cycle counts alone."""
    left, right = list(range(len(dependents))), list(range(len(dependents)))
    order = [(0, dependent) for dependent in dependents[0]]
    for _, head in order:
        order += [(head, dependent) for dependent in dependents[head]]
    for head, dependent in reversed(order):
        left[head] = min(left[head], left[dependent])
        right[head] = max(right[head], right[dependent])
    return left, right


# The numbers of the relations seen between the tags of a head (None for the root) and a dependent.
Seen = Mapping[tuple[str | None, str], Sequence[int]]


_END = "end"


@dataclass(eq=False, repr=False)
class Labeler:
    """A trained labeler.

    Parameters
    ----------
    seen : mapping of (head's tag or None, tag) to numbers of relations
        The relations seen between two tags; the root has no tag.
    averages : Averages
        Of the weights, over the training.

    Examples
    --------
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> tree = DependencyTree(tokens, [2, 0], ["S#1", "root"])
    >>> Labeler.train([tree] * 2)(tokens, [2, 0])
    ['S#1', 'root']
    """

    relations: tuple[str, ...]
    seen: Seen
    averages: Averages

    def __post_init__(self) -> None:
        check_lists(self.seen.values(), len(self.relations))
        self.weights = weights_of(self.averages, len(self.relations) + 1)
        self._candidates = _candidate_lists(self.seen, len(self.relations))

    @classmethod
    def train(cls, trees: Sequence[DependencyTree], seed: int = 1) -> Labeler:
        """Train a labeler; the same seed gives the same labeler.

        It learns from the heads of the trees. Learning from heads that a parser finds in its
        training sentences (jackknifed) gave worse constituents on files 0160-0179 of the Penn
        Treebank sample, even if only the dependents with the right head counted.
        """
        if not any(tree.tokens for tree in trees):
            raise InputError("there are no dependencies to train a labeler on")
        relations = tuple(sorted({relation for tree in trees for relation in tree.relations}))
        numbers = {relation: number for number, relation in enumerate(relations)}
        seen = _seen(trees, numbers)
        candidates = _candidate_lists(seen, len(relations))
        sentences, gold = [], []
        for tree in trees:
            features = ChainFeatures(tree.tokens, tree.heads)
            sentences.append(_steps(features, tree.tokens, candidates))
            labels = [len(relations), *(numbers[relation] for relation in tree.relations)]
            gold += [labels[dependent] for _, dependent in features.arcs]
        weights = train(Steps.joined(sentences), gold, candidates.arrays, len(relations) + 1, seed)
        return cls(relations, seen, weights.averages)

    def __call__(self, tokens: Sequence[Token], heads: Sequence[int]) -> list[str]:
        """Return the relation of each tagged token to its head.

        Heads count from 1, and 0 stands for the root; they need not be a tree. Raise a ValueError
        if a token has no head, or a head is out of range.
        """
        features = ChainFeatures(tokens, heads)
        steps = _steps(features, tokens, self._candidates)
        labels = find(self.weights, steps, self._candidates.arrays, len(self.relations) + 1)
        relations = [""] * (len(tokens) + 1)
        for (_, dependent), label in zip(features.arcs, labels, strict=True):
            if dependent:
                relations[dependent] = self.relations[label]
        return relations[1:]


def _seen(trees: Iterable[DependencyTree], numbers: Mapping[str, int]) -> Seen:
    seen: dict[tuple[str | None, str], set[int]] = defaultdict(set)
    for tree in trees:
        tags = [None, *(token.tag for token in tree.tokens)]
        for token, head, relation in zip(tree.tokens, tree.heads, tree.relations, strict=True):
            seen[tags[head], token.tag].add(numbers[relation])
    order = sorted(seen, key=lambda tags: (tags[0] or "", tags[0] is not None, tags[1]))
    return {tags: sorted(seen[tags]) for tags in order}


def _candidate_lists(seen: Seen, end: int) -> CandidateLists:
    """Return the candidates for a pair of tags, for a single tag, for any tags, and for the end."""
    lists: dict[Hashable, set[int]] = defaultdict(set)
    for tags, labels in seen.items():
        for key in _candidate_keys(*tags):
            lists[key].update(labels)
    return CandidateLists({**lists, _END: {end}})


def _candidate_keys(head: str | None, tag: str) -> Iterator[Hashable]:
    """Yield the keys of lists of candidates, the most specific one first."""
    is_root = head is None
    yield head, tag
    yield "head", is_root, head
    yield "dependent", is_root, tag
    yield is_root
    yield "all"


def _steps(features: ChainFeatures, tokens: Sequence[Token], candidates: CandidateLists) -> Steps:
    tags = [None, *(token.tag for token in tokens)]
    lists = [
        candidates.find(
            _candidate_keys(tags[head], tokens[dependent - 1].tag) if dependent else [_END]
        )
        for head, dependent in features.arcs
    ]
    return Steps(features.start, *features.keys(), lists)
