"""Rules as they are printed can be written into a grammar file."""

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs import Grammar, GrammarError, Nonterminal, Rule, extract
from plcfrs.grammar.formats.native import parse_rules
from plcfrs.grammar.rules import in_paper_notation


@core(1, "weight", ["", " 1", "  2.5  # a comment"])
@core(
    1,
    ("clause", "rule"),
    [
        ("S(XYZ) -> KOUS(X) NP(Y) VP(Z)", "S -> KOUS NP VP [0 1 2]"),
        ("SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)", "SQ -> VP_2 MD NP [0 1 2 0]"),
        ("VP(X, YZ) -> A( X,Z ) B(Y)", "VP_2 -> A_2 B [0, 1 0]"),
        ("S(X1X2) -> A(X2) B(X1)", "S -> A B [1 0]"),
        ("S^WH(X,Y) -> $((X) .(Y)", "S^WH_2 -> $( . [0, 1]"),
        ("@S>A(ABC) -> NP-SBJ(A,C) B(B)", "@S>A -> NP-SBJ_2 B [0 1 0]"),
    ],
)
def test_clauses(clause, rule, weight):
    ((found, number),) = parse_rules([clause + weight]).items()
    assert str(found) == rule
    assert number == (2.5 if "2.5" in weight else 1)
    assert parse_rules([f"{rule}{weight or ' 1'}"]) == {found: number}


def test_all_rules_as_they_are_printed():
    grammar = extract(demo_trees())
    printed = [in_paper_notation(rule) for rule in grammar.rules]
    defined = frozenset(rule.lhs for rule in grammar.rules)
    assert list(parse_rules(printed, defined)) == list(grammar.rules)


@core(
    1,
    ("line", "problem"),
    [
        ("S(XY) -> A(X) B(Z)", "the variable"),
        ("S(XYZ) -> A(X) B(Y)", "the variable Z occurs only in S"),
        ("S(X) -> A(X) B(Y)", "the variable Y occurs only in B"),
        ("S(XYZ) -> A(Z,X) B(Y)", r"A\(Z,X\): its variables must be as in S\(XYZ\)"),
        ("S(XY) -> A(X) B(X)", r"B\(X\): expected variables of its own"),
        ("S(XY) -> A(XY)", r"A\(XY\): expected variables of its own"),
        ("S(XX) -> A(X)", r"A\(X\): its variables must be as in S\(XX\)"),
        ("S(X) -> A(X) many", "'many' is not a number"),
        ("S(X) -> A()", r"A\(\): expected variables"),
        ("S -> NP VP", "'VP' is not a number"),
        ("S -> A_2 B [0 1] 1", r"names child 0, A_2, 1 time$"),
        ("S -> A B_2 [0 1] 2", r"names child 1, B_2, 1 time$"),
        ("S -> A B [0 1 2] 2", r"names child 2, and the last one is 1$"),
    ],
)
def test_errors_name_the_child(line, problem):
    with pytest.raises(GrammarError, match=rf"line 1 of the rules: .*{problem}"):
        parse_rules([line])


def test_a_grammar_of_printed_rules(tmp_path):
    path = tmp_path / "kato.yaml"
    text = "plcfrs: 1\nstart: S\nrules: |\n  S(XYZ) -> V(X,Z) N(Y)\n  V(X,Y) -> A(X) B(Y) 3\n"
    path.write_text(text, encoding="utf-8")
    grammar = Grammar.load(path)
    v = Nonterminal("V", 2)
    assert Rule(Nonterminal("S"), (v, Nonterminal("N", kind="tag")), ((0, 1, 0),)) in grammar.rules
    assert sorted(grammar.rules.values()) == [1, 3]
