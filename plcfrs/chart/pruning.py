"""Forests without cycles and without improbable derivations."""

from __future__ import annotations

import numpy as np

from plcfrs.chart.estimates import rounded_up
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.pruning import fill_outside_costs
from plcfrs.chart.kernel.sums import settle
from plcfrs.chart.relaxation import first_rows
from plcfrs.chart.sums import edges_of


def prune(forest: Forest, log_ratio: float) -> Forest:
    """Return the acyclic forest of derivations at most e to the ratio less probable than the best.

    In a cycle of unary rules, an item is kept only below items with higher costs, so that no item
    is below itself (see `most_constituents`). The best derivation is always kept. Of equal edges,
    which come from items that were popped again, one is kept. The last item is the goal.
    """
    order = settle(edges_of(forest))
    outside = np.full(len(order), np.inf)
    outside[forest.goal] = 0.0
    complete = np.empty(len(forest.edge_rule))
    fill_outside_costs(
        order,
        forest.edge_start,
        forest.edge_left,
        forest.edge_right,
        forest.edge_cost,
        forest.cost,
        outside,
        complete,
    )
    ceiling = rounded_up(forest.cost[forest.goal] + log_ratio)
    mother = forest.edge_mother
    kept = np.flatnonzero((complete <= ceiling) & (complete < np.inf))  # infinite: in a cycle
    items = order[np.isin(order, mother[kept])]
    number = np.full(len(order) + 1, -1, np.int32)  # the last is for the child -1
    number[items] = np.arange(len(items), dtype=np.int32)
    columns = forest.edge_right, forest.edge_left, forest.edge_rule, number[mother]
    kept = kept[np.lexsort([column[kept] for column in columns])]
    kept = kept[first_rows(*(column[kept] for column in columns))]
    return forest._replace(
        goal=int(number[forest.goal]),
        ceiling=ceiling,
        label=forest.label[items],
        bits=forest.bits[items],
        cost=forest.cost[items],
        outside=forest.outside[items],
        component=np.arange(len(items)),
        is_popped=forest.is_popped[items],
        edge_start=np.searchsorted(number[mother[kept]], np.arange(len(items) + 1)),
        edge_rule=forest.edge_rule[kept],
        edge_left=number[forest.edge_left[kept]],
        edge_right=number[forest.edge_right[kept]],
        edge_cost=forest.edge_cost[kept],
    )
