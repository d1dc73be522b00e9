"""The component-split CFG: a relaxation of the grammar that guides the exact search.

Each label of fan-out k becomes k context-free symbols, one for each component (Barthelemy et al.
2001; van Cranenburgh 2012 prunes with it). A rule of cost w becomes a context-free rule of cost
w / k for each component. Every derivation maps to one of the same cost, and the components
may be expanded independently, so the best costs are never higher than those of the grammar.
"""

from __future__ import annotations

import numpy as np

from plcfrs.chart.compile import CompiledGrammar, starts, variables_of
from plcfrs.chart.kernel.arrays import Int32, RelaxationArrays
from plcfrs.grammar import Rule

Production = tuple[int, ...]  # mother and one or two children


def compile_relaxation(compiled: CompiledGrammar) -> RelaxationArrays:
    """Return the component-split CFG of a grammar as arrays; its first symbols are the ports."""
    grammar = compiled.arrays
    ports = grammar.is_partner.shape[1]
    productions: dict[Production, float] = {}
    remainders: dict[tuple[int, ...], int] = {}
    for rule, cost in zip(compiled.rules, grammar.rule_cost.tolist(), strict=True):
        port = grammar.first_port[compiled.labels[rule.lhs]]
        for component, children in enumerate(_components(compiled, rule)):
            mother = int(port) + component
            share = cost / rule.lhs.fanout
            while len(children) > 2:
                rest = remainders.setdefault(children[1:], ports + len(remainders))
                _keep_best(productions, (mother, children[0], rest), share)
                mother, children, share = rest, children[1:], 0.0
            _keep_best(productions, (mother, *children), share)
    symbols = ports + len(remainders)
    binary = {rule: cost for rule, cost in productions.items() if len(rule) == 3}
    unary = {rule: cost for rule, cost in productions.items() if len(rule) == 2}
    by_left = sorted(binary, key=lambda rule: rule[1])
    by_child = sorted(unary, key=lambda rule: rule[1])
    by_mother = sorted(unary)
    return RelaxationArrays(
        start=int(grammar.first_port[grammar.start]),
        left_start=_starts_of([rule[1] for rule in by_left], symbols),
        rule_right=np.array([rule[2] for rule in by_left], np.int32),
        rule_mother=np.array([rule[0] for rule in by_left], np.int32),
        rule_cost=np.array([binary[rule] for rule in by_left], np.float64),
        up_start=_starts_of([rule[1] for rule in by_child], symbols),
        up_mother=np.array([rule[0] for rule in by_child], np.int32),
        up_cost=np.array([unary[rule] for rule in by_child], np.float64),
        down_start=_starts_of([rule[0] for rule in by_mother], symbols),
        down_child=np.array([rule[1] for rule in by_mother], np.int32),
        down_cost=np.array([unary[rule] for rule in by_mother], np.float64),
    )


def _components(compiled: CompiledGrammar, rule: Rule) -> list[tuple[int, ...]]:
    """Return the ports that each component of a rule consists of."""
    components: list[list[int]] = []
    for variable in variables_of(rule):
        if variable.is_first:
            components.append([])
        label = compiled.labels[rule.rhs[variable.child]]
        components[-1].append(int(compiled.arrays.first_port[label]) + variable.component)
    return [tuple(component) for component in components]


def _keep_best(productions: dict[Production, float], rule: Production, cost: float) -> None:
    productions[rule] = min(cost, productions.get(rule, cost))


def _starts_of(symbols: list[int], number: int) -> Int32:
    """Return where the rules of each symbol start in a list that is sorted by symbol."""
    return starts(np.bincount(np.array(symbols, np.int64), minlength=number).tolist())
