"""The derivation that is nearest to a gold one, against all derivations of small forests."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from naive.forests import EVERYTHING, derivations_of, forest_of
from naive.refinements import cases

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.forest.scored_forest import derivation_of_edges
from plcfrs.grammar import Derivation, Grammar, Nonterminal, tag
from plcfrs.parsers.features.training import Gold, nearest


def chosen(forest, edges):
    """Return the derivation with the given edges."""
    of_items = [-1] * len(forest.label)
    for edge in edges:
        of_items[forest.edge_mother[edge]] = edge
    return derivation_of_edges(forest, np.array(of_items))


@given(cases(), st.randoms(use_true_random=False))
def test_the_gold_derivation_if_it_is_there(case, random):
    gold = random.choice(case.derivations)
    forest = forest_of(case.refined.grammar, case.tags)
    found = chosen(forest, nearest(forest, Gold.of(gold)))
    assert found.rules() == gold.rules()
    assert found.ranges() == gold.ranges()


def nearness(derivation, gold):
    """Return the right constituents less the wrong ones, and the steps that are right."""

    def parts(derivation):
        nodes = zip(derivation.bottom_up(), derivation.ranges(), strict=True)
        return [(node, ranges) for node, ranges in nodes if node.children]

    def constituents(derivation):
        return [(node.nonterminal.category, ranges) for node, ranges in parts(derivation)]

    def steps(derivation):
        ranges = iter(derivation.ranges())
        found = derivation.fold(lambda node, below: (node.nonterminal, next(ranges), tuple(below)))
        waiting, flat = [found], set()
        while waiting:
            symbol, place, below = waiting.pop()
            if below:
                flat.add((symbol, place, tuple(each[:2] for each in below)))
            waiting += below
        return flat

    right = set(constituents(gold))
    points = sum(1 if each in right else -1 for each in constituents(derivation))
    return points, len(steps(derivation) & steps(gold))


@given(cases(), st.randoms(use_true_random=False))
def test_the_nearest_derivation_if_a_rule_is_unknown(case, random):
    gold = random.choice(case.derivations)
    grammar = case.refined.grammar
    unknown = random.choice(gold.rules())
    rules = {rule: count for rule, count in grammar.rules.items() if rule != unknown}
    assume(any(rule.lhs == grammar.start for rule in rules))
    parser = ChartParser(Grammar(rules, grammar.lexicon, grammar.start), budget=UNLIMITED)
    _, forest = parser.parse_with_forest(case.tags, EVERYTHING)
    assume(forest is not None)
    found = nearness(chosen(forest, nearest(forest, Gold.of(gold))), gold)
    everything = [nearness(chosen(forest, edges), gold) for edges in derivations_of(forest)]
    assert found == max(everything)


def test_parts_of_a_derivation_with_a_gap():
    what, now, do = (Derivation(tag(name)) for name in "WRV")
    vp = Derivation(Nonterminal("VP", 2), ((0,), (1,)), (what, do))
    top = Derivation(Nonterminal("S", kind="intermediate"), ((0, 1, 0),), (vp, now))
    gold = Gold.of(top)
    assert gold.constituents == {("VP", 0b101)}
    assert gold.steps == {(vp.rule, 0b001, 0b100), (top.rule, 0b101, 0b010)}
