"""Scores and updates of the parts of dependency trees against a naive version."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency, dependency_features
from quick import examples

from plcfrs.learning.weights import new_hashed_weights
from plcfrs.parsers.reduction.features import KINDS_OF_PARTS, compile_all, features_of
from plcfrs.parsers.reduction.kernel.learning import (
    fill_arcs,
    fill_crossing,
    fill_second_order,
    keep_best,
    learn_heads,
    learn_tree,
)
from plcfrs.trees import Token

PLACES = 1009
KNOWN = frozenset(["the", "The", "1996", "sees"])
TEXTS = [texts for texts, *_ in KINDS_OF_PARTS]
COMPILED = compile_all()
MOST = 0.05

tokens = st.builds(
    Token,
    st.sampled_from(["the", "The", "1996", "2015", "sees", "antidisestablishment", "é"]),
    st.sampled_from(["DT", "NN", "NNS", "VBZ", ","]),
)
sentences = st.lists(tokens, min_size=1, max_size=5)
seeds = st.integers(0, 10**6)


def features(sentence):
    return features_of(COMPILED, sentence, KNOWN)


def random_weights(seed):
    return np.random.default_rng(seed).normal(size=PLACES).astype(np.float32)


def place(key):
    return (key >> 32) * PLACES >> 32


def score(values, keys):
    return sum(float(values[place(key)]) for key in keys)


def random_heads(words, seed):
    all_trees = list(dependency.trees(words))
    return np.array(all_trees[seed % len(all_trees)], np.int32)


@given(sentence=sentences, seed=seeds)
def test_scores_are_sums_of_weights(sentence, seed):
    nodes, values = len(sentence) + 1, random_weights(seed)
    kept = np.random.default_rng(seed).random((nodes, nodes)) < 0.7
    kept[:, 0] = False
    np.fill_diagonal(kept, False)
    arcs = np.full((nodes, nodes), np.nan)
    siblings, grandparents, crossing = np.full((3, nodes, nodes, nodes), np.nan, np.float32)
    found = features(sentence)
    fill_arcs(values, found, kept, arcs)
    fill_second_order(values, found, kept, siblings, grandparents)
    fill_crossing(values, found, kept, crossing)
    about = sentence, KNOWN, TEXTS
    for head, word in np.ndindex(nodes, nodes):
        if not kept[head, word]:
            assert arcs[head, word] == -np.inf
            continue
        expected = score(values, dependency_features.arc(*about, head, word))
        assert arcs[head, word] == pytest.approx(expected, abs=1e-4)
    for one, two, three in np.ndindex(nodes, nodes, nodes):
        is_between = min(one, three) < two < max(one, three) and kept[one, two]
        if kept[one, three] and (two == one or is_between):
            keys = dependency_features.sibling(*about, one, two, three)
            assert siblings[one, two, three] == pytest.approx(score(values, keys), abs=1e-4)
        if kept[two, three] and kept[one, two] and one != three:
            keys = dependency_features.grandparent(*about, one, two, three)
            assert grandparents[one, two, three] == pytest.approx(score(values, keys), abs=1e-4)
        keys = []
        if kept[one, three] and min(one, three) < two < max(one, three):
            keys = dependency_features.crossing(*about, one, two, three)
        assert crossing[one, two, three] == pytest.approx(score(values, keys), abs=1e-4)


@given(words=st.integers(1, 6), number=st.integers(1, 7), seed=seeds)
def test_the_best_heads_are_kept_and_the_word_before(words, number, seed):
    arcs = np.random.default_rng(seed).normal(size=(words + 1, words + 1))
    kept = np.ones(arcs.shape, bool)
    keep_best(arcs, number, kept)
    assert not kept[:, 0].any()
    for word in range(1, words + 1):
        others = [head for head in range(words + 1) if head != word]
        others.sort(key=lambda head: -arcs[head, word])
        assert set(np.flatnonzero(kept[:, word])) == {*others[:number], word - 1}


@given(sentence=sentences, seed=seeds)
def test_a_tree_is_learned_by_the_smallest_change(sentence, seed):
    gold, found = random_heads(len(sentence), seed), random_heads(len(sentence), seed // 7)
    weights = new_hashed_weights(PLACES)
    weights.values[:] = values = random_weights(seed) / 100
    places = np.zeros(5000, np.uint32)
    mistakes = learn_tree(weights, features(sentence), gold, found, MOST, 3.0, places)
    assert mistakes == sum(gold != found)
    difference = Counter()
    for heads, sign in ((gold, 1), (found, -1)):
        parts = *dependency.parts(heads.tolist()), dependency.crossing(heads.tolist())
        keys = dependency_features.tree(sentence, KNOWN, TEXTS, *parts)
        for key, count in keys.items():
            difference[place(key)] += sign * count
    check_change(weights, values, difference, mistakes)


@pytest.mark.full
@given(sentence=sentences, seed=seeds)
@examples(10)
def test_heads_are_learned_one_by_one(sentence, seed):
    gold = random_heads(len(sentence), seed)
    word = seed % len(sentence) + 1
    nodes = len(gold)
    arcs = np.zeros((nodes, nodes))
    arcs[gold[1:], range(1, nodes)] = 2  # all words have the right head by far, but one
    best = max((head for head in range(nodes) if head not in (word, gold[word])), default=-1)
    arcs[best, word] = 3
    weights = new_hashed_weights(PLACES)
    learn_heads(weights, features(sentence), arcs, gold, MOST, 3.0, np.zeros(5000, np.uint32))
    difference = Counter()
    if best >= 0:
        for head, sign in ((gold[word], 1), (best, -1)):
            for key in dependency_features.arc(sentence, KNOWN, TEXTS, int(head), word):
                difference[place(key)] += sign
    check_change(weights, np.zeros(PLACES, np.float32), difference, 1)


def check_change(weights, values, difference, cost):
    norm = sum(count**2 for count in difference.values())
    margin = sum(float(values[place]) * count for place, count in difference.items())
    step = min(MOST, (cost - margin) / norm) if norm and margin < cost else 0
    change = np.zeros(PLACES)
    for place_, count in difference.items():
        change[place_] = step * count
    assert weights.values - values == pytest.approx(change, abs=1e-5)
    assert weights.totals == pytest.approx(3 * change, abs=1e-5)
    assert not weights.changes.any()
