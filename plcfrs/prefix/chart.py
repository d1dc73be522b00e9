"""Prefix probabilities of a PLCFRS, word by word, as in an Earley parser.

The grammar is intersected with the automaton of all continuations of a prefix. Jelinek and Lafferty
(1991) and Stolcke (1995) have the context-free case; Nederhof, Sarkar and Satta (1998) have
tree-adjoining grammars. From the prefix probabilities of a changed grammar comes the entropy of
derivations (Hale 2006).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from math import inf, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError, InputError
from plcfrs.grammar import Grammar, Nonterminal, proper_gaps
from plcfrs.prefix.compile import closure, compile_prefixes, normalised, totals
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import DONE, INSIDE, MOST_TOKENS, Int64, PrefixArrays, PrefixTable
from plcfrs.prefix.kernel.ending import complete, scan
from plcfrs.prefix.kernel.predicting import predict, whole
from plcfrs.prefix.kernel.tables import (
    clear_pending,
    copy_forward,
    copy_slots,
    fill_range_table,
    undo,
)
from plcfrs.prefix.partial import Position, PrefixNode, positions

_GIB = 2**30

# The probability left out in all, divided by the highest one left out: the lowest estimate, and how
# much the estimate exceeds that of the last word.
_LOST_PER_LEAST = 100.0
_MORE = 1.5
_FIRST = 1 << 10
_RECENT = 1 << 12  # slots, few enough for the cache of the processor
_COMPOSED = 1 << 12

# The arrays that grow together, by the status for full ones; a hash table is the last of them.
_GROWING = {
    arrays.RANGES_FULL: ("ranges", "bounds", "range_table"),
    arrays.INSIDE_FULL: ("inside",),
    arrays.INDEX_FULL: ("indexed", "index_table"),
    arrays.EDGES_FULL: ("edges", "edge_table"),
    arrays.PENDING_FULL: ("pending",),
    arrays.FORWARD_FULL: ("forward_table",),
}

# The counter of the rows in use, and the share of rows that leaves room for a word.
_USED = {
    arrays.RANGES_FULL: (arrays.RANGES, 0.6),
    arrays.INSIDE_FULL: (arrays.INSIDE, 0.6),
    arrays.INDEX_FULL: (arrays.INDEXED, 0.6),
    arrays.EDGES_FULL: (arrays.EDGES, 0.6),
    arrays.FORWARD_FULL: (arrays.FORWARD, 0.3),
}


class PrefixGrammar:
    """A grammar prepared for prefix probabilities.

    Parameters
    ----------
    grammar : Grammar
        With up to two children in a rule.

    Attributes
    ----------
    is_changed : bool
        Whether the derivations did not sum to 1, so that probabilities were changed; see
        `plcfrs.prefix.compile.normalised`.
    rules : dict of Rule to float
        The rules with their probabilities, without touching ranges.
    start : Nonterminal
    originals : dict of Nonterminal to Nonterminal
        The symbol of each variant for touching ranges.
    copies : set of Nonterminal
        Variants that are copies of their mothers; see `plcfrs.grammar.proper_gaps`.

    Raises
    ------
    GrammarError
        If the rank is too high, or if no derivation begins with the start symbol.
    """

    def __init__(self, grammar: Grammar) -> None:
        if grammar.rank() > 2:
            raise GrammarError("binarize the grammar first: a rule has more than 2 children")
        proper, originals = proper_gaps(grammar)
        self.rules, self.is_changed = normalised(proper)
        self.start = proper.start
        self.copies = {rule.rhs[0] for rule in proper.rules if originals and rule not in originals}
        self.originals = {rule.lhs: original.lhs for rule, original in originals.items()}
        if not any(rule.lhs == self.start for rule in self.rules):
            raise GrammarError(f"the start symbol {self.start} has no derivations")
        places_of = positions(self.rules)
        upward: dict[PrefixNode, dict[PrefixNode, float]] = defaultdict(lambda: defaultdict(float))
        downward: dict[PrefixNode, dict[PrefixNode, float]] = defaultdict(
            lambda: defaultdict(float)
        )
        first: dict[PrefixNode, dict[PrefixNode, float]] = defaultdict(lambda: defaultdict(float))
        beside: dict[PrefixNode, list[tuple[PrefixNode, PrefixNode, float]]] = defaultdict(list)
        for rule, p in self.rules.items():
            first[PrefixNode(rule.lhs, 1)][PrefixNode(rule.rhs[rule.yield_function[0][0]], 1)] += p
        for node, places in places_of.items():
            for position in filter(_is_chain, places):
                mother = position.mother
                upward[node][mother] += position.probability
                following = PrefixNode(mother.symbol, mother.components + 1)
                if position.following == 0:
                    target = PrefixNode(node.symbol, node.components + 1)
                    downward[following][target] += position.probability
                elif position.following == 1 and mother.components < mother.symbol.fanout:
                    assert position.sister is not None  # its variable is next
                    sister = PrefixNode(position.sister.symbol, 1)
                    beside[following].append((node, sister, position.probability))
        self.numbers, self.arrays = compile_prefixes(
            self.start, places_of, closure(upward), closure(downward), first, beside
        )
        by_number = list(self.numbers)
        self.tags = [by_number[number].symbol for number in self.arrays.tags]


def _is_chain(position: Position) -> bool:
    """Whether mother and child have the same known words."""
    return position.is_end and position.is_alone


class _ChartState(NamedTuple):
    """The state of a chart before a word."""

    counters: Int64
    log_probability: float
    missing: float
    lost_per_least: float


class PrefixChart:
    """The sums for a prefix, which grows by one word at a time.

    What has not been read yet has weight 1, because the derivations of each symbol sum to 1. There
    are two kinds of sums. An inside sum belongs to a symbol whose first components are known; the
    others can be anything. It does not depend on where the prefix ends, so all later prefixes share
    it. A forward sum belongs to a symbol whose first components are known, and whose next one
    begins at the frontier: it adds up everything around the symbol that generates the prefix. The
    forward sums of the tags are the probabilities of the next tag. Chains of steps that read no
    word are summed up once for a grammar.

    Parameters
    ----------
    grammar : PrefixGrammar

    Attributes
    ----------
    length : int
        Tokens of the prefix.
    log_probability : float
        The natural logarithm of the probability of all sentences that begin with the prefix; -inf
        if there are none. It is too low if words were read with `least` or `may_lose`.
    missing : float
        An upper bound for the missing part of this probability, and of the probabilities of what
        comes next, as a fraction of it; 0 if nothing has been left out.

    Examples
    --------
    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 2}
    >>> chart = PrefixChart(PrefixGrammar(Grammar(rules, start=s)))
    >>> chart.extend({a: 1.0})
    >>> print(round(chart.end(), 6), round(chart.tags()[a], 6))
    0.666667 0.333333
    """

    def __init__(self, grammar: PrefixGrammar) -> None:
        self._grammar = grammar
        self._table = new_table(grammar.arrays)
        self.length = 0
        self.log_probability = 0.0
        self.missing = 0.0
        self._lost_per_least = _LOST_PER_LEAST
        self._before: list[_ChartState] = []
        self._table.base[grammar.arrays.start] = 1.0
        predict(grammar.arrays, self._table, 0, 0)

    @property
    def items(self) -> int:
        """The number of sums of symbols."""
        return int(self._table.counters[INSIDE])

    @property
    def memory(self) -> float:
        """The size of the arrays, in GiB."""
        return sum(array.nbytes for array in self._table) / _GIB

    def tags(self) -> dict[Nonterminal, float]:
        """Return the probability of each possible next tag, given the prefix."""
        begun = self._table.begun[self.length, self._grammar.arrays.tags].tolist()
        return {tag: p for tag, p in zip(self._grammar.tags, begun, strict=True) if p}

    def end(self) -> float:
        """Return the probability that the sentence ends here, given the prefix."""
        return whole(self._grammar.arrays, self._table, self.length)

    def extend(
        self,
        word: Mapping[Nonterminal, float],
        least: float = 0.0,
        max_memory: float = inf,
        check: Callable[[], None] | None = None,
        *,
        may_lose: float = 0.0,
    ) -> None:
        """Read a word.

        Parameters
        ----------
        word : mapping of Nonterminal to float
            The probability of the word given each of its tags; 1 for a given tag.
        least : float
            Constituents that end with the word are left out if they have at most this probability,
            given the prefix; all are kept by default.
        may_lose : float
            The least probable constituents that end with the word are left out: their total
            probability, given the prefix, is at most this.
        max_memory : float
            The size of the arrays, in GiB.
        check : callable, optional
            Called from time to time; if it raises an error, the word has not been read.

        Raises
        ------
        InputError
            If there are more than 4,095 words.
        MemoryError
            If the arrays would be too large. The word has not been read.
        """
        if self.length + 1 >= MOST_TOKENS:
            raise InputError(f"the sentence has more than {MOST_TOKENS - 1} words")
        chances = self.tags()
        shares = {tag: p * word.get(tag, 0.0) for tag, p in chances.items()}
        sums = self.log_probability, self.missing, self._lost_per_least
        before = _ChartState(self._table.counters.copy(), *sums)
        if probability := sum(shares.values()):
            weights = {tag: word[tag] / probability for tag, share in shares.items() if share}
            self._enter(weights, least, may_lose, max_memory * _GIB, check or (lambda: None))
            self.log_probability += log(probability)
            # At most, all that was left out has this word with its highest probability.
            self.missing *= max(word.values()) / probability
            self.missing += float(self._table.lost[0])
        else:
            self._table = longer(self._table, self.length + 1, max_memory * _GIB)
            self._table.begun[self.length + 1] = 0.0
            self.log_probability = -inf
        self.length += 1
        self._before.append(before)

    def rewind(self, length: int) -> None:
        """Forget all words after the first `length`, as if they had never been read."""
        if length == self.length:
            return
        before = self._before[length]
        del self._before[length:]
        undo(self._table, before.counters)
        self._table = shortened(self._table, length)
        self.length = length
        self.log_probability, self.missing = before.log_probability, before.missing
        self._lost_per_least = before.lost_per_least

    def _enter(
        self,
        weights: Mapping[Nonterminal, float],
        least: float,
        may_lose: float,
        most_bytes: float,
        check: Callable[[], None],
    ) -> None:
        """Enter all constituents that end with the word, and what may begin after it."""
        self._table = with_room(longer(self._table, self.length + 1, most_bytes), most_bytes)
        before = self._table.counters.copy()
        chosen = max(least, may_lose / self._lost_per_least)
        try:
            while True:
                status = self._read(weights, chosen, check)
                lost = float(self._table.lost[0])
                if status == DONE and (chosen == least or lost <= may_lose):
                    break
                undo(self._table, before)
                if status == DONE:
                    chosen = max(least, chosen * may_lose / lost / 2)
                else:
                    self._table = enlarged(self._table, status, most_bytes)
        except BaseException:
            undo(self._table, before)
            raise
        if chosen:
            self._lost_per_least = max(_LOST_PER_LEAST, _MORE * lost / chosen)
        clear_pending(self._table)

    def _read(
        self, weights: Mapping[Nonterminal, float], least: float, check: Callable[[], None]
    ) -> int:
        """Read a word; return the status of the kernels."""
        grammar, table, here = self._grammar.arrays, self._table, self.length + 1
        table.base.fill(0.0)
        table.lost.fill(0.0)
        for tag, weight in weights.items():
            scan(grammar, table, here, self._grammar.numbers[PrefixNode(tag, 1)], weight)
        sizes = range(1, here + 1)  # a mother has more known words than its children
        steps = chain(
            (partial(complete, grammar, table, size, least) for size in sizes),
            (partial(predict, grammar, table, here, size) for size in (*reversed(sizes), 0)),
        )
        for step in steps:
            check()
            if (status := step()) != DONE:
                return status
        return DONE


# Large enough for what is left out of sums, small enough for the third cumulant of ln p(d): the
# entropies of treebank grammars are right to about 0.0001 bits.
_STEP = 3e-5


def entropy_error(bits: float) -> float:
    """Return how exact prefix probabilities must be for an entropy that is exact to some bits."""
    return bits * _STEP / 4.0


class Tempered(NamedTuple):
    """A grammar with rule probabilities to the power of `exponent`, normalised.

    `log_total` is the natural logarithm of the sum over all derivations before normalisation.
    """

    exponent: float
    grammar: PrefixGrammar
    log_total: float


def tempered(grammar: PrefixGrammar) -> tuple[Tempered, Tempered]:
    """Return a grammar with two exponents a little above 1, for which all sums are finite."""
    return _tempered(grammar, 1.0 + _STEP), _tempered(grammar, 1.0 + 2 * _STEP)


def _tempered(grammar: PrefixGrammar, exponent: float) -> Tempered:
    rules = {rule: p**exponent for rule, p in grammar.rules.items()}
    total = totals(rules)[grammar.start]
    changed, _ = normalised(Grammar(rules, start=grammar.start, weights="probabilities"))
    normal = Grammar(changed, start=grammar.start, weights="probabilities")
    return Tempered(exponent, PrefixGrammar(normal), log(total))


class EntropyChart:
    """The entropy of the derivation of a sentence, given a prefix that grows; see `tempered`.

    With the probability p(d) of each derivation d of sentences that begin with the prefix, let G(s)
    be ``ln sum_d p(d)^s``. Then the entropy is G(1) - G'(1), in nats. Hale (2006) solves a system
    of equations instead. G(s) is a prefix probability, too: that of the grammar whose rules have
    the probabilities to the power of s, normalised. G' is found from G at three places.

    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (a, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}
    >>> chart = EntropyChart(tempered(PrefixGrammar(Grammar(rules, start=s))))
    >>> round(chart.entropy(0.0) / log(2), 4)
    2.0
    """

    def __init__(self, grammars: tuple[Tempered, Tempered]) -> None:
        self._grammars = grammars
        self.charts = [PrefixChart(each.grammar) for each in grammars]

    @property
    def missing(self) -> float:
        """An upper bound for the part that is missing in the prefix probabilities."""
        return max(chart.missing for chart in self.charts)

    def extend(
        self,
        word: Mapping[Nonterminal, float],
        max_memory: float = inf,
        check: Callable[[], None] | None = None,
        may_lose: Callable[[PrefixChart], float] | None = None,
    ) -> None:
        """Read a word; see `PrefixChart.extend`. The chart cannot be used after an error."""
        for (exponent, _, _), chart in zip(self._grammars, self.charts, strict=True):
            weights = {tag: p**exponent for tag, p in word.items()}
            lost = may_lose(chart) if may_lose else 0.0
            chart.extend(weights, 0.0, max_memory / 2, check, may_lose=lost)

    def entropy(self, log_probability: float) -> float:
        """Return the entropy in nats, given the natural logarithm of the prefix probability."""
        near, far = (
            each.log_total + chart.log_probability
            for each, chart in zip(self._grammars, self.charts, strict=True)
        )
        slope = (4.0 * near - far - 3.0 * log_probability) / (2 * _STEP)
        return max(0.0, log_probability - slope)


def new_table(grammar: PrefixArrays) -> PrefixTable:
    """Return the chart of the empty prefix."""
    nodes = len(grammar.previous)
    size = max(_FIRST, 1 << (2 * nodes).bit_length())
    table = PrefixTable(
        counters=np.zeros(arrays.COUNTERS, np.int64),
        bounds=np.zeros((_FIRST, 2 * grammar.components), np.int32),
        ranges=np.zeros(_FIRST, arrays.RANGE),
        range_table=np.full(2 * _FIRST, -1, np.int32),
        inside=np.zeros(_FIRST, arrays.WEIGHTED),
        indexed=np.zeros(_FIRST, arrays.INDEX_ENTRY),
        index_table=_slots(2 * _FIRST),
        edges=np.zeros(_FIRST, arrays.EDGE),
        edge_table=_slots(2 * _FIRST),
        pending=np.zeros(size, arrays.PENDING_ENTRY),
        recent=_slots(_RECENT),
        pending_first=np.full((2, 1), -1, np.int32),
        forward_table=_weights(2 * size),
        base=np.zeros(nodes),
        begun=np.zeros((1, nodes)),
        composed=np.zeros(_COMPOSED, arrays.COMPOSED),
        sisters=np.full(len(grammar.lookups), -1, arrays.FOUND),
        given=np.zeros(nodes),
        giving=np.zeros(nodes, np.int32),
        row=np.zeros(nodes),
        touched=np.zeros(nodes, np.int32),
        lost=np.zeros(1),
    )
    table.ranges[0]["first"] = -1  # no components
    table.counters[arrays.RANGES] = 1
    fill_range_table(table)
    clear_pending(table)
    return table


def longer(table: PrefixTable, length: int, most_bytes: float) -> PrefixTable:
    """Return a chart for a prefix of some tokens; raise a MemoryError if it is too large."""
    begun = table.begun
    if length >= len(begun):
        _check_size(table, ("begun",), most_bytes)
        begun = _doubled(begun)
    return table._replace(pending_first=np.full((2, length + 1), -1, np.int32), begun=begun)


def shortened(table: PrefixTable, length: int) -> PrefixTable:
    """Return a chart without the forward sums of later places; the rest has been undone.

    Their table gets small again, so that a long sentence does not slow down later ones.
    """
    forward = table.forward_table
    starts = forward["key"] // table.begun.shape[1] % MOST_TOKENS
    sums = forward[(forward["weight"] >= 0.0) & (starts <= length)]
    size = max(2 * _FIRST, 1 << (4 * len(sums)).bit_length())
    kept = table._replace(forward_table=_weights(size))
    copy_forward(sums, kept)
    kept.counters[arrays.FORWARD] = len(sums)
    return kept


def with_room(table: PrefixTable, most_bytes: float) -> PrefixTable:
    """Return the chart with room for the next word, unless the arrays would be too large.

    A word is read again for each array that gets full.
    """
    for status, (counter, share) in _USED.items():
        if table.counters[counter] > share * len(getattr(table, _GROWING[status][0])):
            with suppress(MemoryError):
                table = enlarged(table, status, most_bytes)
    return table


def enlarged(table: PrefixTable, status: int, most_bytes: float) -> PrefixTable:
    """Return the chart with the full arrays doubled; raise a MemoryError if they are too large."""
    names = _GROWING[status]
    _check_size(table, names, most_bytes)
    larger = table._replace(**{name: _doubled(getattr(table, name)) for name in names})
    match status:  # its hash table is made again
        case arrays.RANGES_FULL:
            larger.range_table.fill(-1)
            fill_range_table(larger)
        case arrays.INDEX_FULL | arrays.EDGES_FULL:
            entries, slots = (getattr(larger, name) for name in names)
            slots["value"] = -1
            copy_slots(getattr(table, names[1]), slots, entries)
        case arrays.FORWARD_FULL:
            larger.forward_table["weight"] = -1.0
            copy_forward(table.forward_table, larger)
    return larger


def _check_size(table: PrefixTable, names: Iterable[str], most_bytes: float) -> None:
    """Raise a MemoryError if the chart is too large with some arrays doubled."""
    more = sum(getattr(table, name).nbytes for name in names)
    if sum(array.nbytes for array in table) + more > most_bytes:
        raise MemoryError


def _slots(size: int) -> NDArray[np.void]:
    made = np.zeros(size, arrays.SLOT)
    made["value"] = -1
    return made


def _weights(size: int) -> NDArray[np.void]:
    made = np.zeros(size, arrays.WEIGHT_SLOT)
    made["weight"] = -1.0
    return made


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])
