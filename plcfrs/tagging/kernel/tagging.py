"""The search for the best tags of a sentence, and the perceptron that learns them (Collins 2002).

The scores of a token's tags by the words are computed once; in the search, those by the two tags
before it are added. Of sequences with the same last two tags only the best is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel
from plcfrs.linear.kernel.arrays import Int32, Int64, Keys, Places, Weights
from plcfrs.linear.kernel.learned import add, has_room
from plcfrs.linear.kernel.scores import add_scores

Scores = NDArray[np.float64]

# Counters of the training.
PLACE, MISTAKES = range(2)
COUNTERS = 2

# Features of the tags before a token.
_OF_TAGS = 2


class Words(NamedTuple):
    """Tokens of one or more sentences, with their features and tags."""

    sentence_start: Int64  # (sentences + 1,)
    key_start: Int64  # (tokens + 1,)
    keys: Keys  # of the features of the words
    tags: Int32  # (tokens,) the gold tags


class TagSearch(NamedTuple):
    """The beam of a sentence of at most N tokens: the K best sequences up to each token."""

    word_scores: Scores  # (N, T) scores of tags by the words alone
    scores: Scores  # (T,) scores of a tag by the tags before it
    size: Int32  # (N + 1,) sequences up to a token; the first row is before all tokens
    score: Scores  # (N + 1, K)
    tag: Int32  # (N + 1, K) the last one; T before the sentence
    before: Int32  # (N + 1, K) the place of the sequence without the last tag, in the row before
    found: Int32  # (N,) the best tags
    keys: Keys  # (_OF_TAGS,)
    rows: Places  # (as many as features of a word) where the rows of features start


@kernel
def find_tags(weights: Weights, words: Words, search: TagSearch, sentence: int) -> None:
    """Find the best tags of a sentence."""
    first = words.sentence_start[sentence]
    length = words.sentence_start[sentence + 1] - first
    tags = search.word_scores.shape[1]
    search.size[0], search.score[0, 0], search.before[0, 0] = 1, 0.0, 0
    search.tag[0, :] = tags
    for token in range(length):
        scores = search.word_scores[token]
        scores[:] = 0.0
        start, end = words.key_start[first + token], words.key_start[first + token + 1]
        add_scores(weights, words.keys[start:end], search.rows, scores)
        search.size[token + 1] = 0
        for place in range(search.size[token]):
            _extend(weights, search, token, place)
    place = 0
    for token in range(length, 0, -1):
        search.found[token - 1] = search.tag[token, place]
        place = search.before[token, place]


@kernel
def learn_tags(
    weights: Weights,
    words: Words,
    search: TagSearch,
    order: Int64,
    time: float,
    counters: Int64,
) -> None:
    """Learn from sentences until there is no room for more weights.

    Parameters
    ----------
    weights : Weights
    words : Words
    search : TagSearch
    order : array of int
        The order in which sentences are visited.
    time : float
        How many sentences have been seen before the first one.
    counters : array of int
        PLACE is where to begin in the order, and is moved on; MISTAKES are counted.
    """
    while counters[PLACE] < len(order):
        sentence = order[counters[PLACE]]
        first, end = words.sentence_start[sentence], words.sentence_start[sentence + 1]
        features = words.key_start[end] - words.key_start[first] + _OF_TAGS * (end - first)
        if not has_room(weights.learned, 2 * features):
            return
        find_tags(weights, words, search, sentence)
        gold = words.tags[first:end]
        counters[MISTAKES] += _update(
            weights, words, search, first, gold, time + counters[PLACE] + 1.0
        )
        counters[PLACE] += 1


@inner_kernel
def _extend(weights: Weights, search: TagSearch, token: int, place: int) -> None:
    """Extend a sequence by each tag, and put the result into the next beam if it is good enough."""
    tag = search.tag[token, place]
    before = search.tag[token - 1, search.before[token, place]] if token > 0 else tag
    _fill_keys(search.keys, before, tag)
    search.scores[:] = 0.0
    add_scores(weights, search.keys, search.rows, search.scores)
    for following in range(len(search.scores)):
        score = search.score[token, place] + search.word_scores[token, following]
        _insert(search, token, place, following, score + search.scores[following])


@inner_kernel
def _insert(search: TagSearch, token: int, before: int, tag: int, score: float) -> None:
    """Insert a sequence into the beam after a token, best first, if it is good enough."""
    size = search.size[token + 1]
    beam = search.score[token + 1]
    if size == len(beam) and score <= beam[size - 1]:
        return
    last = search.tag[token, before]
    hole = size
    for place in range(size):
        same = search.tag[token, search.before[token + 1, place]] == last
        if same and search.tag[token + 1, place] == tag:
            if score <= beam[place]:
                return
            hole = place
    if hole == size:
        hole = min(size, len(beam) - 1)
        search.size[token + 1] = hole + 1
    while hole > 0 and beam[hole - 1] < score:
        beam[hole] = beam[hole - 1]
        search.tag[token + 1, hole] = search.tag[token + 1, hole - 1]
        search.before[token + 1, hole] = search.before[token + 1, hole - 1]
        hole -= 1
    beam[hole] = score
    search.tag[token + 1, hole] = tag
    search.before[token + 1, hole] = before


@inner_kernel
def _update(
    weights: Weights, words: Words, search: TagSearch, first: int, gold: Int32, time: float
) -> int:
    """Reward the gold tags and punish wrong ones; return the number of wrong ones."""
    mistakes = 0
    tags = search.word_scores.shape[1]
    for token in range(len(gold)):
        found = search.found[token]
        if found != gold[token]:
            mistakes += 1
            start = words.key_start[first + token]
            keys = words.keys[start : words.key_start[first + token + 1]]
            add(weights.learned, keys, len(keys), gold[token], 1.0, time)
            add(weights.learned, keys, len(keys), found, -1.0, time)
    if mistakes > 0:
        _reward(weights, search.keys, gold, len(gold), tags, 1.0, time)
        _reward(weights, search.keys, search.found, len(gold), tags, -1.0, time)
    return mistakes


@inner_kernel
def _reward(
    weights: Weights, keys: Keys, tags: Int32, length: int, outside: int, change: float, time: float
) -> None:
    """Add to the weights of each tag after the two before it."""
    before = previous = outside
    for token in range(length):
        _fill_keys(keys, before, previous)
        add(weights.learned, keys, _OF_TAGS, tags[token], change, time)
        before, previous = previous, tags[token]


@inner_kernel
def _fill_keys(keys: Keys, before: int, tag: int) -> None:
    """Fill in the features of the two tags before a token."""
    one = np.uint64(tag + 1) * np.uint64(0x9E3779B97F4A7C15)
    two = one + np.uint64(before + 1) * np.uint64(0xC2B2AE3D27D4EB4F)
    keys[0] = one ^ (one >> np.uint64(31))
    keys[1] = (two ^ (two >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
