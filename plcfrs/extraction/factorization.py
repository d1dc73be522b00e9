"""Rules factored into an expansion and a separation that introduces gaps.

Evang and Kallmeyer (2011, section 6) propose to factor, because the data for ``VP_2`` are sparse,

    p(VP_2 -> NP_2 VB PP [0 1, 0 2] | VP_2)
        = p(NP VB PP | VP_2) * p(NP of fan-out 2, VB, PP of 1, [0 1, 0 2] | VP_2, NP VB PP)

Each factor is interpolated with the weights of Witten and Bell (1991): n / (n + d), where n events
were seen, d of them distinct. Expansions back off to those of the category with any fan-out k, each
counted as n(e) p(k|e), where p(k|e) is interpolated with p(k). Separations back off to those of the
left-hand side for expansions of the same rank, and these to those of all left-hand sides with its
fan-out, times the probabilities of the children's fan-outs given their categories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import prod
from typing import NamedTuple, TypeVar

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction

# The children, without their fan-outs (set to 1), like the category of the left-hand side.
_Expansion = tuple[Nonterminal, ...]
_Outcome = TypeVar("_Outcome")
_Table = dict[_Outcome, float]


class _Separation(NamedTuple):
    fan_outs: tuple[int, ...]
    yield_function: YieldFunction


def factored(grammar: Grammar, threshold: float = 3e-4) -> Grammar:
    r"""Estimate the probabilities of expansions and separations; this adds unseen rules.

    Parameters
    ----------
    grammar : Grammar
        With counts, of any rank; intermediate nonterminals are treated as categories.
    threshold : float
        Unseen rules that are less probable than this are left out.

    Raises
    ------
    GrammarError
        If the grammar has no counts.

    Examples
    --------
    >>> vp, wide = Nonterminal("VP"), Nonterminal("VP", 2)
    >>> vb, nn, wp = (Nonterminal(name, kind="tag") for name in ("VB", "NN", "WP"))
    >>> seen = {Rule(vp, (vb, nn), ((0, 1),)): 1, Rule(wide, (wp, vb), ((0,), (1,))): 1}
    >>> print(*factored(Grammar(seen)).rules, sep="\n")
    VP -> VB NN [0 1]
    VP -> WP VB [0 1]
    VP_2 -> WP VB [0, 1]
    VP_2 -> VB NN [0, 1]
    """
    if grammar.weights != "counts":
        raise GrammarError("the grammar has no counts to estimate probabilities from")
    counts = _Counts(grammar)
    rules: dict[Rule, float] = {}
    for lhs in counts.expansions:
        estimated = _estimate(lhs, counts).items()
        kept = {rule: p for rule, p in estimated if p >= threshold or rule in grammar.rules}
        rules |= _normalized(kept)
    options = {**grammar.options, "estimator": "factored"}
    lexicon = grammar.lexicon.beside_probabilities()
    examples = {rule: found for rule, found in grammar.examples.items() if rule in rules}
    return Grammar(rules, lexicon, grammar.start, "probabilities", options, examples)


class _Counts:
    """Counts of the parts of rules, together and separately."""

    def __init__(self, grammar: Grammar) -> None:
        # Expansions of a category, without and with its fan-out.
        self.pooled: dict[Nonterminal, _Table[_Expansion]] = defaultdict(_table)
        self.expansions: dict[Nonterminal, _Table[_Expansion]] = defaultdict(_table)
        # Fan-outs of a category, without and with an expansion.
        self.fan_outs: dict[object, _Table[int]] = defaultdict(_table)
        # Separations by left-hand side and expansion, by left-hand side and rank, by fan-out and
        # rank.
        self.separations: dict[object, _Table[_Separation]] = defaultdict(_table)
        for (lhs, rhs, yield_function), count in grammar.rules.items():
            category, expansion = _category(lhs), tuple(map(_category, rhs))
            self.pooled[category][expansion] += count
            self.expansions[lhs][expansion] += count
            for key in (category, (category, expansion)):
                self.fan_outs[key][lhs.fanout] += count
            separation = _Separation(tuple(child.fanout for child in rhs), yield_function)
            for known in ((lhs, expansion), (lhs, len(rhs)), (lhs.fanout, len(rhs))):
                self.separations[known][separation] += count

    def fan_out_probability(self, child: Nonterminal, fan_out: int) -> float:
        """Return the probability of a fan-out given the category; 1 for symbols without rules."""
        fan_outs = self.fan_outs.get(child)
        if fan_outs is None:
            return float(fan_out == 1)
        return fan_outs.get(fan_out, 0) / sum(fan_outs.values())


def _estimate(lhs: Nonterminal, counts: _Counts) -> dict[Rule, float]:
    """Return the probabilities of all rules of a left-hand side, seen and unseen."""
    category = _category(lhs)
    any_expansion = _normalized(counts.fan_outs[category])
    expected: dict[_Expansion, float] = {}
    separations: dict[_Expansion, dict[_Separation, float]] = {}
    for expansion, count in counts.pooled[category].items():
        possible = _separations(lhs, expansion, counts)
        if possible:
            separations[expansion] = possible
            fan_outs = _interpolated(counts.fan_outs[category, expansion], any_expansion)
            expected[expansion] = count * fan_outs[lhs.fanout]
    expansions = _interpolated(counts.expansions[lhs], _normalized(expected))
    return {
        _rule(lhs, expansion, separation): expansions[expansion] * p
        for expansion in expansions
        for separation, p in separations[expansion].items()
    }


def _separations(
    lhs: Nonterminal, expansion: _Expansion, counts: _Counts
) -> dict[_Separation, float]:
    """Return the probabilities of the separations that an expansion can have."""
    rank = len(expansion)
    of_all = _normalized(counts.separations[lhs.fanout, rank])
    of_rank = _interpolated(counts.separations[lhs, rank], of_all)
    possible = {
        separation: p * prod(map(counts.fan_out_probability, expansion, separation.fan_outs))
        for separation, p in of_rank.items()
    }
    return _interpolated(counts.separations[lhs, expansion], _normalized(possible))


def _interpolated(
    counts: Mapping[_Outcome, float], backoff: Mapping[_Outcome, float]
) -> dict[_Outcome, float]:
    """Return relative frequencies, interpolated with other probabilities if there are any."""
    distinct = len(counts) if backoff else 0
    if not counts:
        return dict(backoff)
    whole = sum(counts.values()) + distinct
    return {
        outcome: (counts.get(outcome, 0) + distinct * backoff.get(outcome, 0)) / whole
        for outcome in {**counts, **backoff}
    }


def _normalized(weights: Mapping[_Outcome, float]) -> dict[_Outcome, float]:
    """Return weights that sum to 1, without zeros."""
    whole = sum(weights.values())
    return {outcome: weight / whole for outcome, weight in weights.items() if weight}


def _rule(lhs: Nonterminal, expansion: _Expansion, separation: _Separation) -> Rule:
    children = zip(expansion, separation.fan_outs, strict=True)
    rhs = tuple([child._replace(fanout=fan_out) for child, fan_out in children])
    return Rule(lhs, rhs, separation.yield_function)


def _category(symbol: Nonterminal) -> Nonterminal:
    return symbol._replace(fanout=1)


def _table() -> defaultdict[_Outcome, float]:
    return defaultdict(float)
