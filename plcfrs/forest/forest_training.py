"""The training of parsers that judge the forests of a grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.multipliers import train_shares
from plcfrs.forest.forests import MarkovizationSettings, grammar_of
from plcfrs.grammar import Grammar, tag
from plcfrs.grammar.report import oddities
from plcfrs.learning.runner import AnyModel, Trainer
from plcfrs.trees import Tree

# Bounds of the search are learned from trees of up to this many tokens, and up to this many trees.
_SHORT = 40
_SENTENCES = 1000


class ForestTrainer(Trainer[AnyModel]):
    """The training of a parser that judges the forests of the grammar of all trees."""

    can_resume = True

    def __init__(
        self, trees: Sequence[Tree], settings: MarkovizationSettings, about: Mapping[str, str]
    ) -> None:
        super().__init__(trees, settings, about)
        self.trees = trees
        self.grammar = self._new_grammar()
        self.grammar.options = {**about, **self.grammar.options}

    @property
    def facts(self) -> Mapping[str, float]:
        """The number of rules."""
        return {"binarized": len(self.grammar.rules)}

    @property
    def introduction(self) -> Sequence[str]:
        """The statistics of the grammar."""
        return [f"grammar: {self.grammar}", *oddities(self.grammar)]

    def _new_grammar(self) -> Grammar:
        """Return the grammar of all trees."""
        return grammar_of(self.trees, self.settings.markovization)

    def grammar_of_now(self) -> Grammar:
        """Return the grammar; its options say how far the training is."""
        return replace(self.grammar, options={**self.grammar.options, **self.about})

    @cached_property
    def shares(self) -> Costs:
        """The cost of each component of each rule, learned from some of the trees."""
        short = some_short(self.trees, _SENTENCES)
        tagged = ([{tag(token.tag): 0.0} for token in tree.tokens] for tree in short)
        return train_shares(self.grammar, tagged)


def some_short(trees: Sequence[Tree], most: int) -> Sequence[Tree]:
    """Return up to `most` short trees, from all parts of a treebank."""
    short = [tree for tree in trees if len(tree.tokens) <= _SHORT]
    return short[:: max(1, ceil(len(short) / most))]
