"""Refined grammars: grammars whose symbols have latent substates, and treebanks to train them on.

A symbol A with n substates stands for n symbols A-0 ... A-(n-1). Each rule of the unrefined grammar
has a probability for each choice of substates. The leaves are classes of words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.errors import TreebankError
from plcfrs.forest.forests import MARKOVIZATION
from plcfrs.grammar import (
    Derivation,
    Grammar,
    Lexicon,
    Markovization,
    Nonterminal,
    binarize_tree,
    derivation_of,
    tag,
)
from plcfrs.grammar.words import WordClasses, WordModel, forms
from plcfrs.parsers.refined.kernel import Events, Refinement, Skeleton
from plcfrs.settings import to_texts
from plcfrs.trees import Token, Tree

Pair = tuple[Nonterminal, str]
Integers = NDArray[np.signedinteger[Any]]

# Less probable entries are dropped: expectation maximization drives most of them towards 0.
_LEAST = 1e-12


@dataclass(slots=True)
class RefinedGrammar:
    """A grammar with any number of refinements, trained from different seeds.

    Parameters
    ----------
    grammar : Grammar
        The unrefined grammar, of rank 1 or 2 and with counts; its lexicon has the words of the
        treebank.
    classes : WordClasses
    pairs : dict of (Nonterminal, str) to float
        How often each tag occurs with each class of words.
    refinements : tuple of Refinement
        Labels are numbered as in `symbols`, rules and pairs as in their dicts.
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the coarse search (see `ChartParser`).
    """

    grammar: Grammar
    classes: WordClasses
    pairs: dict[Pair, float]
    refinements: tuple[Refinement, ...] = field(default=())
    shares: Costs | None = None

    @property
    def symbols(self) -> list[Nonterminal]:
        """The symbols in the order of their numbers."""
        return list(self.grammar.nonterminals())

    def skeleton(self) -> Skeleton:
        """Return the numbered rules and pairs, without substates."""
        number = {symbol: number for number, symbol in enumerate(self.symbols)}
        rules = [
            [number[rule.lhs], number[rule.rhs[0]], number[rule.rhs[1]] if rule.rank > 1 else -1]
            for rule in self.grammar.rules
        ]
        tags = [number[tag] for tag, _ in self.pairs]
        return Skeleton(
            len(number), np.array(rules, np.int32).reshape(-1, 3), np.array(tags, np.int32)
        )

    def unrefined(self) -> Refinement:
        """Return the refinement with one substate for every symbol."""
        rules, pairs = len(self.grammar.rules), len(self.pairs)
        none = np.zeros(rules, np.int16)
        skeleton = self.skeleton()
        return estimate(
            skeleton,
            Refinement(
                np.ones(skeleton.labels, np.int32),
                np.arange(rules + 1),
                none,
                none,
                none,
                np.array(list(self.grammar.probabilities().values())),
                np.arange(pairs + 1),
                np.array(list(self.pairs.values()), np.float64),
            ),
        )

    def check(self) -> None:
        """Raise a ValueError if a count is not above 0, or a refinement is damaged."""
        if not all(0 < count < inf for count in self.pairs.values()):
            raise ValueError("a count of a word is not above 0")
        skeleton = self.skeleton()
        for refinement in self.refinements:
            check_refinement(refinement, skeleton)


def check_refinement(refinement: Refinement, skeleton: Skeleton) -> None:
    """Raise a ValueError if a kernel could read or write beyond an array."""
    unfit = ValueError("its substates do not fit its rules")
    if any(array.ndim != 1 for array in refinement):
        raise unfit
    entries = len(refinement.probability)
    sizes = [skeleton.labels, len(skeleton.rule_labels) + 1, entries, entries, entries]
    if [len(array) for array in refinement[:5]] != sizes:
        raise unfit
    most = np.iinfo(refinement.state.dtype).max + 1
    if refinement.states.min(initial=1) < 1 or refinement.states.max(initial=1) > most:
        raise unfit
    rule_start = refinement.rule_start
    # Comparisons, because differences of large numbers may overflow.
    if rule_start[0] or rule_start[-1] != entries or (rule_start[:-1] > rule_start[1:]).any():
        raise unfit
    by_label = np.append(refinement.states, 1)  # the last is for the child -1
    limits = by_label[skeleton.rule_labels[rules_of_entries(refinement)]].T
    for states, limit in zip(refinement[2:5], limits, strict=True):
        if ((states < 0) | (states >= limit)).any():
            raise unfit
    pairs = first_states(refinement.states[skeleton.pair_label])
    if (
        not np.array_equal(refinement.pair_start, pairs)
        or len(refinement.pair_probability) != pairs[-1]
    ):
        raise unfit
    for numbers in (refinement.probability, refinement.pair_probability):
        if not ((numbers >= 0.0) & (numbers <= 1.0 + 1e-9)).all():
            raise unfit


class CompiledDerivations(NamedTuple):
    """The derivations of trees as arrays, and their grammar without refinements."""

    refined: RefinedGrammar
    events: Events

    @property
    def tokens(self) -> int:
        """The number of tokens in all trees."""
        return int((self.events.left < 0).sum())


def compile_trees(
    trees: Iterable[Tree], markovization: Markovization = MARKOVIZATION, rare: int = 3
) -> CompiledDerivations:
    """Binarize trees, and number their rules and pairs.

    Parameters
    ----------
    trees : iterable of Tree
        Without null elements, and with marked heads if the binarization needs them.
    markovization : Markovization
    rare : int
        Signatures replace words seen at most this often.

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
    return CompiledDerivations(
        RefinedGrammar(grammar, classes, dict(collector.pairs)), collector.events()
    )


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
        leaf_classes = (name for _, name in sorted(zip(derivation.order(), classes, strict=True)))

        def add_node(part: Derivation, children: list[int]) -> int:
            if children:
                event = self._rules[part.rule]
            else:
                pair = part.nonterminal, next(leaf_classes)
                self.pairs[pair] += 1
                event = self._numbers.setdefault(pair, len(self._numbers))
            left, right, *_ = [*children, -1, -1]
            self._rows.append((self._labels[part.nonterminal], event, left, right))
            return len(self._rows) - 1 - self._starts[-1]

        derivation.fold(add_node)
        self._starts.append(len(self._rows))

    def events(self) -> Events:
        """Return the events added so far."""
        columns = np.array(self._rows, np.int32).T
        return Events(np.array(self._starts, np.int64), *map(np.ascontiguousarray, columns))


