"""What substates stand for: their most probable rules and words (Petrov et al. 2006, section 4).

`plcfrs inspect` prints these tables for refined grammars.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int64
from plcfrs.grammar import Nonterminal, Rule, render_yield_function
from plcfrs.grammar.selection import find_symbols
from plcfrs.parsers.refined.grammar import RefinedGrammar, first_states, owners, rules_of_entries
from plcfrs.parsers.refined.kernel import Refinement, Skeleton

# The most rounds that pass expected counts down; they usually converge before.
_ROUNDS = 500
_SHOWN = 8  # rules or words of a substate


class RefinedRule(NamedTuple):
    """A rule of a substate, with its probability summed over the substates of the children.

    The share is the fraction of this probability that belongs to the most probable substates.

    >>> vp, md, sq = Nonterminal("VP", 2), Nonterminal("MD", kind="tag"), Nonterminal("SQ")
    >>> print(RefinedRule(Rule(sq, (vp, md), ((0, 1, 0),)), 0.25, (3, 0), 0.875))
    VP_2 MD [0 1 0]: VP_2-3 MD-0 88%
    """

    rule: Rule
    probability: float
    substates: tuple[int, ...]
    share: float

    def __str__(self) -> str:
        children = zip(self.rule.rhs, self.substates, strict=True)
        refined = " ".join(f"{child}-{substate}" for child, substate in children)
        names = " ".join(map(str, self.rule.rhs))
        order = render_yield_function(self.rule.yield_function)
        return f"{names} {order}: {refined} {self.share:.0%}"


class RefinedWord(NamedTuple):
    """A word, or the signature of rare words, with its probability."""

    word: str
    probability: float

    def __str__(self) -> str:
        return self.word


class Substate(NamedTuple):
    """A substate of a symbol, such as 7 for VP-7, with its rules or words, the most probable first.

    The share is its relative frequency among the substates of the symbol, from 0 to 1.
    """

    number: int
    share: float
    choices: list[RefinedRule] | list[RefinedWord]


def substates(
    refined: RefinedGrammar, refinement: Refinement, symbol: Nonterminal, most: int
) -> list[Substate]:
    """Return the substates of a symbol, the most frequent first, each with some rules or words."""
    symbols = refined.symbols
    label, start = symbols.index(symbol), symbols.index(refined.grammar.start)
    first, end = first_states(refinement.states)[label : label + 2]
    expected = _expected_numbers(refined.skeleton(), refinement, start)[first:end]
    # 0 for a symbol that no derivation has
    shares = expected / max(expected.sum(), np.finfo(np.float64).tiny)
    best_choices = _best_words if symbol.kind == "tag" else _best_rules
    choices = best_choices(refined, refinement, label, most)
    all_substates = map(Substate, range(len(shares)), shares.tolist(), choices)
    return sorted(all_substates, key=lambda substate: -substate.share)


def numbers_of_substates(refined: RefinedGrammar) -> list[str]:
    """Return lines about each refinement: categories and tags by their numbers of substates."""
    lines = [f"  refined grammars: {len(refined.refinements)}"]
    for number, refinement in enumerate(refined.refinements, start=1):
        lines.append(f"  substates of grammar {number}: {refinement.states.sum()}, by symbol")
        symbols = defaultdict(list)
        for symbol, states in zip(refined.symbols, refinement.states.tolist(), strict=True):
            if symbol.kind != "intermediate":
                symbols[states].append(str(symbol))
        for states in sorted(symbols, reverse=True):
            lines.append(f"    {states}: {' '.join(symbols[states])}")
    return lines


def substate_tables(refined: RefinedGrammar, name: str) -> list[str]:
    """Return a table of the substates of a symbol for each refinement."""
    wanted = find_symbols(refined.symbols, name)
    return [
        _table(f"{symbol} in grammar {number}", symbol, refined, refinement)
        for symbol in refined.symbols
        if symbol in wanted
        for number, refinement in enumerate(refined.refinements, start=1)
    ]


def _table(title: str, symbol: Nonterminal, refined: RefinedGrammar, refinement: Refinement) -> str:
    lines = [title]
    for substate in substates(refined, refinement, symbol, _SHOWN):
        lines.append(f"  {symbol}-{substate.number}: {100 * substate.share:.1f}%")
        lines.extend(f"    {choice.probability:.4f}  {choice}" for choice in substate.choices)
    return "\n".join(lines)


def _best_rules(
    refined: RefinedGrammar, refinement: Refinement, label: int, most: int
) -> list[list[RefinedRule]]:
    """Return the most probable rules of each substate of a symbol."""
    rules = list(refined.grammar.rules)
    rule_of = rules_of_entries(refinement)
    is_of_symbol = refined.skeleton().rule_labels[rule_of, 0] == label
    found = []
    for state in range(refinement.states[label]):
        entries = np.flatnonzero(is_of_symbol & (refinement.state == state))
        totals = np.bincount(rule_of[entries], refinement.probability[entries], len(rules))
        found.append(
            [
                _rule_of_entries(rules[number], refinement, entries[rule_of[entries] == number])
                for number in _places_of_largest(totals, most)
            ]
        )
    return found


def _rule_of_entries(rule: Rule, refinement: Refinement, entries: Int64) -> RefinedRule:
    """Return a rule of a substate, given its entries."""
    probabilities = refinement.probability[entries]
    best = entries[probabilities.argmax()]
    children = (int(refinement.left[best]), int(refinement.right[best]))[: rule.rank]
    total = float(probabilities.sum())
    return RefinedRule(rule, total, children, float(probabilities.max()) / total)


def _best_words(
    refined: RefinedGrammar, refinement: Refinement, label: int, most: int
) -> list[list[RefinedWord]]:
    """Return the most probable words of each substate of a tag."""
    words = [word for symbol, word in refined.pairs if symbol == refined.symbols[label]]
    first = refinement.pair_start[np.flatnonzero(refined.skeleton().pair_label == label)]
    found = []
    for state in range(refinement.states[label]):
        probability = refinement.pair_probability[first + state]
        places = _places_of_largest(probability, most)
        found.append([RefinedWord(words[place], float(probability[place])) for place in places])
    return found


def _places_of_largest(numbers: np.ndarray, most: int) -> list[int]:
    """Return the places of the largest numbers above zero, the largest first."""
    places = np.argsort(-numbers, kind="stable")[:most].tolist()
    return [place for place in places if numbers[place] > 0]


def _expected_numbers(skeleton: Skeleton, refinement: Refinement, start: int) -> Costs:
    """Return the expected count of each substate in a derivation."""
    first = first_states(refinement.states)
    mother, _ = owners(skeleton, refinement)
    _, left, right = skeleton.rule_labels[rules_of_entries(refinement)].T
    is_binary = right >= 0
    below = np.concatenate(
        [first[left] + refinement.left, (first[right] + refinement.right)[is_binary]]
    )
    above = np.concatenate([mother, mother[is_binary]])
    probability = np.concatenate([refinement.probability, refinement.probability[is_binary]])
    top = np.zeros(first[-1])
    top[first[start]] = 1.0
    expected = top
    for _ in range(_ROUNDS):
        previous = expected
        expected = top + np.bincount(below, expected[above] * probability, len(top))
        if np.allclose(previous, expected, rtol=1e-6, atol=0):
            break
    return expected
