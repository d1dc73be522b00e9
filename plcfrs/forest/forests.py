"""Parsers that learn to judge forests: forests to learn from, and what their training shares.

All experts of a treebank can judge the same forests, since they binarize trees in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf

from plcfrs.budget import Budget
from plcfrs.chart import ChartParser, Forest, ParseResult
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.multipliers import train_shares
from plcfrs.forest.votes import LOG_RATIO, MOST_ITEMS
from plcfrs.grammar import Grammar, Markovization, binarize_tree, extract, tag
from plcfrs.grammar.report import oddities
from plcfrs.learning.runner import AnyModel, Trainer
from plcfrs.settings import setting, to_texts
from plcfrs.trees import Tree

# Without a limit of time, so that the same seed gives the same model everywhere.
_BUDGET = Budget(max_seconds=inf)

# How trees are binarized for experts.
MARKOVIZATION = Markovization("head-outward", horizontal=1)

# Bounds of the search are learned from trees of up to this many tokens, and up to this many trees.
_SHORT = 40
_SENTENCES = 1000


@dataclass(frozen=True)
class MarkovizationSettings(Markovization):
    """Settings of the grammar that makes the forests of an expert."""

    horizontal: float = setting(
        MARKOVIZATION.horizontal,
        "How many siblings a Markovized symbol remembers: 0 for a small treebank, whose grammar "
        "would lack parses.",
        least=0,
    )

    @property
    def markovization(self) -> Markovization:
        """How the trees are binarized."""
        return Markovization(self.binarization, self.horizontal, self.vertical)


# For trees whose heads are not marked.
_HEADLESS = replace(MARKOVIZATION, binarization="left-to-right")


def grammar_of(trees: Iterable[Tree], markovization: Markovization = MARKOVIZATION) -> Grammar:
    """Return the grammar of trees, which are binarized.

    The trees must have no null elements, and marked heads if the binarization needs them.
    """
    grammar = extract(binarize_tree(tree, markovization) for tree in trees)
    grammar.options = to_texts(markovization)
    return grammar


def jackknifed_forests(
    trees: Sequence[Tree], folds: int, markovization: Markovization = MARKOVIZATION
) -> Iterator[tuple[int, Forest | None]]:
    """Yield the number of each tree, and the forest of its sentence by a grammar of other trees.

    The trees, transformed and with heads, are split into `folds` parts: each part gets the grammar
    of the others. The forest is None if the grammar does not derive the sentence.
    """
    for first in range(folds):
        others = [tree for number, tree in enumerate(trees) if number % folds != first]
        grammar = grammar_of(others, markovization) if others else None
        parser = ChartParser(grammar, budget=_BUDGET) if grammar else None
        for number in range(first, len(trees), folds):
            yield number, _forest_of(parser, trees[number]) if parser else None


def forest_of_parses(parses: Sequence[Tree]) -> tuple[ParseResult, Forest | None]:
    """Return the best parse by the rules of some parses, and the forest of these rules.

    At least one parse is given. See `ChartParser.parse_with_forest`.
    """
    parser = ChartParser(grammar_of(parses, _HEADLESS))
    tokens = zip(*(tree.tokens for tree in parses), strict=True)
    candidates = [{tag(token.tag): 0.0 for token in same} for same in tokens]
    return parser.parse_with_forest(candidates, LOG_RATIO, MOST_ITEMS)


def _forest_of(parser: ChartParser, tree: Tree) -> Forest | None:
    candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
    return parser.parse_with_forest(candidates, LOG_RATIO, MOST_ITEMS)[1]


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
