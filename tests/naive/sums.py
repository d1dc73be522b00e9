"""Sums over derivations by their definitions: all derivations listed, or equations iterated.

Also here: random grammars without and with unary cycles, and their forests.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count, islice, pairwise
from math import exp, fsum, inf, log
from typing import NamedTuple

import numpy as np
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import assume
from hypothesis import strategies as st

from naive.parser import Candidates, Item, best_costs, enumerate_derivations, instances, scan
from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.chart.forest import Forest, Sums
from plcfrs.chart.kernel.sums import Edges
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, binarize, tag

STRATEGIES = ("astar", "knuth")
MAXIMAL_DERIVATIONS = 2_000

SpanItem = tuple[Nonterminal, int]  # with a span as a bitset


class Enumerated(NamedTuple):
    """All derivations of a sentence, and what is expected of one drawn by its probability."""

    derivations: list[tuple[float, Derivation]]
    probability: float
    items: dict[SpanItem, float]
    rules: dict[Rule, float]


def enumerate_sums(grammar: Grammar, candidates: Candidates) -> Enumerated:
    """Add up over all derivations of a grammar without unary cycles."""
    derivations = list(islice(enumerate_derivations(grammar, candidates), MAXIMAL_DERIVATIONS))
    assume(len(derivations) < MAXIMAL_DERIVATIONS)
    probability = fsum(exp(-cost) for cost, _ in derivations)
    items, rules = defaultdict(list), defaultdict(list)
    for cost, derivation in derivations:
        posterior = exp(-cost) / probability
        for item in items_of(derivation):
            items[item].append(posterior)
        for rule in derivation.rules():
            rules[rule].append(posterior)
    return Enumerated(
        derivations,
        probability,
        {item: fsum(terms) for item, terms in items.items()},
        {rule: fsum(terms) for rule, terms in rules.items()},
    )


def items_of(derivation: Derivation) -> list[SpanItem]:
    """Return the symbol and the span of every part of a complete derivation."""
    position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
    leaves = count()
    found = []

    def span(part: Derivation, children: list[int]) -> int:
        own = sum(children) if children else 1 << position_of[next(leaves)]
        found.append((part.nonterminal, own))
        return own

    derivation.fold(span)
    return found


def correct_constituents(derivation: Derivation, posteriors: dict[SpanItem, float]) -> float:
    """Return how many constituents are expected to be right, minus those expected to be wrong."""
    found = [item for item in items_of(derivation) if item[0].kind == "category"]
    return fsum(2 * posteriors[item] - 1 for item in found)


def without_unary_cycles(grammar: Grammar) -> Grammar:
    """Return the grammar without the unary rules that lead back to where an earlier one started."""
    below = defaultdict(set)
    kept = {}
    for rule, weight in grammar.rules.items():
        if rule.rank == 1:
            reached, agenda = set(), [rule.rhs[0]]
            while agenda:
                symbol = agenda.pop()
                if symbol not in reached:
                    reached.add(symbol)
                    agenda.extend(below[symbol])
            if rule.lhs in reached:
                continue
            below[rule.lhs].add(rule.rhs[0])
        kept[rule] = weight
    return Grammar(kept, grammar.lexicon, grammar.start)


def inside_limits(grammar: Grammar, candidates: Candidates) -> dict[Item, float]:
    """Return the sum of every item: the inside equations, iterated until they converge."""
    probabilities = grammar.probabilities()
    reached = best_costs(grammar, candidates)
    scanned = {item: exp(-cost) for item, cost in scan(candidates).items()}
    steps = defaultdict(list)
    for rule in grammar.rules:
        for item, children in instances(rule, reached):
            steps[item].append((probabilities[rule], children))
    sums = dict.fromkeys(reached, 0.0)
    moves = True
    while moves:
        moves = False
        for item, before in list(sums.items()):
            terms = [scanned.get(item, 0.0)]
            for probability, children in steps[item]:
                for child in children:
                    probability *= sums[child]
                terms.append(probability)
            sums[item] = fsum(terms)
            moves = moves or abs(sums[item] - before) > 1e-14 * sums[item]
    return sums


def apply_equations(forest: Forest, sums: Sums) -> tuple[list[float], list[float]]:
    """Return the right sides of the inside and outside equations of all items, as logarithms."""
    inside: list[list[float]] = [[] for _ in forest.label]
    outside: list[list[float]] = [[] for _ in forest.label]
    outside[forest.goal].append(0.0)
    for mother, edges in enumerate(pairwise(forest.edge_start)):
        for edge in range(*edges):
            cost = forest.edge_cost[edge]
            children = [
                child for child in (forest.edge_left[edge], forest.edge_right[edge]) if child >= 0
            ]
            inside[mother].append(sum(sums.inside[child] for child in children) - cost)
            for place, child in enumerate(children):
                sisters = children[:place] + children[place + 1 :]
                above = sums.outside[mother] - cost
                outside[child].append(above + sum(sums.inside[sister] for sister in sisters))
    return [log_sum(terms) for terms in inside], [log_sum(terms) for terms in outside]


def log_sum(terms: list[float]) -> float:
    peak = max(terms, default=-inf)
    return peak + log(fsum(exp(term - peak) for term in terms)) if peak > -inf else -inf


def with_sentences(grammars, longest=6):
    """Grammars of a strategy with sentences, half of which surely have a parse."""

    def sentences_for(grammar):
        any_sentence = sentences().map(lambda sentence: sentence[:longest])
        return st.tuples(st.just(grammar), any_sentence | sentences_of(grammar, longest))

    return grammars.flatmap(sentences_for)


@st.composite
def with_cycles(draw, highest):
    """Random grammars with more unary rules, also in cycles, and without very high counts."""
    grammar = draw(grammars(touching=False))
    rules = {rule: min(count, highest) for rule, count in grammar.rules.items()}
    for extra, word in [("T", "a"), ("U", "b")]:
        rules[Rule(Nonterminal(extra), (tag(word),), ((0,),))] = 1
    symbols = [*dict.fromkeys(rule.lhs for rule in rules)]
    flat = [symbol for symbol in symbols if symbol.fanout == 1]
    ring = [grammar.start, *draw(st.lists(st.sampled_from(flat), max_size=4))]
    pairs = list(zip(ring, ring[1:] + ring[:1], strict=True))
    same = [(x, y) for x in symbols for y in symbols if x.fanout == y.fanout]
    pairs += draw(st.lists(st.sampled_from(same), max_size=4))
    for mother, child in pairs:
        rule = Rule(mother, (child,), ((0,),) * child.fanout)
        rules[rule] = draw(st.sampled_from([0.5, 1, 7]))
    return Grammar(rules, start=grammar.start)


def forests(grammar, sentence, log_ratio=inf) -> list[Forest]:
    """Return the forests of both strategies, none if there is no parse."""
    parsers = [ChartParser(binarize(grammar), strategy, UNLIMITED) for strategy in STRATEGIES]
    found = [parser.forest(sentence, log_ratio) for parser in parsers]
    assert len({forest is None for forest in found}) == 1
    return [forest for forest in found if forest is not None]


def edges_by_hand(component, edges) -> Edges:
    """Return a forest; edges are (mother, left, right, probability), sorted by their mothers."""
    mothers = [mother for mother, _, _, _ in edges]
    return Edges(
        np.array(component, np.int64),
        np.searchsorted(mothers, np.arange(len(component) + 1)).astype(np.int64),
        np.array([left for _, left, _, _ in edges], np.int32),
        np.array([right for _, _, right, _ in edges], np.int32),
        -np.log([probability for _, _, _, probability in edges]),
    )
