"""Forests of the parses of a sentence."""

import numpy as np
from quick import core

from plcfrs.forest.forests import forest_of_parses
from plcfrs.forest.scored_forest import best_derivation, derivation_of_edges, ranked_derivations
from plcfrs.forest.votes import nearest, scores_of_edges
from plcfrs.grammar import rebuild, unbinarize
from plcfrs.trees import Tree

ONE = Tree.from_string("(R (S (A (X 0=a) (Y 2=c)) (B (X 1=b) (Z 3=d))))")
OTHER = Tree.from_string("(R (S (A (X 0=a) (Y 2=c)) (X 1=b) (B (Z 3=d))))")


def tree_of(derivation, tokens=ONE.tokens):
    return str(rebuild(unbinarize(derivation), tokens))


@core(1, "gold", [ONE, OTHER])
def test_each_parse_is_in_the_forest(gold):
    result, forest = forest_of_parses([ONE, OTHER])
    assert result.status == "parsed"
    best = best_derivation(forest, scores_of_edges(forest, nearest(forest, gold)))
    assert tree_of(derivation_of_edges(forest, best.edges)) == str(gold)


def test_one_parse_is_a_forest_of_its_own():
    _, forest = forest_of_parses([ONE])
    found = list(ranked_derivations(forest, np.zeros(len(forest.edge_rule))))
    assert [tree_of(derivation) for _, derivation in found] == [str(ONE)]


def test_parses_with_other_tags():
    other = Tree.from_string("(R (S (V 0=a) (X 1=b) (Y 2=c) (Z 3=d)))")
    _, forest = forest_of_parses([ONE, other])
    found = [each for _, each in ranked_derivations(forest, np.zeros(len(forest.edge_rule)))]
    assert str(ONE) in map(tree_of, found)
    assert str(other) in [tree_of(derivation, other.tokens) for derivation in found]
