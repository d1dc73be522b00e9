"""The random grammars are useful for tests."""

from math import inf

import pytest
from grammar_strategies import MAXIMAL_RULES, grammars, sentences, sentences_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.parser import best_cost

from plcfrs.grammar import proper_gaps


@given(grammars(max_rank=4))
def test_random_grammars_are_grammars(grammar):
    grammar.check()
    assert grammar.rank() <= 4
    assert grammar.fan_out() <= 4
    assert len(grammar.rules) <= MAXIMAL_RULES


@given(grammars(touching=False))
def test_touching_can_be_left_out(grammar):
    grammar.check()
    assert proper_gaps(grammar).grammar is grammar


@given(st.data())
def test_sentences_of_a_grammar_have_a_parse(data):
    grammar = data.draw(grammars())
    assert best_cost(grammar, data.draw(sentences_of(grammar))) < inf


@pytest.mark.full
def test_a_third_of_random_sentences_have_a_parse():
    outcomes = []

    @settings(max_examples=300, derandomize=True, database=None)
    @given(grammars(), sentences())
    def count(grammar, sentence):
        outcomes.append(best_cost(grammar, sentence) < inf)

    count()
    assert sum(outcomes) > len(outcomes) / 3
