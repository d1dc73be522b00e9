"""From the last step of each item back to a derivation."""

from __future__ import annotations

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel.arrays import Int32
from plcfrs.grammar import Derivation


def trace_items(left: Int32, right: Int32, goal: int) -> list[int]:
    """Return the items of the derivation of an item, mothers first; a missing child is -1."""
    found = []
    stack = [goal]
    while stack:
        item = stack.pop()
        found.append(item)
        stack.extend(child for child in (int(left[item]), int(right[item])) if child >= 0)
    return found


def trace_back(
    compiled: CompiledGrammar, label: Int32, rule: Int32, left: Int32, right: Int32, goal: int
) -> Derivation:
    """Return the derivation of an item, given the last steps; -1 is a tag or a missing child."""
    symbols = list(compiled.labels)
    derivations: dict[int, Derivation] = {}
    for item in reversed(trace_items(left, right, goal)):
        children = [int(child) for child in (left[item], right[item]) if child >= 0]
        derivations[item] = Derivation(
            symbols[label[item]],
            compiled.rules[rule[item]].yield_function if rule[item] >= 0 else (),
            tuple(derivations[child] for child in children),
        )
    return derivations[goal]
