"""The best derivations of a forest: compared with the list of all derivations."""

from collections.abc import Iterator
from itertools import islice, pairwise
from math import isclose, log
from unittest.mock import patch

import numpy as np
import pytest
from grammar_strategies import COUNTS, grammars, sentences, sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.parser import enumerate_derivations
from quick import core, examples
from test_tightening import narrowly

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.forest import Forest
from plcfrs.chart.nbest import best_derivations
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, binarize, tag, unbinarize

MOST = 2_000  # derivations that are compared with brute force
STRATEGIES = ("astar", "knuth")
S, A, B, C = map(Nonterminal, "SABC")
X = tag("a")


@st.composite
def grammars_with_cycles(draw):
    """Random grammars with unary rules between nonterminals, also from a nonterminal to itself."""
    grammar = draw(grammars())
    symbols = [symbol for symbol in grammar.nonterminals() if symbol.kind != "tag"]
    for mother in draw(st.lists(st.sampled_from(symbols), min_size=1, max_size=6)):
        child = draw(st.sampled_from([one for one in symbols if one.fanout == mother.fanout]))
        yield_function = ((0,),) * mother.fanout
        grammar.rules[Rule(mother, (child,), yield_function)] = draw(COUNTS)
    return grammar


WITH_SENTENCES = (grammars() | grammars_with_cycles()).flatmap(
    lambda grammar: st.tuples(st.just(grammar), sentences() | sentences_of(grammar, longest=6))
)

Sentence = list[dict[Nonterminal, float]]
Ranked = list[tuple[float, Derivation]]


def same(cost: float, other: float) -> bool:
    return isclose(cost, other, rel_tol=1e-9, abs_tol=1e-11)


def eager(forest: Forest) -> Ranked:
    """Return all derivations of a forest in the documented order, the simple way."""
    symbols = list(forest.compiled.labels)

    def ranked(item: int, above: frozenset[int]) -> list[tuple[float, tuple[Derivation, ...]]]:
        if item < 0:
            return [(0.0, ())]
        if item in above:
            return []
        found = []
        for edge in range(forest.edge_start[item], forest.edge_start[item + 1]):
            rule = forest.edge_rule[edge]
            yield_function = forest.compiled.rules[rule].yield_function if rule >= 0 else ()
            lefts = ranked(forest.edge_left[edge], above | {item})
            rights = ranked(forest.edge_right[edge], above | {item})
            for left, (left_cost, left_part) in enumerate(lefts):
                for right, (right_cost, right_part) in enumerate(rights):
                    cost = left_cost + right_cost + forest.edge_cost[edge]
                    symbol = symbols[forest.label[item]]
                    derivation = Derivation(symbol, yield_function, left_part + right_part)
                    found.append((cost, edge, left, right, (derivation,)))
        found.sort(key=lambda way: (round(way[0], 9), *way[1:-1]))
        return [(way[0], way[-1]) for way in found]

    return [(cost, derivation) for cost, (derivation,) in ranked(forest.goal, frozenset())]


def exact_cost(grammar: Grammar, sentence: Sentence, derivation: Derivation) -> float:
    """Return the cost of a derivation of a grammar of rank 2, added up bottom-up."""
    leaves = [part.nonterminal for part in derivation.bottom_up() if not part.children]
    position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
    leaf_costs = iter([sentence[position_of[leaf]][tag] for leaf, tag in enumerate(leaves)])
    costs = grammar.costs()

    def add(part: Derivation, children: list[float]) -> float:
        if not children:
            return next(leaf_costs)
        left, right = (*children, 0.0)[:2]
        return left + right + costs[part.rule]

    return derivation.fold(add)


def check_ranking(grammar: Grammar, sentence: Sentence, ranking: Ranked) -> None:
    """Check what is true of any list of the best derivations of a grammar of rank 2."""
    assert all(one < other + 1e-9 for (one, _), (other, _) in pairwise(ranking))
    assert len({derivation for _, derivation in ranking}) == len(ranking)
    for cost, derivation in ranking:
        assert sorted(derivation.order()) == list(range(len(sentence)))
        assert cost == exact_cost(grammar, sentence, derivation)  # to the last bit


