"""Averaged perceptrons that label sequences (Collins 2002), and a tagger for any language.

A sequence has tokens, dependents or constituents. The features of the tagger describe the words
around a token: their spelling, prefixes and suffixes. Each feature is a key of 64 bits.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.learning.kernel import sequences as kernel
from plcfrs.learning.kernel.arrays import Averages, Int32, Keys, Weights
from plcfrs.learning.kernel.sequences import Beams, Candidates, Sequences
from plcfrs.learning.templates import ContextTemplates, collapsed, digest, listed, outline_of
from plcfrs.learning.weights import averaged, enlarge_weights, new_weights, weights_of
from plcfrs.trees import Token, Tree

_EPOCHS = 10
_BEAM = 5

# The least count of features that are learned: rarer ones help little, and without them words seen
# once look like unknown words.
_LEAST = 2

_UNKNOWN = np.zeros(0, np.int32)


class CandidateLists:
    """Lists of the labels that a search can choose from, by keys.

    Parameters
    ----------
    lists : mapping of key to labels
        The numbers of the candidates; no list is empty.

    Attributes
    ----------
    arrays : Candidates
        The lists for kernels.

    Examples
    --------
    >>> lists = CandidateLists({("NP", "DT"): {4, 2}, ("NP",): {1, 2, 4}})
    >>> lists.find([("NP", "DT"), ("NP",)]), lists.find([("NP", "JJ"), ("NP",)])
    (0, 1)
    >>> lists.arrays.labels.tolist()
    [2, 4, 1, 2, 4]
    """

    def __init__(self, lists: Mapping[Any, Iterable[int]]) -> None:
        self._numbers = {key: number for number, key in enumerate(lists)}
        parts = list(map(sorted, lists.values()))
        self.arrays = Candidates(
            np.cumsum([0, *map(len, parts)], dtype=np.int64),
            np.array([label for part in parts for label in part], np.int32),
        )

    def find(self, keys: Iterable[Hashable]) -> int:
        """Return the number of the list of the first key that has one."""
        return next(self._numbers[key] for key in keys if key in self._numbers)


def check_lists(lists: Collection[Sequence[int]], labels: int) -> None:
    """Raise a ValueError if there are no lists, one is empty, or a label is out of range."""
    if (
        not lists
        or not all(lists)
        or not all(label in range(labels) for each in lists for label in each)
    ):
        raise ValueError("the lists of candidates are damaged")


class Steps(NamedTuple):
    """The steps of some sequences.

    Parameters
    ----------
    start : sequence of int
        Where each sequence starts among the steps, and where the last one ends.
    keys : array of (steps, features)
        0 stands for no feature.
    pair_keys : array of (steps, features)
        Features that are combined with the label of the step before.
    candidates : sequence of int
        The number of the list of candidates of each step.
    triple_keys : array of (features,)
        Features of all steps that are combined with the two labels before.
    """

    start: Sequence[int]
    keys: Keys
    pair_keys: Keys
    candidates: Sequence[int]
    triple_keys: Keys = np.zeros(0, np.uint64)

    @classmethod
    def joined(cls, parts: Sequence[Steps]) -> Steps:
        """Return the steps of one or more parts, without features of two labels."""
        lengths = (end - start for part in parts for start, end in pairwise(part.start))
        return cls(
            [0, *accumulate(lengths)],
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.pair_keys for part in parts]),
            [number for part in parts for number in part.candidates],
        )

    def compiled(self, is_used: NDArray[np.bool_], gold: Int32 = _UNKNOWN) -> Sequences:
        """Return the steps as arrays, with only the used features."""
        return Sequences(
            np.array(self.start, np.int64),
            np.append(0, np.cumsum(is_used.sum(axis=1))),
            self.keys[is_used],
            self.pair_keys,
            self.triple_keys,
            np.array(self.candidates, np.int32),
            gold,
        )


def train(
    steps: Steps, gold: Sequence[int], candidates: Candidates, labels: int, seed: int
) -> Weights:
    """Return the averaged weights of a perceptron (Collins 2002).

    Parameters
    ----------
    steps : Steps
    gold : sequence of int
        The labels of all steps.
    candidates : Candidates
    labels : int
        Number of labels.
    seed : int
        Of the order of the sequences.
    """
    sequences = steps.compiled(frequent_features(steps.keys), np.array(gold, np.int32))
    weights, beams = new_weights(actions=labels), new_beams(sequences, candidates, labels)
    size = len(sequences.start) - 1
    random = np.random.default_rng(seed)
    for epoch in range(_EPOCHS):
        order = random.permutation(size)
        counters = np.zeros(kernel.COUNTERS, np.int64)
        while counters[kernel.PLACE] < size:
            time = float(epoch * size)
            kernel.learn_labels(weights, sequences, candidates, beams, order, time, counters)
            if counters[kernel.PLACE] < size:
                weights = enlarge_weights(weights)
        if counters[kernel.MISTAKES] == 0:
            break
    return averaged(weights, float((epoch + 1) * size))


def find(weights: Weights, steps: Steps, candidates: Candidates, labels: int) -> list[int]:
    """Return the best label of each step; see `train`."""
    sequences = steps.compiled(steps.keys != 0)
    best = np.empty(len(steps.keys), np.int32)
    kernel.find_all_labels(
        weights, sequences, candidates, new_beams(sequences, candidates, labels), best
    )
    return best.tolist()


def new_beams(sequences: Sequences, candidates: Candidates, labels: int) -> Beams:
    """Return arrays for the search in the longest sequence.

    Without features of two labels, they have room for all candidates, so the search is exact.
    """
    beam = _BEAM if len(sequences.triple_keys) else int(np.diff(candidates.start).max())
    steps = int(np.diff(sequences.start).max(initial=0))
    context = sequences.pair_keys.shape[1] + len(sequences.triple_keys)
    features = int(np.diff(sequences.key_start).max(initial=0))
    return Beams(
        step_scores=np.empty(labels),
        context_scores=np.empty(labels),
        size=np.empty(steps + 1, np.int32),
        score=np.empty((steps + 1, beam)),
        label=np.empty((steps + 1, beam), np.int32),
        before=np.zeros((steps + 1, beam), np.int32),
        best=np.empty(steps, np.int32),
        keys=np.empty(context, np.uint64),
        rows=np.empty(max(features, context), np.uint32),
    )


def frequent_features(keys: Keys) -> NDArray[np.bool_]:
    """Return which of the keys (steps, features) are frequent enough to learn from."""
    is_frequent: NDArray[np.bool_] = keys != 0
    for template, column in enumerate(keys.T):  # one by one, to save memory
        _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
        is_frequent[:, template] &= (counts >= _LEAST)[places]
    return is_frequent


# Ratnaparkhi (1996), and combinations that did best on files 0160-0179 of the Penn Treebank sample
# and in the Potsdam Commentary Corpus. A number is the position of the token, relative to the
# tagged one.
TEMPLATES = listed(
    """
    form[0], lower[0], form[-1], form[1], form[-1] form[0], form[0] form[1], form[-1] form[1],
    prefix1[0], prefix2[0], prefix3[0], prefix4[0], suffix1[0], suffix2[0], suffix3[0], suffix4[0],
    suffix5[0], pattern[0], outline[0], marks[0], pattern[-1], pattern[1], pattern[-1] pattern[0],
    pattern[0] pattern[1], form[-1] pattern[0], suffix3[-1], suffix3[1], pattern[0] suffix3[0],
    suffix3[-1] suffix3[0], suffix3[0] suffix2[1]
    """
)

_ATTRIBUTES = listed(
    """
    form, lower, pattern, outline, marks, prefix1, prefix2, prefix3, prefix4, suffix1, suffix2,
    suffix3, suffix4, suffix5
    """
)
_REACH = 1  # tokens on either side
_OUTSIDE = np.ones(len(_ATTRIBUTES), np.uint64).tobytes()
_KEYS = ContextTemplates(
    [f"{name}[{place}]" for place in range(-_REACH, _REACH + 1) for name in _ATTRIBUTES], TEMPLATES
)


def features(words: Sequence[str]) -> Keys:
    """Return the keys of the features of each word of a sentence, (words, templates)."""
    outside = [_OUTSIDE] * _REACH
    rows = [*outside, *map(_attributes, words), *outside]
    table = np.frombuffer(b"".join(rows), np.uint64).reshape(len(rows), len(_ATTRIBUTES))
    return _KEYS.keys(
        np.hstack([table[place : place + len(words)] for place in range(2 * _REACH + 1)])
    )


@lru_cache(maxsize=50_000)
def _attributes(word: str) -> bytes:
    """Return a 64-bit number for each attribute of a word."""
    lower = word.lower()
    affixes = [lower[:length] for length in range(1, 5)]
    affixes += [lower[-length:] for length in range(1, 6)]
    outline = outline_of(word)
    pattern = collapsed(outline)
    ends = outline if len(word) < 5 else outline[:2] + collapsed(outline[2:-2]) + outline[-2:]
    marks = f"{'9' in pattern:d}{'-' in word:d}{word.islower():d}"
    numbers = map(digest, (word, lower, pattern, ends, marks, *affixes))
    return np.array(list(numbers), np.uint64).tobytes()


# Features of all tokens that are combined with the tag before, and with the two before.
_PAIRS, _TRIPLES = np.array([[1], [2]], np.uint64)


@dataclass(eq=False, repr=False)
class Tagger:
    """A trained tagger.

    Parameters
    ----------
    averages : Averages
        Of the weights, over the training.

    Examples
    --------
    >>> tokens = [Token("The", "DT"), Token("ferry", "NN"), Token("leaves", "VBZ")]
    >>> Tagger.train([tokens] * 2)(["The", "ferry", "leaves"])
    ['DT', 'NN', 'VBZ']
    """

    tags: tuple[str, ...]
    averages: Averages

    def __post_init__(self) -> None:
        self.weights = weights_of(self.averages, len(self.tags))
        self._candidates = _all(self.tags)

    def check(self) -> None:
        """Raise a ValueError if there are no tags."""
        if not self.tags:
            raise ValueError("there are no tags")

    @classmethod
    def train(cls, sentences: Sequence[list[Token]], seed: int = 1) -> Tagger:
        """Train a tagger on tagged tokens; the same seed gives the same tagger."""
        return cls._trained(sentences, _keys_of(sentences), seed)

    @classmethod
    def _trained(cls, sentences: Sequence[list[Token]], keys: Keys, seed: int) -> Tagger:
        tags = tuple(sorted({token.tag for tokens in sentences for token in tokens}))
        numbers = {tag: number for number, tag in enumerate(tags)}
        gold = [numbers[token.tag] for tokens in sentences for token in tokens]
        steps = _steps(_sentence_starts(sentences).tolist(), keys)
        return cls(tags, train(steps, gold, _all(tags), len(tags), seed).averages)

    def __call__(self, words: Sequence[str]) -> list[str]:
        """Return the tags of the words of a sentence."""
        if not words:
            return []
        return self._tags_of(features(words))

    def _tags_of(self, keys: Keys) -> list[str]:
        steps = _steps([0, len(keys)], keys)
        labels = find(self.weights, steps, self._candidates, len(self.tags))
        return [self.tags[label] for label in labels]


def jackknifed_tags(
    sentences: Sequence[list[Token]], folds: int = 10, seed: int = 1
) -> Iterator[list[str]]:
    """Yield the tags of each sentence by a tagger that was not trained on it.

    The tagged sentences are cut into `folds` parts. A tagger for each part is trained on all
    others.
    """
    keys, starts = _keys_of(sentences), _sentence_starts(sentences)
    folds = max(1, min(folds, len(sentences)))
    for left, right in pairwise(len(sentences) * fold // folds for fold in range(folds + 1)):
        training, training_keys = sentences, keys
        if len(sentences) > 1:
            training = [*sentences[:left], *sentences[right:]]
            training_keys = np.delete(keys, slice(starts[left], starts[right]), axis=0)
        tagger = Tagger._trained(training, training_keys, seed)
        for start, end in pairwise(starts[left : right + 1]):
            yield tagger._tags_of(keys[start:end])


def jackknifed_trees(trees: Sequence[Tree], seed: int = 1) -> list[Tree]:
    """Return the same trees with tags from `jackknifed_tags`."""
    tags = jackknifed_tags([tree.tokens for tree in trees], seed=seed)
    return [_with_tags(tree, names) for tree, names in zip(trees, tags, strict=True)]


def _with_tags(tree: Tree, tags: Sequence[str]) -> Tree:
    tokens = [replace(token, tag=tag) for token, tag in zip(tree.tokens, tags, strict=True)]
    return replace(tree.copy(), tokens=tokens)


def _sentence_starts(sentences: Sequence[list[Token]]) -> NDArray[np.int64]:
    """Return where each sentence starts among all tokens, and where the last one ends."""
    return np.cumsum([0, *map(len, sentences)])


def _keys_of(sentences: Sequence[list[Token]]) -> Keys:
    """Return the keys of the features of all tokens."""
    starts = _sentence_starts(sentences)
    keys = np.empty((starts[-1], len(TEMPLATES)), np.uint64)
    for tokens, (start, end) in zip(sentences, pairwise(starts), strict=True):
        keys[start:end] = features([token.form for token in tokens])
    return keys


def _all(tags: Sequence[str]) -> Candidates:
    """Return all tags as the only list of candidates."""
    return CandidateLists({(): range(len(tags))}).arrays


def _steps(start: Sequence[int], keys: Keys) -> Steps:
    pairs = np.tile(_PAIRS, (len(keys), 1))
    return Steps(start, keys, pairs, [0] * len(keys), _TRIPLES)
