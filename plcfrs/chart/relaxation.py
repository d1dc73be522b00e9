"""The component-split CFG: a relaxation of the grammar that guides the exact search.

Each label of fan-out k becomes k context-free symbols, one for each component (Barthelemy et al.
2001; van Cranenburgh 2012 prunes with it). A rule of cost w becomes a context-free rule of cost
w / k for each component. Every derivation maps to one of the same cost, and the components
may be expanded independently, so the best costs are never higher than those of the grammar.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, count, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.compile import CompiledGrammar, records, starts, variables_of
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Costs, Int32, RelaxationArrays
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.forest import order_items
from plcfrs.chart.kernel.inside import reach
from plcfrs.chart.kernel.tightening import price
from plcfrs.errors import GrammarError
from plcfrs.grammar import Nonterminal, Rule, YieldFunction

Production = tuple[int, ...]  # mother and children
Combination = Callable[[float, float], float]


class Graph(NamedTuple):
    """A relation between symbols: where the neighbours of each symbol start, and the neighbours."""

    start: Int32
    neighbours: Int32


# The number of sets of tags whose symbols before them are cached; endless input has ever more.
_MOST_KEPT = 1000


class Relaxation:
    """The component-split CFG of a grammar, and which symbols may be adjacent.

    Parameters
    ----------
    compiled : CompiledGrammar
    combine : callable
        The cost of a rule that comes from two rules, given their costs.
    shares : float64 array (components,), optional
        The cost of each component of each rule, such as those of `plcfrs.chart.multipliers`; by
        default, all components of a rule cost the same.

    Raises
    ------
    GrammarError
        If the shares do not belong to the grammar.
    """

    def __init__(
        self,
        compiled: CompiledGrammar,
        combine: Combination = min,
        shares: Costs | None = None,
    ) -> None:
        self.first_port: Int32 = compiled.arrays.labels["first_port"]
        split, instances, size = _split(compiled, combine)
        number = _numbering(split, size)
        productions = {
            tuple(number[symbol] for symbol in production): cost
            for production, cost in split.items()
        }
        numbered = {
            tuple(number[symbol] for symbol in production): shares
            for production, shares in instances.items()
        }
        self.symbols = size
        self.shares = compiled.arrays.shares
        self.rule_start = np.append(
            compiled.arrays.rules["first_share"], np.int32(len(self.shares))
        )
        start = number[int(self.first_port[compiled.arrays.start])]
        self.arrays = _arrays(productions, numbered, size, start, number)
        self._mothers = _graph({(rule[1], rule[0]) for rule in productions}, size)
        self._last_children = _graph({(rule[0], rule[-1]) for rule in productions}, size)
        pairs = {(rule[2], rule[1]) for rule in productions if len(rule) == 3}
        self._left_sisters = _graph(pairs, size)
        first_children = Graph(self.arrays.first_start, self.arrays.first_child)
        self.starting_first = self._reached(first_children, [start])
        self.ending_last = self._reached(self._last_children, [start])
        self._ending: dict[tuple[int, ...], Bits] = {}
        if shares is not None:
            self._check(shares, compiled.arrays.rules["cost"])
            self.shares = shares
            self.arrays = self.with_shares(shares)

    @cached_property
    def is_on_cycle(self) -> NDArray[np.bool_]:
        """Which components of the grammar's rules are in a cycle of unary rules."""
        return _shares_on_cycles(self.arrays, len(self.shares))

    def with_shares(self, shares: Costs) -> RelaxationArrays:
        """Return the arrays with other costs of the components of the grammar's rules."""
        cost = np.empty_like(self.arrays.cost)
        price(self.arrays, shares, cost, np.empty(len(cost), np.int32))
        return self.arrays._replace(cost=cost)

    def _check(self, shares: Costs, costs: Costs) -> None:
        """Raise an error if a parse could cost less by some shares than it does."""
        is_right = shares.shape == self.shares.shape and shares.dtype == self.shares.dtype
        if is_right and len(shares):
            sums = np.add.reduceat(shares, self.rule_start[:-1])
            is_right = np.allclose(sums, costs, rtol=0, atol=1e-9)
            is_right &= not (shares[self.is_on_cycle] < 0).any()  # a cycle would be endless
        if not is_right:
            raise GrammarError("the bounds in the model are not those of its grammar: train again")

    def ending_before(self, tags: tuple[int, ...]) -> Bits:
        """Return the symbols that a derivation may have before one of some tags, as bits."""
        known = self._ending.get(tags)
        if known is None:
            if len(self._ending) >= _MOST_KEPT:  # two threads can exceed it together
                self._ending.clear()
            begun = self._reached(self._mothers, tags)
            bits = begun.view(np.uint8)
            is_begun = np.unpackbits(bits, count=self.symbols, bitorder="little").view(np.bool_)
            start, sisters = self._left_sisters
            left = np.unique(sisters[np.repeat(is_begun, np.diff(start))]).tolist()
            known = self._ending[tags] = self._reached(self._last_children, left)
        return known

    def _reached(self, graph: Graph, symbols: Iterable[int]) -> Bits:
        found = bits_of(symbols, self.symbols)
        reach(graph.start, graph.neighbours, found, np.empty(self.symbols, np.int32))
        return found


