"""Refined grammars: grammars whose symbols have latent substates.

A symbol A with n substates stands for n symbols A-0 ... A-(n-1). The rules are those of the
unrefined grammar, with a probability for each choice of substates. The leaves are classes of words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.refinement.estimation import estimate
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

    @staticmethod
    def load(path: str | Path) -> RefinedGrammar:
        """Read a refined grammar.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a refined grammar.
        """
        from plcfrs.refinement.files import load

        return load(path)

    def save(self, path: str | Path) -> None:
        """Write the grammar with all its refinements into one file.

        Parameters
        ----------
        path : str or Path
        """
        from plcfrs.refinement.files import save

        save(self, path)
