"""From the chart back to the best derivation."""

from __future__ import annotations

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel.arrays import Chart
from plcfrs.grammar import Derivation


def backtrace(compiled: CompiledGrammar, chart: Chart, goal: int) -> Derivation:
    """Return the best derivation of an item.

    Parameters
    ----------
    compiled : CompiledGrammar
    chart : Chart
    goal : int
        Number of the item.
    """
    symbols = list(compiled.labels)
    order = []
    stack = [goal]
    while stack:
        item = stack.pop()
        order.append(item)
        stack.extend(_children(chart, item))
    derivations: dict[int, Derivation] = {}
    for item in reversed(order):
        rule = chart.items[item]["rule"]
        derivations[item] = Derivation(
            symbols[chart.items[item]["label"]],
            compiled.rules[rule].yield_function if rule >= 0 else (),
            tuple(derivations[child] for child in _children(chart, item)),
        )
    return derivations[goal]


def _children(chart: Chart, item: int) -> list[int]:
    return [
        int(child)
        for child in (chart.items[item]["left"], chart.items[item]["right"])
        if child >= 0
    ]
