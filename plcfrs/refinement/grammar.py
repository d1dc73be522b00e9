"""Refined grammars: grammars whose symbols have latent substates.

A symbol A with n substates stands for n symbols A-0 ... A-(n-1). The rules are those of the
unrefined grammar, with a probability for each choice of substates. The leaves are classes of words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.refinement.estimation import estimate, first_states, rules_of_entries
from plcfrs.refinement.kernel.arrays import Refinement, Skeleton
from plcfrs.tagging import WordClasses

Pair = tuple[Nonterminal, str]


@dataclass(slots=True)
class RefinedGrammar:
    """A grammar with any number of refinements, trained from different seeds.

    Parameters
    ----------
    grammar : Grammar
        The unrefined grammar, of rank 2 at most and with counts; its lexicon has the words of the
        treebank.
    classes : WordClasses
    pairs : dict of (Nonterminal, str) to float
        Pairs of a tag and a class of words, with counts.
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
        """Return the refinement in which every symbol has one substate."""
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
    if any(array.ndim != 1 for array in refinement):
        raise ValueError
    entries = len(refinement.probability)
    sizes = [skeleton.labels, len(skeleton.rule_labels) + 1, entries, entries, entries]
    if [len(array) for array in refinement[:5]] != sizes:
        raise ValueError
    most = np.iinfo(refinement.state.dtype).max + 1
    if refinement.states.min(initial=1) < 1 or refinement.states.max(initial=1) > most:
        raise ValueError
    rule_start = refinement.rule_start
    # Comparisons, because differences of large numbers may overflow.
    if rule_start[0] or rule_start[-1] != entries or (rule_start[:-1] > rule_start[1:]).any():
        raise ValueError
    by_label = np.append(refinement.states, 1)  # the last is for the child -1
    limits = by_label[skeleton.rule_labels[rules_of_entries(refinement)]].T
    for states, limit in zip(refinement[2:5], limits, strict=True):
        if ((states < 0) | (states >= limit)).any():
            raise ValueError
    pairs = first_states(refinement.states[skeleton.pair_label])
    if (
        not np.array_equal(refinement.pair_start, pairs)
        or len(refinement.pair_probability) != pairs[-1]
    ):
        raise ValueError
    for numbers in (refinement.probability, refinement.pair_probability):
        if not ((numbers >= 0.0) & (numbers <= 1.0 + 1e-9)).all():
            raise ValueError
