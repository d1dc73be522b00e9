import pytest
from grammar_strategies import grammars
from hypothesis import given
from hypothesis import strategies as st
from quick import core

from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, parse_yield_function
from plcfrs.grammar.formats import yaml
from plcfrs.grammar.selection import SORT_KEYS, RuleQuery, find_symbols, select_rules

TEXT = """plcfrs: 1
start: S
rules: |
  S -> VP_2 MD NP [0 1 2 0] 3
  S -> NP VP [0 1] 5
  VP_2 -> WP VB [0, 1] 2
  VP^INF_2 -> WP VB [0, 1] 4
  VP -> VB NP [0 1] 9
  NP -> NP~ [0] 6
  @1 -> NP VP [0 1] 1
  @1_2 -> WP VP [0, 1] 1
"""


@pytest.fixture
def grammar():
    return yaml.loads(TEXT)


def found(grammar, sort=None, top=None, **query):
    return [str(one.rule) for one in select_rules(grammar, RuleQuery(**query), sort, top)]


def test_queries(grammar):
    assert found(grammar, lhs="VP") == ["VP -> VB NP [0 1]"]
    assert found(grammar, lhs="VP_2") == ["VP_2 -> WP VB [0, 1]"]
    assert found(grammar, lhs="VP*_2") == ["VP_2 -> WP VB [0, 1]", "VP^INF_2 -> WP VB [0, 1]"]
    assert found(grammar, lhs="S", rhs=("NP", "MD")) == ["S -> VP_2 MD NP [0 1 2 0]"]
    assert len(found(grammar, fan_out=2)) == 3
    assert found(grammar, rank=3) == ["S -> VP_2 MD NP [0 1 2 0]"]
    assert found(grammar, min_count=6) == ["VP -> VB NP [0 1]", "NP -> NP [0]"]
    assert found(grammar, yield_function=parse_yield_function("0 1 2 0"), lhs="S*") == [
        "S -> VP_2 MD NP [0 1 2 0]"
    ]
    assert found(grammar, sort="count", top=2) == ["VP -> VB NP [0 1]", "NP -> NP [0]"]
    assert found(grammar, sort="complexity", top=1) == ["S -> VP_2 MD NP [0 1 2 0]"]
    assert found(grammar, lhs="S", sort="prob") == ["S -> NP VP [0 1]", "S -> VP_2 MD NP [0 1 2 0]"]


def test_a_tag_that_has_the_name_of_a_category(grammar):
    symbols = grammar.nonterminals()
    assert {symbol.kind for symbol in find_symbols(symbols, "NP")} == {"category", "tag"}
    assert {symbol.kind for symbol in find_symbols(symbols, "NP~")} == {"tag"}
    assert found(grammar, rhs=("NP~",)) == ["NP -> NP [0]"]


@core(
    1,
    ("query", "message"),
    [
        ({"lhs": "VPX"}, "no symbol VPX: is it (one of )?VP"),
        ({"lhs": "VP^INF"}, "no symbol VP.INF: is it VP.INF_2"),
        ({"rhs": ("Q*",)}, "no symbol Q"),
        ({"lhs": "WP"}, "WP is a tag"),
    ],
)
def test_errors(grammar, query, message):
    with pytest.raises(InputError, match=message):
        found(grammar, **query)


def test_probabilities_have_no_counts(grammar):
    grammar = Grammar(grammar.probabilities(), start=grammar.start, weights="probabilities")
    listed = select_rules(grammar, RuleQuery(min_count=9), "count", 1)
    assert [(one.count, one.probability) for one in listed] == [(None, 1)]


@given(grammars(), st.sampled_from(SORT_KEYS))
def test_all_rules_are_listed_with_the_figures_of_the_grammar(grammar, sort):
    listed = select_rules(grammar, sort=sort)
    assert {one.rule: one.count for one in listed} == grammar.rules
    assert {one.rule: one.probability for one in listed} == grammar.probabilities()
    assert {one.rule: one.cost for one in listed} == grammar.costs()
    for one in listed:
        free = len(one.rule.yield_function) + sum(map(len, one.rule.yield_function))
        assert one.complexity == free
