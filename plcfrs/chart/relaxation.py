"""The component-split CFG: a relaxation of the grammar that guides the exact search.

Each label of fan-out k becomes k context-free symbols, one for each component (Barthelemy et al.
2001; van Cranenburgh 2012 prunes with it). A rule of cost w becomes a context-free rule of cost
w / k for each component. Every derivation maps to one of the same cost, and the components
may be expanded independently, so the best costs are never higher than those of the grammar.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from plcfrs.chart.compile import CompiledGrammar, records, starts, variables_of
from plcfrs.chart.kernel import arrays
from plcfrs.chart.kernel.arrays import Bits, Int32, RelaxationArrays
from plcfrs.chart.kernel.bits import WORD
from plcfrs.chart.kernel.inside import reach
from plcfrs.grammar import Rule

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
    """

    def __init__(self, compiled: CompiledGrammar, combine: Combination = min) -> None:
        self.first_port: Int32 = compiled.arrays.labels["first_port"]
        split, size = _split(compiled, combine)
        number = _numbering(split, size)
        productions = {
            tuple(number[symbol] for symbol in production): cost
            for production, cost in split.items()
        }
        self.symbols = size
        start = number[int(self.first_port[compiled.arrays.start])]
        self.arrays = _arrays(productions, size, start, number)
        self._mothers = _graph({(rule[1], rule[0]) for rule in productions}, size)
        self._last_children = _graph({(rule[0], rule[-1]) for rule in productions}, size)
        pairs = {(rule[2], rule[1]) for rule in productions if len(rule) == 3}
        self._left_sisters = _graph(pairs, size)
        first_children = Graph(self.arrays.first_start, self.arrays.first_child)
        self.starting_first = self._reached(first_children, [start])
        self.ending_last = self._reached(self._last_children, [start])
        self._ending: dict[tuple[int, ...], Bits] = {}

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
    productions: dict[Production, float], size: int, start: int, number: list[int]
) -> RelaxationArrays:
    pairs = sorted({rule[1:] for rule in productions if len(rule) == 3})
    first_children = _graph({(rule[0], rule[1]) for rule in productions}, size)
    return RelaxationArrays(
        start=start,
        left_children=len({left for left, _ in pairs}),
        symbol_of=np.array(number, np.int32),
        first_start=first_children.start,
        first_child=first_children.neighbours,
        **_groups(pairs, size),
        **_rules_of_pairs(productions, pairs),
        **_rules_of_mothers(productions, size),
        **_unary_rules(productions, size),
    )


def _split(compiled: CompiledGrammar, combine: Combination) -> tuple[dict[Production, float], int]:
    """Return the cost of each context-free rule, and the number of symbols.

    The ports come first, then symbols for the remainders of right-hand sides longer than 2.
    """
    productions: dict[Production, float] = {}
    remainders: dict[tuple[int, ...], int] = {}
    ports = compiled.arrays.is_partner.shape[1]
    for rule, cost in zip(compiled.rules, compiled.arrays.rules["cost"].tolist(), strict=True):
        port = int(compiled.arrays.labels["first_port"][compiled.labels[rule.lhs]])
        for mother, children in enumerate(_components(compiled, rule), start=port):
            share = cost / rule.lhs.fanout
            first, *others = _binarized((mother, *children), remainders, ports)
            known = productions.get(first)
            productions[first] = share if known is None else combine(share, known)
            productions.update(dict.fromkeys(others, 0.0))
    return productions, ports + len(remainders)


def _components(compiled: CompiledGrammar, rule: Rule) -> list[tuple[int, ...]]:
    """Return the ports that each component of a rule consists of."""
    components: list[list[int]] = []
    for variable in variables_of(rule.yield_function):
        if variable.is_first:
            components.append([])
        label = compiled.labels[rule.rhs[variable.child]]
        components[-1].append(int(compiled.arrays.labels["first_port"][label]) + variable.component)
    return [tuple(component) for component in components]


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
    productions: dict[Production, float], pairs: Sequence[tuple[int, ...]]
) -> dict[str, np.ndarray]:
    number = {pair: place for place, pair in enumerate(pairs)}
    rules = sorted((number[rule[1:]], rule[0]) for rule in productions if len(rule) == 3)
    costs = [productions[(mother, *pairs[pair])] for pair, mother in rules]
    mothers = [mother for _, mother in rules]
    return {
        "pair_start": starts_of([pair for pair, _ in rules], len(pairs)),
        "binary": records(arrays.PRODUCTION, cost=costs, mother=mothers),
    }


def _rules_of_mothers(productions: dict[Production, float], size: int) -> dict[str, np.ndarray]:
    rules = sorted(rule for rule in productions if len(rule) == 3)
    groups = _words(rules)
    return {
        "down_start": starts_of([mother for (mother, _), *_ in groups], size),
        "down_groups": records(
            arrays.GROUP_OF_RULES,
            mask=[mask for *_, mask in groups],
            word=[word for _, word, *_ in groups],
            first=[first for *_, first, _ in groups],
            left=[left for (_, left), *_ in groups],
        ),
        "down_cost": np.array([productions[rule] for rule in rules], np.float64),
    }


def _unary_rules(productions: dict[Production, float], size: int) -> dict[str, np.ndarray]:
    rules = sorted((rule[1], rule[0]) for rule in productions if len(rule) == 2)
    costs = [productions[mother, child] for child, mother in rules]
    mothers = [mother for _, mother in rules]
    return {
        "up_start": starts_of([child for child, _ in rules], size),
        "unary": records(arrays.PRODUCTION, cost=costs, mother=mothers),
        "is_child": bits_of({child for child, _ in rules}, size),
    }


def bits_of(symbols: Iterable[int], size: int) -> Bits:
    """Return a bit vector of numbers, all below a size."""
    found = np.zeros((size + WORD - 1) // WORD, np.uint64)
    for symbol in symbols:
        found[symbol // WORD] |= np.uint64(1 << symbol % WORD)
    return found


def starts_of(symbols: list[int], number: int) -> Int32:
    """Return where the rules of each symbol start in a list that is sorted by symbol."""
    return starts(np.bincount(np.array(symbols, np.int64), minlength=number).tolist())