class RefinedLexicon:
    """The lexicon of a refined grammar, ready for lookup."""

    def __init__(self, refined: RefinedGrammar) -> None:
        self._classes = refined.classes
        self._pairs = {pair: number for number, pair in enumerate(refined.pairs)}
        self._tags: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
        for (symbol, word_class), count in refined.pairs.items():
            self._tags[word_class][symbol] = count
        signatures = {name: self._tags[name] for name in refined.classes.signatures & {*self._tags}}
        self._model = WordModel(Lexicon(refined.grammar.lexicon.words, signatures))

    def tags(self, words: Sequence[str]) -> list[dict[Nonterminal, float]]:
        """Return the possible tags of each word of a sentence; see `WordModel.tags`."""
        return self._model.tags(words)

    def pairs(self, words: Sequence[str]) -> list[dict[Nonterminal, int]]:
        """Return the number of the pair of each word with each of its tags.

        If a frequent word was not seen with a tag, its signature stands for it.
        """
        signatures = self._classes.signatures_of(words)
        return [
            {
                symbol: self._pairs[symbol, name]
                for name in (signature, word)  # only frequent words have their own pairs
                for symbol in self._tags.get(name, ())
            }
            for word, signature in zip(words, signatures, strict=True)
        ]


def add_up(place: Integers, values: Costs, size: int) -> Costs:
    """Return the sums of the values at each place."""
    return np.asarray(np.bincount(place, values, size), np.float64)


def first_states(states: Int32) -> Int64:
    """Return where each symbol starts in the numbering of all substates, and its end."""
    return np.concatenate([[0], np.cumsum(states, dtype=np.int64)])


def rules_of_entries(refinement: Refinement) -> Int64:
    """Return the rule of each entry."""
    return np.repeat(np.arange(len(refinement.rule_start) - 1), np.diff(refinement.rule_start))


def owners(skeleton: Skeleton, refinement: Refinement) -> tuple[Int64, Int64]:
    """Return the substates whose distributions have the entries and the pairs."""
    first = first_states(refinement.states)
    of_entries = first[skeleton.rule_labels[rules_of_entries(refinement), 0]] + refinement.state
    sizes = np.diff(refinement.pair_start)
    place = np.arange(refinement.pair_start[-1]) - np.repeat(refinement.pair_start[:-1], sizes)
    return of_entries, np.repeat(first[skeleton.pair_label], sizes) + place


def frequencies(skeleton: Skeleton, counts: Refinement) -> Costs:
    """Return the expected count of each substate."""
    return _totals(counts, *owners(skeleton, counts))


def estimate(skeleton: Skeleton, counts: Refinement) -> Refinement:
    """Return the refinement whose probabilities are the relative frequencies of counts.

    A substate without counts gets no probabilities; it is unreachable.
    """
    of_entries, of_pairs = owners(skeleton, counts)
    totals = _totals(counts, of_entries, of_pairs)
    totals[totals == 0.0] = 1.0
    probability = counts.probability / totals[of_entries]
    kept = probability > _LEAST
    kept_before = np.concatenate([[0], np.cumsum(kept)])
    return counts._replace(
        rule_start=kept_before[counts.rule_start],
        state=counts.state[kept],
        left=counts.left[kept],
        right=counts.right[kept],
        probability=probability[kept],
        pair_probability=counts.pair_probability / totals[of_pairs],
    )


def _totals(counts: Refinement, of_entries: Int64, of_pairs: Int64) -> Costs:
    """Return the total of each substate, given the owners of entries and pairs."""
    size = int(counts.states.sum())
    totals = add_up(of_entries, counts.probability, size)
    return totals + add_up(of_pairs, counts.pair_probability, size)
