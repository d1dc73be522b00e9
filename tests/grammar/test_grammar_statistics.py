from collections import Counter
from math import log2

import pytest
from grammar_strategies import grammars
from hypothesis import given
from nltk.probability import DictionaryProbDist, entropy

from plcfrs.grammar import Grammar
from plcfrs.grammar.formats import yaml
from plcfrs.grammar.report import hardest_rules, overview, uncertainties
from plcfrs.grammar.selection import listed_rules

TEXT = """plcfrs: 1
start: S
rules: |
  S -> NP VP [0 1] 3
  S -> VP_2 NP [0 1 0] 1
  NP -> N [0] 4
  VP -> V NP [0 1] 2
  VP -> V S [0 1] 1
  VP_2 -> NP V [0, 1] 1
  X -> X [0] 1
lexicon: |
  N dog 1
  N cat 1
  V cat 2
"""


def test_the_figures_of_a_small_grammar():
    grammar = yaml.loads(TEXT)
    found, rules = overview(grammar, top=2), listed_rules(grammar)
    words = grammar.lexicon.words
    assert (found.rules, len(words), sum(map(len, words.values()))) == (7, 2, 3)
    assert found.symbols == {"category": 5, "tag": 2}
    assert found.by_fan_out == {1: 6, 2: 1}
    assert found.by_rank == {1: 2, 2: 5}
    assert found.by_frequency == {1: 4, 2: 1, 3: 1, 4: 1}
    assert Counter(one.complexity for one in rules) == {2: 2, 3: 3, 4: 2}
    assert [str(one.rule) for one in hardest_rules(rules, 2)] == [
        "S -> VP_2 NP [0 1 0]",
        "VP_2 -> NP V [0, 1]",
    ]
    assert [str(one.rule) for one in found.discontinuous] == ["VP_2 -> NP V [0, 1]"]
    assert [str(symbol) for symbol in found.useless] == ["X"]
    assert [list(map(str, one)) for one in found.unary_cycles] == [["X"]]
    assert [list(map(str, one)) for one in found.components] == [["S", "VP"], ["X"]]


def test_entropies_by_hand():
    found = overview(yaml.loads(TEXT), top=2)
    of_s, of_vp = 0.25 * 2 + 0.75 * log2(4 / 3), (log2(3) + 2 * log2(3 / 2)) / 3
    assert [(str(one.symbol), one.rules, one.frequency) for one in found.uncertain] == [
        ("VP", 2, 3),
        ("S", 2, 4),
    ]
    assert [one.entropy for one in found.uncertain] == pytest.approx([of_vp, of_s])
    assert found.entropy == pytest.approx((3 * of_vp + 4 * of_s) / (4 + 4 + 3 + 1 + 1))


@given(grammars())
def test_entropies_are_those_of_nltk(grammar):
    found = {one.symbol: one.entropy for one in uncertainties(listed_rules(grammar))}
    probabilities = grammar.probabilities()
    for symbol, bits in found.items():
        own = {rule: p for rule, p in probabilities.items() if rule.lhs == symbol}
        assert bits == pytest.approx(entropy(DictionaryProbDist(own)), abs=1e-9)


def test_a_grammar_with_probabilities_has_a_mean_without_weights():
    grammar = yaml.loads(TEXT)
    grammar = Grammar(grammar.probabilities(), start=grammar.start, weights="probabilities")
    found = overview(grammar)
    assert not found.by_frequency
    assert found.entropy == pytest.approx(sum(one.entropy for one in found.uncertain) / 5)


def test_an_empty_grammar():
    found = overview(Grammar())
    assert (found.rules, found.entropy, found.components) == (0, 0, [])
    assert hardest_rules([], 2) == []
