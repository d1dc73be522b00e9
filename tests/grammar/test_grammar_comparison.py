from math import log2

import pytest
from grammar_strategies import grammars
from hypothesis import given

from plcfrs.errors import InputError
from plcfrs.grammar import Nonterminal
from plcfrs.grammar.formats import yaml
from plcfrs.grammar.selection import compare

HEAD = "plcfrs: 1\nstart: S\nrules: |\n"
BEFORE = HEAD + "  S -> a 1\n  S -> b 1\n  R -> a 10\n  R -> b 90\nlexicon: |\n  a x 1\n"
AFTER = HEAD + "  S -> a 3\n  S -> c 1\n  R -> a 20\n  R -> b 80\n  Q -> a 7\nlexicon: |\n  a y 1\n"


@pytest.fixture
def found():
    return compare(yaml.loads(BEFORE), yaml.loads(AFTER))


def test_rules_that_appear_disappear_and_change(found):
    assert [(str(one.rule), one.after, one.count_after) for one in found.appeared] == [
        ("Q -> a [0]", 1, 7),
        ("S -> c [0]", 0.25, 1),
    ]
    assert [(str(one.rule), one.before, one.count_after) for one in found.disappeared] == [
        ("S -> b [0]", 0.5, 0)
    ]
    assert [(str(one.rule), round(one.change, 6)) for one in found.changed] == [
        ("S -> a [0]", 0.25),
        ("R -> a [0]", 0.1),
        ("R -> b [0]", -0.1),
    ]
    assert found.unchanged == 0
    assert list(map(str, found.new_symbols)) == ["c", "Q"]
    assert (found.new_words, found.lost_words) == (["y"], ["x"])


def test_divergences_by_hand(found):
    of_s = (0.5 * log2(0.5 / 0.625) + 0.5 * 1 + 0.75 * log2(0.75 / 0.625) + 0.25 * 1) / 2
    assert list(map(str, found.divergences)) == ["S", "R"]
    assert found.divergences[Nonterminal("S")] == pytest.approx(of_s)


def test_changes_of_frequent_symbols_first():
    found = compare(yaml.loads(BEFORE), yaml.loads(AFTER), "count")
    assert [str(one.rule.lhs) for one in found.changed] == ["R", "R", "S"]
    with pytest.raises(InputError, match="sorted by prob or count, not by rank"):
        compare(yaml.loads(BEFORE), yaml.loads(AFTER), "rank")


@given(grammars(), grammars())
def test_both_directions_say_the_same(one, other):
    there, back = compare(one, other), compare(other, one)
    assert {change.rule for change in there.appeared} == set(other.rules) - set(one.rules)
    assert {change.rule for change in there.appeared} == {x.rule for x in back.disappeared}
    assert {x.rule: x.change for x in there.changed} == {x.rule: -x.change for x in back.changed}
    assert there.divergences == pytest.approx(back.divergences)
    assert all(0 < bits <= 1 + 1e-9 for bits in there.divergences.values())
    rules = len(there.appeared) + len(there.disappeared) + len(there.changed) + there.unchanged
    assert rules == len(one.rules | other.rules)


@given(grammars())
def test_a_grammar_does_not_differ_from_itself(grammar):
    found = compare(grammar, grammar)
    assert found.unchanged == len(grammar.rules)
    assert [found.appeared, found.disappeared, found.changed, found.divergences] == [[], [], [], {}]
