"""The component-split CFG: a relaxation of the grammar that guides the exact search.

Each label of fan-out k becomes k context-free symbols, one for each component (Barthelemy et al.
2001; van Cranenburgh 2012 prunes with it). A rule of cost w becomes a context-free rule of cost w /
k for each component. Every derivation maps to one of the same cost, and the components may be
expanded independently, so the best costs are never higher than those of the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.compile import CompiledGrammar, records, starts, variables_of
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Costs, Int32, Int64, RelaxationArrays
from plcfrs.chart.kernel.bits import WORD, reach
from plcfrs.chart.kernel.forest import order_items
from plcfrs.chart.kernel.tightening import Shifts, price
from plcfrs.errors import GrammarError
from plcfrs.grammar import Rule, YieldFunction

NONE = -1

# So that a cost of 0 does not become negative by rounding.
_MORE = 1e-4


def split_components(compiled: CompiledGrammar) -> tuple[Int64, int]:
    """Return the rules for the components of all rules, and the number of symbols.

    A rule is a row of three symbols: mother, left child and right child, or `NONE` if there is only
    one child. First comes a rule for each component, numbered as in `shares`. A right-hand side
    longer than 2 has the symbol of a remainder as its right child; the rules of the remainders
    follow. The symbols are the ports, and then the remainders.
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
    rules_of_remainders = [
        (number, parts[0], remainders.get(parts[1:], parts[1]))
        for parts, number in remainders.items()
    ]
    rows = np.array(rules_of_remainders, np.int64).reshape(-1, 3)
    return np.append(rules, rows, axis=0), symbols + len(remainders)


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

    Symbols with the same left sisters then share few words of a bit vector.
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


class Graph(NamedTuple):
    """A relation between symbols."""

    start: Int32  # (S + 1,) where the neighbours of each symbol start
    neighbours: Int32
    hub: Bits  # (2, words) the largest set of symbols that reach each other; what they reach

    def reached(self, symbols: Iterable[int]) -> Bits:
        """Return all symbols that can be reached from these symbols, as bits."""
        size = len(self.start) - 1
        found = bits_of(symbols, size)
        reach(self.start, self.neighbours, self.hub, found, np.empty(size + 1, np.int32))
        return found


# Sets of tags whose symbols before them are cached; endless input would need ever more memory.
_MOST_KEPT = 1000


