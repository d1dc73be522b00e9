"""A refined grammar that is ready to parse, and its training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, cast

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import Judgement, MarkovizationSettings
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import oddities
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.kernels import SEARCH, SUBSTATE_EVENTS, SUBSTATES, TIGHTENING
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.posteriors import JudgingModel
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.shares import shares_of
from plcfrs.refinement import (
    RefinedGrammar,
    RefinedObjective,
    RefinedParser,
    Refining,
    Schedule,
    compile_trees,
    run_together,
)
from plcfrs.refinement.grammar import check_refinement
from plcfrs.refinement.kernel.arrays import Refinement
from plcfrs.refinement.report import numbers_of_substates, substate_tables
from plcfrs.settings import setting
from plcfrs.training import Step as Reporter
from plcfrs.training import Trainer, checksum
from plcfrs.transformation import Options
from plcfrs.trees import Tree

_OBJECTIVES = ("max-rule-product", "max-rule-sum", "mpd")
_MOST_GRAMMARS = 1000


@dataclass(frozen=True)
class RefinedSettings(MarkovizationSettings):
    """Settings of training a refined grammar; the defaults did best on a development set."""

    cycles: int = setting(
        Schedule().cycles, "Number of cycles that split the substates in two.", least=0
    )
    grammars: int = setting(
        1,
        "Number of grammars with different seeds, whose product parses (Petrov 2010).",
        least=1,
        most=_MOST_GRAMMARS,
    )
    seed: int = setting(
        1, "Seed of the first grammar; further grammars have the seeds N+1, N+2 ...", least=0
    )
    jobs: int = setting(1, "Number of grammars that are trained at the same time.", least=1)

    @property
    def schedule(self) -> Schedule:
        """The schedule with this number of cycles."""
        return Schedule(self.cycles)

    @property
    def seeds(self) -> range:
        """The seed of each grammar."""
        return range(self.seed, self.seed + self.grammars)


class RefinedModel(JudgingModel[RefinedParser]):
    """A refined grammar, or the product of several, that is ready to parse.

    Its objectives are "max-rule-product" and "max-rule-sum" (Petrov and Klein 2007); a single
    refinement also has "mpd", the most probable derivation with its substates. There are no
    n-best parses.

    Parameters
    ----------
    refined : RefinedGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the unrefined grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = "refined"
    contents_type = RefinedGrammar
    _meaning = "ln p in the refined grammars, of words relative to their tags"

    def __init__(
        self, refined: RefinedGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(refined.grammar, fallback, budget)
        self.objectives = _OBJECTIVES if len(refined.refinements) == 1 else _OBJECTIVES[:2]
        self.refined = refined
        self._parser = RefinedParser(refined, budget)

    @property
    def contents(self) -> RefinedGrammar:
        """The grammar with all its refinements."""
        return self.refined

    def _search(self, sentence: Sentence, candidates: Candidates, objective: str) -> ParseResult:
        return self._parser.parse(sentence.words, candidates, cast(RefinedObjective, objective))

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return the scores of "max-rule-product"; of a forest of another grammar, votes.

        Parameters
        ----------
        sentence : Sentence
        forest : Forest
        """
        if forest.compiled.rules == self._parser.rules:
            return self._parser.judge(sentence.words, forest)
        return super().judge(sentence, forest)


class State(NamedTuple):
    """What is stored of a training."""

    refinements: tuple[Refinement, ...]
    random: tuple[str, ...]  # as JSON


class RefinedTrainer(Trainer[RefinedModel]):
    """The training of refined grammars: cycles of splitting, merging and smoothing.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees with heads.
    settings : RefinedSettings
    about : mapping of str to str
        How the trees were made, for people.
    """

    unit = "cycle"
    parser = RefinedModel
    can_resume = True

    def __init__(
        self, trees: Sequence[Tree], settings: RefinedSettings, about: Mapping[str, str]
    ) -> None:
        self._settings = settings
        self._training = compile_trees(trees, settings.markovization)
        grammar = self._training.refined.grammar
        grammar.options = {**about, **grammar.options, "cycles": str(settings.cycles)}
        self._product = [
            Refining(self._training, settings.schedule, seed) for seed in settings.seeds
        ]
        self.rounds = range(settings.cycles + 1)
        self.steps = settings.schedule.steps * settings.grammars
        self._checksum = checksum(trees)
        self._trees = trees

    @property
    def facts(self) -> Mapping[str, float]:
        """The number of rules without substates."""
        return {"binarized": len(self._training.refined.grammar.rules)}

    @property
    def introduction(self) -> Sequence[str]:
        """The statistics of the grammar without substates."""
        grammar = self._training.refined.grammar
        return [f"grammar: {grammar}", *oddities(grammar)]

    @property
    def identity(self) -> Mapping[str, str]:
        """The settings on which a cycle depends, and the trees."""
        names = ("grammars", "binarization", "horizontal", "vertical", "seed")
        settings = {name: str(getattr(self._settings, name)) for name in names}
        return {**settings, "training set": self._checksum}

    def run(self, number: int, step: Reporter) -> Mapping[str, float]:
        """Refine all grammars once more; cycle 0 adds no substates."""
        cycles = run_together(self._product, number, lambda _: step(), jobs=self._settings.jobs)
        likelihood = sum(cycle.log_likelihood for cycle in cycles) / len(cycles)
        return {
            "substates": sum(int(cycle.refinement.states.sum()) for cycle in cycles),
            "log likelihood per token": likelihood / self._training.tokens,
        }

    def model(self) -> RefinedModel:
        """Return the product of the grammars in their present state."""
        refinements = tuple(each.refinement for each in self._product)
        refined = replace(self._training.refined, refinements=refinements, shares=self._shares)
        return RefinedModel(refined)

    @cached_property
    def _shares(self) -> Costs:
        """The cost of each component of each rule, learned from some of the trees."""
        return shares_of(self._training.refined.grammar, self._trees)

    @property
    def state(self) -> State:
        """The refinements and the state of each random generator."""
        product = self._product
        random = (json.dumps(each.random.bit_generator.state) for each in product)
        return State(tuple(each.refinement for each in product), tuple(random))

    def restore(self, state: State) -> None:
        """Continue from the refinements and the random generators of a state."""
        skeleton = self._training.refined.skeleton()
        for refinement in state.refinements:
            check_refinement(refinement, skeleton)
        for each, refinement, random in zip(self._product, *state, strict=True):
            each.random.bit_generator.state = json.loads(random)
            each.refinement = refinement


def _inspect(path: Path) -> Inspection:
    refined = RefinedModel.load(path).refined
    return Inspection(
        refined.grammar, numbers_of_substates(refined), partial(substate_tables, refined)
    )


FAMILIES = (
    Family(
        "refined",
        "refined",
        "a grammar whose symbols have substates (Petrov et al. 2006)",
        RefinedModel.load,
        RefinedTrainer,
        _inspect,
        RefinedSettings(),
        FallbackOptions(),
        _OBJECTIVES,
        frozenset({"budget", "sums", "resume"}),
        # Substates learn the category splits, and more.
        transformation=Options(splits=()),
        kernels={
            # The forest of every sentence is found with tighter bounds.
            "parsing": (SEARCH, TIGHTENING._replace(modules=()), SUBSTATES),
            "training": (SUBSTATE_EVENTS, SEARCH, TIGHTENING),
        },
    ),
)
