"""The trees of a grammar in order: the shortest first, or the most probable first.

Parts of trees come from an agenda, sorted by the best tree that each is part of; this is A* search
with exact estimates (Klein and Manning 2003), extended to many derivations of each symbol (Pauls
and Klein 2009). A rule joins the parts of its children as soon as they are known; the next best
part of one child gives its next derivation.

A tree that repeats a symbol over the same words is left out: with it there would be infinitely
many. So the number of trees of each sentence is finite, and every sentence is reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Literal, NamedTuple, TypeVar

from plcfrs.grammar.derivation import Derivation, unbinarize
from plcfrs.grammar.generation import GeneratedTree, words_of
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Nonterminal, Rule, apply, cost
from plcfrs.stopping import check_stopped

TreeOrder = Literal["shortest", "probable"]

Value = TypeVar("Value", int, tuple[float, float])
_Key = tuple[float, float]
"""The number of words and the cost, in the order in which they count."""


class _Part(NamedTuple):
    """A derivation of a symbol, with the words of its components."""

    key: _Key
    derivation: Derivation
    words: tuple[tuple[str, ...], ...]
    depth: int = 0
    chain: tuple[Nonterminal, ...] = ()  # the symbols over the same words, the highest first


def enumerate_trees(
    grammar: Grammar,
    order: TreeOrder = "shortest",
    max_length: float = inf,
    max_depth: float = inf,
    *,
    once: bool = False,
) -> Iterator[GeneratedTree]:
    """Yield the trees of a grammar in order; there may be infinitely many.

    Parameters
    ----------
    grammar : Grammar
    order : {"shortest", "probable"}
        By the number of words, then by probability, or the other way round.
    max_length : float
        The most words of a tree.
    max_depth : float
        The most constituents above a word.
    once : bool
        Yield each sentence once, with its first tree, which is much faster for ambiguous grammars.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> [len(tree.words) for tree in enumerate_trees(grammar, max_length=4)]
    [1, 2, 3, 3, 4, 4, 4, 4, 4]
    >>> [len(tree.words) for tree in enumerate_trees(grammar, max_length=4, once=True)]
    [1, 2, 3, 4]
    """
    grammar.check_start()
    search = _Enumeration(grammar, order, max_length, max_depth, once=once)
    seen: set[tuple[str, ...]] = set()
    for part in search.parts():
        (words,) = part.words
        if not (once and words in seen):
            seen.add(words)
            cost = part.key[search.is_by_length]
            yield GeneratedTree(unbinarize(part.derivation), words, 0.0 - cost)


class _Enumeration:
    def __init__(
        self, grammar: Grammar, order: TreeOrder, max_length: float, max_depth: float, *, once: bool
    ) -> None:
        self.is_by_length = order == "shortest"
        self._start, self._once = grammar.start, once
        self._max_length, self._max_depth = max_length, max_depth
        self._parts: dict[Nonterminal, list[_Part]] = defaultdict(list)
        for tag, words in words_of(grammar).items():
            for word, p in sorted(words.items(), key=lambda item: -item[1]):
                part = _Part(self._key(1, cost(p)), Derivation(tag), ((word,),))
                self._parts[tag].append(part)
        self._keys = {rule: self._key(0, c) for rule, c in grammar.costs().items()}
        best = _least({tag: parts[0].key for tag, parts in self._parts.items()}, self._bottom_up)
        self._keys = {rule: key for rule, key in self._keys.items() if {*rule.rhs} <= best.keys()}
        self._outside = _least({self._start: (0.0, 0.0)}, partial(self._top_down, best))
        self._above = _least({self._start: 0}, self._levels)
        self._agenda: list[tuple[_Key, int, Rule, tuple[int, ...]]] = []
        self._numbers = count()
        self._waiting = defaultdict[tuple[Nonterminal, int], list[tuple[Rule, tuple[int, ...]]]](
            list
        )
        self._seen: set[object] = set()

    def parts(self) -> Iterator[_Part]:
        """Yield the derivations of the start symbol in order."""
        for rule in self._keys:
            if rule.lhs in self._outside:
                self._offer(rule, (0,) * rule.rank)
        while self._agenda:
            check_stopped()
            key, _, rule, ranks = heappop(self._agenda)
            if self.is_by_length and key[0] > self._max_length:
                return
            changed = max((i for i, rank in enumerate(ranks) if rank), default=0)
            for i in range(changed, len(ranks)):  # so each combination is offered once
                self._offer(rule, (*ranks[:i], ranks[i] + 1, *ranks[i + 1 :]))
            part = self._joined(rule, ranks)
            if self._is_kept(part):
                parts = self._parts[rule.lhs]
                parts.append(part)
                for waiting in self._waiting.pop((rule.lhs, len(parts) - 1), ()):
                    self._offer(*waiting)
                if rule.lhs == self._start:
                    yield part

    def _offer(self, rule: Rule, ranks: tuple[int, ...]) -> None:
        """Put a derivation on the agenda, as soon as the parts of its children are known."""
        keys = [self._outside[rule.lhs], self._keys[rule]]
        for child, rank in zip(rule.rhs, ranks, strict=True):
            if rank >= len(self._parts[child]):
                self._waiting[child, rank].append((rule, ranks))
                return
            keys.append(self._parts[child][rank].key)
        heappush(self._agenda, (_sum(keys), next(self._numbers), rule, ranks))

    def _joined(self, rule: Rule, ranks: tuple[int, ...]) -> _Part:
        children = [self._parts[child][rank] for child, rank in zip(rule.rhs, ranks, strict=True)]
        keys, derivations, words, depths, chains = zip(*children, strict=True)
        return _Part(
            _sum([self._keys[rule], *keys]),
            Derivation(rule.lhs, rule.yield_function, derivations),
            tuple(map(tuple, apply(rule.yield_function, words))),
            max(depths) + (rule.lhs.kind != "intermediate"),
            (rule.lhs, *chains[0]) if rule.rank == 1 else (rule.lhs,),
        )

    def _is_kept(self, part: _Part) -> bool:
        symbol, *below = part.chain
        if (
            part.key[not self.is_by_length] > self._max_length
            or part.depth + self._above[symbol] > self._max_depth
            or symbol in below
        ):
            return False
        known = len(self._seen)
        if self._once:
            depth = part.depth if self._max_depth < inf else 0  # a deeper one may not fit above
            self._seen.add((symbol, part.words, depth))
        return not self._once or len(self._seen) > known

    def _key(self, length: float, cost: float) -> _Key:
        return (length, cost) if self.is_by_length else (cost, length)

    def _bottom_up(self, best: Mapping[Nonterminal, _Key]) -> Iterator[tuple[Nonterminal, _Key]]:
        """Yield keys of symbols, given the best ones so far."""
        for rule, key in self._keys.items():
            if {*rule.rhs} <= best.keys():
                yield rule.lhs, _sum([key, *(best[child] for child in rule.rhs)])

    def _top_down(
        self, best: Mapping[Nonterminal, _Key], outside: Mapping[Nonterminal, _Key]
    ) -> Iterator[tuple[Nonterminal, _Key]]:
        """Yield keys of what is outside of symbols in a tree, given the best ones so far."""
        for rule, key in self._keys.items():
            for i, child in enumerate(rule.rhs if rule.lhs in outside else ()):
                others = [best[other] for j, other in enumerate(rule.rhs) if j != i]
                yield child, _sum([outside[rule.lhs], key, *others])

    def _levels(self, above: Mapping[Nonterminal, int]) -> Iterator[tuple[Nonterminal, int]]:
        """Yield numbers of constituents above symbols, given the least ones so far."""
        for rule in self._keys:
            if rule.lhs in above:
                level = above[rule.lhs] + (rule.lhs.kind != "intermediate")
                yield from ((child, level) for child in rule.rhs)


def _least(
    values: dict[Nonterminal, Value],
    offers: Callable[[Mapping[Nonterminal, Value]], Iterable[tuple[Nonterminal, Value]]],
) -> dict[Nonterminal, Value]:
    """Return the least values of symbols: start with some, and take offers until none is lower."""
    is_changed = True
    while is_changed:
        is_changed = False
        for symbol, value in offers(values):
            if symbol not in values or value < values[symbol]:
                values[symbol], is_changed = value, True
    return values


def _sum(keys: Sequence[_Key]) -> _Key:
    return sum(first for first, _ in keys), sum(second for _, second in keys)
