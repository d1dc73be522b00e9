"""Estimates beyond relative frequencies, interpolated with the weights of Witten and Bell (1991).

The weight is w = n / (n + d), where n events were seen, d of them distinct. `factored` estimates
the expansion of a rule and its gaps separately (Evang and Kallmeyer 2011, section 6):

    p(VP_2 -> NP_2 VB PP [0 1, 0 2] | VP_2)
        = p(NP VB PP | VP_2) * p(NP of fan-out 2, VB, PP of 1, [0 1, 0 2] | VP_2, NP VB PP)

In `interpolated` Markovized grammars, a symbol may forget its memory step by step, by rules:

    @VP>S+V+NP -> NP @VP>S+NP+NP   w * p(NP | V, NP)
    @VP>S+V+NP -> @VP>S+*+NP       1 - w
    @VP>S+*+NP -> NP @VP>S+NP+NP   w' * p(NP | any sibling, NP)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import NamedTuple, TypeVar

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Nonterminal, Rule, YieldFunction

# The children, without their fan-outs (set to 1), like the category of the left-hand side.
_Expansion = tuple[Nonterminal, ...]
_RightHandSide = tuple[tuple[Nonterminal, ...], YieldFunction]
_Outcome = TypeVar("_Outcome")
_Table = dict[_Outcome, float]


class _Separation(NamedTuple):
    fan_outs: tuple[int, ...]
    yield_function: YieldFunction


def factored(grammar: Grammar, threshold: float = 3e-4) -> Grammar:
    r"""Estimate the probabilities of expansions and separations; this adds unseen rules.

    Expansions back off to the expansions of the category with any fan-out k, each counted as
    n(e) p(k|e), where p(k|e) is interpolated with p(k). Separations back off to the separations of
    the left-hand side for expansions of the same rank, and these to the separations of all
    left-hand sides with its fan-out, times the probabilities of the children's fan-outs given their
    categories.

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
    _check_has_counts(grammar)
    counts = _Counts(grammar)
    rules: dict[Rule, float] = {}
    for lhs in counts.expansions:
        estimated = _estimate_factored(lhs, counts).items()
        kept = {rule: p for rule, p in estimated if p >= threshold or rule in grammar.rules}
        rules |= _normalized(kept)
    return _with_probabilities(grammar, rules, "factored")


def _check_has_counts(grammar: Grammar) -> None:
    if grammar.weights != "counts":
        raise GrammarError("the grammar has no counts to estimate probabilities from")


def _with_probabilities(grammar: Grammar, rules: dict[Rule, float], estimator: str) -> Grammar:
    """Return a grammar with estimated probabilities, and the examples of the rules that it has."""
    options = {**grammar.options, "estimator": estimator}
    lexicon = grammar.lexicon.beside_probabilities()
    examples = {rule: found for rule, found in grammar.examples.items() if rule in rules}
    training_set = set(grammar.training_set)
    return Grammar(rules, lexicon, grammar.start, "probabilities", options, examples, training_set)


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
            category, expansion = _without_fan_out(lhs), tuple(map(_without_fan_out, rhs))
            self.pooled[category][expansion] += count
            self.expansions[lhs][expansion] += count
            for key in (category, (category, expansion)):
                self.fan_outs[key][lhs.fanout] += count
            separation = _Separation(tuple(child.fanout for child in rhs), yield_function)
            for condition in ((lhs, expansion), (lhs, len(rhs)), (lhs.fanout, len(rhs))):
                self.separations[condition][separation] += count

    def fan_out_probability(self, child: Nonterminal, fan_out: int) -> float:
        """Return the probability of a fan-out given the category; 1 for symbols without rules."""
        fan_outs = self.fan_outs.get(child)
        if fan_outs is None:
            return float(fan_out == 1)
        return fan_outs.get(fan_out, 0) / sum(fan_outs.values())


def _estimate_factored(lhs: Nonterminal, counts: _Counts) -> dict[Rule, float]:
    """Return the probabilities of all rules of a left-hand side, seen and unseen."""
    category = _without_fan_out(lhs)
    any_expansion = _normalized(counts.fan_outs[category])
    expected: dict[_Expansion, float] = {}
    separations: dict[_Expansion, dict[_Separation, float]] = {}
    for expansion, count in counts.pooled[category].items():
        possible = _separations(lhs, expansion, counts)
        if possible:
            separations[expansion] = possible
            fan_outs = _with_backoff(counts.fan_outs[category, expansion], any_expansion)
            expected[expansion] = count * fan_outs[lhs.fanout]
    expansions = _with_backoff(counts.expansions[lhs], _normalized(expected))
    return {
        _rule_of(lhs, expansion, separation): expansions[expansion] * p
        for expansion in expansions
        for separation, p in separations[expansion].items()
    }


