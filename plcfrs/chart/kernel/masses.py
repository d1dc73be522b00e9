"""Sums over all derivations of the relaxation, which are upper bounds for the grammar.

Probabilities are scaled by one factor for each token, so that they do not underflow or overflow.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Records, RelaxationArrays, Table
from plcfrs.chart.kernel.bits import ONE, ZERO, count, lowest
from plcfrs.chart.kernel.inside import cell_number
from plcfrs.chart.kernel.outside import enter_column, entry_in_column, leave_column
from plcfrs.jit import inner_kernel, kernel


@kernel
def sum_table_inside(
    relaxation: RelaxationArrays,
    table: Table,
    weights: Costs,
    chain_start: Int32,
    chains: Records,
    scanned: Costs,
    row: Costs,
    inside: Costs,
) -> None:
    """Compute the sum over all derivations of each entry; `inside` is 0 everywhere before.

    The chains over a symbol start at `chain_start`; `weights` are probabilities in the order of
    `relaxation.cost`, and `scanned` are scaled probabilities.
    """
    for right in range(1, table.length + 1):
        enter_column(table, right)
        for number in range(table.scan_start[right - 1], table.scan_start[right]):
            entry = entry_in_column(table, table.scan_symbol[number], right - 1)
            if entry >= 0:
                inside[entry] += scanned[number]
        for left in range(right - 1, -1, -1):
            cell = cell_number(left, right)
            first, last = table.cell_start[cell], table.cell_start[cell + 1]
            for entry in range(first, last):
                _apply_rules(relaxation, table, weights, left, right, entry, inside, inside, True)
                row[table.entries[entry]["symbol"]] = inside[entry]
            for entry in range(first, last):
                symbol = table.entries[entry]["symbol"]
                for chain in range(chain_start[symbol], chain_start[symbol + 1]):
                    above = entry_in_column(table, chains[chain]["top"], left)
                    if above >= 0:
                        inside[above] += chains[chain]["weight"] * row[symbol]
        leave_column(table, right)


@kernel
def sum_table_outside(
    relaxation: RelaxationArrays,
    table: Table,
    weights: Costs,
    chain_start: Int32,
    chains: Records,
    row: Costs,
    inside: Costs,
    outside: Costs,
) -> None:
    """Compute the sum over all complete derivations with a hole at each entry.

    The parameters are those of `sum_table_inside`; `outside` is 1 for the goal, else 0.
    """
    for right in range(table.length, 0, -1):
        enter_column(table, right)
        for left in range(right):
            cell = cell_number(left, right)
            first, last = table.cell_start[cell], table.cell_start[cell + 1]
            for entry in range(first, last):
                row[table.entries[entry]["symbol"]] = outside[entry]
            for entry in range(first, last):
                symbol = table.entries[entry]["symbol"]
                for chain in range(chain_start[symbol], chain_start[symbol + 1]):
                    top = chains[chain]["top"]
                    if entry_in_column(table, top, left) >= 0:
                        outside[entry] += chains[chain]["weight"] * row[top]
            for entry in range(first, last):
                if outside[entry] > 0.0:
                    _apply_rules(
                        relaxation, table, weights, left, right, entry, inside, outside, False
                    )
        leave_column(table, right)


@inner_kernel
def _apply_rules(
    relaxation: RelaxationArrays,
    table: Table,
    weights: Costs,
    left: int,
    right: int,
    entry: int,
    inside: Costs,
    sums: Costs,
    is_upwards: bool,
) -> None:
    """Add up a mother over all its children, or pass its outside sum down to them."""
    symbol = table.entries[entry]["symbol"]
    for group in range(relaxation.down_start[symbol], relaxation.down_start[symbol + 1]):
        word = relaxation.down_groups[group]["word"]
        mask = relaxation.down_groups[group]["mask"]
        child = relaxation.down_groups[group]["left"]
        block = table.left_block[left, child] - left
        partners = table.ended[word] & mask
        if table.left_block[left, child] < 0:
            partners = ZERO
        while partners != ZERO:
            place = lowest(partners)
            bit = ONE << np.uint64(place)
            beside = (64 * word + place) * table.length
            weight = weights[relaxation.down_groups[group]["first"] + count(mask & (bit - ONE))]
            for middle in range(left + 1, right):
                if table.left_costs[block + middle] + table.right_costs[beside + middle] == np.inf:
                    continue
                one = table.left_entries[block + middle]
                other = table.right_entries[beside + middle]
                if is_upwards:
                    sums[entry] += weight * inside[one] * inside[other]
                else:
                    sums[one] += weight * sums[entry] * inside[other]
                    sums[other] += weight * sums[entry] * inside[one]
            partners ^= bit
