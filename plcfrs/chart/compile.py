"""From a grammar to arrays: numbered labels and rules, and the partners of each label."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import GrammarArrays, Int32, Records
from plcfrs.chart.kernel.index import fill_pair_table
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction

MAXIMAL_VARIABLES = 64


class CompiledGrammar(NamedTuple):
    """A grammar as arrays, with the symbols and rules by their numbers."""

    arrays: GrammarArrays
    labels: dict[Nonterminal, int]
    rules: list[Rule]


class Variable(NamedTuple):
    """A variable of a binary yield function."""

    child: int  # 0 or 1
    component: int  # of the child
    is_first: bool  # in its component of the mother


class Join(NamedTuple):
    """How a child of a binary rule finds its sister."""

    role: int
    child: int  # the child that looks for the other
    component: int  # of the child
    sister_component: int


def compile_grammar(grammar: Grammar) -> CompiledGrammar:
    """Compile a grammar to the arrays of the kernel.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most, without touching ranges (see `plcfrs.grammar.proper_gaps`).

    Raises
    ------
    GrammarError
        If a rule has more than two children or more than 64 variables.
    """
    rules = list(grammar.rules)
    for rule in rules:
        _check(rule)
    labels = {symbol: number for number, symbol in enumerate(grammar.nonterminals())}
    fan_outs = [label.fanout for label in labels]
    *first_port, ports = accumulate(fan_outs, initial=0)
    costs = grammar.costs()
    unary: dict[int, list[int]] = defaultdict(list)
    pairs: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        children = [labels[child] for child in rule.rhs]
        if len(children) == 1:
            unary[children[0]].append(number)
            continue
        for join in find_joins(rule.yield_function):
            port = first_port[children[join.child]] + join.component
            sister = first_port[children[1 - join.child]] + join.sister_component
            pairs[join.role * ports + port, sister].append(2 * number + join.child)
    unary_start = starts([len(unary[label]) for label in labels.values()])
    compiled = GrammarArrays(
        start=labels[grammar.start],
        labels=records(
            arrays.LABEL,
            fan_out=fan_outs,
            first_port=first_port,
            unary_start=unary_start[:-1],
            unary_end=unary_start[1:],
        ),
        rules=_rules(rules, labels, costs),
        unary_rule=_concatenated(unary[label] for label in labels.values()),
        shares=np.array(
            [costs[rule] / rule.lhs.fanout for rule in rules for _ in rule.yield_function]
        ),
        **_partners(pairs, ports),
    )
    return CompiledGrammar(compiled, labels, rules)


@cache
def variables_of(yield_function: YieldFunction) -> tuple[Variable, ...]:
    """Return the variables of a yield function from left to right.

    Examples
    --------
    >>> for variable in variables_of(((0, 1), (0,))):
    ...     print(*variable)
    0 0 True
    1 0 False
    0 1 True
    """
    seen: Counter[int] = Counter()
    found = []
    for component in yield_function:
        for place, child in enumerate(component):
            found.append(Variable(child, seen[child], place == 0))
            seen[child] += 1
    return tuple(found)


@cache
def _bits_of(yield_function: YieldFunction) -> tuple[int, int]:
    """Return `order` and `begins` of a rule."""
    numbered = list(enumerate(variables_of(yield_function)))
    order = sum((variable.child == 1) << place for place, variable in numbered)
    return order, sum(variable.is_first << place for place, variable in numbered)


@cache
def find_joins(yield_function: YieldFunction) -> tuple[Join, Join]:
    """Return how each child of a binary rule looks for the other.

    The most selective way is chosen: filling a gap exactly, or else following each other, or else
    neither.
    """
    variables = variables_of(yield_function)
    adjacent = [(left, right) for left, right in pairwise(variables) if not right.is_first]
    for (outer, inner), (inner_again, _) in pairwise(adjacent):
        if inner == inner_again:
            return (
                Join(arrays.FILLED_BY, outer.child, outer.component, inner.component),
                Join(arrays.FILLS, inner.child, inner.component, outer.component),
            )
    for left, right in adjacent:
        return (
            Join(arrays.FOLLOWED_BY, left.child, left.component, right.component),
            Join(arrays.PRECEDED_BY, right.child, right.component, left.component),
        )
    return Join(arrays.APART_FROM, 0, 0, 0), Join(arrays.APART_FROM, 1, 0, 0)


def _check(rule: Rule) -> None:
    if rule.rank > 2:
        raise GrammarError(f"rule {rule} has {rule.rank} children: binarize the grammar first")
    if sum(map(len, rule.yield_function)) > MAXIMAL_VARIABLES:
        raise GrammarError(f"rule {rule} has more than {MAXIMAL_VARIABLES} variables")


def _is_checked(rule: Rule) -> bool:
    """Return whether two items found by a join may still fail to interlock."""
    return rule.yield_function not in (((0, 1),), ((1, 0),), ((0, 1, 0),), ((1, 0, 1),))


def _rules(rules: list[Rule], labels: dict[Nonterminal, int], costs: dict[Rule, float]) -> Records:
    found = [_bits_of(rule.yield_function) for rule in rules]
    return records(
        arrays.RULE,
        cost=[costs[rule] for rule in rules],
        order=np.array([order for order, _ in found], np.uint64),
        begins=np.array([begins for _, begins in found], np.uint64),
        mother=[labels[rule.lhs] for rule in rules],
        length=[sum(map(len, rule.yield_function)) for rule in rules],
        first_share=starts([rule.lhs.fanout for rule in rules])[:-1],
        is_checked=[_is_checked(rule) for rule in rules],
    )


def _partners(pairs: dict[tuple[int, int], list[int]], ports: int) -> dict[str, np.ndarray]:
    """Return the arrays of `GrammarArrays` with the partners of each port in each role."""
    ordered = sorted(pairs)
    rows = np.zeros(arrays.ROLES * ports, np.int64)
    is_partner = np.zeros((arrays.ROLES, ports), np.bool_)
    for row, sister in ordered:
        rows[row] += 1
        is_partner[row // ports, sister] = True
    keys = np.array([row * ports + sister for row, sister in ordered], np.int64)
    table = np.full(1 << (2 * len(ordered) + 1).bit_length(), np.array((-1, -1), arrays.PAIR))
    fill_pair_table(table, keys)
    join_start = starts([len(pairs[pair]) for pair in ordered])
    return {
        "row_start": starts(rows.tolist()),
        "partners": records(
            arrays.PARTNER,
            port=[sister for _, sister in ordered],
            join_start=join_start[:-1],
            join_end=join_start[1:],
        ),
        "join_rule": _concatenated(pairs[pair] for pair in ordered),
        "pairs": table,
        "is_partner": is_partner,
    }


def records(dtype: np.dtype[np.void], **columns: Sequence[float] | np.ndarray) -> Records:
    """Return an array of records with the given columns, all of the same length."""
    array = np.zeros(len(next(iter(columns.values()))), dtype)
    for name, column in columns.items():
        array[name] = column
    return array


def starts(lengths: list[int]) -> Int32:
    """Return where consecutive lists of the given lengths start, and where the last one ends."""
    return np.array([0, *accumulate(lengths)], np.int32)


def _concatenated(lists: Iterator[list[int]]) -> Int32:
    return np.array([number for numbers in lists for number in numbers], np.int32)
