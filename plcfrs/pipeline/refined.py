"""A refined grammar that is ready to parse, and its training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from plcfrs.chart import Forest, ParseResult
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.scanning import Candidates
from plcfrs.experts import Judgement, MarkovizationSettings
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.forest_training import ForestTrainer
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.posteriors import JudgingModel
from plcfrs.pipeline.sentence import Sentence
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
from plcfrs.training import Step
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


class RefinedTrainer(ForestTrainer[RefinedModel]):
    """The training of refined grammars: cycles of splitting, merging and smoothing."""

    unit = "cycle"
    parser = RefinedModel
    settings: RefinedSettings

    def __init__(
        self, trees: Sequence[Tree], settings: RefinedSettings, about: Mapping[str, str]
    ) -> None:
        self._training = compile_trees(trees, settings.markovization)
        super().__init__(trees, settings, about)
        self.trees = trees
        self.grammar = self._training.refined.grammar
        self.grammar.options = {**about, **self.grammar.options, "cycles": str(settings.cycles)}
        self._product = [
            Refining(self._training, settings.schedule, seed) for seed in settings.seeds
        ]
        self.rounds = range(settings.cycles + 1)
        self.steps = settings.schedule.steps * settings.grammars

    def _decisive(self) -> Mapping[str, str]:
        names = ("grammars", "binarization", "horizontal", "vertical", "seed")
        return {name: str(getattr(self.settings, name)) for name in names}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Refine all grammars once more; cycle 0 adds no substates."""
        cycles = run_together(self._product, number, lambda _: step(), jobs=self.settings.jobs)
        likelihood = sum(cycle.log_likelihood for cycle in cycles) / len(cycles)
        return {
            "substates": sum(int(cycle.refinement.states.sum()) for cycle in cycles),
            "log likelihood per token": likelihood / self._training.tokens,
        }

    def model(self) -> RefinedModel:
        """Return the product of the grammars in their present state."""
        refinements = tuple(each.refinement for each in self._product)
        refined = replace(self._training.refined, refinements=refinements, shares=self.shares)
        return RefinedModel(refined)

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
    ),
)
