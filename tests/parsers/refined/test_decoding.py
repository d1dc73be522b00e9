"""Sums and objectives of refined grammars on forests, against enumeration."""

from collections import Counter
from itertools import pairwise
from math import fsum, isclose, log
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive.latent import (
    Model,
    events_of,
    likelihood,
    model_of,
    of_tokens,
    product_of,
    rule_product,
    rule_sum,
    rules_of,
    sums_of,
    zeros,
)
from naive.parser import enumerate_derivations
from naive.refinements import (
    WORDS,
    A,
    Case,
    S,
    X,
    cases,
    random_refinement,
    refinement_of,
    with_words,
)
from naive.sums import items_of as naive_items_of
from naive.sums import with_cycles, with_sentences
from quick import examples
from searching import searched, sentence_of

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.estimates import prune
from plcfrs.chart.forest import inside_outside
from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize
from plcfrs.parsers.refined.grammar import RefinedLexicon
from plcfrs.parsers.refined.model import RefinedForest, RefinedModel

# So that no derivation is left out.
EVERYTHING = 500.0


MAX_RULE = ("max-rule-product", "max-rule-sum")


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


def expected_sums(case):
    """Return the results of enumeration for each refinement."""
    classes = tokens_of(case)
    return [
        sums_of(
            of_tokens(model_of(case.refined, number), case.refined, case.words, case.tags),
            case.derivations,
            classes,
        )
        for number in range(len(case.refined.refinements))
    ]


def tokens_of(case):
    return [str(position) for position in range(len(case.words))]


def coarse_forest(case):
    parser = ChartParser(case.refined.grammar, budget=UNLIMITED)
    return parser.parse_with_forest(case.tags, EVERYTHING)[1]


def refined_forest(case, forest):
    pairs = RefinedLexicon(case.refined).pairs(case.words)
    return RefinedForest(forest, pairs, case.refined.unrefined())


def items_of(forest):
    """Return symbol and span of each item."""
    symbols = list(forest.compiled.labels)
    labels = [symbols[label] for label in forest.label]
    return list(zip(labels, map(int, forest.bits[:, 0]), strict=True))


def rule_edges(forest):
    """Return the edges without those of scanned tags, with their spans."""
    items = items_of(forest)
    found = []
    for mother, edges in enumerate(pairwise(forest.edge_start)):
        for edge in range(*edges):
            nodes = [mother, forest.edge_left[edge], forest.edge_right[edge]]
            if forest.edge_rule[edge] >= 0:
                spans = tuple(items[node][1] for node in nodes if node >= 0)
                found.append((forest.compiled.rules[forest.edge_rule[edge]], spans))
    return found


def is_continuous(derivation):
    return all(rule.lhs.fanout == 1 for rule, _ in rules_of(derivation))


def parsed(case, objective, least=0.0):
    """Return the parse of the whole forest, but of edges that are this probable at least."""
    with (
        patch.object(RefinedModel, "log_ratios", (EVERYTHING,)),
        patch("plcfrs.parsers.refined.model._LEAST_POSTERIOR", least),
    ):
        return searched(case.refined, case.words, case.tags, objective)


def check_posteriors(case):
    forest = coarse_forest(case)
    (expected,) = expected_sums(case)
    found = refined_forest(case, forest).sums(case.refined.refinements[0])
    assert found.log_probability == close(log(expected.probability))
    edges = dict(zip(rule_edges(forest), found.edge_posterior, strict=True))
    assert edges == close({e: p for e, p in expected.posteriors.items() if len(e[1]) > 1})
    items = item_posteriors(expected)
    assert dict(zip(items_of(forest), found.posterior, strict=True)) == close(items)
    assert found.posterior[-1] == close(1)


def item_posteriors(sums):
    """Return the posterior of each symbol over each span."""
    items: dict = {}
    for (what, spans), posterior in sums.posteriors.items():
        item = what.lhs if len(spans) > 1 else what[0], spans[0]
        items[item] = items.get(item, 0.0) + posterior
    return items


def check_viterbi(case):
    model = of_tokens(model_of(case.refined), case.refined, case.words, case.tags)
    result = parsed(case, "mpd")
    (expected,) = expected_sums(case)
    assert result.cost == close(-log(expected.best))
    found = sums_of(model, [result.derivation], tokens_of(case))
    assert found.best == close(expected.best)


