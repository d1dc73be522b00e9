"""Random trees of a grammar, drawn by probability.

A tree has the probability that the grammar gives it, relative to all trees of up to some number of
words. So probability that is lost to infinite derivations does no harm: the sum over the
derivations of each symbol is known for each number of words, and a tree is drawn top-down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from math import exp, fsum, log
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError
from plcfrs.grammar.binarization import binarize
from plcfrs.grammar.derivation import Derivation, rebuild, unbinarize
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.rules import Nonterminal, Rule
from plcfrs.stopping import check_stopped
from plcfrs.trees import Token, Tree

_NEGLIGIBLE = 1e-16
_MOST_STEPS = 1_000_000


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
        binarized = binarize(grammar)
        self._words = words_of(grammar)
        self._sums = {tag: [*accumulate(words.values())] for tag, words in self._words.items()}
        self._probabilities = binarized.probabilities()
        self._rules: dict[Nonterminal, list[Rule]] = defaultdict(list)
        self._unary: dict[Nonterminal, list[Rule]] = defaultdict(list)  # by their children
        for rule in self._probabilities:
            self._rules[rule.lhs].append(rule)
            if rule.rank == 1:
                self._unary[rule.rhs[0]].append(rule)
        size = max_length + 1
        self._mass = {symbol: np.zeros(size) for symbol in binarized.nonterminals()}
        self._share = {rule: np.zeros(size) for rule in self._probabilities}
        for length in range(1, size):
            check_stopped()
            self._add_masses(length)
        self._start, self.lengths = grammar.start, self._mass[grammar.start].tolist()
        if not any(self.lengths):
            raise GrammarError(f"the grammar has no sentences of up to {max_length} words")

    def _add_masses(self, length: int) -> None:
        """Find the probability that a symbol becomes so many words, and the share of each rule.

        The new masses flow through unary rules, in cycles until the rest no longer counts.
        """
        new = dict.fromkeys(self._words, 1.0) if length == 1 else {}
        for rule, probability in self._probabilities.items():
            if rule.rank == 2:
                share = probability * float(self._splits(rule, length).sum())
                self._share[rule][length] = share
                new[rule.lhs] = new.get(rule.lhs, 0.0) + share
        for _ in range(_MOST_STEPS):
            if not new:
                return
            symbol, mass = new.popitem()
            self._mass[symbol][length] += mass
            for rule in self._unary[symbol]:
                share = self._probabilities[rule] * mass
                self._share[rule][length] += share
                if share > _NEGLIGIBLE * self._mass[rule.lhs][length]:
                    new[rule.lhs] = new.get(rule.lhs, 0.0) + share
        raise GrammarError(
            "the probabilities along a cycle of unary rules add up to infinity: those of the rules "
            "of one symbol must add up to 1"
        )

    def _splits(self, rule: Rule, length: int) -> NDArray[np.float64]:
        """Return the masses of a binary rule for each length of its first child, from 1."""
        first, last = (self._mass[child] for child in rule.rhs)
        return first[1:length] * last[length - 1 : 0 : -1]

    def draw(self, random: Random) -> GeneratedTree:
        """Draw a tree."""
        (length,) = random.choices(range(len(self.lengths)), self.lengths)
        todo = [(self._start, length)]
        steps: list[Rule | Nonterminal] = []  # mothers before children, from left to right
        words: list[str] = []
        probabilities: list[float] = []
        while todo:
            symbol, length = todo.pop()
            if own := self._words.get(symbol):
                steps.append(symbol)
                words += random.choices([*own], cum_weights=self._sums[symbol])
                probabilities.append(own[words[-1]])
                continue
            rules = self._rules[symbol]
            (rule,) = random.choices(rules, [self._share[rule][length] for rule in rules])
            left = length
            if rule.rank == 2:
                (left,) = random.choices(range(1, length), self._splits(rule, length).tolist())
                todo.append((rule.rhs[1], length - left))
            todo.append((rule.rhs[0], left))
            steps.append(rule)
            probabilities.append(self._probabilities[rule])
        derivation = _built(steps)
        in_order = tuple([words[leaf] for leaf in derivation.order()])
        return GeneratedTree(unbinarize(derivation), in_order, fsum(map(log, probabilities)))


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