def _arrays(
    productions: dict[Production, float],
    instances: dict[Production, list[int]],
    size: int,
    start: int,
    number: list[int],
) -> RelaxationArrays:
    binary = sorted(rule for rule in productions if len(rule) == 3)
    unary = sorted((rule for rule in productions if len(rule) == 2), key=lambda rule: rule[::-1])
    rules = [*binary, *unary]
    pairs = sorted({rule[1:] for rule in binary})
    first_children = _graph({(rule[0], rule[1]) for rule in rules}, size)
    found = [instances.get(rule, []) for rule in rules]
    return RelaxationArrays(
        start=start,
        cost=np.array([productions[rule] for rule in rules], np.float64),
        left_children=len({left for left, _ in pairs}),
        symbol_of=np.array(number, np.int32),
        first_start=first_children.start,
        first_child=first_children.neighbours,
        instance_start=starts(list(map(len, found))),
        instances=np.array(list(chain.from_iterable(found)), np.int32),
        **_groups(pairs, size),
        **_rules_of_pairs(binary, pairs),
        **_rules_of_mothers(binary, size),
        **_unary_rules(unary, len(binary), size),
    )


def _split(
    compiled: CompiledGrammar, combine: Combination
) -> tuple[dict[Production, float], dict[Production, list[int]], int]:
    """Return the cost of each context-free rule, what it stands for, and the number of symbols.

    It stands for components of rules, as numbered in `shares`. The ports come first, then symbols
    for the remainders of right-hand sides longer than 2, whose rules stand for nothing.
    """
    productions: dict[Production, float] = {}
    instances: dict[Production, list[int]] = {}
    shares = count()
    remainders: dict[tuple[int, ...], int] = {}
    ports = compiled.arrays.is_partner.shape[1]
    first_ports = compiled.arrays.labels["first_port"].tolist()
    port_of = dict(zip(compiled.labels, first_ports, strict=True))
    for rule, cost in zip(compiled.rules, compiled.arrays.rules["cost"].tolist(), strict=True):
        for mother, children in enumerate(_components(rule, port_of), start=port_of[rule.lhs]):
            share = cost / rule.lhs.fanout
            first, *others = _binarized((mother, *children), remainders, ports)
            known = productions.get(first)
            productions[first] = share if known is None else combine(share, known)
            instances.setdefault(first, []).append(next(shares))
            productions.update(dict.fromkeys(others, 0.0))
    return productions, instances, ports + len(remainders)


def _components(rule: Rule, port_of: Mapping[Nonterminal, int]) -> list[tuple[int, ...]]:
    """Return the ports that each component of a rule consists of, given the first of each label."""
    first = [port_of[child] for child in rule.rhs]
    return [
        tuple([first[child] + component for child, component in places])
        for places in _places(rule.yield_function)
    ]


@cache
def _places(yield_function: YieldFunction) -> list[list[tuple[int, int]]]:
    """Return the children and their components in each component of a yield function."""
    places: list[list[tuple[int, int]]] = []
    for child, component, is_first in variables_of(yield_function):
        if is_first:
            places.append([])
        places[-1].append((child, component))
    return places


def _binarized(
    production: Production, remainders: dict[tuple[int, ...], int], ports: int
) -> list[Production]:
    """Return rules with at most two children for a production, its own rule first."""
    mother, *children = production
    found: list[Production] = []
    while len(children) > 2:
        rest = remainders.setdefault(tuple(children[1:]), ports + len(remainders))
        found.append((mother, children[0], rest))
        mother, children = rest, children[1:]
    return [*found, (mother, *children)]


