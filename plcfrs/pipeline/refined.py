"""A trained refined grammar, ready to parse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path

from plcfrs.binarization import Markovization
from plcfrs.chart import ParseResult
from plcfrs.chart.search import Candidates
from plcfrs.errors import GrammarError
from plcfrs.grammar import Nonterminal
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.sentence_parser import GrammarParser
from plcfrs.refinement import (
    RefinedGrammar,
    RefinedObjective,
    RefinedParser,
    Schedule,
    compile_trees,
    train_product,
)
from plcfrs.refinement.treebank import MARKOVIZATION
from plcfrs.storage.model_file import kind_of
from plcfrs.trees import Token, Tree

_SCHEDULE = Schedule()


class RefinedModel(GrammarParser[RefinedObjective]):
    """A refined grammar, or the product of several, ready to parse.

    Its objectives are "max-rule-product" and "max-rule-sum" (Petrov and Klein 2007), and that
    of a single refinement also "mpd", the most probable derivation with its substates. There are
    no n best parses.

    Parameters
    ----------
    refined : RefinedGrammar
    max_items : float
        Items that the search of one sentence may create.
    max_seconds : float
        Wall time that the search of one sentence may take.
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the unrefined grammar; see `GrammarParser`.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> model = RefinedModel.train(trees, Schedule(cycles=1))
    >>> words = "What/WP should/MD we/PRP do/VB ?/.".split()
    >>> parse = model.parse([tuple(word.split("/")) for word in words])
    >>> parse.status, parse.tree.gap_degree()
    ('parsed', 1)
    """

    def __init__(
        self,
        refined: RefinedGrammar,
        *,
        max_items: float = inf,
        max_seconds: float = inf,
        fallback: Fallback = "none",
    ) -> None:
        objectives: tuple[RefinedObjective, ...] = ("max-rule-product", "max-rule-sum")
        if len(refined.refinements) == 1:
            objectives = (*objectives, "mpd")
        super().__init__(refined.grammar, objectives, fallback, max_seconds)
        self.refined = refined
        self._parser = RefinedParser(refined, max_items=max_items, max_seconds=max_seconds)

    @classmethod
    def train(
        cls,
        trees: Iterable[Tree],
        schedule: Schedule = _SCHEDULE,
        seeds: Sequence[int] = (1,),
        markovization: Markovization = MARKOVIZATION,
    ) -> RefinedModel:
        """Train a refinement for each seed on transformed trees.

        Parameters
        ----------
        trees : iterable of Tree
            With heads marked.
        schedule : Schedule
        seeds : sequence of int
            Each gives a refinement; their product parses.
        markovization : Markovization
        """
        return cls(train_product(compile_trees(trees, markovization), schedule, seeds))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        max_items: float = inf,
        max_seconds: float = inf,
        fallback: Fallback = "none",
    ) -> RefinedModel:
        """Read a saved refined grammar; the rest is as for `RefinedModel`.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or not a refined grammar.
        """
        if kind_of(path) != "refined":
            raise GrammarError(f"{path}: not a refined grammar: use load_model or Model.load")
        refined = RefinedGrammar.load(path)
        return cls(refined, max_items=max_items, max_seconds=max_seconds, fallback=fallback)

    def save(self, path: str | Path) -> None:
        """Write the grammar with all its refinements into one file."""
        self.refined.save(path)

    def _search(
        self, tokens: list[Token], candidates: Candidates, objective: RefinedObjective
    ) -> ParseResult:
        return self._parser.parse([token.form for token in tokens], candidates, objective)

    def _tags_of(self, words: list[str]) -> list[Mapping[Nonterminal, float]]:
        return list(self._parser.tags(words))
