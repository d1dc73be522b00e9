"""The family of refined grammars: the parser, its training, and the report on its substates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from plcfrs.chart import ChartParser, Forest
from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Derivation
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.runner import Step
from plcfrs.parsers.refined.decoding import RefinedForest, RefinedObjective, RefinedSums
from plcfrs.parsers.refined.grammar import RefinedGrammar, Words, check_refinement, compile_trees
from plcfrs.parsers.refined.kernel.arrays import Refinement
from plcfrs.parsers.refined.substates import numbers_of_substates, substate_tables
from plcfrs.parsers.refined.training import Refining, Schedule, run_together
from plcfrs.parsing.decoding import best_derivation, derivation_of_edges
from plcfrs.parsing.forest_parser import ForestParser, JudgedForest
from plcfrs.parsing.forest_training import ForestTrainer
from plcfrs.parsing.grammar_parser import FallbackOptions, GrammarParser
from plcfrs.parsing.markovization import MarkovizationSettings
from plcfrs.parsing.parse import Fallback
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import LearnedParser
from plcfrs.parsing.votes import LOG_RATIO, Judgement, scores_of_edges
from plcfrs.settings import setting
from plcfrs.transformation import Options
from plcfrs.trees import Tree

_OBJECTIVES = ("max-rule-product", "max-rule-sum", "mpd")
_MOST_GRAMMARS = 1000


@dataclass(frozen=True)
class RefinedSettings(MarkovizationSettings):
    """Settings of training refined grammars; the defaults did best on a development set."""

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


class _Judged(JudgedForest):
    """A forest with the sums of refinements over all substates."""

    def __init__(
        self, forest: Forest, refined: RefinedForest, refinements: Sequence[Refinement]
    ) -> None:
        super().__init__(forest, -forest.edge_cost)
        self._refined = refined
        self._refinements = refinements

    @property
    def posterior(self) -> Costs:
        """The probability of each item without substates, the mean over all refinements."""
        posteriors = [self._refined.sums(each).posterior for each in self._refinements]
        mean: Costs = np.mean(posteriors, axis=0)
        return mean

    def best(self, objective: str | None) -> tuple[float, Derivation] | None:
        """Return the best derivation, and its cost; None if none is possible.

        Edges that are possible one by one may be impossible together with the same substates: then
        the cost is infinite.
        """
        if objective == "mpd":
            cost, edges = self._refined.most_probable(self._refinements[0])
            return (cost, derivation_of_edges(self.forest, edges)) if cost < inf else None
        judgement = self.judgement(objective)
        if judgement is None:
            return None
        edges = best_derivation(self.forest, scores_of_edges(self.forest, judgement)).edges
        costs = [self._refined.cost(edges, each) for each, _ in self._possible]
        return float(np.mean(costs)), derivation_of_edges(self.forest, edges)

    def judgement(self, objective: str | None) -> Judgement | None:
        """Return the scores of an objective; None if the refinements have no derivation."""
        sums = [sums for _, sums in self._possible]
        chosen = cast(RefinedObjective, objective or _OBJECTIVES[0])
        return self._refined.judge(sums, chosen) if sums else None

    @cached_property
    def _possible(self) -> list[tuple[Refinement, RefinedSums]]:
        """The refinements that have a derivation in the forest, and their sums."""
        possible: list[tuple[Refinement, RefinedSums]] = []
        for each in self._refinements:
            sums = self._refined.sums(each, possible[0][1] if possible else None)
            if sums.log_probability > -inf:
                possible.append((each, sums))
        return possible


class RefinedModel(ForestParser, LearnedParser):
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
    capabilities = frozenset({"budget", "sums"})
    log_ratios = (LOG_RATIO, 2 * LOG_RATIO)
    contents_type = RefinedGrammar
    _meaning = "ln p in the refined grammars, of words relative to their tags"

    def __init__(
        self, refined: RefinedGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        chart = ChartParser(refined.grammar, budget=budget, shares=refined.shares)
        super().__init__(refined.grammar, chart, fallback, budget)
        self.objectives = _OBJECTIVES if len(refined.refinements) == 1 else _OBJECTIVES[:2]
        self.refined = refined
        self._unrefined = refined.unrefined()

    @cached_property
    def lexicon(self) -> Words:
        """What knows the tags of words, and their substates."""
        return Words(self.refined)

    @property
    def contents(self) -> RefinedGrammar:
        """The grammar with all its refinements."""
        return self.refined

    def judge(self, sentence: Sentence, forest: Forest) -> Judgement | None:
        """Return the scores of "max-rule-product"; of a forest of another grammar, votes."""
        if forest.compiled.rules == self._chart.rules:
            return self.judged(sentence, forest).judgement("max-rule-product")
        return GrammarParser.judge(self, sentence, forest)

    def judged(self, sentence: Sentence, forest: Forest) -> _Judged:
        """Return a forest of the unrefined grammar with the sums over all substates."""
        refined = RefinedForest(forest, self.lexicon.pairs(sentence.words), self._unrefined)
        return _Judged(forest, refined, self.refined.refinements)


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
        RefinedModel.capabilities | {"resume"},
        # Substates learn the category splits, and more.
        transformation=Options(splits=()),
    ),
)
