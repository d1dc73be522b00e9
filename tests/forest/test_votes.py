"""Votes for the constituents of a forest, and the derivation that is nearest to a gold tree."""

from collections import Counter
from math import exp, fsum

import numpy as np
import pytest
from demo_trees import demo_trees
from naive.forests import derivations_of, forest_of
from quick import core

from plcfrs.chart.forest import span_of_item
from plcfrs.forest.scored_forest import best_derivation
from plcfrs.forest.votes import nearest, scores_of_edges, votes
from plcfrs.grammar import binarize, extract, tag
from plcfrs.parsing.parse import chances_of, shares_of
from plcfrs.trees import Tree


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def forests(trees):
    """Some trees with the forests of a grammar that has not seen them."""
    grammar = binarize(extract(trees[:80]))
    found = []
    for tree in trees[80:]:
        tags = [{tag(token.tag): 0.0} for token in tree.tokens]
        known = {symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"}
        if len(tree.tokens) <= 8 and all(known & set(each) for each in tags):
            try:
                found.append((tree, forest_of(grammar, tags)))
            except AssertionError:  # no parse
                continue
    assert len(found) > 5
    return found


def constituents(tree):
    return {(node.category, span) for node, span in tree.yields().items()}


def items(forest, edges):
    """Return the category and the span of each category in a derivation."""
    symbols = list(forest.compiled.labels)
    mothers = {int(forest.edge_mother[edge]) for edge in edges}
    return [
        (symbols[forest.label[item]].category, span_of_item(forest, item))
        for item in mothers
        if symbols[forest.label[item]].kind == "category"
    ]


@core(1, "scores", [[3.5], [-2.0, -2.0], [40.0, 10.0, -5.0], [1e6, 0.0]])
def test_shares(scores):
    """They are those of the plain formula."""
    weights = [exp((score - scores[0]) / 8) for score in scores]
    expected = [weight / fsum(weights) for weight in weights]
    assert shares_of(scores, 8.0) == pytest.approx(expected)


def test_chances():
    one = Tree.from_string("(ROOT (S (NP (NN 0=Dogs)) (VP (VBP 1=bark))))")
    other = Tree.from_string("(ROOT (NP (NN 0=Dogs) (NN 1=bark)))")
    chances = chances_of([(0.75, one), (0.25, other)])
    assert chances == {
        ("ROOT", 3): 1.0,
        ("S", 3): 0.75,
        ("VP", 2): 0.75,
        ("NP", 1): 0.75,
        ("NP", 3): 0.25,
    }


def test_a_constituent_above_itself_counts_once():
    tree = Tree.from_string("(ROOT (NP (NP (NN 0=Dogs))))")
    assert chances_of([(1.0, tree)]) == {("ROOT", 1): 1.0, ("NP", 1): 1.0}


def test_votes_are_for_constituents_only(forests):
    for tree, forest in forests:
        symbols = list(forest.compiled.labels)
        chances = dict.fromkeys(constituents(tree), 0.75)
        forest_scores = votes(forest, chances)
        assert not forest_scores.edge_scores.any()
        for item, score in enumerate(forest_scores.item_scores):
            symbol = symbols[forest.label[item]]
            place = symbol.category, span_of_item(forest, item)
            expected = 0.5 if place in chances else -1.0
            assert score == (expected if symbol.kind == "category" else 0.0)


def test_the_nearest_derivation(forests):
    exact = 0
    for tree, forest in forests:
        gold = constituents(tree)

        def right(edges, forest=forest, gold=gold):
            counts = Counter(place in gold for place in items(forest, edges))
            return counts[True] - counts[False]

        best = best_derivation(forest, scores_of_edges(forest, nearest(forest, tree)))
        found = best.edges[best.edges >= 0]
        assert best.score == right(found) == max(map(right, derivations_of(forest)))
        exact += set(items(forest, found)) == gold
    assert exact  # of some trees, all constituents are there


def test_without_chances_all_votes_are_against(forests):
    _, forest = forests[0]
    forest_scores = votes(forest, {})
    assert np.isin(forest_scores.item_scores, (0.0, -1.0)).all()
