"""The figures of a grammar: its size, parsing complexity and entropy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, log2

from plcfrs.grammar.analysis import recursive_components, unary_cycles, useless_symbols
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.nonterminal import Kind, Nonterminal
from plcfrs.grammar.selection import ListedRule, listed_rules


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """The entropy in bits of the distribution over the rules of a symbol.

    `frequency` is how often the symbol is rewritten in the treebank; None without counts.
    """

    symbol: Nonterminal
    entropy: float
    rules: int
    frequency: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of a grammar: numbers, distributions of its rules, and lists of the first ones.

    The entropy is the mean of those of the left-hand sides in bits, weighted by their frequencies
    (unweighted if the grammar has only probabilities). `by_frequency` is empty without counts.
    """

    rules: int
    symbols: Counter[Kind]
    by_fan_out: Counter[int]
    by_rank: Counter[int]
    by_frequency: Counter[float]
    discontinuous: list[ListedRule]
    entropy: float
    uncertain: list[Uncertainty]
    useless: list[Nonterminal]
    unary_cycles: list[list[Nonterminal]]
    components: list[list[Nonterminal]]


def overview(grammar: Grammar, top: int = 10) -> Overview:
    """Return the figures of a grammar, with lists of this length.

    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> rules = {Rule(s, (a,), ((0,),)): 1, Rule(s, (s, s), ((0, 1),)): 1}
    >>> figures = overview(Grammar(rules, start=s))
    >>> figures.rules, figures.entropy, figures.by_rank[2]
    (2, 1.0, 1)
    """
    rules = listed_rules(grammar)
    discontinuous = [listed for listed in rules if listed.rule.lhs.fanout > 1]
    uncertain = uncertainties(rules)
    return Overview(
        len(rules),
        Counter(symbol.kind for symbol in grammar.nonterminals()),
        grammar.count_by_fan_out(),
        grammar.count_by_rank(),
        Counter(listed.count for listed in rules if listed.count is not None),
        sorted(discontinuous, key=_frequency, reverse=True)[:top],
        mean_entropy(uncertain),
        uncertain[:top],
        useless_symbols(grammar),
        unary_cycles(grammar),
        recursive_components(grammar),
    )


def hardest_rules(rules: Iterable[ListedRule], top: int) -> list[ListedRule]:
    """Return the rules with the highest parsing complexity, of equal ones the most frequent."""
    return sorted(rules, key=lambda listed: (-listed.complexity, -_frequency(listed)))[:top]


def uncertainties(rules: Iterable[ListedRule]) -> list[Uncertainty]:
    """Return the entropies of all left-hand sides, the highest first."""
    rules_of: dict[Nonterminal, list[ListedRule]] = defaultdict(list)
    for listed in rules:
        rules_of[listed.rule.lhs].append(listed)
    found = [
        Uncertainty(symbol, _entropy(own), len(own), _total(own))
        for symbol, own in rules_of.items()
    ]
    return sorted(found, key=lambda uncertainty: -uncertainty.entropy)


def mean_entropy(uncertain: Sequence[Uncertainty]) -> float:
    """Return the mean of entropies, weighted by frequencies if they are known."""
    weights = [1 if one.frequency is None else one.frequency for one in uncertain]
    total = fsum(weights)
    weighted = fsum(w * one.entropy for w, one in zip(weights, uncertain, strict=True))
    return weighted / total if total else 0.0


def _entropy(rules: list[ListedRule]) -> float:
    return max(0.0, -fsum(listed.probability * log2(listed.probability) for listed in rules))


def _total(rules: list[ListedRule]) -> float | None:
    counts = [listed.count for listed in rules if listed.count is not None]
    return fsum(counts) if counts else None


def _frequency(listed: ListedRule) -> float:
    return listed.probability if listed.count is None else listed.count