def _numbering(productions: Iterable[Production], size: int) -> list[int]:
    """Return the number of each symbol: left children first, then the others by their left sisters.

    So symbols with the same left sisters share few words of a bit vector.
    """
    sisters = defaultdict(set)
    for _, left, right in (rule for rule in productions if len(rule) == 3):
        sisters[right].add(left)
    degree = Counter(left for lefts in sisters.values() for left in lefts)
    rank = {left: place for place, (left, _) in enumerate(degree.most_common())}
    others = [symbol for symbol in range(size) if symbol not in rank]
    others.sort(key=lambda symbol: sorted(rank[left] for left in sisters[symbol]))
    number = [0] * size
    for place, symbol in enumerate([*rank, *others]):
        number[symbol] = place
    return number


def _graph(pairs: set[tuple[int, int]], size: int) -> Graph:
    ordered = sorted(pairs)
    neighbours = np.array([other for _, other in ordered], np.int32)
    return Graph(starts_of([symbol for symbol, _ in ordered], size), neighbours)


def _words(rows: Sequence[tuple[int, ...]]) -> list[tuple[tuple[int, ...], int, int, int]]:
    """Return the last symbols of sorted rows as words of bit vectors.

    For each word: the other symbols, the number of the word, the first row, and the bits.
    """
    found = []
    for (symbols, word), numbered in groupby(
        enumerate(rows), lambda row: (row[1][:-1], row[1][-1] // WORD)
    ):
        numbers, members = zip(*numbered, strict=True)
        bits = sum(1 << member[-1] % WORD for member in members)
        found.append((symbols, word, numbers[0], bits))
    return found


def _groups(pairs: Sequence[tuple[int, ...]], size: int) -> dict[str, np.ndarray]:
    """Return the right partners of left children as words of bit vectors."""
    groups = _words(pairs)
    return {
        "group_start": starts_of([left for (left,), *_ in groups], size),
        "groups": records(
            arrays.GROUP_OF_PAIRS,
            mask=[mask for *_, mask in groups],
            word=[word for _, word, *_ in groups],
            first=[first for *_, first, _ in groups],
        ),
    }


def _rules_of_pairs(
    binary: Sequence[Production], pairs: Sequence[tuple[int, ...]]
) -> dict[str, np.ndarray]:
    number = {pair: place for place, pair in enumerate(pairs)}
    rules = sorted((number[rule[1:]], rule[0], place) for place, rule in enumerate(binary))
    return {
        "pair_start": starts_of([pair for pair, _, _ in rules], len(pairs)),
        "binary": records(
            arrays.PRODUCTION,
            rule=[place for *_, place in rules],
            mother=[mother for _, mother, _ in rules],
        ),
    }


def _rules_of_mothers(binary: Sequence[Production], size: int) -> dict[str, np.ndarray]:
    groups = _words(binary)
    return {
        "down_start": starts_of([mother for (mother, _), *_ in groups], size),
        "down_groups": records(
            arrays.GROUP_OF_RULES,
            mask=[mask for *_, mask in groups],
            word=[word for _, word, *_ in groups],
            first=[first for *_, first, _ in groups],
            left=[left for (_, left), *_ in groups],
        ),
    }


def _unary_rules(unary: Sequence[tuple[int, ...]], first: int, size: int) -> dict[str, np.ndarray]:
    mothers, children = [mother for mother, _ in unary], [child for _, child in unary]
    return {
        "up_start": starts_of(children, size),
        "unary": records(
            arrays.UNARY_PRODUCTION,
            rule=range(first, first + len(unary)),
            mother=mothers,
            child=children,
        ),
        "over_start": starts_of(mothers, size),
        "over": np.argsort(mothers, kind="stable").astype(np.int32),
        "is_child": bits_of({child for _, child in unary}, size),
    }


def _shares_on_cycles(relaxation: RelaxationArrays, components: int) -> NDArray[np.bool_]:
    """Return which components of the grammar's rules are in a cycle of unary rules."""
    child, mother = relaxation.unary["child"].copy(), relaxation.unary["mother"]
    start, order = relaxation.over_start.astype(np.int64), relaxation.over.astype(np.int64)
    _, cycle = order_items(start, order, child, np.full_like(child, -1))
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


def starts_of(symbols: list[int], number: int) -> Int32:
    """Return where the rules of each symbol start in a list that is sorted by symbol."""
    return starts(np.bincount(np.array(symbols, np.int64), minlength=number).tolist())
