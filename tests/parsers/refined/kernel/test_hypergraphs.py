"""Sums and maxima over the substates of all derivations, against their enumeration.

The hypergraphs are made of listed derivations; also as plain Python.
"""

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from naive.latent import edges_of, model_of, of_tokens, sums_of
from naive.refinements import cases
from quick import examples

from plcfrs.grammar import Rule
from plcfrs.parsers.refined.kernel import Hypergraph, find_best, sum_inside, sum_outside


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


def tokens_of(case):
    return [str(position) for position in range(len(case.words))]


def items_and_edges(case):
    """Return all items, children before mothers, and all edges, in the order of their mothers."""
    waiting = {edge for tree in case.derivations for edge in edges_of(tree, tokens_of(case))}
    items = {(what[0], *spans): [] for what, spans in waiting if not isinstance(what, Rule)}
    below = {edge: children_of(edge) for edge in waiting if isinstance(edge[0], Rule)}
    edges = []
    while below:
        blocked = {mother_of(edge) for edge in below if not set(below[edge]) <= set(items)}
        ready = sorted((edge for edge in below if mother_of(edge) not in blocked), key=str)
        first = mother_of(ready[0])
        items[first] = [edge for edge in ready if mother_of(edge) == first]
        edges += items[first]
        for edge in items[first]:
            del below[edge]
    return items, edges


def mother_of(edge):
    return edge[0].lhs, edge[1][0]


def children_of(edge):
    return list(zip(edge[0].rhs, edge[1][1:], strict=True))


def hypergraph_of(case):
    """Return the derivations of a sentence as arrays for the kernels, and the edges."""
    items, edges = items_and_edges(case)
    number = {item: place for place, item in enumerate(items)}
    labels = {symbol: place for place, symbol in enumerate(case.refined.symbols)}
    rules = {rule: place for place, rule in enumerate(case.refined.grammar.rules)}
    children = [[number[child] for child in children_of(edge)] for edge in edges]
    forest = Hypergraph(
        np.array([labels[symbol] for symbol, _ in items], np.int32),
        np.cumsum([0, *(len(below) for below in items.values())], dtype=np.int64),
        np.array([rules[rule] for rule, _ in edges], np.int32),
        np.array([below[0] for below in children], np.int32),
        np.array([(*below, -1)[1] for below in children], np.int32),
    )
    return forest, items, edges


def tables(case):
    return of_tokens(model_of(case.refined), case.refined, case.words, case.tags)


def vectors(case, items):
    """Return where the numbers of items start, the numbers and the scales, with tags filled in."""
    model, numbers, scales, start = tables(case), [], [], [0]
    for (symbol, span), below in items.items():
        of_states = [0.0] * model.states[symbol]
        if not below:
            table = model.probability[symbol, str(span.bit_length() - 1)]
            of_states = [100.0 * number for number in table.values()]
        numbers += of_states
        scales.append(-inf if below else -log(100.0))
        start.append(len(numbers))
    return np.array(start), np.array([*numbers, 1.0]), np.array([*scales, 0.0])


@examples(500)
@given(cases())
def test_sums(case):
    forest, items, edges = hypergraph_of(case)
    refinement = case.refined.refinements[0]
    expected = sums_of(tables(case), case.derivations, tokens_of(case))
    start, inside, scale = vectors(case, items)
    factor, posterior = np.zeros((2, len(edges)))
    outside = np.zeros_like(inside)
    sum_inside(forest, refinement, start, inside, scale, factor)
    assert scale[-2] == close(log(expected.probability))
    sum_outside(forest, refinement, start, inside, factor, outside, posterior)
    assert dict(zip(edges, posterior, strict=True)) == close(
        {edge: p for edge, p in expected.posteriors.items() if isinstance(edge[0], Rule)}
    )
    assert np.add.reduceat((inside * outside)[:-1], start[:-1])[-1] == close(1)


@examples(500)
@given(cases())
def test_the_most_probable_derivation(case):
    forest, items, _ = hypergraph_of(case)
    refinement = case.refined.refinements[0]
    start, best, scale = vectors(case, items)
    edge, entry = np.full((2, len(best)), -1)
    find_best(forest, refinement, start, best, scale, edge, entry)
    expected = sums_of(tables(case), case.derivations, tokens_of(case)).best
    assert scale[-2] == close(log(expected))
    # The entries that were chosen have that probability.
    stack, found = [(len(items) - 1, 0)], 0.0
    places = list(items)
    while stack:
        item, state = stack.pop()
        choice = edge[start[item] + state]
        if choice < 0:
            symbol, span = places[item]
            found += log(tables(case).probability[symbol, str(span.bit_length() - 1)][state,])
            continue
        taken = entry[start[item] + state]
        assert refinement.state[taken] == state
        assert refinement.rule_start[forest.rule[choice]] <= taken
        assert taken < refinement.rule_start[forest.rule[choice] + 1]
        found += log(refinement.probability[taken])
        stack.append((forest.left[choice], int(refinement.left[taken])))
        if forest.right[choice] >= 0:
            stack.append((forest.right[choice], int(refinement.right[taken])))
    assert found == close(log(expected))
