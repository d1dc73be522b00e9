"""Small grammars for prefixes, and closeness of their probabilities."""

from itertools import product

import pytest

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.rules import apply

S, T, U = Nonterminal("S"), Nonterminal("T", 2), Nonterminal("U", 2)
X, Y = Nonterminal("X"), Nonterminal("Y")
A, B, C, D = map(tag, "abcd")


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-15)


FINITE = {
    "context-free": {
        Rule(S, (X, Y), ((0, 1),)): 2,
        Rule(S, (X, X), ((0, 1),)): 1,
        Rule(X, (A, B), ((0, 1),)): 3,
        Rule(X, (A,), ((0,),)): 1,
        Rule(Y, (X, C), ((0, 1),)): 1,
        Rule(Y, (B, X), ((0, 1),)): 2,
    },
    "gaps": {
        Rule(S, (T, X), ((0, 1, 0),)): 3,
        Rule(S, (T, U), ((0, 1, 0, 1),)): 2,
        Rule(S, (T, U), ((0, 1, 1, 0),)): 2,
        Rule(S, (X, T), ((0, 1, 1),)): 1,
        Rule(T, (A, B), ((0,), (1,))): 2,
        Rule(T, (U, A), ((0, 1), (0,))): 1,
        Rule(T, (U, X), ((0,), (1, 0))): 1,
        Rule(T, (X, U), ((0, 1), (1,))): 1,
        Rule(T, (U,), ((0,), (0,))): 1,
        Rule(U, (A, C), ((0,), (1,))): 1,
        Rule(U, (X, A), ((0,), (1,))): 1,
        Rule(X, (A, B), ((0, 1),)): 1,
        Rule(X, (C,), ((0,),)): 2,
    },
    "gaps without touching ranges": {
        Rule(S, (T, X), ((0, 1, 0),)): 3,
        Rule(S, (T, U), ((0, 1, 0, 1),)): 2,
        Rule(T, (A, B), ((0,), (1,))): 2,
        Rule(T, (U, A), ((0, 1), (0,))): 1,
        Rule(T, (U, X), ((0,), (1, 0))): 1,
        Rule(T, (X, U), ((0, 1), (1,))): 1,
        Rule(T, (U,), ((0,), (0,))): 1,
        Rule(U, (A, C), ((0,), (1,))): 1,
        Rule(U, (X, A), ((0,), (1,))): 1,
        Rule(X, (A, B), ((0, 1),)): 1,
        Rule(X, (C,), ((0,),)): 2,
    },
    "three components": {
        Rule(S, (Nonterminal("V", 3), T), ((0, 1, 0, 1, 0),)): 2,
        Rule(S, (Nonterminal("V", 3), X), ((0, 1, 0, 0),)): 1,
        Rule(Nonterminal("V", 3), (T, X), ((0,), (1,), (0,))): 1,
        Rule(Nonterminal("V", 3), (U, T), ((0, 1), (0,), (1,))): 2,
        Rule(T, (A, B), ((0,), (1,))): 1,
        Rule(T, (B, A), ((0,), (1,))): 2,
        Rule(U, (A, X), ((0,), (1,))): 1,
        Rule(X, (A,), ((0,),)): 2,
        Rule(X, (C, B), ((0, 1),)): 1,
    },
}

LEFT_RECURSIVE = Grammar(
    {
        Rule(S, (S, X), ((0, 1),)): 1,
        Rule(S, (X,), ((0,),)): 3,
        Rule(X, (S,), ((0,),)): 1,  # a cycle
        Rule(X, (A,), ((0,),)): 4,
        Rule(X, (B, X), ((0, 1),)): 1,
    },
    start=S,
)


def strings_of_derivations(grammar):
    """The string and the probability of each derivation of a grammar without recursion."""
    for (words,), p in _parts(grammar, grammar.start):
        yield words, p


def _parts(grammar, symbol):
    """The components and the probability of each derivation of a symbol."""
    if symbol.kind == "tag":
        return [(((symbol,),), 1.0)]
    found = []
    for rule, p in grammar.probabilities().items():
        if rule.lhs == symbol:
            for chosen in product(*(_parts(grammar, child) for child in rule.rhs)):
                total = p
                for _, each in chosen:
                    total *= each
                composed = apply(rule.yield_function, [parts for parts, _ in chosen])
                found.append((tuple(map(tuple, composed)), total))
    return found