@examples(250)
@given(cases())
def test_posteriors(case):
    check_posteriors(case)


@pytest.mark.full
@given(st.integers(1, 2).flatmap(lambda number: cases(number=number)))
def test_posteriors_of_constituents(case):
    with patch.object(RefinedModel, "log_ratios", (EVERYTHING,)):
        found = RefinedModel(case.refined, budget=UNLIMITED).constituents(
            sentence_of(case.words), case.tags
        )
    several = [item_posteriors(sums) for sums in expected_sums(case)]
    mean = {item: fsum(of[item] for of in several) / len(several) for item in several[0]}
    assert found == close(mean)
    assert found[case.refined.grammar.start, (1 << len(case.words)) - 1] == close(1)


@examples(250)
@given(cases())
def test_the_most_probable_derivation_with_substates(case):
    check_viterbi(case)


@examples(250)
@given(st.integers(1, 3).flatmap(lambda number: cases(number=number)))
def test_the_highest_product_and_sum_of_posteriors(case):
    several = expected_sums(case)
    posteriors = product_of(several)
    for objective, score in (("max-rule-product", rule_product), ("max-rule-sum", rule_sum)):
        found = parsed(case, objective).derivation
        best = max(score(derivation, posteriors) for derivation in case.derivations)
        assert score(found, posteriors) == close(best)


@given(cases(number=2))
def test_edges_that_are_improbable_in_the_first_grammar_are_left_out(case):
    first, _ = (sums.posteriors for sums in expected_sums(case))
    found = parsed(case, "max-rule-product", 0.1).derivation
    case.refined.refinements = case.refined.refinements[:1]
    alone = parsed(case, "max-rule-product").derivation
    is_probable = all(first[edge] >= 0.1 - 1e-9 for edge in rules_of(found))
    assert is_probable or rule_product(found, first) == close(rule_product(alone, first))


@given(cases(number=2), st.sampled_from(["max-rule-product", "max-rule-sum"]))
def test_the_cost_of_a_derivation_without_substates(case, objective):
    result = parsed(case, objective)
    costs = []
    for number in (0, 1):
        model = of_tokens(model_of(case.refined, number), case.refined, case.words, case.tags)
        costs.append(-log(likelihood(model, events_of(result.derivation, tokens_of(case)))))
    assert result.cost == close(sum(costs) / 2)


@pytest.mark.full
@examples(250)
@given(cases(zeros=0.5))
def test_probabilities_of_zero(case):
    """Check that a possible sentence has a possible parse."""
    (expected,) = expected_sums(case)
    for objective in ("mpd", "max-rule-product", "max-rule-sum"):
        result = parsed(case, objective)
        assert result.status == ("parsed" if expected.probability else "no parse")
    if expected.probability:
        check_posteriors(case)
        check_viterbi(case)


def test_edges_that_are_possible_one_by_one_but_not_together():
    """X P with X Q or X R, and X Q or X R with X P: the most probable edges are P and P."""
    p, q, r = (Nonterminal(name) for name in "PQR")
    top = Rule(S, (X, X), ((0, 1),))
    chains = [Rule(X, (symbol,), ((0,),)) for symbol in (p, q, r)]
    chains += [Rule(symbol, (A,), ((0,),)) for symbol in (p, q, r)]
    refined = with_words(Grammar(dict.fromkeys([top, *chains], 1), start=S), Random(1))
    states = dict.fromkeys(refined.symbols, 1) | {X: 3}
    tables = {what: zeros(states, what) for what in (top, *chains, *refined.pairs)}
    tables[top] |= {(0, 0, 1): 0.3, (0, 0, 2): 0.3, (0, 1, 0): 0.25, (0, 2, 0): 0.15}
    for what, table in tables.items():
        if what != top:
            state = chains.index(what) if what in chains[:3] else 0
            table[(state, 0)[: len(next(iter(table)))]] = 1.0
    refined.refinements = (refinement_of(Model(states, tables), refined),)
    tags = [{A: 0.0}, {A: 0.0}]
    for objective in ("mpd", *MAX_RULE):
        result = searched(refined, ["x", "y"], tags, objective)
        assert result.status == "parsed"


