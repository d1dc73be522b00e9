"""A grammar with span features that is ready to parse, and its training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.errors import TreebankError
from plcfrs.experts.forests import grammar_of
from plcfrs.features import FeatureGrammar, FeatureParser, Settings, Training
from plcfrs.features.training import State
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import oddities
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.kernels import FEATURE_LEARNING, FEATURES, SEARCH, TIGHTENING
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.shares import shares_of
from plcfrs.training import Step, Trainer, checksum
from plcfrs.transformation import Options
from plcfrs.trees import Tree

KIND = "features"


class FeatureModel(LogLinearModel):
    """A grammar with span features that is ready to parse.

    Parameters
    ----------
    model : FeatureGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND
    contents_type = FeatureGrammar

    def __init__(
        self, model: FeatureGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = FeatureParser(model, budget)

    @property
    def contents(self) -> FeatureGrammar:
        """The grammar and the weights."""
        return self.model


class FeatureTrainer(Trainer[FeatureModel]):
    """The training of the weights of features, epoch by epoch.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees with heads.
    settings : Settings
    about : mapping of str to str
        How the trees were made, for people.

    Raises
    ------
    TreebankError
        If there are no trees.
    """

    unit = "epoch"
    parser = FeatureModel
    can_resume = True

    def __init__(self, trees: Sequence[Tree], settings: Settings, about: Mapping[str, str]) -> None:
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        self._trees = trees
        self._settings = settings
        self._training = Training(trees, settings)
        self._grammar = grammar_of(trees, settings.markovization)
        self._grammar.options = {**about, **self._grammar.options}
        self._checksum = checksum(trees)
        self.rounds = range(settings.epochs + 1)
        self.steps = len(trees)

    @property
    def facts(self) -> Mapping[str, float]:
        """The number of rules."""
        return {"binarized": len(self._grammar.rules)}

    @property
    def introduction(self) -> Sequence[str]:
        """The statistics of the grammar."""
        return [f"grammar: {self._grammar}", *oddities(self._grammar)]

    @property
    def identity(self) -> Mapping[str, str]:
        """The settings on which an epoch depends, and the trees."""
        names = ("binarization", "horizontal", "vertical", "folds", "seed")
        settings = {name: str(getattr(self._settings, name)) for name in names}
        return {**settings, "training set": self._checksum}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once; epoch 0 finds their forests."""
        self._grammar.options = {**self._grammar.options, "epochs": str(number)}
        if number == 0:
            return {"forests": self._training.find_forests(step)}
        return {"log likelihood per sentence": self._training.run_epoch(number, step)}

    def model(self) -> FeatureModel:
        """Return the grammar of all trees with the weights so far."""
        grammar = replace(self._grammar)  # with the options of now
        return FeatureModel(FeatureGrammar(grammar, self._training.weights, self._shares))

    @cached_property
    def _shares(self) -> Costs:
        """The cost of each component of each rule, learned from some of the trees."""
        return shares_of(self._grammar, self._trees)

    @property
    def state(self) -> State:
        """The weights and what their next steps depend on."""
        return self._training.state

    def restore(self, state: State) -> None:
        """Continue from the weights of a state."""
        self._training.resume(state)


def _inspect(path: Path) -> Inspection:
    return Inspection(FeatureModel.load(path).grammar)


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a grammar with span features (Hall, Durrett and Klein 2014)",
        FeatureModel.load,
        FeatureTrainer,
        _inspect,
        Settings(),
        FallbackOptions(),
        (),
        frozenset({"budget", "sums", "resume"}),
        # The features include the words around, which are more informative than category splits.
        transformation=Options(splits=()),
        kernels={
            # The forest of every sentence is found with tighter bounds.
            "parsing": (SEARCH, TIGHTENING._replace(modules=()), FEATURES),
            "training": (SEARCH, TIGHTENING._replace(modules=()), FEATURE_LEARNING),
        },
    ),
)
