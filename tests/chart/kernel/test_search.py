"""The whole search on small cases, also run without compilation (NUMBA_DISABLE_JIT=1)."""

import pytest
from quick import core

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.grammar import Grammar, Nonterminal, Rule, parse_yield_function, tag


def rule(lhs, *rhs, yields):
    return Rule(lhs, rhs, parse_yield_function(yields))


S, A, T = Nonterminal("S"), Nonterminal("A", 2), Nonterminal("T")
W, X, Y, Z = (tag(name) for name in "wxyz")
GRAMMAR = Grammar(
    {
        rule(S, A, T, yields="0 1 0"): 1,  # fills the gap
        rule(A, W, Y, yields="0, 1"): 1,  # apart
        rule(A, A, A, yields="0 1, 0 1"): 1,  # follow each other twice
        rule(T, T, T, yields="0 1"): 1,
        rule(T, X, yields="0"): 1,
    },
    start=S,
)


def parse(tags):
    return ChartParser(GRAMMAR, budget=UNLIMITED).parse([{tag(name): 0.0} for name in tags])


@core(1, "tags", ["wxy", "wxxxy", "wwxyy"])
def test_finds_the_parse(tags):
    result = parse(tags)
    assert result.status == "parsed"
    assert len(result.derivation.order()) == len(tags)


@core(1, "tags", ["", "w", "wy", "wwxy", "xwy", "wxyy"])
def test_finds_no_parse(tags):
    result = parse(tags)
    assert (result.status, result.cost, result.derivation) == ("no parse", float("inf"), None)


@pytest.mark.full
def test_more_than_one_word_of_tokens():
    """Gaps at and across the border between two 64-bit words."""
    for before in (61, 62, 63, 64, 65, 130):
        assert parse("w" + "x" * before + "y").status == "parsed"


def test_statistics_of_a_sentence_without_choices():
    statistics = parse("wxy").statistics
    # w x y, T over x, A over w and y, S over all
    assert (statistics.items, statistics.popped, statistics.edges) == (6, 6, 3)


def test_the_same_parse_on_every_run():
    results = [parse("wwxxxxxxyy") for _ in range(3)]
    assert results[0].derivation == results[1].derivation == results[2].derivation
