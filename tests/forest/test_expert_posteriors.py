"""Probabilities of constituents and expected F1 in random forests, against enumeration."""

from collections import Counter
from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.forests import derivations_of, forest_of, random_scores
from naive.refinements import cases
from naive.sums import log_sum

from plcfrs.chart.forest import span_of_item
from plcfrs.forest.scored_forest import best_expected_f1
from plcfrs.forest.votes import posteriors_in_forest, score_sums
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag


@st.composite
def scored(draw):
    """Forests with random scores of their edges."""
    case, random = draw(cases()), Random(draw(st.integers(0, 2**32)))
    forest = forest_of(case.refined.grammar, case.tags)
    return forest, random_scores(len(forest.edge_rule), random)


def constituents_of(forest, edges):
    """Return the categories and spans of a derivation without ROOT."""
    symbols = list(forest.compiled.labels)
    items = [int(np.searchsorted(forest.edge_start, edge, "right")) - 1 for edge in edges]
    named = [(symbols[forest.label[item]], span_of_item(forest, item)) for item in items]
    return Counter(
        (symbol.category, span)
        for symbol, span in named
        if symbol.kind == "category" and symbol.category != "ROOT"
    )


def enumerated(forest, scores):
    """Return the probability and the constituents of each derivation."""
    derivations = derivations_of(forest)
    total = log_sum([scores[edges].sum() for edges in derivations])
    return [
        (exp(scores[edges].sum() - total), constituents_of(forest, edges)) for edges in derivations
    ]


def expected_number(derivations):
    found = Counter()
    for chance, constituents in derivations:
        for constituent, number in constituents.items():
            found[constituent] += chance * number
    return found


def check_posteriors(forest, scores):
    expected = expected_number(enumerated(forest, scores))
    found = posteriors_in_forest(forest, score_sums(forest, scores))
    assert found == {each: pytest.approx(min(number, 1)) for each, number in expected.items()}


@given(scored())
def test_posteriors(drawn):
    check_posteriors(*drawn)


def test_a_category_above_itself_is_not_more_than_certain():
    x, split, root, a = Nonterminal("X"), Nonterminal("X", split="Y"), Nonterminal("ROOT"), tag("a")
    pairs = [(root, x), (root, split), (x, split), (x, a), (split, a)]
    forest = forest_of(Grammar({Rule(*pair, ((0,),)): 1 for pair in _rules(pairs)}), [{a: 0.0}])
    scores = np.zeros(len(forest.edge_rule))
    assert len(derivations_of(forest)) == 3
    assert posteriors_in_forest(forest, score_sums(forest, scores))["X", 1] == 1.0


def _rules(pairs):
    return [(mother, (child,)) for mother, child in pairs]


@given(scored())
def test_no_derivation_has_a_higher_expected_f1(drawn):
    forest, scores = drawn
    derivations = enumerated(forest, scores)
    posteriors = {each: min(p, 1) for each, p in expected_number(derivations).items()}
    in_gold = sum(chance * constituents.total() for chance, constituents in derivations)
    ratios = []
    for _, constituents in derivations:
        right = sum(number * posteriors[each] for each, number in constituents.items())
        size = constituents.total() + in_gold
        ratios.append(2 * right / size if size else 1.0)
    best = best_expected_f1(forest, scores)
    assert best.score == pytest.approx(max(ratios), abs=1e-4)
    chosen = constituents_of(forest, np.sort(best.edges[best.edges >= 0]))
    places = [place for place, (_, each) in enumerate(derivations) if each == chosen]
    assert max(ratios[place] for place in places) == pytest.approx(best.score)
    assert best.score <= 1 + 1e-9
