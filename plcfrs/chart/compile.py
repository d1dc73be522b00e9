"""The input of the search as arrays: a grammar, and the tags of a sentence.

Labels and rules get numbers, and each label has a list of its possible partners in binary rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Costs, GrammarArrays, Int32, Int64, Records
from plcfrs.chart.kernel.index import fill_pair_table
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction, cost

Candidates = Sequence[Mapping[Nonterminal, float]]
"""The possible tags of each token with their costs."""

MAXIMAL_VARIABLES = 64

# With these yield functions, two items that a join finds always interlock.
_INTERLOCKING = (((0, 1),), ((1, 0),), ((0, 1, 0),), ((1, 0, 1),))


class CompiledGrammar(NamedTuple):
    """A grammar as arrays, with the symbols and rules by their numbers."""

    arrays: GrammarArrays
    labels: dict[Nonterminal, int]
    rules: list[Rule]
    children: Int32  # (R, 2) the labels of the first and the last child of each rule
    forms: dict[YieldFunction, Int64]  # the rules with each yield function, in order


class Variable(NamedTuple):
    """A variable of a binary yield function."""

    child: int  # 0 or 1
    component: int  # of the child
    is_first: bool  # in its component of the mother


class SisterJoin(NamedTuple):
    """How a child of a binary rule finds its sister."""

    role: int
    child: int  # the child that looks for the other
    component: int  # of the child
    sister_component: int


def compile_grammar(grammar: Grammar) -> CompiledGrammar:
    """Compile a grammar of rank 2 without touching ranges and up to 64 variables in a rule."""
    rules = list(grammar.rules)
    forms = _rules_by_form(rules)
    labels = {symbol: number for number, symbol in enumerate(grammar.nonterminals())}
    first, last = ([labels[rule.rhs[place]] for rule in rules] for place in (0, -1))
    children = np.array([first, last], np.int32).T
    fan_outs = np.array([label.fanout for label in labels], np.int32)
    *first_port, ports = starts(fan_outs).tolist()
    rule_records = _rule_records(grammar, labels, forms)
    rule_fan_outs = fan_outs[rule_records["mother"]]
    rule_records["first_share"] = starts(rule_fan_outs)[:-1]
    rule_records["first_port"] = np.array(first_port)[rule_records["mother"]]
    rule_records["last_port"] = rule_records["first_port"] + rule_fan_outs - 1
    unary = np.array([rule.rank == 1 for rule in rules], np.bool_).nonzero()[0]
    unary = unary[children[unary, 0].argsort(kind="stable")]
    unary_start = starts(np.bincount(children[unary, 0], minlength=len(labels)))
    compiled = GrammarArrays(
        start=labels[grammar.start],
        labels=records(
            arrays.LABEL,
            fan_out=fan_outs,
            first_port=first_port,
            unary_start=unary_start[:-1],
            unary_end=unary_start[1:],
        ),
        rules=rule_records,
        unary_rule=unary.astype(np.int32),
        shares=np.repeat(rule_records["cost"] / rule_fan_outs, rule_fan_outs),
        **_partners(*_joins(forms, np.array(first_port)[children], ports), ports),
    )
    return CompiledGrammar(compiled, labels, rules, children, forms)


@cache
def variables_of(yield_function: YieldFunction) -> tuple[Variable, ...]:
    """Return the variables of a yield function from left to right.

    >>> for variable in variables_of(((0, 1), (0,))):
    ...     print(*variable)
    0 0 True
    1 0 False
    0 1 True
    """
    seen: Counter[int] = Counter()
    variables = []
    for component in yield_function:
        for place, child in enumerate(component):
            variables.append(Variable(child, seen[child], place == 0))
            seen[child] += 1
    return tuple(variables)


@cache
def _bits_of(yield_function: YieldFunction) -> tuple[int, int]:
    """Return `order` and `begins` of a rule."""
    numbered = list(enumerate(variables_of(yield_function)))
    order = sum((variable.child == 1) << place for place, variable in numbered)
    return order, sum(variable.is_first << place for place, variable in numbered)


@cache
def find_joins(yield_function: YieldFunction) -> tuple[SisterJoin, SisterJoin]:
    """Return how each child of a binary rule looks for the other, in the most selective way."""
    variables = variables_of(yield_function)
    adjacent = [(left, right) for left, right in pairwise(variables) if not right.is_first]
    for (outer, inner), (inner_again, _) in pairwise(adjacent):
        if inner == inner_again:
            return (
                SisterJoin(arrays.FILLED_BY, outer.child, outer.component, inner.component),
                SisterJoin(arrays.FILLS, inner.child, inner.component, outer.component),
            )
    for left, right in adjacent:
        return (
            SisterJoin(arrays.FOLLOWED_BY, left.child, left.component, right.component),
            SisterJoin(arrays.PRECEDED_BY, right.child, right.component, left.component),
        )
    return SisterJoin(arrays.APART_FROM, 0, 0, 0), SisterJoin(arrays.APART_FROM, 1, 0, 0)


def _rules_by_form(rules: list[Rule]) -> dict[YieldFunction, Int64]:
    forms: dict[YieldFunction, list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        forms[rule.yield_function].append(number)
    for numbers in forms.values():
        _check_rule(rules[numbers[0]])
    return {yield_function: np.array(numbers) for yield_function, numbers in forms.items()}


def _check_rule(rule: Rule) -> None:
    if rule.rank > 2:
        raise GrammarError(f"rule {rule} has {rule.rank} children: binarize the grammar first")
    if sum(map(len, rule.yield_function)) > MAXIMAL_VARIABLES:
        raise GrammarError(f"rule {rule} has more than {MAXIMAL_VARIABLES} variables")


def _rule_records(
    grammar: Grammar, labels: dict[Nonterminal, int], forms: dict[YieldFunction, Int64]
) -> Records:
    """Return the rules without `first_share`."""
    found = np.zeros(len(grammar.rules), arrays.RULE)
    found["cost"] = list(map(cost, grammar.probabilities().values()))
    found["mother"] = [labels[rule.lhs] for rule in grammar.rules]
    for yield_function, numbers in forms.items():
        found["order"][numbers], found["begins"][numbers] = _bits_of(yield_function)
        found["length"][numbers] = sum(map(len, yield_function))
        found["is_checked"][numbers] = yield_function not in _INTERLOCKING
    return found


def _joins(forms: dict[YieldFunction, Int64], first_port: Int64, ports: int) -> tuple[Int64, Int64]:
    """Return the pairs of ports by which children find their sisters, and ``2 * rule + child``.

    The child is the one that looks for its sister. `first_port` (R, 2) has the first ports of the
    children of each rule.
    """
    keys, joins = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for yield_function, numbers in forms.items():
        if not any(map(max, yield_function)):
            continue  # unary rules
        for role, child, component, sister_component in find_joins(yield_function):
            row = role * ports + first_port[numbers, child] + component
            keys.append(row * ports + first_port[numbers, 1 - child] + sister_component)
            joins.append(2 * numbers + child)
    return np.concatenate(keys), np.concatenate(joins)


def _partners(keys: Int64, joins: Int64, ports: int) -> dict[str, np.ndarray]:
    """Return the arrays of `GrammarArrays` with the partners of each port in each role."""
    order = np.lexsort((joins, keys))
    pairs, join_start = np.unique(keys[order], return_index=True)
    row, sister = np.divmod(pairs, ports)
    is_partner = np.zeros((arrays.ROLES, ports), np.bool_)
    is_partner[row // ports, sister] = True
    table = np.full(1 << (2 * len(pairs) + 1).bit_length(), np.array((-1, -1), arrays.PAIR))
    fill_pair_table(table, pairs)
    return {
        "row_start": starts(np.bincount(row, minlength=arrays.ROLES * ports)),
        "partners": records(
            arrays.PARTNER,
            port=sister,
            join_start=join_start,
            join_end=np.append(join_start, len(keys))[1:],
        ),
        "join_rule": joins[order].astype(np.int32),
        "pairs": table,
        "is_partner": is_partner,
    }


def records(dtype: np.dtype[np.void], **columns: Sequence[float] | np.ndarray) -> Records:
    """Return an array of records with the given columns, all of the same length."""
    array = np.zeros(len(next(iter(columns.values()))), dtype)
    for name, column in columns.items():
        array[name] = column
    return array


def starts(lengths: Sequence[int] | np.ndarray) -> Int32:
    """Return where consecutive lists of the given lengths start, and where the last one ends."""
    found = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=found[1:])
    return found


class Scanned(NamedTuple):
    """The tags of a sentence, in the order of the tokens: positions, labels and costs."""

    length: int
    positions: Int32
    labels: Int32
    costs: Costs


def scan_tags(compiled: CompiledGrammar, candidates: Candidates) -> Scanned:
    """Return the tags of a sentence as arrays, without tags that the grammar does not have."""
    scanned = [
        (position, compiled.labels[tag], cost)
        for position, tags in enumerate(candidates)
        for tag, cost in tags.items()
        if tag in compiled.labels
    ]
    return Scanned(
        len(candidates),
        np.array([position for position, _, _ in scanned], np.int32),
        np.array([label for _, label, _ in scanned], np.int32),
        np.array([cost for _, _, cost in scanned], np.float64),
    )
