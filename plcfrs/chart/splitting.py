"""The rules of the component-split CFG; see `plcfrs.chart.relaxation`.

A rule is a row of three symbols: mother, left child and right child, or `NONE` if there is only one
child. The symbols are the ports, and then the remainders of right-hand sides longer than 2.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from plcfrs.chart.compile import CompiledGrammar, starts, variables_of
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.grammar import YieldFunction

NONE = -1


def split_components(compiled: CompiledGrammar) -> tuple[Int64, int]:
    """Return the rules for the components of all rules, and the number of symbols.

    The rules have the shape (at least components, 3): one for each component, numbered as in
    `shares`, and one for each remainder.
    """
    grammar = compiled.arrays
    first_port = grammar.labels["first_port"].astype(np.int64)
    mothers = first_port[grammar.rules["mother"]]
    children = first_port[compiled.children]
    rules = np.full((len(grammar.shares), 3), NONE, np.int64)
    symbols = grammar.is_partner.shape[1]
    long: dict[int, tuple[int, ...]] = {}
    for yield_function, numbers in compiled.forms.items():
        for component, places in enumerate(_places(yield_function)):
            shares = grammar.rules["first_share"][numbers] + component
            ports = np.array([children[numbers, child] + part for child, part in places]).T
            rules[shares, 0] = mothers[numbers] + component
            rules[shares, 1 : len(places) + 1] = ports[:, :2]
            if len(places) > 2:
                long.update(zip(shares.tolist(), map(tuple, ports.tolist()), strict=True))
    remainders: dict[tuple[int, ...], int] = {}
    for share, parts in sorted(long.items()):
        for place in range(1, len(parts) - 1):
            remainders.setdefault(parts[place:], symbols + len(remainders))
        rules[share, 2] = remainders[parts[1:]]
    others = [
        (number, parts[0], remainders.get(parts[1:], parts[1]))
        for parts, number in remainders.items()
    ]
    found = np.append(rules, np.array(others, np.int64).reshape(-1, 3), axis=0)
    return found, symbols + len(remainders)


@cache
def _places(yield_function: YieldFunction) -> list[list[tuple[int, int]]]:
    """Return the children and their components in each component of a yield function."""
    places: list[list[tuple[int, int]]] = []
    for child, component, is_first in variables_of(yield_function):
        if is_first:
            places.append([])
        places[-1].append((child, component))
    return places


def number_symbols(rules: Int64, symbols: int) -> Int64:
    """Return the number of each symbol: left children first, then the others by their left sisters.

    So symbols with the same left sisters share few words of a bit vector.
    """
    _, left, right = rules[rules[:, 2] != NONE].T
    left, right = np.divmod(np.unique(left * symbols + right), symbols)
    degree = np.bincount(left, minlength=symbols)
    lefts = np.argsort(-degree, kind="stable")[: np.count_nonzero(degree)]
    rank = np.zeros(symbols, np.int64)
    rank[lefts] = np.arange(len(lefts))
    ranks = rank[left][np.lexsort((rank[left], right))].tolist()
    start = starts(np.bincount(right, minlength=symbols)).tolist()
    sisters = [ranks[first:last] for first, last in pairwise(start)]
    others = sorted(np.flatnonzero(degree == 0).tolist(), key=sisters.__getitem__)
    number = np.zeros(symbols, np.int64)
    number[np.append(lefts, np.array(others, np.int64))] = np.arange(symbols)
    return number
