"""Lagrange multipliers on the components of rules: the bounds of the relaxation become tighter.

All derivations of the grammar use the components of a rule equally often, so their cost does not
change when cost is shifted from one component to another. The best derivation of the relaxation
gets more expensive if cost is shifted to components that it uses more often.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64, RelaxationArrays
from plcfrs.chart.kernel.listing import RelaxedForest
from plcfrs.jit import inner_kernel, kernel

# After this many steps without a better bound, steps become shorter; at this length they end.
_STALLED = 3
_SHORTER = 0.6
_SHORTEST = 0.05


class Shifts(NamedTuple):
    """Between which components cost can be shifted."""

    rules: Int32  # the rules of the grammar with several components
    rule_start: Int32  # (rules + 1,) where the components of each rule of the grammar start
    is_on_cycle: NDArray[np.bool_]  # (C,) which components are in a cycle of unary rules
    priced: Int32  # the rules of the relaxation that stand for such components


class Work(NamedTuple):
    """The scratch memory of the steps, for N nodes, R rules of the relaxation and C components."""

    cost: Costs  # (R,) the cost of each rule
    instance: Int32  # (R,) the component with this cost, -1 for none
    at_least: Costs  # (N,) lower bounds of constituents without a gap; others -inf
    inside: Costs  # (N,)
    chosen: Int64  # (N,) the edge of the best derivation, -1 for a scanned tag
    stack: Int32  # (N,)
    uses: Int32  # (C,) all 0
    shares: Costs  # (C,)


@kernel
def take_steps(
    relaxation: RelaxationArrays,
    forest: RelaxedForest,
    shifts: Shifts,
    shares: Costs,
    work: Work,
    target: float,
    steps: int,
) -> float:
    """Shift cost between components in the direction of the subgradient (Polyak 1969).

    The shares with the best bound replace the old ones; return this bound. The target is the cost
    of a parse; components on a cycle must not have a negative cost. The rules of the relaxation
    must already be priced by the shares.
    """
    _copy(shares, work.shares)
    best = -np.inf
    length = 1.0
    stalled = 0
    for _ in range(steps):
        price(relaxation, shifts.priced, work.shares, work.cost, work.instance)
        fill_forest_inside(forest, work)
        bound = work.inside[forest.goal]
        if bound > best:
            best = bound
            _copy(work.shares, shares)
            stalled = 0
        else:
            stalled += 1
        if stalled == _STALLED:
            stalled = 0
            length *= _SHORTER
            if length < _SHORTEST:
                break
        if bound >= target:
            break
        _count_uses(forest, work)
        if not _take_step(shifts, work, length * (target - bound)):
            break
    return best


@inner_kernel
def _copy(source: Costs, target: Costs) -> None:
    for place in range(source.shape[0]):
        target[place] = source[place]


@kernel
def price(
    relaxation: RelaxationArrays, rules: Int32, shares: Costs, cost: Costs, instance: Int32
) -> None:
    """Find the cheapest component that each of some rules of the relaxation stands for."""
    for rule in rules:
        first, last = relaxation.instance_start[rule], relaxation.instance_start[rule + 1]
        cost[rule] = 0.0
        instance[rule] = -1
        for place in range(first, last):
            share = relaxation.instances[place]
            if place == first or shares[share] < cost[rule]:
                cost[rule] = shares[share]
                instance[rule] = share


@kernel
def fill_forest_inside(forest: RelaxedForest, work: Work) -> None:
    """Compute the cost of the best derivation of each node, and its edge.

    For a constituent without a gap it is a lower bound with any shares: the highest one is kept.
    """
    cost, at_least, inside, chosen = work.cost, work.at_least, work.inside, work.chosen
    edges = forest.edges
    for node in range(inside.shape[0]):
        inside[node] = np.inf
    for cell in range(forest.left.shape[0]):
        is_cyclic = False
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            best = forest.scanned[node]
            edge_of_best = -1
            # Little here depends on a condition: what is cheaper cannot be predicted.
            for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
                left, right = edges[edge]["left"], edges[edge]["right"]
                total = cost[edges[edge]["rule"]] + inside[left]
                total += inside[right] if right >= 0 else 0.0
                is_cyclic |= left >= node
                edge_of_best = edge if total < best else edge_of_best
                best = min(best, total)
            inside[node] = max(best, at_least[node])
            chosen[node] = edge_of_best
        while is_cyclic:
            is_cyclic = _apply_unary(forest, cell, work)
    for node in range(inside.shape[0]):
        if at_least[node] > -np.inf:
            at_least[node] = inside[node]


@inner_kernel
def _apply_unary(forest: RelaxedForest, cell: int, work: Work) -> bool:
    """Apply the unary rules of a cell, and return whether they have to be applied again."""
    edges, inside = forest.edges, work.inside
    changed = False
    for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
        for edge in range(forest.edge_start[node + 1] - 1, forest.edge_start[node] - 1, -1):
            if edges[edge]["right"] >= 0:
                break
            total = work.cost[edges[edge]["rule"]] + inside[edges[edge]["left"]]
            if max(total, work.at_least[node]) < inside[node]:
                inside[node] = max(total, work.at_least[node])
                work.chosen[node] = edge
                changed = True
    return changed


@kernel
def fill_forest_outside(forest: RelaxedForest, cost: Costs, inside: Costs, outside: Costs) -> None:
    """Compute the cost of the best complete derivation with a hole at each node."""
    edges = forest.edges
    for node in range(outside.shape[0]):
        outside[node] = np.inf
    outside[forest.goal] = 0.0
    for cell in range(forest.left.shape[0] - 1, -1, -1):
        changed = True
        while changed:
            changed = False
            for node in range(forest.cell_start[cell + 1] - 1, forest.cell_start[cell] - 1, -1):
                for edge in range(forest.edge_start[node + 1] - 1, forest.edge_start[node] - 1, -1):
                    if edges[edge]["right"] >= 0:
                        break
                    child = edges[edge]["left"]
                    total = outside[node] + cost[edges[edge]["rule"]]
                    if total < outside[child]:
                        outside[child] = total
                        changed |= child > node
        for node in range(forest.cell_start[cell], forest.cell_start[cell + 1]):
            for edge in range(forest.edge_start[node], forest.edge_start[node + 1]):
                left, right = edges[edge]["left"], edges[edge]["right"]
                if right < 0:
                    break
                above = outside[node] + cost[edges[edge]["rule"]]
                outside[left] = min(outside[left], above + inside[right])
                outside[right] = min(outside[right], above + inside[left])


@inner_kernel
def _count_uses(forest: RelaxedForest, work: Work) -> None:
    """Count how often the best derivation uses each component."""
    for share in range(work.uses.shape[0]):
        work.uses[share] = 0
    work.stack[0] = forest.goal
    depth = 1
    while depth > 0:
        depth -= 1
        edge = work.chosen[work.stack[depth]]
        if edge < 0:
            continue
        used = work.instance[forest.edges[edge]["rule"]]
        if used >= 0:
            work.uses[used] += 1
        work.stack[depth] = forest.edges[edge]["left"]
        depth += 1
        if forest.edges[edge]["right"] >= 0:
            work.stack[depth] = forest.edges[edge]["right"]
            depth += 1


@inner_kernel
def _take_step(shifts: Shifts, work: Work, rise: float) -> bool:
    """Shift costs so that the best derivation costs `rise` more; return whether it can."""
    square = 0.0
    for is_counting in (True, False):
        for rule in shifts.rules:
            first, last = shifts.rule_start[rule], shifts.rule_start[rule + 1]
            uses = 0
            for share in range(first, last):
                uses += work.uses[share]
            mean = uses / (last - first)
            if uses == 0:
                continue
            for share in range(first, last):
                excess = work.uses[share] - mean
                if is_counting:
                    square += excess * excess
                else:
                    work.shares[share] += rise * excess / square
            if not is_counting:
                _keep_cycles(shifts.is_on_cycle, work.shares, first, last)
        if square < 1e-12:
            return False
    return True


@inner_kernel
def _keep_cycles(is_on_cycle: NDArray[np.bool_], shares: Costs, first: int, last: int) -> None:
    """Raise negative costs of components on cycles to 0; keep the sum of the rule."""
    lacking = positive = 0.0
    others = 0
    for share in range(first, last):
        if not is_on_cycle[share]:
            others += 1
        elif shares[share] < 0.0:
            lacking -= shares[share]
            shares[share] = 0.0
        else:
            positive += shares[share]
    if lacking > 0.0:
        for share in range(first, last):
            if others == 0:
                shares[share] *= max(0.0, positive - lacking) / positive
            elif not is_on_cycle[share]:
                shares[share] -= lacking / others
