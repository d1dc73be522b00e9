"""An upper bound for the probability mass that a forest lacks.

Each derivation that is not in a forest has a lowest item that was not popped: an item of the
*frontier*, whose own derivation is in the forest. So the missing mass is at most the sum of the
masses of these items, inside times outside. Outside sums come from the component-split CFG with the
probabilities of equal rules added up, in which each derivation has an image of its own. For an item
of fan-out k whose derivations have the probabilities p(d), the mass is at most ``sum_d p(d) ** (1 /
k)`` times the geometric mean of the outside sums of its components.
"""

from __future__ import annotations

from math import inf

import numpy as np

from plcfrs.chart.compile import records
from plcfrs.chart.estimates import Estimates
from plcfrs.chart.forest import Forest
from plcfrs.chart.kernel.arrays import CHAIN, Costs, Table
from plcfrs.chart.kernel.masses import sum_table_inside, sum_table_outside
from plcfrs.chart.kernel.sums import sum_inside
from plcfrs.chart.relaxation import Relaxation, starts_of
from plcfrs.chart.sums import Sums, edges_of


class MassBounds:
    """Upper bounds for the outside sums of items, by a relaxation with the sums of equal rules."""

    def __init__(self, relaxation: Relaxation) -> None:
        self._arrays = relaxation.arrays
        self._weights = np.exp(-relaxation.arrays.cost)
        chains = _chains(relaxation)
        self._is_finite = chains is not None
        ordered = sorted(chains or [])
        self._chain_start = starts_of([below for below, _, _ in ordered], relaxation.symbols)
        self._chains = records(
            CHAIN,
            weight=[weight for _, _, weight in ordered],
            top=[top for _, top, _ in ordered],
        )

    def replace(self, estimates: Estimates) -> None:
        """Replace the outside cost of each entry by ``-log`` of its outside sum."""
        table = estimates.table
        entries = table.entries[: int(table.cell_start[-1])]
        if not self._is_finite:
            entries["outside"] = -inf
            return
        scale = estimates.best / table.length  # so that the best derivation has weight 1
        inside, outside = np.zeros((2, len(entries)))
        outside[estimates.goal] = 1.0
        row = np.zeros(len(table.row))
        shared = (self._arrays, table, self._weights, self._chain_start, self._chains)
        sum_table_inside(*shared, np.exp(scale - table.scan_cost), row, inside)
        sum_table_outside(*shared, row, inside, outside)
        with np.errstate(divide="ignore"):
            entries["outside"] = scale * (table.length - _lengths(table)) - np.log(outside)


def lost_mass(forest: Forest, sums: Sums) -> float:
    """Return an upper bound for the probability mass that a forest lacks.

    It is a fraction of the mass of all derivations; 1 if nothing is known.

    Parameters
    ----------
    forest : Forest
        With bounds of the outside sums.
    sums : Sums
    """
    frontier = ~forest.is_popped
    fan_out = forest.compiled.arrays.labels["fan_out"][forest.label]
    edges = edges_of(forest)
    lost = 0.0
    for number in np.unique(fan_out[frontier]):
        inside = np.empty(len(forest.label))
        if sum_inside(edges._replace(cost=edges.cost / number), inside) >= 0:
            return 1.0
        items = frontier & (fan_out == number) & (inside > -inf)  # others have no derivation
        log_mass = inside[items] - forest.outside[items] / number
        lost += float(np.exp(log_mass - sums.log_probability).sum())
    return lost / (1.0 + lost) if lost < inf else 1.0


def _lengths(table: Table) -> Costs:
    """Return the number of tokens of the span of each entry."""
    lengths = np.concatenate([np.arange(1, right + 1) for right in range(1, table.length + 1)])
    return np.repeat(lengths.astype(np.float64), np.diff(table.cell_start))


def _chains(relaxation: Relaxation) -> list[tuple[int, int, float]] | None:
    """Return child, top and weight of all chains of unary rules; None if a sum is infinite."""
    unary = relaxation.arrays.unary
    symbols = np.unique(np.concatenate([unary["child"], unary["mother"]]))
    below = np.searchsorted(symbols, unary["child"])
    above = np.searchsorted(symbols, unary["mother"])
    steps = np.zeros((len(symbols), len(symbols)))
    np.add.at(steps, (below, above), np.exp(-relaxation.arrays.cost[unary["rule"]]))
    try:
        paths = np.linalg.inv(np.eye(len(symbols)) - steps) - np.eye(len(symbols))
    except np.linalg.LinAlgError:
        return None
    if (paths < -1e-9).any():  # the inverse is not negative exactly if the sums are finite
        return None
    return [
        (int(symbols[child]), int(symbols[top]), float(paths[child, top]))
        for child, top in zip(*np.nonzero(paths > 0), strict=True)
    ]
