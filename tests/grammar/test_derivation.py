"""Derivations: rules, and the order of the words."""

import pytest
from grammar_strategies import grammars, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import enumerate_derivations

from plcfrs.grammar import Derivation, Nonterminal, Rule, tag

S, VP = Nonterminal("S"), Nonterminal("VP", 2)
A, B, C = (Derivation(tag(name)) for name in "abc")


def test_rules_of_a_discontinuous_derivation():
    derivation = Derivation(S, ((0, 1, 0),), (Derivation(VP, ((0,), (1,)), (A, C)), B))
    assert derivation.rules() == [
        Rule(VP, (tag("a"), tag("c")), ((0,), (1,))),
        Rule(S, (VP, tag("b")), ((0, 1, 0),)),
    ]
    assert [leaf.nonterminal.category for leaf in derivation.bottom_up()] == [
        "a",
        "c",
        "VP",
        "b",
        "S",
    ]
    assert derivation.order() == [0, 2, 1]


@pytest.mark.full
def test_deep_derivations_need_no_recursion():
    derivation = A
    for _ in range(2000):
        derivation = Derivation(S, ((1, 0),), (derivation, B))
    assert len(derivation.rules()) == 2000
    assert derivation.order() == [*range(2000, -1, -1)]


@given(st.data())
def test_order_gives_the_sentence(data):
    grammar = data.draw(grammars())
    sentence = data.draw(sentences_of(grammar, longest=4))
    for _, derivation in enumerate_derivations(grammar, sentence):
        leaves = [node.nonterminal for node in derivation.bottom_up() if not node.children]
        order = derivation.order()
        assert sorted(order) == list(range(len(sentence)))
        assert [{leaves[leaf]: 0.0} for leaf in order] == sentence
        assert set(derivation.rules()) <= set(grammar.rules)
        break