def check_against(expected: Ranked, found: Ranked) -> None:
    """Check that lists are the same, except for the order of nearly equal costs."""
    expected_cost = {derivation: cost for cost, derivation in expected}
    assert len(expected_cost) == len(expected) == len(found)
    assert expected_cost.keys() == {derivation for _, derivation in found}
    assert all(same(cost, expected_cost[derivation]) for cost, derivation in found)
    costs = zip(sorted(expected_cost.values()), found, strict=True)
    assert all(same(one, other) for one, (other, _) in costs)


def check(grammar: Grammar, sentence: Sentence) -> None:
    """Check that both strategies give all derivations in order."""
    for strategy in STRATEGIES:
        parser = ChartParser(binarize(grammar), strategy, UNLIMITED)
        forest = parser.forest(sentence)
        ranking = list(islice(best_derivations(forest), MOST + 1)) if forest else []
        check_ranking(parser._proper.grammar, sentence, ranking)
        if len(ranking) > MOST:
            continue
        restored = [(cost, unbinarize(parser._proper.undo_proper(part))) for cost, part in ranking]
        check_against(list(enumerate_derivations(grammar, sentence)), restored)
        assert forest is None or ranking == eager(forest)


@examples(600)
@given(WITH_SENTENCES)
def test_all_derivations_come_in_order(case):
    check(*case)


@examples(60)
@given(WITH_SENTENCES, st.sampled_from([0.0, 1.0, 3.0, 10.0]), st.sampled_from(STRATEGIES))
def test_a_pruned_forest_has_what_is_below_its_ceiling(case, log_ratio, strategy):
    grammar, sentence = case
    parser = ChartParser(binarize(grammar), strategy, UNLIMITED)
    pruned = parser.forest(sentence, log_ratio)
    if pruned is None:
        return
    found = list(islice(best_derivations(pruned), MOST))
    expected = list(islice(best_derivations(parser.forest(sentence)), 2 * MOST))
    check_ranking(parser._proper.grammar, sentence, found)
    below = [ranked for ranked in expected if ranked[0] < pruned.ceiling - 1e-9]
    assert found[: len(below)] == below[:MOST]
    if len(expected) < 2 * MOST:
        assert set(found) <= set(expected)  # with the same costs, to the last bit


def check_nbest(case, number, strategy):
    """Check that the n best parses cost what the n best of all derivations cost."""
    grammar, sentence = case
    every = list(islice(enumerate_derivations(grammar, sentence), MOST + 1))
    if len(every) > MOST:
        return
    expected = sorted(cost for cost, _ in every)[:number]
    results = ChartParser(binarize(grammar), strategy, UNLIMITED).parse_nbest(sentence, number)
    if not expected:
        assert [result.status for result in results] == ["no parse"]
        return
    assert [result.cost for result in results] == pytest.approx(expected, rel=1e-9, abs=1e-11)
    assert {result.gap for result in results} == {0.0}
    assert len({result.derivation for result in results}) == len(results)


NBEST = WITH_SENTENCES, st.sampled_from([1, 2, 3, 10, 100]), st.sampled_from(STRATEGIES)


@examples(60)
@given(*NBEST)
def test_the_best_of_all(case, number, strategy):
    check_nbest(case, number, strategy)


@pytest.mark.full
@narrowly
@examples(60)
@given(*NBEST)
def test_the_best_of_all_with_narrow_limits(case, number, strategy):
    check_nbest(case, number, strategy)


@pytest.mark.full
@narrowly
@patch("plcfrs.chart.parser._FIRST_MARGIN", 0.01)
@settings(max_examples=800)
@given(*NBEST)
def test_the_best_of_all_in_a_long_run(case, number, strategy):
    check_nbest(case, number, strategy)