class Relaxation:
    """The component-split CFG of a grammar, and which symbols may be adjacent.

    The shares are the costs of the components of each rule; at first, those of a rule are equal.
    `combine` returns the cost of a rule that stands for two rules.
    """

    def __init__(self, compiled: CompiledGrammar, combine: np.ufunc = np.minimum) -> None:
        self._compiled = compiled
        self.first_port: Int32 = compiled.arrays.labels["first_port"]
        split, size = split_components(compiled)
        number = number_symbols(split, size)
        self.symbols = size
        labels = compiled.arrays.labels
        self.is_whole = np.zeros(size, np.bool_)  # constituents without gaps
        self.is_whole[number[self.first_port[labels["fan_out"] == 1]]] = True
        self.shares = compiled.arrays.shares
        self.rule_start = np.append(
            compiled.arrays.rules["first_share"], np.int32(len(self.shares))
        )
        self._port_label = np.repeat(np.arange(len(labels)), labels["fan_out"])
        start = int(number[self.first_port[compiled.arrays.start]])
        split = np.append(number, NONE)[split]
        rules, self.arrays = _relaxation_arrays(split, self.shares, combine, number, start)
        mother, left, right = rules.T
        is_binary = right != NONE
        self._mothers = _graph(left, mother, size)
        self._last_children = _graph(mother, np.where(is_binary, right, left), size)
        self._left_sisters = _graph(right[is_binary], left[is_binary], size)
        first_children = Graph(self.arrays.first_start, self.arrays.first_child, self.arrays.hub)
        self.starting_first = first_children.reached([start])
        self.ending_last = self._last_children.reached([start])
        self._ending: dict[tuple[int, ...], Bits] = {}

    def symbols_of(self, labels: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which symbols stand for components of some labels, or for parts of rules."""
        symbols, is_kept = np.ones(self.symbols, np.bool_), labels[self._port_label]
        symbol_of = self.arrays.symbol_of[: len(is_kept)]
        symbols[symbol_of] = False
        symbols[symbol_of[is_kept]] = True
        return symbols

    def use(self, shares: Costs) -> None:
        """Replace the shares.

        Raises
        ------
        GrammarError
            If these shares could make a parse cheaper than it is.
        """
        self._check(shares)
        self.shares = shares
        self.arrays = self.with_shares(shares)

    def shift(self, shifts: Mapping[Rule, Sequence[float]]) -> None:
        """Shift costs between the components of rules, but let no cycle have a negative cost."""
        shares = self.shares.copy()
        is_on_cycle = self.shifts.is_on_cycle
        places = pairwise(self.rule_start.tolist())
        for rule, (first, last) in zip(self._compiled.rules, places, strict=True):
            if rule in shifts:
                shift = np.array(shifts[rule])
                lowest = shift.min(initial=0.0, where=is_on_cycle[first:last])
                if shares[first] + lowest < 0:
                    shift *= shares[first] / (_MORE - lowest)
                shares[first:last] += shift
        self.use(shares)

    @cached_property
    def shifts(self) -> Shifts:
        """The components of the grammar's rules between which cost can be shifted."""
        fan_out = np.diff(self.rule_start)
        start = self.arrays.instance_start
        stands_for = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
        is_shifted = np.repeat(fan_out > 1, fan_out)[self.arrays.instances]
        return Shifts(
            np.flatnonzero(fan_out > 1).astype(np.int32),
            self.rule_start,
            _shares_on_cycles(self.arrays, len(self.shares)),
            np.unique(stands_for[is_shifted]),
        )

    def with_shares(self, shares: Costs) -> RelaxationArrays:
        """Return the arrays with other costs of the components of the grammar's rules."""
        cost = np.empty_like(self.arrays.cost)
        rules = np.arange(len(cost), dtype=np.int32)
        price(self.arrays, rules, shares, cost, np.empty(len(cost), np.int32))
        return self.arrays._replace(cost=cost)

    def _check(self, shares: Costs) -> None:
        costs = self._compiled.arrays.rules["cost"]
        is_right = shares.shape == self.shares.shape and shares.dtype == self.shares.dtype
        if is_right and len(shares):
            sums = np.add.reduceat(shares, self.rule_start[:-1])
            is_right = np.allclose(sums, costs, rtol=0, atol=1e-9)
            is_right &= not (
                shares[self.shifts.is_on_cycle] < 0
            ).any()  # such a cycle would never end
        if not is_right:
            raise GrammarError("the bounds in the model do not belong to its grammar: train again")

    def ending_before(self, tags: tuple[int, ...]) -> Bits:
        """Return the symbols that may end just before one of these tags, as bits."""
        ending = self._ending.get(tags)
        if ending is None:
            if len(self._ending) >= _MOST_KEPT:  # two threads can exceed it together
                self._ending.clear()
            bits = self._mothers.reached(tags).view(np.uint8)
            is_begun = np.unpackbits(bits, count=self.symbols, bitorder="little").view(np.bool_)
            start, sisters = self._left_sisters.start, self._left_sisters.neighbours
            left = np.unique(sisters[np.repeat(is_begun, np.diff(start))]).tolist()
            ending = self._ending[tags] = self._last_children.reached(left)
        return ending


def _relaxation_arrays(
    split: Int64, shares: Costs, combine: np.ufunc, number: Int64, start: int
) -> tuple[Int64, RelaxationArrays]:
    """Return the distinct rules, the binary ones first, and all arrays."""
    size = len(number)
    costs = np.append(shares, np.zeros(len(split) - len(shares)))
    is_unary = split[:, 2] == NONE
    cycle, place = _order_symbols(split[is_unary], np.exp(-costs[is_unary]), size)
    order = np.lexsort(_sort_keys(split, cycle, place))
    first = first_rows(*split[order].T)
    rules = split[order][first]
    stands_for = np.repeat(np.arange(len(rules)), np.diff(np.append(first, len(split))))
    is_share = order < len(shares)  # the others are the rules of remainders
    binary, unary = np.split(rules, [np.count_nonzero(rules[:, 2] != NONE)])
    pairs, pair_of = np.unique(binary[:, 1] * size + binary[:, 2], return_inverse=True)
    first_children = _graph(rules[:, 0], rules[:, 1], size)
    return rules, RelaxationArrays(
        start=start,
        cost=combine.reduceat(costs[order], first).astype(np.float64),
        symbol_of=number.astype(np.int32),
        first_start=first_children.start,
        first_child=first_children.neighbours,
        hub=first_children.hub,
        instance_start=starts_of(stands_for[is_share], len(rules)),
        instances=order[is_share].astype(np.int32),
        **_pairs(*np.divmod(pairs, size), size),
        **_rules_of_pairs(binary[:, 0], pair_of, len(pairs)),
        **_rules_of_mothers(binary, size),
        **_unary_rules(unary, cycle, place, len(binary)),
    )


def _sort_keys(rules: Int64, cycle: Int64, place: Int64) -> tuple[Int64, ...]:
    """Return keys for `np.lexsort`: first binary rules, then unary ones by their children.

    The rules from a cycle to mothers outside come after those inside.
    """
    mother, left, right = rules.T
    is_unary = right == NONE
    outer, inner = np.where(is_unary, (place[left], mother), (mother, left))
    from_cycle = np.where(is_unary, 2 * cycle[left] + ~_is_inside(mother, left, cycle), NONE)
    return right, inner, outer, from_cycle, is_unary


def _order_symbols(unary: Int64, weight: Costs, size: int) -> tuple[Int64, Int64]:
    """Return the cycle of each symbol, numbered with children first, and its place.

    In a cycle, the symbols that are children in rules with much weight come first. Few rules are
    then applied before their child has its best cost.
    """
    mother, child, _ = unary.T
    cycle = _cycles(mother, child, size)
    weight = weight * _is_inside(mother, child, cycle)
    late = np.bincount(mother, weight, size) - np.bincount(child, weight, size)
    place = np.empty(size, np.int64)
    place[np.lexsort((late, cycle))] = np.arange(size)
    return cycle, place


def _cycles(mother: Int64, child: Int64, size: int) -> Int64:
    """Return the number of the cycle of each symbol; those of children are lower or equal."""
    order = np.argsort(mother, kind="stable")
    start = starts_of(mother, size).astype(np.int64)
    none = np.full(len(child), NONE, np.int32)
    return order_items(start, order, child.astype(np.int32), none)[1]


def _is_inside(mother: Int64, child: Int64, cycle: Int64) -> NDArray[np.bool_]:
    """Return which unary rules lead from one symbol of a cycle to another."""
    return np.equal(cycle[mother], cycle[child]) & np.not_equal(mother, child)


def _graph(symbols: Int64, neighbours: Int64, size: int) -> Graph:
    symbols, neighbours = np.divmod(np.unique(symbols * size + neighbours), size)
    no_hub = np.zeros((2, (size + WORD - 1) // WORD), np.uint64)
    graph = Graph(starts_of(symbols, size), neighbours.astype(np.int32), no_hub)
    cycle = _cycles(symbols, neighbours, size)
    members = np.flatnonzero(cycle == np.bincount(cycle).argmax()).tolist()
    return graph._replace(hub=np.array([bits_of(members, size), graph.reached(members[:1])]))


def first_rows(*columns: Int32 | Int64) -> Int64:
    """Return the places of the rows that differ from the row before."""
    is_first = np.ones(len(columns[0]), np.bool_)
    is_first[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(is_first)


def _as_words(*columns: Int64) -> tuple[Int64, Bits]:
    """Return the last symbols of sorted rows as words of bit vectors: first rows, and bits."""
    *others, last = columns
    word, bit = np.divmod(last, WORD)
    first = first_rows(*others, word)
    return first, np.bitwise_or.reduceat(np.uint64(1) << bit.astype(np.uint64), first)


def _pairs(left: Int64, right: Int64, size: int) -> dict[str, np.ndarray]:
    symbols, right_child = np.unique(right, return_inverse=True)
    right_number = np.full(size, -1, np.int32)
    right_number[symbols] = np.arange(len(symbols))
    return {
        "left_start": starts_of(left, left.max(initial=-1) + 1).astype(np.uint32),
        "left_child": left.astype(np.uint32),
        "right_child": right_child.astype(np.uint32),
        "right_symbol": symbols.astype(np.uint32),
        "right_number": right_number,
    }


def _rules_of_pairs(mother: Int64, pair_of: Int64, pairs: int) -> dict[str, np.ndarray]:
    rule = np.argsort(pair_of, kind="stable")
    return {
        "pair_start": starts_of(pair_of, pairs).astype(np.uint32),
        "binary": records(arrays.PRODUCTION, rule=rule, mother=mother[rule]),
    }


def _rules_of_mothers(binary: Int64, size: int) -> dict[str, np.ndarray]:
    first, mask = _as_words(*binary.T)
    mother, left, right = binary[first].T
    return {
        "down_start": starts_of(mother, size).astype(np.uint32),
        "down_groups": records(
            arrays.GROUP_OF_RULES, mask=mask, word=right // WORD, first=first, left=left
        ),
    }


def _unary_rules(unary: Int64, cycle: Int64, place: Int64, first: int) -> dict[str, np.ndarray]:
    mother, child, _ = unary.T
    rule = np.arange(first, first + len(unary))
    is_inside = _is_inside(mother, child, cycle)
    groups = first_rows(np.where(is_inside, cycle[child], NONE))
    return {
        "unary": records(arrays.UNARY_PRODUCTION, rule=rule, mother=mother, child=child),
        "cycle": cycle.astype(np.int32),
        "unary_start": np.append(groups, len(child)).astype(np.uint32),
        "is_back": is_inside & (place[mother] < place[child]),
        "over_start": starts_of(mother, len(cycle)).astype(np.uint32),
        "over": np.argsort(mother, kind="stable").astype(np.uint32),
    }


def _shares_on_cycles(relaxation: RelaxationArrays, components: int) -> NDArray[np.bool_]:
    """Return which components of the grammar's rules are in a cycle of unary rules."""
    mother, child = (relaxation.unary[name].astype(np.int64) for name in ("mother", "child"))
    cycle = _cycles(mother, child, len(relaxation.over_start) - 1)
    is_found = np.zeros(components, np.bool_)
    for rule in relaxation.unary["rule"][cycle[child] == cycle[mother]]:
        first, last = relaxation.instance_start[rule : rule + 2]
        is_found[relaxation.instances[first:last]] = True
    return is_found


def bits_of(symbols: Iterable[int], size: int) -> Bits:
    """Return a bit vector of numbers, all below a size."""
    found = np.zeros((size + WORD - 1) // WORD, np.uint64)
    for symbol in symbols:
        found[symbol // WORD] |= np.uint64(1 << symbol % WORD)
    return found


def starts_of(symbols: Sequence[int] | Int64, number: int) -> Int32:
    """Return where the rules of each symbol start in a list that is sorted by symbol."""
    return starts(np.bincount(np.array(symbols, np.int64), minlength=number))