def _separations(
    lhs: Nonterminal, expansion: _Expansion, counts: _Counts
) -> dict[_Separation, float]:
    """Return the probabilities of the separations that an expansion can have."""
    rank = len(expansion)
    of_all = _normalized(counts.separations[lhs.fanout, rank])
    of_rank = _with_backoff(counts.separations[lhs, rank], of_all)
    possible = {
        separation: p * prod(map(counts.fan_out_probability, expansion, separation.fan_outs))
        for separation, p in of_rank.items()
    }
    return _with_backoff(counts.separations[lhs, expansion], _normalized(possible))


def _with_backoff(
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


def _rule_of(lhs: Nonterminal, expansion: _Expansion, separation: _Separation) -> Rule:
    children = zip(expansion, separation.fan_outs, strict=True)
    rhs = tuple([child._replace(fanout=fan_out) for child, fan_out in children])
    return Rule(lhs, rhs, separation.yield_function)


def _without_fan_out(symbol: Nonterminal) -> Nonterminal:
    return symbol._replace(fanout=1)


def _table() -> defaultdict[_Outcome, float]:
    return defaultdict(float)


# In labels: a forgotten sibling, and no sibling yet.
_FORGOTTEN, _START = "*", "start"
_ALL = -1


class _State(NamedTuple):
    """A left-hand side with the number of siblings and ancestors that it remembers."""

    symbol: Nonterminal
    siblings: int
    ancestors: int


def interpolated(grammar: Grammar) -> Grammar:
    """Estimate the probabilities of a Markovized grammar, smoothed over *h* and *v*.

    This adds symbols that remember less. A symbol first forgets siblings, beginning with the one
    that was split off first, then the categories above, beginning with the topmost. Forgetting is a
    rule of its own, so the probabilities sum to 1. The most probable derivation takes the most
    probable way to a rule.

    Parameters
    ----------
    grammar : Grammar
        With counts, from trees binarized by `binarize_tree`.

    Raises
    ------
    GrammarError
        If the grammar has no counts.
    """
    _check_has_counts(grammar)
    horizontal = max(len(symbol.siblings) for symbol in grammar.nonterminals())
    counts: dict[Nonterminal, dict[_RightHandSide, float]] = defaultdict(lambda: defaultdict(float))
    shorter: dict[Nonterminal, Nonterminal] = {}
    for (lhs, rhs, yield_function), count in grammar.rules.items():
        chains = _forgetting_chains(lhs, horizontal)
        for chain in chains:
            shorter |= {long.symbol: short.symbol for long, short in pairwise(chain)}
        for state in dict.fromkeys(state for chain in chains for state in chain):
            children = tuple([_forget(child, state, horizontal) for child in rhs])
            counts[state.symbol][children, yield_function] += count
    rules = _reachable(_estimate_interpolated(counts, shorter), grammar.start)
    return _with_probabilities(grammar, rules, "interpolated")


def _forgetting_chains(lhs: Nonterminal, horizontal: int) -> list[list[_State]]:
    """Return the states in which a left-hand side forgets, for each number of ancestors."""
    most = len(lhs.ancestors)
    return [list(_forgetting_chain(lhs, ancestors, horizontal)) for ancestors in range(most + 1)]


def _forgetting_chain(lhs: Nonterminal, ancestors: int, horizontal: int) -> Iterator[_State]:
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
    siblings = state.siblings + 1
    if state.siblings == _ALL or siblings >= horizontal:
        siblings = _ALL
    return _state(child, siblings, state.ancestors).symbol


def _estimate_interpolated(
    counts: Mapping[Nonterminal, Mapping[_RightHandSide, float]],
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
    reached: dict[Nonterminal, None] = dict.fromkeys([start] if start in rules else ())
    waiting = list(reached)
    while waiting:
        for rule in rules[waiting.pop()]:
            new = [child for child in rule.rhs if child in rules and child not in reached]
            reached |= dict.fromkeys(new)
            waiting += new
    return {rule: p for symbol in reached for rule, p in rules[symbol].items()}
