"""The chart parser: growth, ties, tags with costs."""

from concurrent.futures import ThreadPoolExecutor
from math import inf, log

import late_parse
import pytest
from quick import core

from plcfrs.budget import UNLIMITED, Budget, OutOfTimeError
from plcfrs.chart import ChartParser, estimates, growing
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag

S, T = Nonterminal("S"), Nonterminal("T")
A, B = tag("a"), tag("b")
AMBIGUOUS = Grammar({Rule(S, (S, S), ((0, 1),)): 1, Rule(S, (A,), ((0,),)): 3}, start=S)


def test_arrays_grow_without_changing_the_result(monkeypatch):
    sentence = [{A: 0.0}] * 30
    expected = ChartParser(AMBIGUOUS, budget=UNLIMITED).parse(sentence)
    monkeypatch.setattr(growing, "_ITEMS_PER_TOKEN", 1)
    monkeypatch.setattr(estimates, "_FIRST_ENTRIES", 1)
    grown = ChartParser(AMBIGUOUS, budget=UNLIMITED).parse(sentence)
    assert grown == expected
    assert grown.statistics.items > 64


def test_cost_of_a_sentence():
    result = ChartParser(AMBIGUOUS, budget=UNLIMITED).parse([{A: 0.0}] * 4)
    assert result.cost == pytest.approx(-3 * log(1 / 4) - 4 * log(3 / 4))


def test_tags_with_costs_compete():
    grammar = Grammar({Rule(S, (A,), ((0,),)): 1, Rule(S, (B,), ((0,),)): 3}, start=S)
    parser = ChartParser(grammar, budget=UNLIMITED)
    assert parser.parse([{A: 0.0, B: 0.0}]).derivation.children[0].nonterminal == B
    assert parser.parse([{A: 0.0, B: 5.0}]).derivation.children[0].nonterminal == A


def test_unary_cycles_end():
    rules = {Rule(S, (T,), ((0,),)): 1, Rule(T, (S,), ((0,),)): 1, Rule(T, (A,), ((0,),)): 1}
    result = ChartParser(Grammar(rules, start=S), budget=UNLIMITED).parse([{A: 0.0}])
    assert result.cost == pytest.approx(log(2))
    assert [str(rule) for rule in result.derivation.rules()] == ["T -> a [0]", "S -> T [0]"]


def test_unknown_tags_are_in_no_parse():
    assert ChartParser(AMBIGUOUS, budget=UNLIMITED).parse([{B: 0.0}]).status == "no parse"


def test_a_grammar_of_higher_rank_is_refused():
    grammar = Grammar({Rule(S, (A, A, A), ((0, 1, 2),)): 1}, start=S)
    with pytest.raises(GrammarError, match="binarize"):
        ChartParser(grammar, budget=UNLIMITED)


@pytest.mark.full
def test_threads_may_share_a_parser():
    parser = ChartParser(AMBIGUOUS, budget=UNLIMITED)
    sentences = [[{A: 0.0}] * length for length in range(1, 40)]
    expected = [parser.parse(sentence) for sentence in sentences]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parser.parse, sentences)) == expected


LONG = [{A: 0.0}] * 40


@core(1, "strategy", ["astar", "knuth"])
def test_a_search_ends_when_it_has_created_enough_items(strategy):
    unbound = ChartParser(AMBIGUOUS, strategy, UNLIMITED).parse(LONG)
    items = unbound.statistics.items
    assert ChartParser(AMBIGUOUS, strategy, Budget(items + 1)).parse(LONG) == unbound
    result = ChartParser(AMBIGUOUS, strategy, Budget(items // 2)).parse(LONG)
    assert (result.status, result.cost, result.derivation) == ("out of items", inf, None)
    assert result.statistics.items == items // 2


@core(1, "strategy", ["astar", "knuth"])
@core(1, "objective", ["mpd", "mcp"])
def test_a_search_ends_when_it_has_taken_long_enough(strategy, objective):
    parser = ChartParser(AMBIGUOUS, strategy, Budget(max_seconds=1e-9))
    assert parser.parse(LONG, objective).status == "out of time"
    assert [result.status for result in parser.parse_nbest(LONG, 5)] == ["out of time"]
    with pytest.raises(OutOfTimeError):
        parser.forest(LONG)


def test_what_was_found_before_the_budget_was_used_up_is_not_proven():
    """An expensive parse is found at once, the cheap one only after a long search."""
    grammar, sentence = late_parse.GRAMMAR, late_parse.CANDIDATES
    best = ChartParser(grammar, "knuth", UNLIMITED).parse(sentence)
    assert best.cost == pytest.approx(-log(0.9))
    results = [
        ChartParser(grammar, "knuth", Budget(items)).parse(sentence) for items in range(1, 12)
    ]
    found = [result for result in results if result.gap]
    assert found
    for result in found:
        assert result.status == "parsed"
        assert result.cost - result.gap <= best.cost + 1e-9 <= result.cost + 2e-9
    assert results[-1] == best


@pytest.mark.full
def test_memory_is_used_again():
    """After long and short sentences in any order, and after a search that was stopped."""
    parser = ChartParser(AMBIGUOUS, budget=UNLIMITED)
    sentences = [[{A: 0.0}] * length for length in (1, 70, 3, 130, 2, 64, 65, 1)]
    assert [parser.parse(sentence) for sentence in sentences] == [
        ChartParser(AMBIGUOUS, budget=UNLIMITED).parse(sentence) for sentence in sentences
    ]
    nbest = parser.parse_nbest(sentences[2], 2)
    assert parser.parse(sentences[2]).cost == nbest[0].cost
    stopped = ChartParser(AMBIGUOUS, budget=Budget(50))
    assert stopped.parse(LONG).status == "out of items"
    assert stopped.parse(sentences[2]) == parser.parse(sentences[2])


def test_nbest_parses_are_in_order_and_without_repetitions():
    parser = ChartParser(AMBIGUOUS, budget=UNLIMITED)
    results = parser.parse_nbest([{A: 0.0}] * 5, 20)
    assert len({result.derivation for result in results}) == len(results) == 14  # Catalan number
    assert len(parser.parse_nbest([{A: 0.0}] * 5, 6)) == 6
    assert [result.cost for result in results] == sorted(result.cost for result in results)
    by_height = parser.parse_nbest(
        [{A: 0.0}] * 5, 20, key=lambda derivation: len(derivation.children)
    )
    assert len(by_height) == 1
    assert [result.status for result in parser.parse_nbest([{B: 0.0}], 3)] == ["no parse"]


@pytest.mark.full
@core(1, "length", [100, 200])
def test_long_sentences(length):
    result = ChartParser(AMBIGUOUS, budget=UNLIMITED).parse([{A: 0.0}] * length)
    assert result.cost == pytest.approx(-(length - 1) * log(1 / 4) - length * log(3 / 4))
