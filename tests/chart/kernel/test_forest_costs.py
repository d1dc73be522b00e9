"""Costs in forests of the relaxation, against sums that are repeated until nothing changes."""

from itertools import pairwise
from math import inf

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from plcfrs.chart.kernel.listing import EDGE, RelaxedForest
from plcfrs.chart.kernel.tightening import Work, fill_forest_inside, fill_forest_outside

COSTS = st.integers(0, 9).map(float)


@st.composite
def forests(draw):
    """Return a forest with cycles of unary rules, costs of rules, and what nodes cost at least."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    cell_start = np.append(0, np.cumsum(sizes))
    edges, edge_start = [], [0]
    for first, last in pairwise(cell_start):
        inner, below = st.integers(first, last - 1), st.integers(0, max(0, first - 1))
        for _ in range(first, last):
            if first > 0:
                edges += draw(st.lists(st.tuples(below, below), max_size=3))
            edges += [(left, -1) for left in draw(st.lists(inner, max_size=3))]
            edge_start.append(len(edges))
    nodes = int(cell_start[-1])
    records = np.array([(*edge, rule) for rule, edge in enumerate(edges)], EDGE)
    scanned, at_least, cost = (
        np.array(draw(st.lists(each, min_size=size, max_size=size)))
        for each, size in (
            (COSTS | st.just(inf), nodes),
            (COSTS | st.just(-inf), nodes),
            (COSTS, len(edges)),
        )
    )
    spans = np.zeros(len(sizes), np.int32)
    entry = np.arange(nodes)
    start = np.array(edge_start)
    forest = RelaxedForest(nodes - 1, cell_start, spans, spans, entry, scanned, start, records)
    return forest, cost.reshape(-1), at_least


def repeated(forest, costs, apply):
    """Apply all edges to the costs of nodes until nothing changes."""
    before = None
    while costs != before:
        before = list(costs)
        for mother in range(len(costs)):
            for edge in range(forest.edge_start[mother], forest.edge_start[mother + 1]):
                apply(mother, edge, *forest.edges[edge].item()[:2])
    return costs


@examples(200)
@given(forests())
def test_costs_in_forests_with_cycles(case):
    forest, cost, at_least = case
    nodes = len(at_least)

    def upwards(mother, edge, left, right):
        total = cost[edge] + expected[left] + (expected[right] if right >= 0 else 0.0)
        expected[mother] = min(expected[mother], max(total, at_least[mother]))

    def downwards(mother, edge, left, right):
        beside = (expected[right], expected[left]) if right >= 0 else (0.0,)
        for child, sister in zip((left, right), beside, strict=False):
            above[child] = min(above[child], above[mother] + cost[edge] + sister)

    expected = np.maximum(forest.scanned, at_least).tolist()
    above = [inf] * (nodes - 1) + [0.0]
    repeated(forest, expected, upwards)
    repeated(forest, above, downwards)
    work = Work(
        cost=cost,
        instance=np.zeros(len(cost), np.int32),
        at_least=at_least.copy(),
        inside=np.zeros(nodes),
        chosen=np.zeros(nodes, np.int64),
        stack=np.zeros(nodes + 1, np.int32),
        uses=np.zeros(0, np.int32),
        shares=np.zeros(0),
    )
    fill_forest_inside(forest, work)
    outside = np.zeros(nodes)
    fill_forest_outside(forest, cost, work.inside, outside)
    assert work.inside.tolist() == expected
    assert outside.tolist() == above
    is_known = at_least > -inf
    assert work.at_least.tolist() == np.where(is_known, expected, -inf).tolist()
