"""Rules and weights, and errors in them."""

from collections import defaultdict
from math import exp, inf, log, nan

import pytest
from grammar_strategies import grammars
from hypothesis import given
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, cost, tag

S, VP, NP = Nonterminal("S"), Nonterminal("VP", 2), Nonterminal("NP")
V = tag("V")


@core(
    1,
    ("rhs", "yield_function"),
    [
        ((VP, NP), ((0, 1),)),  # VP only once
        ((VP, NP), ((0, 1, 0, 0),)),
        ((VP, NP), ((0, 0),)),  # NP never
        ((NP,), ((0, 1),)),  # no such child
        ((NP,), ((0, -1),)),
        ((NP,), ((10**12,),)),
        ((NP, NP), ((0,), (1,))),  # two components, fan-out 1
        ((NP,), ((0,), ())),  # an empty component
        ((NP,), ((),)),
        ((NP,), ()),
        ((), ()),
        ((), ((),)),
    ],
)
def test_a_yield_function_has_to_fit_the_symbols(rhs, yield_function):
    with pytest.raises(GrammarError, match=r"^rule S -> "):
        Rule(S, rhs, yield_function).check()


@core(1, "weight", [0, -1, nan, inf, -inf])
def test_weights_that_are_none(weight):
    rule = Rule(S, (NP,), ((0,),))
    with pytest.raises(GrammarError, match=r"S -> NP \[0\]"):
        Grammar({rule: weight}, start=S).check()
    with pytest.raises(GrammarError, match="V sleeps"):
        Grammar({rule: 1}, Lexicon({"sleeps": {V: weight}}), start=S).check()


def test_a_probability_is_at_most_one():
    grammar = Grammar({Rule(S, (NP,), ((0,),)): 1.5}, start=S)
    grammar.check()
    grammar.weights = "probabilities"
    with pytest.raises(GrammarError, match="probabilities"):
        grammar.check()


def test_tags_have_neither_rules_nor_gaps():
    with pytest.raises(GrammarError, match="tag"):
        Grammar({Rule(S, (V._replace(fanout=2),), ((0, 0),)): 1}, start=S).check()
    with pytest.raises(GrammarError, match="tag"):
        Grammar({Rule(S, (V,), ((0,),)): 1, Rule(V, (NP,), ((0,),)): 1}, start=S).check()


def test_the_start_symbol_has_no_gaps():
    with pytest.raises(GrammarError, match="start symbol VP_2"):
        Grammar(start=VP).check()


@given(grammars())
def test_probabilities_of_a_left_hand_side_sum_to_one(grammar):
    totals = defaultdict(float)
    for rule, cost_of_rule in grammar.costs().items():
        assert cost_of_rule >= 0
        totals[rule.lhs] += exp(-cost_of_rule)
    assert list(totals.values()) == pytest.approx([1] * len(totals))


def test_costs_are_natural_logarithms_and_never_negative():
    assert cost(0.5) == log(2)
    assert cost(1) == 0
    assert str(cost(1)) == "0.0"
    assert cost(1 + 1e-15) == 0


def test_probabilities_are_taken_as_they_are():
    grammar = Grammar({Rule(S, (NP,), ((0,),)): 0.25}, start=S, weights="probabilities")
    assert list(grammar.probabilities().values()) == [0.25]
    grammar.weights = "counts"
    assert list(grammar.probabilities().values()) == [1]


def test_counting_the_same_rule_twice():
    grammar = Grammar(start=S)
    grammar.add(Rule(S, (NP,), ((0,),)))
    grammar.add(Rule(S, (NP,), ((0,),)), 2)
    assert list(grammar.rules.values()) == [3]
    assert (grammar.rank(), grammar.fan_out()) == (1, 1)


def test_sizes_by_rank_and_fan_out():
    rules = [
        Rule(S, (VP, NP), ((0, 1, 0),)),
        Rule(VP, (V, V), ((0,), (1,))),
        Rule(VP, (VP, V), ((0, 1), (0,))),
        Rule(NP, (V,), ((0,),)),
    ]
    grammar = Grammar(dict.fromkeys(rules, 1), start=S)
    assert grammar.count_by_rank() == {1: 1, 2: 3}
    assert grammar.count_by_fan_out() == {1: 2, 2: 2}
    assert (grammar.rank(), grammar.fan_out()) == (2, 2)
    assert list(grammar.nonterminals()) == [S, VP, NP, V]


def test_words_given_tags():
    lexicon = Lexicon()
    for word, name in [("can", "MD"), ("can", "NN"), ("tin", "NN"), ("can", "NN"), ("may", "MD")]:
        lexicon.add(tag(name), word)
    assert lexicon.totals() == {tag("MD"): 2, tag("NN"): 3}
    assert lexicon.probabilities()["can"] == {
        tag("MD"): 1 / 2,
        tag("NN"): pytest.approx(2 / 3),
    }
