"""An averaged-perceptron tagger (Collins 2002) for any language, and jackknifed tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plcfrs.linear.kernel.arrays import Averages
from plcfrs.linear.weights import averaged, enlarge_weights, new_weights, weights_of
from plcfrs.tagging.kernel import tagging
from plcfrs.tagging.kernel.tagging import TagSearch, Words
from plcfrs.tagging.word_features import TEMPLATES, Keys, features
from plcfrs.trees import Token, Tree

_EPOCHS = 10
_BEAM = 5

# Features seen at least this often are learned: rarer ones help little, and without them words seen
# once look like unknown words.
_LEAST = 2


@dataclass(eq=False, repr=False)
class Tagger:
    """A trained tagger.

    Parameters
    ----------
    tags : tuple of str
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

    def check(self) -> None:
        """Raise a ValueError if there are no tags, as never in a file."""
        if not self.tags:
            raise ValueError("there are no tags")

    @classmethod
    def train(cls, sentences: Sequence[list[Token]], seed: int = 1) -> Tagger:
        """Train a tagger on tagged tokens; the same seed gives the same tagger."""
        return cls._trained(sentences, _keys_of(sentences), seed)

    @classmethod
    def _trained(cls, sentences: Sequence[list[Token]], keys: Keys, seed: int) -> Tagger:
        tags = tuple(sorted({token.tag for tokens in sentences for token in tokens}))
        words = _training_words(sentences, keys, tags)
        search = _search(max(map(len, sentences), default=0), len(tags))
        weights = new_weights(actions=len(tags))
        random = np.random.default_rng(seed)
        for epoch in range(_EPOCHS):
            order = random.permutation(len(sentences))
            counters = np.zeros(tagging.COUNTERS, np.int64)
            while counters[tagging.PLACE] < len(order):
                time = float(epoch * len(order))
                tagging.learn_tags(weights, words, search, order, time, counters)
                if counters[tagging.PLACE] < len(order):
                    weights = enlarge_weights(weights)
            if counters[tagging.MISTAKES] == 0:
                break
        return cls(tags, averaged(weights, float((epoch + 1) * len(sentences))).averages)

    def __call__(self, words: Sequence[str]) -> list[str]:
        """Return the tags of the words of a sentence."""
        if not words:
            return []
        return self._tags_of(features(words))

    def _tags_of(self, keys: Keys) -> list[str]:
        length = len(keys)
        search = _search(length, len(self.tags))
        starts = np.arange(length + 1) * len(TEMPLATES)
        nothing = np.zeros(0, np.int32)
        words = Words(np.array([0, length]), starts, keys.ravel(), nothing)
        tagging.find_tags(self.weights, words, search, 0)
        return [self.tags[number] for number in search.found]


def jackknifed_tags(
    sentences: Sequence[list[Token]], folds: int = 10, seed: int = 1
) -> Iterator[list[str]]:
    """Yield the tags of each sentence, found by a tagger that was not trained on it.

    Parameters
    ----------
    sentences : sequence of list of Token
        With tags.
    folds : int
        The number of parts; for each part a tagger is trained on all others.
    seed : int
        Seed of the taggers.
    """
    keys, starts = _keys_of(sentences), _starts(sentences)
    folds = max(1, min(folds, len(sentences)))
    for left, right in pairwise(len(sentences) * fold // folds for fold in range(folds + 1)):
        others, rest = sentences, keys
        if len(sentences) > 1:
            others = [*sentences[:left], *sentences[right:]]
            rest = np.delete(keys, slice(starts[left], starts[right]), axis=0)
        tagger = Tagger._trained(others, rest, seed)
        for start, end in pairwise(starts[left : right + 1]):
            yield tagger._tags_of(keys[start:end])


def jackknifed_trees(trees: Sequence[Tree], seed: int = 1) -> list[Tree]:
    """Return the same trees with jackknifed tags, see `jackknifed_tags`."""
    tags = jackknifed_tags([tree.tokens for tree in trees], seed=seed)
    return [_with_tags(tree, names) for tree, names in zip(trees, tags, strict=True)]


def _with_tags(tree: Tree, tags: Sequence[str]) -> Tree:
    tokens = [replace(token, tag=tag) for token, tag in zip(tree.tokens, tags, strict=True)]
    return replace(tree.copy(), tokens=tokens)


def _starts(sentences: Sequence[list[Token]]) -> NDArray[np.int64]:
    """Return where each sentence starts among all tokens, and where the last one ends."""
    return np.cumsum([0, *map(len, sentences)])


def _keys_of(sentences: Sequence[list[Token]]) -> Keys:
    """Return the keys of the features of all tokens."""
    starts = _starts(sentences)
    keys = np.empty((starts[-1], len(TEMPLATES)), np.uint64)
    for tokens, (start, end) in zip(sentences, pairwise(starts), strict=True):
        keys[start:end] = features([token.form for token in tokens])
    return keys


def _training_words(sentences: Sequence[list[Token]], keys: Keys, tags: tuple[str, ...]) -> Words:
    """Return all tokens with the keys of features that are not too rare."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    is_frequent = np.empty(keys.shape, np.bool_)
    for template, column in enumerate(keys.T):  # one by one, to save memory
        _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
        is_frequent[:, template] = (counts >= _LEAST)[places]
    return Words(
        _starts(sentences),
        np.concatenate([[0], np.cumsum(is_frequent.sum(axis=1))]),
        keys[is_frequent],
        np.array([numbers[token.tag] for tokens in sentences for token in tokens], np.int32),
    )


def _search(length: int, tags: int) -> TagSearch:
    """Return memory for the search in a sentence."""
    return TagSearch(
        word_scores=np.empty((length, tags)),
        scores=np.empty(tags),
        size=np.empty(length + 1, np.int32),
        score=np.empty((length + 1, _BEAM)),
        tag=np.empty((length + 1, _BEAM), np.int32),
        before=np.zeros((length + 1, _BEAM), np.int32),
        found=np.empty(length, np.int32),
        keys=np.empty(2, np.uint64),
        rows=np.empty(len(TEMPLATES), np.uint32),
    )