@pytest.mark.full
@given(cases())
def test_one_substate_is_the_unrefined_grammar(case):
    case.refined.refinements = (case.refined.unrefined(),)
    forest = coarse_forest(case)
    plain = inside_outside(forest)
    found = refined_forest(case, forest).sums(case.refined.refinements[0])
    assert found.log_probability == close(plain.log_probability)
    assert found.posterior == close(plain.posterior)
    assert found.edge_posterior == close(plain.edge_posterior[forest.edge_rule >= 0])
    best = ChartParser(case.refined.grammar, budget=UNLIMITED).parse(case.tags)
    assert parsed(case, "mpd").cost == close(best.cost)


@pytest.mark.full
@given(cases())
def test_a_product_of_a_grammar_with_itself_changes_nothing(case):
    once = [parsed(case, objective) for objective in MAX_RULE]
    case.refined.refinements *= 3
    for before, objective in zip(once, MAX_RULE, strict=True):
        after = parsed(case, objective)
        assert after.cost == close(before.cost)
        (expected, *_) = expected_sums(case)
        score = rule_product if objective == "max-rule-product" else rule_sum
        scores = [score(result.derivation, expected.posteriors) for result in (before, after)]
        assert scores[0] == close(scores[1])


@pytest.mark.full
@given(with_sentences(with_cycles(1e6), longest=3), st.integers(0, 2**32))
def test_posteriors_with_unary_cycles(pair, seed):
    grammar, tags = binarize(pair[0]), pair[1]
    random = Random(seed)
    refined = with_words(grammar, random)
    refined.refinements = (random_refinement(refined, [], 3, 0.0, random),)
    words = [random.choice(WORDS) for _ in tags]
    case = Case(refined, words, tags, [])
    forest = coarse_forest(case)
    if forest is None:
        assert parsed(case, "mpd").status == "no parse"
        return
    found = refined_forest(case, forest).sums(refined.refinements[0])
    for posteriors in (found.posterior, found.edge_posterior):
        assert np.all(posteriors >= 0)
        assert np.all(posteriors <= 1 + 1e-9)
    assert found.posterior[-1] == close(1)
    assert items_of(forest)[-1] == (grammar.start, (1 << len(tags)) - 1)
    for objective in ("mpd", *MAX_RULE):
        derivation = parsed(case, objective).derivation
        assert set(derivation.rules()) <= set(grammar.rules)
        assert max(Counter(naive_items_of(derivation)).values()) == 1
        assert sorted(derivation.order()) == list(range(len(tags)))


@pytest.mark.full
@given(cases(), st.sampled_from([0.5, 2.0, 10.0]))
def test_only_the_derivations_near_the_best(case, log_ratio):
    """An edge is in the forest exactly if it is in a derivation that is probable enough.

    Collected after the best parse, discontinuous ones are there only if they are close enough.
    """
    parses = enumerate_derivations(case.refined.grammar, case.tags)
    costs = {derivation: cost for cost, derivation in parses}
    ceiling = min(costs.values()) + log_ratio
    assume(not any(isclose(cost, ceiling, abs_tol=1e-6) for cost in costs.values()))
    near = {edge for tree in costs if costs[tree] < ceiling for edge in rules_of(tree)}
    parser = ChartParser(case.refined.grammar, budget=UNLIMITED)
    forest = prune(parser.forest(case.tags, log_ratio), log_ratio)
    assert Counter(rule_edges(forest)) == Counter(near)
    _, forest = parser.parse_with_forest(case.tags, log_ratio)
    found = set(rule_edges(forest))
    assert len(found) == len(rule_edges(forest))
    continuous = [tree for tree in costs if costs[tree] < ceiling and is_continuous(tree)]
    assert near >= found >= {edge for tree in continuous for edge in rules_of(tree)}
    case.derivations[:] = [tree for tree in costs if found.issuperset(rules_of(tree))]
    assert min(map(costs.__getitem__, case.derivations)) == close(min(costs.values()))
    (expected,) = expected_sums(case)
    sums = refined_forest(case, forest).sums(case.refined.refinements[0])
    assert sums.log_probability == close(log(expected.probability))
