"""Rules and words as rows."""

from math import log

from grammar_strategies import grammars
from hypothesis import given

from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, parse_nonterminal, tag
from plcfrs.grammar.rules import parse_yield_function

SQ, VP, NP, MD = Nonterminal("SQ"), Nonterminal("VP", 2), tag("NP"), tag("MD")
RULES = {
    Rule(SQ, (VP, MD, NP), ((0, 1, 2, 0),)): 3,
    Rule(SQ, (NP,), ((0,),)): 1,
    Rule(Nonterminal("7", 2, kind="intermediate"), (NP, NP), ((0,), (1,))): 2.5,
}


def test_rows_of_rules():
    assert Grammar(RULES, start=SQ).to_records()[0] == {
        "lhs": "SQ",
        "rhs": "VP_2 MD NP",
        "yield_function": "[0 1 2 0]",
        "fan_out": 1,
        "rank": 3,
        "count": 3,
        "probability": 0.75,
        "cost": -log(0.75),
        "kind": "category",
    }
    last = Grammar(RULES, start=SQ).to_records()[2]
    assert (last["lhs"], last["fan_out"], last["kind"]) == ("@7_2", 2, "intermediate")


def test_probabilities_have_no_counts():
    rules = dict(zip(RULES, (0.75, 0.25, 1), strict=True))
    rows = Grammar(rules, start=SQ, weights="probabilities").to_records()
    assert [row["probability"] for row in rows] == [0.75, 0.25, 1]
    assert not any("count" in row for row in rows)


@given(grammars())
def test_rules_can_be_made_of_rows(grammar):
    rules = {
        (
            parse_nonterminal(row["lhs"]),
            tuple(map(parse_nonterminal, row["rhs"].split())),
            parse_yield_function(row["yield_function"]),
        ): row["count"]
        for row in grammar.to_records()
    }
    found = {
        (rule.lhs, tuple(child._replace(kind="category") for child in rule.rhs), rule[2]): weight
        for rule, weight in grammar.rules.items()
    }
    assert rules == found


def test_rows_of_words():
    lexicon = Lexicon({"dog": {tag("NN"): 1, tag("VB"): 2}, "cat": {tag("NN"): 3}})
    assert lexicon.to_records() == [
        {"tag": "NN", "word": "dog", "count": 1, "probability": 0.25},
        {"tag": "VB", "word": "dog", "count": 2, "probability": 1},
        {"tag": "NN", "word": "cat", "count": 3, "probability": 0.75},
    ]
    assert Lexicon().to_records() == []
