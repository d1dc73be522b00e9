"""Useless symbols and unary cycles."""

from grammar_strategies import grammars
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.report import unary_cycles, useless_symbols

S, A, B, C = (Nonterminal(name) for name in "SABC")
X, Y = tag("x"), tag("y")


def grammar_of(*rules: tuple[Nonterminal, tuple[Nonterminal, ...]]) -> Grammar:
    return Grammar(
        {Rule(lhs, rhs, (tuple(range(len(rhs))),)): 1 for lhs, rhs in rules},
        start=S,
    )


def test_unproductive_and_unreachable_symbols():
    grammar = grammar_of(
        (S, (A, X)),
        (S, (B, A)),  # never complete: B needs itself
        (A, (X,)),
        (B, (B, Y)),
        (C, (A,)),  # never asked for
    )
    assert useless_symbols(grammar) == [B, Y, C]


def test_a_grammar_without_parses_is_all_useless():
    assert useless_symbols(grammar_of((S, (S, X)))) == [S, X]
    assert useless_symbols(Grammar(start=S)) == []  # without rules the start symbol is a tag


def test_unary_cycles_by_hand():
    grammar = grammar_of((S, (A,)), (A, (B,)), (B, (A,)), (C, (C,)), (C, (X, C)), (A, (X,)))
    assert sorted(unary_cycles(grammar)) == [[A, B], [C]]
    assert unary_cycles(grammar_of((S, (A,)), (A, (X,)), (A, (A, X)))) == []


def naively_useful(grammar: Grammar) -> set[Nonterminal]:
    """Symbols in a finished derivation, by repeating both definitions until nothing changes."""
    defined = {rule.lhs for rule in grammar.rules}
    productive = set(grammar.nonterminals()) - defined
    for _ in grammar.rules:
        productive |= {rule.lhs for rule in grammar.rules if set(rule.rhs) <= productive}
    reached = {grammar.start} & productive
    for _ in grammar.rules:
        for rule in grammar.rules:
            if rule.lhs in reached and set(rule.rhs) <= productive:
                reached |= set(rule.rhs)
    return reached


@given(grammars(), st.data())
def test_useless_symbols_of_random_grammars(grammar, data):
    lost = data.draw(st.sets(st.sampled_from(list(grammar.rules))))
    rules = {rule: weight for rule, weight in grammar.rules.items() if rule not in lost}
    # Symbols that lost all their rules are looped, so that they do not become tags.
    gone = {rule.lhs for rule in lost} - {rule.lhs for rule in rules}
    rules.update({Rule(lhs, (lhs,), ((0,),) * lhs.fanout): 1 for lhs in gone})
    smaller = Grammar(rules, start=grammar.start)
    useful = naively_useful(smaller)
    expected = [symbol for symbol in smaller.nonterminals() if symbol not in useful]
    assert useless_symbols(smaller) == expected
