"""The chart parser: growth, ties, tags with costs."""

from concurrent.futures import ThreadPoolExecutor
from math import log

import pytest

from plcfrs.chart import ChartParser, storage
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag

S, T = Nonterminal("S"), Nonterminal("T")
A, B = tag("a"), tag("b")
AMBIGUOUS = Grammar({Rule(S, (S, S), ((0, 1),)): 1, Rule(S, (A,), ((0,),)): 3}, start=S)


def test_arrays_grow_without_changing_the_result(monkeypatch):
    sentence = [{A: 0.0}] * 30
    expected = ChartParser(AMBIGUOUS).parse(sentence)
    monkeypatch.setattr(storage, "_ITEMS_PER_TOKEN", 1)
    grown = ChartParser(AMBIGUOUS).parse(sentence)
    assert grown == expected
    assert grown.statistics.items > 64


def test_cost_of_a_sentence():
    result = ChartParser(AMBIGUOUS).parse([{A: 0.0}] * 4)
    assert result.cost == pytest.approx(-3 * log(1 / 4) - 4 * log(3 / 4))


def test_tags_with_costs_compete():
    grammar = Grammar({Rule(S, (A,), ((0,),)): 1, Rule(S, (B,), ((0,),)): 3}, start=S)
    parser = ChartParser(grammar)
    assert parser.parse([{A: 0.0, B: 0.0}]).derivation.children[0].nonterminal == B
    assert parser.parse([{A: 0.0, B: 5.0}]).derivation.children[0].nonterminal == A


def test_unary_cycles_end():
    rules = {Rule(S, (T,), ((0,),)): 1, Rule(T, (S,), ((0,),)): 1, Rule(T, (A,), ((0,),)): 1}
    result = ChartParser(Grammar(rules, start=S)).parse([{A: 0.0}])
    assert result.cost == pytest.approx(log(2))
    assert [str(rule) for rule in result.derivation.rules()] == ["T -> a [0]", "S -> T [0]"]


def test_unknown_tags_are_in_no_parse():
    assert ChartParser(AMBIGUOUS).parse([{B: 0.0}]).status == "no parse"


def test_a_grammar_of_higher_rank_is_refused():
    grammar = Grammar({Rule(S, (A, A, A), ((0, 1, 2),)): 1}, start=S)
    with pytest.raises(GrammarError, match="binarize"):
        ChartParser(grammar)


def test_threads_may_share_a_parser():
    parser = ChartParser(AMBIGUOUS)
    sentences = [[{A: 0.0}] * length for length in range(1, 40)]
    expected = [parser.parse(sentence) for sentence in sentences]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parser.parse, sentences)) == expected
