"""Multipliers that are trained once for a grammar, and tighten the bounds of all its sentences.

Each sentence of a training set has its own best multipliers (see `plcfrs.chart.tightening`). A step
towards them also helps other sentences.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from plcfrs.budget import UNLIMITED
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.compile import Candidates, compile_grammar
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.nbest import FIRST_ITEMS, try_greedily
from plcfrs.chart.search import ChartSearch
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.grammar import Grammar, Rule, proper_gaps

_RATE = 0.5  # how far to go towards the multipliers of a sentence
_PASSES = 2  # through the training set
_MARGIN = 8.0  # above the best parse of the relaxation, for the first parse


def train_shares(grammar: Grammar, sentences: Iterable[Candidates]) -> Costs:
    """Divide the cost of each rule among its components so that bounds are tight.

    Several hundred sentences are enough; more are better. The result, an array (components,) for
    the rules without touching ranges (see `plcfrs.grammar.proper_gaps`), is the mean over all
    sentences of the last pass. The shares of a rule add up to its cost.

    >>> from plcfrs.grammar import Nonterminal, Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> train_shares(grammar, [[{a: 0.0}] * 2]).round(4)
    array([0.6931, 0.6931])
    """
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = Relaxation(compiled)
    workspace = ChartWorkspace()
    shares = mean = relaxation.shares.copy()
    training_set = list(sentences)
    for _ in range(_PASSES):
        mean = np.zeros_like(shares)
        for candidates in training_set:
            search = ChartSearch(compiled, relaxation, candidates, UNLIMITED, workspace)
            best = _tightened(search, shares)
            search.close()
            if best is not None:
                shares = shares + _RATE * (best - shares)
            mean += shares / len(training_set)
    return mean if training_set else shares


def train_shifts(
    grammar: Grammar, sentences: Iterable[Candidates]
) -> dict[Rule, tuple[float, ...]]:
    """Return the result of `train_shares` as differences from equal parts, for a `Grammar`.

    Only rules with several components have differences. They give correct bounds with any weights
    of the rules.

    >>> from plcfrs.grammar import Nonterminal, tag
    >>> s, a, b = Nonterminal("S"), tag("A"), Nonterminal("B", 2)
    >>> rules = {Rule(s, (b, a), ((0, 1, 0),)): 1, Rule(b, (a, a), ((0,), (1,))): 1}
    >>> for rule, shift in train_shifts(Grammar(rules, start=s), [[{a: 0.0}] * 3]).items():
    ...     print(rule, shift)
    B_2 -> A A [0, 1] (0.0, 0.0)
    """
    if grammar.fan_out() == 1:
        return {}
    rules = proper_gaps(grammar).grammar.rules
    last = np.cumsum([rule.lhs.fanout for rule in rules])
    parts = np.split(train_shares(grammar, sentences), last[:-1])
    return {
        rule: tuple((part - part.mean()).tolist())
        for rule, part in zip(rules, parts, strict=True)
        if len(part) > 1
    }


def _tightened(search: ChartSearch, shares: Costs) -> Costs | None:
    """Return the best shares for a sentence, or None if its search does not need them."""
    search.fill_estimates(shares)
    if search.bound == inf:
        return None
    search.raise_ceiling(search.bound + _MARGIN)
    try_greedily(search, FIRST_ITEMS)
    if search.cost == inf or search.is_proven:
        return None
    search.raise_ceiling(search.cost)
    return search.tighten()