def test_rules_that_become_one_by_touching():
    a, b = Nonterminal("A", 2), Nonterminal("B", 3)
    rules = {
        Rule(S, (a,), ((0, 0),)): 1,
        Rule(S, (a, S), ((0, 0, 1),)): 1,
        Rule(a, (b,), ((0, 0), (0,))): 2,
        Rule(a, (b,), ((0,), (0, 0))): 1,
        Rule(b, (X, X, X), ((0,), (1,), (2,))): 1,
    }
    check(Grammar(rules, start=S), 6 * [{X: 0.0}])
    forest = ChartParser(binarize(Grammar(rules, start=S)), budget=UNLIMITED).forest(6 * [{X: 0.0}])
    costs = [cost for cost, _ in best_derivations(forest)]
    of_one = [log(3 / 2), log(3)]
    expected = [log(4) + first + second for first in of_one for second in of_one]
    assert costs == pytest.approx(sorted(expected))


def unary(mother: Nonterminal, child: Nonterminal) -> Rule:
    return Rule(mother, (child,), ((0,),))


def chain(derivation: Derivation) -> str:
    """Return the symbols of a derivation of unary rules, from the top down."""
    return "".join(part.nonterminal.category for part in reversed(derivation.bottom_up()))


@core(1, "strategy", STRATEGIES)
def test_cycles(strategy):
    # A over A is in no derivation, although it is cheap; nor is a second A or B.
    counts = {(A, A): 6, (A, B): 1, (A, X): 1, (B, A): 1, (B, X): 3, (S, A): 3, (S, B): 1}
    grammar = Grammar({unary(*pair): count for pair, count in counts.items()}, start=S)
    forest = ChartParser(grammar, strategy, UNLIMITED).forest([{X: 0.5}])
    found = [(chain(derivation), cost) for cost, derivation in best_derivations(forest)]
    expected = {
        "SBa": 0.5 - log(1 / 4 * 3 / 4),
        "SABa": 0.5 - log(3 / 4 * 1 / 8 * 3 / 4),
        "SAa": 0.5 - log(3 / 4 * 1 / 8),
        "SBAa": 0.5 - log(1 / 4 * 1 / 4 * 1 / 8),
    }
    assert dict(found) == pytest.approx(expected)
    assert [name for name, _ in found] == ["SBa", "SAa", "SABa", "SBAa"]


def test_a_rule_from_a_symbol_to_itself():
    grammar = Grammar({unary(S, S): 8, unary(S, X): 2}, start=S)
    forest = ChartParser(grammar, budget=UNLIMITED).forest([{X: 0.0}])
    assert [chain(derivation) for _, derivation in best_derivations(forest)] == ["Sa"]


def test_the_start_symbol_in_a_cycle():
    rules = {unary(S, A): 1, unary(A, S): 1, unary(S, S): 5, unary(A, X): 2, unary(S, X): 1}
    check(Grammar(rules, start=S), [{X: 0.0}])
    check(Grammar(rules | {Rule(A, (S, A), ((0, 1),)): 2}, start=S), 4 * [{X: 0.0}])


@pytest.mark.full
def test_a_large_cycle_with_one_way_out():
    # All ways through the cycle except those by Z0 are dead ends: there are too many to try.
    ring = [Nonterminal(f"Z{number}") for number in range(14)]
    rules = {unary(mother, child): 1e6 for mother in ring for child in ring}
    rules |= {unary(S, ring[1]): 1, unary(ring[0], X): 1}
    forest = ChartParser(Grammar(rules, start=S), budget=UNLIMITED).forest([{X: 0.0}])
    costs = [cost for cost, _ in islice(best_derivations(forest), 200)]
    lengths = [round((cost - costs[0]) / log(14), 3) for cost in costs]
    # Z1 over Z0, then 12 ways by one other, then 12 * 11 by two others.
    assert lengths == [0] + 12 * [1] + 132 * [2] + 55 * [3]


def test_a_tag_that_is_also_derived():
    rules = {Rule(A, (X,), ((0,),)): 1, Rule(S, (A, A), ((0, 1),)): 1}
    grammar = Grammar(rules, start=S)
    check(grammar, [{A: 2.0, X: 1.0}, {A: 0.5, X: 0.25}])
    forest = ChartParser(grammar, budget=UNLIMITED).forest([{A: 2.0, X: 1.0}, {A: 0.5, X: 0.25}])
    assert [cost for cost, _ in best_derivations(forest)] == [1.25, 1.5, 2.25, 2.5]


