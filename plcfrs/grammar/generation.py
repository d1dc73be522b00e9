"""Random trees of a grammar, drawn by probability.

A tree has the probability that the grammar gives it, relative to all trees of up to some number of
words. So probability that is lost to infinite derivations does no harm: the sum over the
derivations of each symbol is known for each number of words, and a tree is drawn top-down.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError
from plcfrs.grammar.binarization import binarize
from plcfrs.grammar.derivation import Derivation, rebuild, unbinarize
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.report import unary_cycles
from plcfrs.grammar.rules import Nonterminal, Rule, cost
from plcfrs.stopping import check_stopped
from plcfrs.trees import Token, Tree

_Floats = NDArray[np.float64]
_WAYS = 1000  # symbols with a length whose ways are kept


class GeneratedTree(NamedTuple):
    """A tree of a grammar.

    Parameters
    ----------
    derivation : Derivation
        Without intermediate symbols.
    words : tuple of str
    log_probability : float
        Of the derivation with its words, as a natural logarithm.
    """

    derivation: Derivation
    words: tuple[str, ...]
    log_probability: float

    @property
    def probability(self) -> float:
        """The probability of the derivation with its words."""
        return exp(self.log_probability)

    @property
    def depth(self) -> int:
        """The most constituents above a word."""
        return self.derivation.fold(lambda part, depths: max(depths) + 1 if part.children else 0)

    def tree(self, id: str = "") -> Tree:
        """Return the tree, without category splits."""
        pairs = zip(self.words, self.derivation.tags(), strict=True)
        tokens = [Token(word, tag.category) for word, tag in pairs]
        return rebuild(self.derivation, tokens, id).forget_splits()


def words_of(grammar: Grammar) -> dict[Nonterminal, dict[str, float]]:
    """Return the words of each tag with their probabilities; without a lexicon, tags are words."""
    if not grammar.lexicon.words:
        defined = {rule.lhs for rule in grammar.rules}
        return {tag: {str(tag): 1.0} for tag in grammar.nonterminals() if tag not in defined}
    words: dict[Nonterminal, dict[str, float]] = {}
    for word, tags in grammar.lexicon.probabilities().items():
        for tag, probability in tags.items():
            words.setdefault(tag, {})[word] = probability
    return words


def productive_rules(grammar: Grammar, tags: Iterable[Nonterminal]) -> dict[Rule, float]:
    """Return the rules from which words can be derived, with their probabilities."""
    productive, size = set(tags), -1
    while size < len(productive):
        size = len(productive)
        productive |= {rule.lhs for rule in grammar.rules if productive.issuperset(rule.rhs)}
    rules = grammar.probabilities().items()
    return {rule: p for rule, p in rules if productive.issuperset(rule.rhs)}


class _RuleArrays:
    """Rules of rank 1 or 2, with the numbers of their symbols."""

    def __init__(self, rules: Mapping[Rule, float], numbers: Mapping[Nonterminal, int]) -> None:
        self.rules = list(rules)
        self.probability = np.array(list(rules.values()), float)
        self.lhs = np.array([numbers[rule.lhs] for rule in rules], np.int64)
        self.first = np.array([numbers[rule.rhs[0]] for rule in rules], np.int64)
        self.last = np.array([numbers[rule.rhs[-1]] for rule in rules], np.int64)

    def of_pairs(self, masses: _Floats, length: int) -> _Floats:
        """Return the mass of each binary rule, for each length of its first child from 1."""
        pairs = masses[self.first, 1:length] * masses[self.last, length - 1 : 0 : -1]
        return self.probability[:, None] * pairs

    def of_singles(self, masses: _Floats) -> _Floats:
        """Return the mass of each unary rule, given the masses of all symbols."""
        return self.probability * masses[self.first]

    def by_symbol(self, masses: _Floats, symbols: int) -> _Floats:
        """Return the sum of the masses of the rules of each symbol."""
        return np.bincount(self.lhs, masses, minlength=symbols).astype(float)


class TreeSampler:
    """Draws random trees of a grammar, of up to `max_length` words.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> grammar = Grammar({Rule(s, (s, s), ((0, 1),)): 9, Rule(s, (a,), ((0,),)): 1}, start=s)
    >>> print(TreeSampler(grammar).draw(Random(1)).derivation)
    (S (a 0))
    """

    def __init__(self, grammar: Grammar, max_length: int = 100) -> None:
        grammar.check_start()
        self._words = {
            tag: (list(words), list(accumulate(words.values())), [*map(cost, words.values())])
            for tag, words in words_of(grammar).items()
        }
        binarized = binarize(grammar)
        rules = productive_rules(binarized, self._words)
        self._costs = {rule: cost(p) for rule, p in rules.items()}
        self._start = grammar.start
        self._numbers = {symbol: number for number, symbol in enumerate(binarized.nonterminals())}
        self._masses = self._find_masses(rules, max_length)
        self.lengths = np.cumsum(self._masses[self._numbers[self._start]])
        if not self.lengths[-1]:
            raise GrammarError(f"the grammar has no sentences of up to {max_length} words")
        rules_of: dict[Nonterminal, dict[Rule, float]] = defaultdict(dict)
        for rule, probability in rules.items():
            rules_of[rule.lhs][rule] = probability
        self._rules_of = {symbol: self._by_rank(own) for symbol, own in rules_of.items()}
        self._ways = lru_cache(_WAYS)(self._find_ways)

    def draw(self, random: Random) -> GeneratedTree:
        """Draw a tree."""
        todo = [(self._start, _drawn(self.lengths, random))]
        steps: list[Rule | Nonterminal] = []  # mothers before children, from left to right
        words, total = [], 0.0
        while todo:
            symbol, length = todo.pop()
            if symbol in self._words:
                own, sums, costs = self._words[symbol]
                place = min(bisect(sums, random.random() * sums[-1]), len(own) - 1)
                words.append(own[place])
                total += costs[place]
                steps.append(symbol)
                continue
            singles, pairs = self._rules_of[symbol]
            way = _drawn(self._ways(symbol, length), random) - len(singles.rules)
            if way < 0:
                rule = singles.rules[way]
                todo.append((rule.rhs[0], length))
            else:
                number, left = divmod(way, length - 1)
                rule = pairs.rules[number]
                todo += [(rule.rhs[1], length - left - 1), (rule.rhs[0], left + 1)]
            steps.append(rule)
            total += self._costs[rule]
        derivation = _built(steps)
        in_order = tuple([words[leaf] for leaf in derivation.order()])
        return GeneratedTree(unbinarize(derivation), in_order, 0.0 - total)

    def _by_rank(self, rules: Mapping[Rule, float]) -> tuple[_RuleArrays, _RuleArrays]:
        """Return the unary rules and the binary rules."""
        singles, pairs = (
            _RuleArrays({rule: p for rule, p in rules.items() if rule.rank == rank}, self._numbers)
            for rank in (1, 2)
        )
        return singles, pairs

    def _find_ways(self, symbol: Nonterminal, length: int) -> _Floats:
        """Return sums of the masses of unary rules, then of binary rules with each length."""
        singles, pairs = self._rules_of[symbol]
        masses = self._masses
        ways = singles.of_singles(masses[:, length]), pairs.of_pairs(masses, length)
        return np.cumsum(np.append(*ways))

    def _find_masses(self, rules: Mapping[Rule, float], max_length: int) -> _Floats:
        """Return the probability that a symbol becomes so many words: shape (symbols, lengths)."""
        size = len(self._numbers)
        masses = np.zeros((size, max_length + 1))
        singles, pairs = self._by_rank(rules)
        close = _UnaryClosure(singles, self._numbers)
        for length in range(1, max_length + 1):
            check_stopped()
            own = pairs.by_symbol(pairs.of_pairs(masses, length).sum(axis=1), size)
            if length == 1:
                own[[self._numbers[tag] for tag in self._words if tag in self._numbers]] = 1
            masses[:, length] = close(own)
        if not np.isfinite(masses).all():
            raise GrammarError("the probabilities of some symbol add up to infinity")
        return masses


class _UnaryClosure:
    """Adds to the masses of symbols the masses of their unary rules, also of cycles of them."""

    def __init__(self, singles: _RuleArrays, numbers: Mapping[Nonterminal, int]) -> None:
        cycles = unary_cycles(Grammar(dict.fromkeys(singles.rules, 1.0)))
        component = np.full(len(numbers), -1)
        for number, cycle in enumerate(cycles):
            component[[numbers[symbol] for symbol in cycle]] = number
        self._members = np.flatnonzero(component >= 0)
        self._singles = singles
        self._is_inner = component[singles.lhs] == component[singles.first]
        self._is_inner &= component[singles.lhs] >= 0
        place = np.cumsum(component >= 0) - 1
        inner = np.zeros((len(self._members), len(self._members)))
        at = place[singles.lhs[self._is_inner]], place[singles.first[self._is_inner]]
        inner[at] = singles.probability[self._is_inner]
        try:
            self._closure = np.linalg.inv(np.eye(len(inner)) - inner)
        except np.linalg.LinAlgError:
            self._closure = np.full(inner.shape, -1.0)
        if (self._closure < 0).any():
            raise GrammarError(
                "the probabilities along a cycle of unary rules add up to infinity: the "
                "probabilities of the rules of one symbol must add up to 1"
            )

    def __call__(self, own: _Floats) -> _Floats:
        masses = own
        while True:
            of_rules = np.where(self._is_inner, 0, self._singles.of_singles(masses))
            new = own + self._singles.by_symbol(of_rules, len(own))
            new[self._members] = self._closure @ new[self._members]
            if (new == masses).all():
                return new
            masses = new


def _drawn(sums: _Floats, random: Random) -> int:
    """Draw a number by its weight, given the sums of the weights up to each number."""
    return int(np.searchsorted(sums, random.random() * sums[-1], "right"))


def _built(steps: Sequence[Rule | Nonterminal]) -> Derivation:
    """Return the derivation of rules and tags, mothers before children, from left to right."""
    built: list[Derivation] = []
    for step in reversed(steps):
        if isinstance(step, Rule):
            children = tuple([built.pop() for _ in step.rhs])
            built.append(Derivation(step.lhs, step.yield_function, children))
        else:
            built.append(Derivation(step))
    return built[0]
