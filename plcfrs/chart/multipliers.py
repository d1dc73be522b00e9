"""Multipliers that are trained once a grammar, and make the bounds of all its sentences tighter.

Each sentence of a training set has its own best multipliers (see `plcfrs.chart.tightening`). A part
of the way towards them is good for other sentences, too.
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
from plcfrs.chart.search import Search
from plcfrs.chart.workspace import Workspace
from plcfrs.grammar import Grammar, Rule, proper_gaps

_RATE = 0.5  # the part of the way
_PASSES = 2  # through the training set
_MARGIN = 8.0  # above the best parse of the relaxation, for the first parse


def train_shares(grammar: Grammar, sentences: Iterable[Candidates]) -> Costs:
    """Divide the cost of each rule among its components such that bounds are tight.

    Several hundreds of sentences are enough, more are better. The shares of the rules without
    touching ranges (see `plcfrs.grammar.proper_gaps`), an array of the shape (components,), are the
    mean over all sentences of the last pass; the shares of a rule add up to its cost.

    >>> from plcfrs.grammar import Nonterminal, Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> grammar = Grammar({Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> train_shares(grammar, [[{a: 0.0}] * 2]).round(4)
    array([0.6931, 0.6931])
    """
    compiled = compile_grammar(proper_gaps(grammar).grammar)
    relaxation = Relaxation(compiled)
    workspace = Workspace()
    shares = mean = relaxation.shares.copy()
    known = list(sentences)
    for _ in range(_PASSES):
        mean = np.zeros_like(shares)
        for candidates in known:
            search = Search(compiled, relaxation, candidates, UNLIMITED, workspace)
            best = _tightened(search, shares)
            search.close()
            if best is not None:
                shares = shares + _RATE * (best - shares)
            mean += shares / len(known)
    return mean if known else shares


def train_shifts(
    grammar: Grammar, sentences: Iterable[Candidates]
) -> dict[Rule, tuple[float, ...]]:
    """Return what `train_shares` learns as differences from equal parts, to be kept in `Grammar`.

    Only rules with several components have them. With any weights of the rules, bounds by these
    differences are right.

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


def _tightened(search: Search, shares: Costs) -> Costs | None:
    """Return the best division for a sentence, if it matters."""
    search.fill_estimates(shares)
    if search.bound == inf:
        return None
    search.raise_ceiling(search.bound + _MARGIN)
    try_greedily(search, FIRST_ITEMS)
    if search.cost == inf or search.is_proven:
        return None
    search.raise_ceiling(search.cost)
    return search.tighten()