BINARY_TREES = Grammar({Rule(S, (S, S), ((0, 1),)): 1, unary(S, X): 1}, start=S)


@pytest.mark.full
@core(1, "strategy", STRATEGIES)
def test_ties_come_each_once(strategy):
    forest = ChartParser(BINARY_TREES, strategy, UNLIMITED).forest(8 * [{X: 0.0}])
    ranking = list(best_derivations(forest))
    assert len(ranking) == 429  # a Catalan number
    check_ranking(BINARY_TREES, 8 * [{X: 0.0}], ranking)
    assert ranking == eager(forest) == list(best_derivations(forest))


@pytest.mark.full
@pytest.mark.parametrize("length", [40, pytest.param(150, marks=pytest.mark.full)])
def test_a_long_sentence(length):
    forest = ChartParser(BINARY_TREES, budget=UNLIMITED).forest(length * [{X: 0.0}])
    ranking = list(islice(best_derivations(forest), 100))
    check_ranking(BINARY_TREES, length * [{X: 0.0}], ranking)
    assert len(ranking) == 100


@pytest.mark.full
def test_a_deep_derivation():
    symbols = [S, *(Nonterminal(f"Z{number}") for number in range(3_000)), X]
    grammar = Grammar({unary(mother, child): 1 for mother, child in pairwise(symbols)}, start=S)
    forest = ChartParser(grammar, budget=UNLIMITED).forest([{X: 0.25}])
    ((cost, derivation),) = best_derivations(forest)
    assert cost == 0.25
    assert [part.nonterminal for part in derivation.bottom_up()] == symbols[::-1]


def best_items(forest: Forest) -> Iterator[int]:
    """Yield the items of the best derivation."""
    stack = [forest.goal]
    while stack:
        item = stack.pop()
        yield item
        edges = range(forest.edge_start[item], forest.edge_start[item + 1])
        ways = {edge: (forest.edge_left[edge], forest.edge_right[edge]) for edge in edges}
        children = {edge: [child for child in way if child >= 0] for edge, way in ways.items()}
        cost = {edge: sum(forest.cost[ways]) for edge, ways in children.items()}
        stack.extend(children[min(edges, key=lambda edge: cost[edge] + forest.edge_cost[edge])])


def test_the_first_derivation_needs_no_others():
    rules = {Rule(S, (A, S), ((0, 1),)): 6, Rule(S, (S, A), ((0, 1),)): 3, unary(S, X): 1}
    grammar = Grammar(rules | {unary(A, X): 1}, start=S)
    forest = ChartParser(grammar, budget=UNLIMITED).forest(20 * [{X: 0.0}])
    label = np.full_like(forest.label, 1_000_000)  # of no symbol
    needed = list(best_items(forest))
    label[needed] = forest.label[needed]
    assert len(needed) < len(label) / 3
    first = next(best_derivations(forest._replace(label=label)))
    assert first == next(best_derivations(forest))


@core(1, "strategy", STRATEGIES)
def test_of_parses_with_equal_costs_the_one_that_attaches_low(strategy):
    """``saw boats with binoculars near ships``: all attachments have the same rules."""
    s, np_, pp, n, p, v = Nonterminal("S"), Nonterminal("NP"), Nonterminal("PP"), *map(tag, "npv")
    rules = {
        Rule(s, (v, np_), ((0, 1),)): 1,
        Rule(np_, (np_, pp), ((0, 1),)): 1,
        Rule(np_, (n,), ((0,),)): 2,
        Rule(pp, (p, np_), ((0, 1),)): 1,
    }
    sentence = [{symbol: 0.0} for symbol in (v, n, p, n, p, n, p, n)]
    parser = ChartParser(Grammar(rules, start=s), strategy)
    best = parser.parse(sentence).derivation
    assert best == parser.parse_nbest(sentence, 3)[0].derivation

    def shown(part: Derivation, children: list[str]) -> str:
        return f"[{''.join(children)}]" if children else part.nonterminal.category

    assert best.fold(shown) == "[v[[n][p[[n][p[[n][p[n]]]]]]]]"
