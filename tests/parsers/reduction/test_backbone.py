"""The backbone: every sentence gets a tree; explanations, threads, pickles, damage."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency
from quick import core, examples
from stored import reread

from plcfrs.errors import InputError
from plcfrs.parsers.reduction.backbone import LONGEST, BackboneSettings, BackboneTraining
from plcfrs.transformation import to_dependencies
from plcfrs.trees import Token

words = st.sampled_from(["the", "cook", "sees", "what", "zyzzyva", "?", ""])
tags = st.sampled_from(["DT", "NN", "VBZ", "WP", "XYZ", ".", ""])
sentences = st.lists(st.builds(Token, words, tags), min_size=1, max_size=9)


@pytest.fixture(scope="module")
def backbone():
    trees = [to_dependencies(tree) for tree in demo_trees()[:60]]
    training = BackboneTraining(trees, BackboneSettings())
    training.run_epoch()
    return training.model()


@given(tokens=sentences)
@examples(30)
def test_every_sentence_gets_a_tree(backbone, tokens):
    parse = backbone.parse(tokens)
    heads = [-1, *parse.heads]
    assert dependency.is_tree(heads)


@given(tokens=sentences)
def test_attachments_add_up_and_no_other_head_is_better(backbone, tokens):
    parse = backbone.parse(tokens)
    found = backbone.head_choices(tokens)
    assert [each.head for each in found] == parse.heads
    assert sum(each.score for each in found) == pytest.approx(parse.score, abs=1e-4)
    for number, each in enumerate(found):
        assert each.cost > -1e-5
        assert (each.second is None) == (each.cost == np.inf)
        if each.second is not None:
            changed = [-1, *parse.heads]
            changed[number + 1] = each.second
            assert each.second != each.head
            assert dependency.is_tree(changed)


def test_a_sentence_of_one_token(backbone):
    tokens = [Token("What", "WP")]
    assert backbone.parse(tokens).heads == [0]
    (only,) = backbone.head_choices(tokens)
    assert (only.head, only.second) == (0, None)


def test_no_tokens(backbone):
    with pytest.raises(InputError, match="the sentence has no words"):
        backbone.parse([])


@pytest.mark.full
def test_long_sentences(backbone):
    """Also those that are parsed by arcs alone."""
    tokens = [Token("the", "DT"), Token("cook", "NN"), Token("sees", "VBZ")] * (LONGEST // 3 + 1)
    for length in (60, LONGEST, LONGEST + 1):
        parse = backbone.parse(tokens[:length])
        assert dependency.is_tree([-1, *parse.heads])


@pytest.mark.full
def test_long_sentences_are_learned_by_arcs(monkeypatch):
    tree = to_dependencies(demo_trees()[0])
    monkeypatch.setattr("plcfrs.parsers.reduction.backbone.LONGEST", len(tree.tokens) - 1)
    training = BackboneTraining([tree], BackboneSettings())
    for _ in range(5):
        training.run_epoch()
    assert not training.model().weights.any()
    assert training.model().parse(tree.tokens).heads == tree.heads


@pytest.mark.full
def test_threads_share_a_backbone(backbone):
    trees = [to_dependencies(tree) for tree in demo_trees()[:60]]
    alone = [backbone.parse(tree.tokens).heads for tree in trees]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda tree: backbone.parse(tree.tokens).heads, trees)) == alone


def test_a_pickle_has_no_memory_of_searches(backbone):
    backbone.parse([Token("the", "DT")] * 300)
    weights = backbone.weights.nbytes + backbone.pruner.nbytes
    assert len(pickle.dumps(backbone)) < weights + 10**6


@core(1, "name", ["weights", "pruner"])
def test_damaged_arrays_are_refused(backbone, name):
    bad = getattr(backbone, name).copy()
    bad[7] = np.inf
    for damaged in (bad, bad[:-1], bad.reshape(2, -1), bad.astype(np.float64)):
        with pytest.raises(ValueError, match=r"the weights are damaged|another type"):
            reread(backbone, arrays={name: damaged})
