"""Smoothing of Markovized grammars: a symbol may forget its memory, step by step.

First it forgets siblings, beginning with the one that was split off first, then the categories
above, beginning with the topmost. Forgetting is a rule of its own, so the probabilities sum to 1:

    @VP>S+V+NP -> NP @VP>S+NP+NP   w * p(NP | V, NP)
    @VP>S+V+NP -> @VP>S+*+NP       1 - w
    @VP>S+*+NP -> NP @VP>S+NP+NP   w' * p(NP | any sibling, NP)

The weights are those of Witten and Bell (1991): w = n / (n + d), for a symbol that was seen n times
with d different rules. The most probable derivation takes the most probable way to a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction

# In labels: a forgotten sibling, and no sibling yet.
_FORGOTTEN, _START = "*", "start"
_ALL = -1

_Outcome = tuple[tuple[Nonterminal, ...], YieldFunction]


class _State(NamedTuple):
    """A left-hand side with the number of siblings and ancestors that it remembers."""

    symbol: Nonterminal
    siblings: int
    ancestors: int


def interpolated(grammar: Grammar) -> Grammar:
    """Estimate the probabilities of a Markovized grammar, smoothed over *h* and *v*.

    This adds symbols that remember less.

    Parameters
    ----------
    grammar : Grammar
        With counts, from trees binarized by `binarize_tree`.

    Raises
    ------
    GrammarError
        If the grammar has no counts.
    """
    if grammar.weights != "counts":
        raise GrammarError("the grammar has no counts, from which to estimate probabilities")
    horizontal = max(len(symbol.siblings) for symbol in grammar.nonterminals())
    counts: dict[Nonterminal, dict[_Outcome, float]] = defaultdict(lambda: defaultdict(float))
    shorter: dict[Nonterminal, Nonterminal] = {}
    for (lhs, rhs, yield_function), count in grammar.rules.items():
        chains = _chains(lhs, horizontal)
        for chain in chains:
            shorter |= {long.symbol: short.symbol for long, short in pairwise(chain)}
        for state in dict.fromkeys(state for chain in chains for state in chain):
            children = tuple([_forget(child, state, horizontal) for child in rhs])
            counts[state.symbol][children, yield_function] += count
    rules = _reachable(_estimate(counts, shorter), grammar.start)
    options = {**grammar.options, "estimator": "interpolated"}
    lexicon = grammar.lexicon.beside_probabilities()
    examples = {rule: found for rule, found in grammar.examples.items() if rule in rules}
    return Grammar(rules, lexicon, grammar.start, "probabilities", options, examples)


def _chains(lhs: Nonterminal, horizontal: int) -> list[list[_State]]:
    """Return the states in which a left-hand side forgets, for each number of ancestors."""
    known = len(lhs.ancestors)
    return [list(_chain(lhs, ancestors, horizontal)) for ancestors in range(known + 1)]


def _chain(lhs: Nonterminal, ancestors: int, horizontal: int) -> Iterator[_State]:
    yield _state(lhs, _ALL, ancestors)
    most, least = (min(len(lhs.siblings), horizontal - 1), 0) if lhs.siblings else (_ALL, _ALL)
    for siblings in range(most, _ALL, -1):
        yield _state(lhs, siblings, ancestors)
    if lhs.kind == "category":
        lhs = lhs._replace(kind="intermediate", siblings=(_START,))
    for above in range(ancestors - 1, -1, -1):
        yield _state(lhs, least, above)


def _state(symbol: Nonterminal, siblings: int, ancestors: int) -> _State:
    names = symbol.siblings
    if siblings != _ALL:
        names = (_FORGOTTEN, *names[len(names) - siblings :])
    return _State(
        symbol._replace(ancestors=symbol.ancestors[:ancestors], siblings=names),
        siblings,
        ancestors,
    )


def _forget(child: Nonterminal, state: _State, horizontal: int) -> Nonterminal:
    """Return a child with the memory of a state."""
    if child.kind == "tag":
        return child
    if child.kind == "category":
        return child._replace(ancestors=child.ancestors[: state.ancestors + 1])
    known = state.siblings + 1
    if state.siblings == _ALL or known >= horizontal:
        known = _ALL
    return _state(child, known, state.ancestors).symbol


def _estimate(
    counts: Mapping[Nonterminal, Mapping[_Outcome, float]],
    shorter: Mapping[Nonterminal, Nonterminal],
) -> dict[Nonterminal, dict[Rule, float]]:
    """Return the probabilities of the rules of each symbol."""
    totals = {symbol: sum(outcomes.values()) for symbol, outcomes in counts.items()}
    rules: dict[Nonterminal, dict[Rule, float]] = {}
    for symbol, outcomes in counts.items():
        forgetful = shorter.get(symbol)
        # A shorter memory that no other symbol shares adds nothing.
        while forgetful is not None and totals[forgetful] == totals[symbol]:
            forgetful = shorter.get(forgetful)
        distinct = 0 if forgetful is None else len(outcomes)
        whole = totals[symbol] + distinct
        rules[symbol] = {
            Rule(symbol, children, yield_function): count / whole
            for (children, yield_function), count in outcomes.items()
        }
        if forgetful is not None:
            identity = tuple((0,) for _ in range(symbol.fanout))
            rules[symbol][Rule(symbol, (forgetful,), identity)] = distinct / whole
    return rules


def _reachable(
    rules: Mapping[Nonterminal, Mapping[Rule, float]], start: Nonterminal
) -> dict[Rule, float]:
    """Return the rules of the symbols that can be reached from the start symbol."""
    found: dict[Nonterminal, None] = dict.fromkeys([start] if start in rules else ())
    waiting = list(found)
    while waiting:
        for rule in rules[waiting.pop()]:
            new = [child for child in rule.rhs if child in rules and child not in found]
            found |= dict.fromkeys(new)
            waiting += new
    return {rule: p for symbol in found for rule, p in rules[symbol].items()}
