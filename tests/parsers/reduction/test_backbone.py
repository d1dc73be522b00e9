"""Backbones: every sentence gets a tree; explanations, bounds, threads, pickles, damage."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from naive import dependency
from quick import examples
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.parsers.reduction import backbone as module
from plcfrs.parsers.reduction.backbone import LONGEST, Settings
from plcfrs.parsers.reduction.kernel.bound import TOLERANCE
from plcfrs.parsers.reduction.training import Training
from plcfrs.transformation import to_dependencies
from plcfrs.trees import Token

BACKBONES = ("second-order", "first-order", "projective")
each_backbone = pytest.mark.parametrize("backbone", BACKBONES)

words = st.sampled_from(["the", "cook", "sees", "what", "zyzzyva", "?", ""])
tags = st.sampled_from(["DT", "NN", "VBZ", "WP", "XYZ", ".", ""])
sentences = st.lists(st.builds(Token, words, tags), min_size=1, max_size=9)


@pytest.fixture(scope="module")
def backbones():
    trees = [to_dependencies(tree) for tree in demo_trees()[:60]]
    found = {}
    for name in BACKBONES:
        training = Training(trees, Settings(name))
        training.run_epoch()
        found[name] = training.model()
    return found


@each_backbone
@given(tokens=sentences)
@examples(30)
def test_every_sentence_gets_a_tree(backbones, backbone, tokens):
    parse = backbones[backbone].parse(tokens)
    heads = [-1, *parse.heads]
    assert dependency.is_tree(heads)
    assert backbone != "projective" or dependency.is_projective(heads)
    assert parse.score <= parse.bound + TOLERANCE


@each_backbone
@given(tokens=sentences)
def test_attachments_add_up_and_no_other_head_is_better(backbones, backbone, tokens):
    parse = backbones[backbone].parse(tokens)
    found = backbones[backbone].attachments(tokens)
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
            assert backbone != "projective" or dependency.is_projective(changed)


@each_backbone
def test_a_sentence_of_one_token(backbones, backbone):
    tokens = [Token("What", "WP")]
    assert backbones[backbone].parse(tokens).heads == [0]
    (only,) = backbones[backbone].attachments(tokens)
    assert (only.head, only.second) == (0, None)


@each_backbone
def test_no_tokens(backbones, backbone):
    with pytest.raises(InputError, match="the sentence has no words"):
        backbones[backbone].parse([])


@each_backbone
def test_long_sentences(backbones, backbone):
    """Also those that the second order leaves to the first."""
    tokens = [Token("the", "DT"), Token("cook", "NN"), Token("sees", "VBZ")] * (LONGEST // 3 + 1)
    for length in (60, LONGEST, LONGEST + 1):
        parse = backbones[backbone].parse(tokens[:length])
        assert dependency.is_tree([-1, *parse.heads])
    assert parse.bound == parse.score


def test_long_sentences_are_learned_by_arcs(monkeypatch):
    tree = to_dependencies(demo_trees()[0])
    monkeypatch.setattr("plcfrs.parsers.reduction.training.LONGEST", len(tree.tokens) - 1)
    monkeypatch.setattr(module, "LONGEST", len(tree.tokens) - 1)
    training = Training([tree], Settings())
    for _ in range(5):
        training.run_epoch()
    assert not training.model().weights.any()
    assert training.model().parse(tree.tokens).heads == tree.heads


def test_the_bound_certifies_some_trees(backbones):
    trees = [to_dependencies(tree) for tree in demo_trees()[:30]]
    parses = [backbones["second-order"].parse(tree.tokens) for tree in trees]
    assert any(parse.bound <= parse.score + TOLERANCE for parse in parses)


def test_threads_share_a_backbone(backbones):
    backbone = backbones["second-order"]
    trees = [to_dependencies(tree) for tree in demo_trees()[:60]]
    alone = [backbone.parse(tree.tokens).heads for tree in trees]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda tree: backbone.parse(tree.tokens).heads, trees)) == alone


@each_backbone
def test_a_backbone_comes_back_from_its_arrays(backbones, backbone):
    one = backbones[backbone]
    again = reread(one)
    tokens = [Token("the", "DT"), Token("cook", "NN"), Token("sees", "VBZ"), Token("it", "PRP")]
    assert one.parse(tokens) == again.parse(tokens)


def test_a_pickle_has_no_memory_of_searches(backbones):
    one = backbones["projective"]
    one.parse([Token("the", "DT")] * 300)
    assert len(pickle.dumps(one)) < one.weights.nbytes + 10**6


@pytest.mark.parametrize("name", ["weights", "pruner"])
def test_damaged_arrays_are_refused(backbones, name):
    one = backbones["second-order"]
    bad = getattr(one, name).copy()
    bad[7] = np.inf
    for damaged in (bad, bad[:-1], bad.reshape(2, -1), bad.astype(np.float64)):
        with pytest.raises(ValueError, match=r"the weights are damaged|another type"):
            reread(one, arrays={name: damaged})


@pytest.mark.parametrize("name", ["words", "tags"])
@pytest.mark.parametrize("other", ["[", [1], 7, None])
def test_damaged_vocabularies_are_refused(backbones, name, other):
    with pytest.raises(REFUSED):
        reread(backbones["projective"], {f"vocabulary.{name}": other})
