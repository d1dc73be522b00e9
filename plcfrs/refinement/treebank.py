"""The derivations of a treebank as arrays, to train refined grammars on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from plcfrs.binarization import Markovization, binarize_tree
from plcfrs.errors import TreebankError
from plcfrs.experts import MARKOVIZATION
from plcfrs.extraction import derivation_of
from plcfrs.grammar import Derivation, Grammar, tag
from plcfrs.refinement.grammar import Pair, RefinedGrammar
from plcfrs.refinement.kernel.arrays import Events
from plcfrs.settings import to_texts
from plcfrs.tagging import WordClasses, forms
from plcfrs.trees import Token, Tree


class TrainingSet(NamedTuple):
    """Trees to train on.

    Parameters
    ----------
    refined : RefinedGrammar
        Without refinements.
    events : Events
    """

    refined: RefinedGrammar
    events: Events

    @property
    def tokens(self) -> int:
        """The number of tokens in all trees."""
        return int((self.events.left < 0).sum())


def compile_trees(
    trees: Iterable[Tree], markovization: Markovization = MARKOVIZATION, rare: int = 3
) -> TrainingSet:
    """Binarize trees, and number their rules and pairs.

    Parameters
    ----------
    trees : iterable of Tree
        Without null elements, and with heads marked if the binarization needs them.
    markovization : Markovization
    rare : int
        Words seen at most this often are replaced by their signatures.

    Raises
    ------
    TreebankError
        If there are no trees, a tree cannot be derived by an LCFRS, or a head is missing.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> training = compile_trees(transform(tree) for tree in read_trees("plcfrs:demo"))
    >>> training.refined.grammar.rank()
    2
    """
    grammar = Grammar()
    derived: list[tuple[Derivation, list[Token]]] = []
    for tree in trees:
        derivation = derivation_of(binarize_tree(tree, markovization))
        derived.append((derivation, tree.tokens))
        for rule in derivation.rules():
            grammar.add(rule)
        for token in tree.tokens:
            grammar.lexicon.add(tag(token.tag), token.form)
    if not derived:
        raise TreebankError("no trees were selected: there is nothing to train on")
    counts = Counter(
        form for _, tokens in derived for form in forms([token.form for token in tokens])
    )
    classes = WordClasses.learn(counts, rare)
    collector = _Collector(grammar)
    for derivation, tokens in derived:
        collector.add(derivation, classes.of_sentence([token.form for token in tokens]))
    grammar.options = to_texts(markovization)
    return TrainingSet(RefinedGrammar(grammar, classes, dict(collector.pairs)), collector.events())


class _Collector:
    """Numbers the events of derivations, and puts them into arrays."""

    def __init__(self, grammar: Grammar) -> None:
        self.pairs: Counter[Pair] = Counter()
        self._labels = {symbol: n for n, symbol in enumerate(grammar.nonterminals())}
        self._rules = {rule: n for n, rule in enumerate(grammar.rules)}
        self._numbers: dict[Pair, int] = {}
        self._starts = [0]
        self._rows: list[tuple[int, int, int, int]] = []

    def add(self, derivation: Derivation, classes: list[str]) -> None:
        """Add the nodes of a derivation, children before mothers."""
        position = {leaf: position for position, leaf in enumerate(derivation.order())}
        leaves = 0
        waiting: list[int] = []
        for node, below in enumerate(derivation.bottom_up()):
            left = right = -1
            if below.children:
                left, right, *_ = [*waiting[len(waiting) - len(below.children) :], -1]
                del waiting[len(waiting) - len(below.children) :]
                event = self._rules[below.rule]
            else:
                pair = below.nonterminal, classes[position[leaves]]
                self.pairs[pair] += 1
                event = self._numbers.setdefault(pair, len(self._numbers))
                leaves += 1
            waiting.append(node)
            self._rows.append((self._labels[below.nonterminal], event, left, right))
        self._starts.append(len(self._rows))

    def events(self) -> Events:
        """Return the events added so far."""
        columns = np.array(self._rows, np.int32).T
        return Events(np.array(self._starts, np.int64), *map(np.ascontiguousarray, columns))
