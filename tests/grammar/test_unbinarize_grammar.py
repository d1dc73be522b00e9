import pytest
from grammar_strategies import grammars
from hypothesis import given
from quick import core

from plcfrs.grammar import Grammar, Nonterminal, Rule, binarize, tag, unbinarize_grammar
from plcfrs.grammar.formats import yaml

S, A = Nonterminal("S"), tag("a")
X, Y = (Nonterminal(name, kind="intermediate") for name in "XY")


@core(1, "shared", [True, False])
@given(grammars(max_rank=6, touching=False))
def test_it_undoes_the_deterministic_binarization(shared, grammar):
    restored = unbinarize_grammar(binarize(grammar, shared=shared))
    assert restored.rules == grammar.rules
    assert list(restored.rules) == list(grammar.rules)
    assert restored.start == grammar.start


@given(grammars(max_rank=6, touching=False))
def test_it_undoes_the_optimal_binarization_up_to_the_order_of_children(grammar):
    restored = unbinarize_grammar(binarize(grammar, "optimal"))
    assert sum(restored.rules.values()) == pytest.approx(sum(grammar.rules.values()))
    assert {rule.lhs for rule in restored.rules} == {rule.lhs for rule in grammar.rules}
    assert all(child.kind != "intermediate" for rule in restored.rules for child in rule.rhs)


@core(
    1,
    "rules",
    [
        [Rule(S, (X,), ((0,),)), Rule(X, (A,), ((0,),)), Rule(X, (A, A), ((0, 1),))],
        [Rule(S, (X,), ((0,),)), Rule(X, (Y,), ((0,),)), Rule(Y, (X,), ((0,),))],
        [Rule(S, (A, X), ((0, 1),))],
    ],
    ids=["two rules", "a cycle", "no rule"],
)
def test_a_grammar_that_does_not_tell_stays_as_it_is(rules):
    grammar = Grammar(dict.fromkeys(rules, 1), start=S)
    assert unbinarize_grammar(grammar) is grammar


def test_figure_7_becomes_figure_6():
    figure_7 = Grammar.load("grammars/evang-kallmeyer-figure-7.yaml")
    figure_6 = Grammar.load("grammars/evang-kallmeyer-figure-6.yaml")
    assert unbinarize_grammar(figure_7).rules == figure_6.rules
    assert yaml.dumps(unbinarize_grammar(figure_7)).count("@") == 0
