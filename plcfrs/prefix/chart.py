"""Prefix probabilities of a PLCFRS, word by word, as in an Earley parser.

The grammar is intersected with the automaton of all continuations of a prefix. What has not been
read yet has weight 1, because the derivations of each symbol sum to 1. There are two sums:

inside
    of a symbol whose first components are known and the others anything; this does not depend on
    where the prefix ends, and so all later prefixes share it;
forward
    of a symbol whose first components are known, and whose next one begins at the frontier: the
    sum over everything around it that generates the prefix. Those of the tags are the
    probabilities of the next tag.

Chains of steps that read nothing are summed up once a grammar. Jelinek and Lafferty (1991) and
Stolcke (1995) have the context-free case, Nederhof, Sarkar and Satta (1998) tree-adjoining
grammars.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from math import inf, log
from typing import NamedTuple

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, YieldFunction, proper_gaps
from plcfrs.prefix.closures import apply, closure
from plcfrs.prefix.consistency import normalised
from plcfrs.prefix.positions import Node, Position, positions

Range = tuple[int, int]
Ranges = tuple[Range, ...]
Weights = dict[Node, float]


class PrefixGrammar:
    """A grammar that is ready for prefix probabilities.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.

    Attributes
    ----------
    is_changed : bool
        Whether the derivations did not sum to 1, so that probabilities were changed; see
        `plcfrs.prefix.consistency.normalised`.

    Raises
    ------
    GrammarError
        If the rank is too high, or if no derivation begins with the start symbol.
    """

    def __init__(self, grammar: Grammar) -> None:
        if grammar.rank() > 2:
            raise GrammarError("binarize the grammar first: a rule has more than 2 children")
        proper = proper_gaps(grammar).grammar
        rules, self.is_changed = normalised(proper)
        self.start = Node(proper.start, 1)
        if not any(rule.lhs == proper.start for rule in rules):
            raise GrammarError(f"the start symbol {proper.start} has no derivations")
        self.positions = positions(rules)
        upward: dict[Node, Weights] = defaultdict(lambda: defaultdict(float))
        downward: dict[Node, Weights] = defaultdict(lambda: defaultdict(float))
        self.beside: dict[Node, list[tuple[Node, Node, float]]] = defaultdict(list)
        for rule, p in rules.items():
            downward[Node(rule.lhs, 1)][Node(rule.rhs[rule.yield_function[0][0]], 1)] += p
        for node, found in self.positions.items():
            for position in filter(_is_chain, found):
                mother = position.mother
                upward[node][mother] += position.probability
                following = Node(mother.symbol, mother.components + 1)
                if position.following == 0:
                    target = Node(node.symbol, node.components + 1)
                    downward[following][target] += position.probability
                elif position.following == 1 and mother.components < mother.symbol.fanout:
                    assert position.sister is not None  # its variable is next
                    sister = Node(position.sister.symbol, 1)
                    self.beside[following].append((node, sister, position.probability))
        self.upward = closure(upward)
        self.downward = closure(downward)


def _is_chain(position: Position) -> bool:
    """Whether mother and child have the same known words."""
    return position.is_end and position.is_alone


class _Edge(NamedTuple):
    """How known components of a mother are made of those of its children."""

    probability: float
    child: Node
    ranges: Ranges
    sister: Node
    sister_ranges: Ranges
    following: int


class PrefixChart:
    """The sums for a prefix, which grows by one word at a time.

    Parameters
    ----------
    grammar : PrefixGrammar
    check : callable, optional
        Called from time to time; what it raises ends `extend`, and then the chart is of no use.

    Attributes
    ----------
    length : int
        Tokens of the prefix.
    log_probability : float
        The probability of all sentences that begin with the prefix, as a natural logarithm; -inf if
        there are none.

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

    def __init__(self, grammar: PrefixGrammar, check: Callable[[], None] | None = None) -> None:
        self._grammar = grammar
        self._check = check
        self.length = 0
        self.log_probability = 0.0
        # By the ranges of a node; values are divided by the probability of the prefix.
        self._inside: dict[Ranges, Weights] = {}
        self._edges: dict[tuple[Node, Ranges], list[_Edge]] = defaultdict(list)
        self._by_end: dict[tuple[Node, int], list[Ranges]] = defaultdict(list)
        # By the ranges before the component that begins at a place.
        self._forward: dict[tuple[Ranges, int], Weights] = {}
        self._fresh = _fresh()  # the same for the place that the prefix ends at, by known words
        self._fresh[0][()][grammar.start] = 1.0
        self._predict()

    def tags(self) -> dict[Nonterminal, float]:
        """Return the probability of each possible next tag, given the prefix."""
        forward = self._forward[(), self.length]
        return {node.symbol: p for node, p in forward.items() if node.symbol.kind == "tag" and p}

    def end(self) -> float:
        """Return the probability that the sentence ends here, given the prefix."""
        inside = self._inside.get(((0, self.length),), {})
        return inside.get(self._grammar.start, 0.0)

    def extend(self, word: Mapping[Nonterminal, float]) -> None:
        """Read a word.

        Parameters
        ----------
        word : mapping of Nonterminal to float
            The probability of the word given each of its tags; 1 for a given tag.
        """
        chances = self.tags()
        probability = sum(p * word.get(tag, 0.0) for tag, p in chances.items())
        self.length += 1
        self.log_probability += log(probability) if probability else -inf
        waiting = _fresh()
        if probability:
            known = ((self.length - 1, self.length),)
            for tag in chances:
                if weight := word.get(tag, 0.0):
                    waiting[1][known][Node(tag, 1)] = weight / probability
        for size in range(1, self.length + 1):  # a mother has more known words than its children
            for ranges, weights in waiting.pop(size, {}).items():
                self._complete(ranges, weights, waiting)
        self._predict()

    def _complete(
        self, ranges: Ranges, weights: Weights, waiting: dict[int, dict[Ranges, Weights]]
    ) -> None:
        """Add all that ends here in these ranges, and combine it with what is before."""
        if self._check is not None:
            self._check()
        predicted = self._forward.get((ranges[:-1], ranges[-1][0]), {})
        closed = apply(self._grammar.upward, weights)
        useful = {node: weight for node, weight in closed.items() if predicted.get(node)}
        self._inside[ranges] = useful
        for node, weight in useful.items():
            self._by_end[node, self.length].append(ranges)
            for position in self._grammar.positions.get(node, ()):
                if not position.is_alone:
                    self._combine(node, ranges, weight, position, waiting)
                elif not position.is_end:  # the sister is next
                    assert position.sister is not None
                    outside = predicted.get(position.mother, 0.0)
                    self._await(Node(position.sister.symbol, 1), (), outside * weight, position)

    def _combine(
        self,
        node: Node,
        ranges: Ranges,
        weight: float,
        position: Position,
        waiting: dict[int, dict[Ranges, Weights]],
    ) -> None:
        """Combine an item that ends here with all sisters whose known words fit."""
        sister, mother = position.sister, position.mother
        assert sister is not None
        touches = position.known[-1][-2:] == (1, 0)  # the sister ends where the child goes on
        ends = ranges[-1][:1] if touches else range(1, self.length)
        for end in ends:
            for others in self._by_end.get((sister, end), ()):
                composed = _compose(position.known, ranges, others)
                if composed is None:
                    continue
                outside = self._forward.get((composed[:-1], composed[-1][0]), {}).get(mother, 0.0)
                if not outside:
                    continue
                if position.is_end:
                    both = weight * self._inside[others][sister] * position.probability
                    size = sum(right - left for left, right in composed)
                    waiting[size][composed][mother] += both
                    edge = _Edge(
                        position.probability, node, ranges, sister, others, position.following
                    )
                    self._edges[mother, composed].append(edge)
                else:
                    following = Node(sister.symbol, sister.components + 1)
                    self._await(following, others, outside * weight, position)

    def _await(self, node: Node, ranges: Ranges, weight: float, position: Position) -> None:
        self._fresh[_size(ranges)][ranges][node] += weight * position.probability

    def _predict(self) -> None:
        """Find what may begin here, from symbols with many known words to those with none."""
        here, grammar = self.length, self._grammar
        for size in range(here, 0, -1):
            for ranges, weights in self._fresh[size].items():
                closed = apply(grammar.downward, weights)
                self._forward[ranges, here] = closed
                for node, outside in closed.items():
                    self._predict_children(node, ranges, outside)
        base = self._fresh[0][()]
        self._forward[(), here] = apply(grammar.downward, base)
        self._fresh = _fresh()

    def _predict_children(self, mother: Node, ranges: Ranges, outside: float) -> None:
        """Find which children of an awaited component come first, if known ones are beside them."""
        inside = self._inside[ranges]
        for child, sister, probability in self._grammar.beside.get(mother, ()):
            self._fresh[0][()][sister] += outside * probability * inside.get(child, 0.0)
        for edge in self._edges.get((Node(mother.symbol, len(ranges)), ranges), ()):
            child, awaited, other, others = edge.child, edge.ranges, edge.sister, edge.sister_ranges
            if edge.following == 1:
                child, awaited, other, others = other, others, child, awaited
            node = Node(child.symbol, child.components + 1)
            weight = outside * edge.probability * self._inside[others][other]
            self._fresh[_size(awaited)][awaited][node] += weight


def _weights() -> Weights:
    return defaultdict(float)


def _fresh() -> dict[int, dict[Ranges, Weights]]:
    return defaultdict(lambda: defaultdict(_weights))


def _size(ranges: Ranges) -> int:
    return sum(right - left for left, right in ranges)


def _compose(known: YieldFunction, ranges: Ranges, others: Ranges) -> Ranges | None:
    """Return the ranges of the mother, or None if the ranges of the children do not fit."""
    following = iter(ranges), iter(others)
    composed: list[Range] = []
    for component in known:
        start = end = -1
        for child in component:
            left, right = next(following[child])
            if start < 0:
                start = left
            elif left != end:
                return None
            end = right
        if composed and start <= composed[-1][1]:
            return None
        composed.append((start, end))
    return tuple(composed)
