"""Features are made of texts: they do not depend on how a grammar numbers its symbols and rules."""

from dataclasses import replace

import numpy as np
import pytest
from demo_trees import demo_trees
from searching import sentence_of

from plcfrs.forest.forests import grammar_of
from plcfrs.forest.scored_forest import best_derivation, derivation_of_edges
from plcfrs.forest.votes import score_sums, scores_of_edges
from plcfrs.grammar import tag
from plcfrs.parsers.features.atoms import (
    EDGE_ATOMS,
    ITEM_ATOMS,
    FeatureGrammar,
    SymbolNumbers,
    WordNumbers,
    atoms_of,
)
from plcfrs.parsers.features.model import FeatureModel
from plcfrs.trees.tree import fan_out


@pytest.fixture(scope="module")
def trees():
    return demo_trees()[:40]


@pytest.fixture(scope="module")
def model(trees):
    weights = np.random.default_rng(1).normal(0, 0.3, 500).astype(np.float32)
    return FeatureGrammar(grammar_of(trees), weights)


def tags_of(tree):
    return [{tag(token.tag): 0.0, tag("NN"): 0.5} for token in tree.tokens]


@pytest.mark.full
def test_rules_in_another_order(trees, model):
    rules = dict(reversed(model.grammar.rules.items()))
    other = FeatureModel(replace(model, grammar=replace(model.grammar, rules=rules)))
    parser = FeatureModel(model)
    for tree in trees[:10]:
        words, tags = [token.form for token in tree.tokens], tags_of(tree)
        (result,), _ = parser.search(sentence_of(words), tags)
        _, forest = other.parse_with_forest(tags)
        for judge in (parser, other):  # also of a forest with other numbers
            scores = scores_of_edges(forest, judge.judge(sentence_of(words), forest))
            best = best_derivation(forest, scores)
            cost = score_sums(forest, scores).log_probability - best.score
            assert cost == pytest.approx(result.cost, abs=1e-6)
            assert derivation_of_edges(forest, best.edges).rules() == result.derivation.rules()


def test_atoms_of_a_question(trees, model):
    tree = next(tree for tree in trees if tree.words()[0] == "What")
    words = tree.words()
    parser = FeatureModel(model)
    _, forest = parser.parse_with_forest([{tag(token.tag): 0.0} for token in tree.tokens])
    numbers = WordNumbers.of(forest, words)
    atoms = atoms_of(forest, SymbolNumbers().of(forest.compiled), numbers)
    items = dict(zip(ITEM_ATOMS, atoms.items[forest.goal], strict=True))
    outside, border = numbers.words[0], numbers.words[1]
    first, *_, last = numbers.words[2:-2]
    expected = {
        "first_word": first,
        "last_word": last,
        "before_word": border,
        "after_word": border,
        "two_before_tag": outside,
        "gap_first_word": outside,
        "components": 1,
        "second_tag": numbers.tags[3],
    }
    assert {name: items[name] for name in expected} == expected
    assert numbers.tags[2] != numbers.tags[3]
    top = forest.edge_start[forest.goal]
    edge = dict(zip(EDGE_ATOMS, atoms.edges[top], strict=True))
    assert (edge["first_word"], edge["last_word"]) == (first, last)
    has_gap = [fan_out(int(bits)) > 1 for (bits,) in forest.bits]
    assert atoms.has_gap.tolist() == has_gap
    assert any(has_gap)
