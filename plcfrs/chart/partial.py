"""Sentences without a parse: the most probable sequence of constituents that covers them.

The probability of a constituent below the root is the frequency of its symbol in derivations, and
each is followed by another one with probability 1/2. This is a PLCFRS, too, so the usual exact
search finds the best cover:

    NOPARSE -> X          p(X) / 2
    NOPARSE -> X NOPARSE  p(X) / 2

The covering constituents have no gaps, though constituents below them may: gaps in the cover make
the search much slower and the scores no better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from math import exp, log

import numpy as np

from plcfrs.budget import DEFAULT, Budget, OutOfBudgetError
from plcfrs.chart.bounds import Relaxation
from plcfrs.chart.compile import Candidates, compile_grammar
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.nbest import find_best
from plcfrs.chart.search import ChartSearch
from plcfrs.chart.workspace import ChartWorkspace
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, proper_gaps
from plcfrs.trees import NO_PARSE, ROOT

# A sentence that is longer, or needs more items or too much time, is cut in half.
_LONGEST = 80
_MOST_ITEMS = 100_000

# Depth of the derivations in which symbols are counted.
_DEPTH = 500

# This part of the probability is shared equally by all symbols.
_UNIFORM = 0.01


class PartialParser:
    """Covers sentences with constituents and tags.

    The cover is the most probable one, except that sentences of more than 80 tokens, or with more
    than 100,000 items, are cut in half until they fit.

    Parameters
    ----------
    grammar : Grammar
        With up to two children in a rule.
    budget : Budget
        Limits of wall time for a sentence and of memory for each part. When the time is over, tags
        cover the rest.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> s, np, vp = map(Nonterminal, ("S", "NP", "VP"))
    >>> det, noun, verb = map(tag, ("DT", "NN", "VB"))
    >>> rules = {
    ...     Rule(s, (np, vp), ((0, 1),)): 1,
    ...     Rule(np, (det, noun), ((0, 1),)): 2,
    ...     Rule(vp, (verb, np), ((0, 1),)): 1,
    ... }
    >>> parser = PartialParser(Grammar(rules, start=s))
    >>> cover = parser.cover([{symbol: 0.0} for symbol in (verb, verb, det, noun)])
    >>> [str(piece.nonterminal) for piece in cover.children]
    ['VB', 'VP']
    """

    def __init__(self, grammar: Grammar, budget: Budget = DEFAULT) -> None:
        self._budget = budget
        self._costs = piece_costs(grammar)
        self._proper = proper_gaps(covering_grammar(grammar))
        self._compiled = compile_grammar(self._proper.grammar)
        self._relaxation = Relaxation(self._compiled)

    def cover(self, candidates: Candidates) -> Derivation:
        """Return NOPARSE over the constituents that cover a sentence, from left to right.

        Each token needs a tag. If the grammar has none of its tags, the cheapest one covers it.
        """
        pieces: list[Derivation] = []
        for is_known, group in groupby(candidates, self._is_known):
            part = list(group)
            share = self._budget.max_seconds * len(part) / len(candidates)
            pieces += self._pieces(part, share) if is_known else self._tags(part)
        return _covered(pieces)

    def _is_known(self, tags: Iterable[Nonterminal]) -> bool:
        return any(symbol in self._costs for symbol in tags)

    def _pieces(self, candidates: Candidates, seconds: float) -> list[Derivation]:
        """Return the best pieces; if the whole takes half of the time, those of both halves."""
        if len(candidates) <= _LONGEST:
            derivation = self._search(candidates, seconds / 2)
            if derivation is not None:
                return _listed(self._proper.undo_proper(derivation))
        if len(candidates) == 1:
            return self._tags(candidates)
        middle = len(candidates) // 2
        halves = candidates[:middle], candidates[middle:]
        return [piece for half in halves for piece in self._pieces(half, seconds / 4)]

    def _search(self, candidates: Candidates, seconds: float) -> Derivation | None:
        budget = self._budget._replace(max_items=_MOST_ITEMS, max_seconds=seconds)
        workspace = ChartWorkspace(budget.max_memory)
        search = ChartSearch(self._compiled, self._relaxation, candidates, budget, workspace)
        try:
            find_best(search)
        except OutOfBudgetError:
            return None
        return search.derivation

    def _tags(self, candidates: Candidates) -> list[Derivation]:
        return list(cover_by_tags(candidates, self._costs).children)


def cover_by_tags(candidates: Candidates, costs: Mapping[Nonterminal, float]) -> Derivation:
    """Return NOPARSE over a tag for each token.

    Parameters
    ----------
    candidates : sequence of mapping of Nonterminal to float
    costs : mapping of Nonterminal to float
        Additional costs of tags; tags without one are used only if there are no others.
    """

    def likeliest(tags: Mapping[Nonterminal, float]) -> Nonterminal:
        known = [symbol for symbol in tags if symbol in costs] or list(tags)
        return min(known, key=lambda symbol: tags[symbol] + costs.get(symbol, 0.0))

    return _covered([Derivation(likeliest(tags)) for tags in candidates])


def covering_grammar(grammar: Grammar) -> Grammar:
    """Return a grammar that derives NOPARSE over any sequence of categories and tags."""
    rules, symbols = dict(grammar.probabilities()), grammar.nonterminals()
    start = Nonterminal(NO_PARSE, kind="intermediate")
    while start in symbols:  # the treebank may have NOPARSE trees
        start = start._replace(ancestors=(*start.ancestors, NO_PARSE))
    for symbol, cost in piece_costs(grammar).items():
        probability = exp(-cost)
        rules[Rule(start, (symbol,), ((0,),))] = probability / 2
        rules[Rule(start, (symbol, start), ((0, 1),))] = probability / 2
    return Grammar(rules, grammar.lexicon, start, "probabilities")


def piece_costs(grammar: Grammar) -> dict[Nonterminal, float]:
    """Return the costs of symbols that may cover part of a sentence: ``-log`` of frequencies.

    These are all categories and tags of fan-out 1 except ROOT.

    Parameters
    ----------
    grammar : Grammar
    """
    expected = {
        symbol: number
        for symbol, number in expected_symbols(grammar).items()
        if symbol.kind != "intermediate" and symbol.fanout == 1 and symbol.category != ROOT
    }
    total = sum(expected.values()) or 1.0
    return {
        symbol: -log((1 - _UNIFORM) * number / total + _UNIFORM / len(expected))
        for symbol, number in expected.items()
    }


def expected_symbols(grammar: Grammar) -> dict[Nonterminal, float]:
    """Return how often each symbol is expected in a derivation up to some depth.

    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> rules = {Rule(s, (s, a), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
    >>> expected = expected_symbols(Grammar(rules, start=s))
    >>> {str(symbol): round(number, 6) for symbol, number in expected.items()}
    {'S': 2.0, 'A': 2.0}
    """
    number = {symbol: place for place, symbol in enumerate(grammar.nonterminals())}
    steps = [
        (number[rule.lhs], number[child], probability)
        for rule, probability in grammar.probabilities().items()
        for child in rule.rhs
    ]
    columns = np.array(steps, np.float64).reshape(-1, 3).T
    (mother, child), probability = columns[:2].astype(np.int64), columns[2]
    level: Costs = np.zeros(len(number))
    level[number[grammar.start]] = 1.0
    expected = level
    for _ in range(_DEPTH):
        level = np.bincount(child, level[mother] * probability, len(number)).astype(np.float64)
        expected = expected + level
    return dict(zip(number, expected.tolist(), strict=True))


def _covered(pieces: list[Derivation]) -> Derivation:
    return Derivation(Nonterminal(NO_PARSE), (tuple(range(len(pieces))),), tuple(pieces))


def _listed(derivation: Derivation) -> list[Derivation]:
    """Return the pieces of a derivation of the covering grammar."""
    pieces = []
    rest = [derivation]
    while rest:
        piece, *rest = rest[0].children
        pieces.append(piece)
    return pieces
