"""A grammar with a span scorer that is ready to parse, and its training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.errors import TreebankError
from plcfrs.experts.forests import grammar_of
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import oddities, some
from plcfrs.neural.inputs import read_inputs
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.spans.parser import SpanGrammar, SpanParser
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.pipeline.judging import LogLinearModel
from plcfrs.pipeline.kernels import JUDGEMENT, SEARCH, TIGHTENING
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.shares import shares_of
from plcfrs.settings import texts_of
from plcfrs.training import Step, Trainer, checksum
from plcfrs.transformation import Options
from plcfrs.trees import Tree

KIND = "spans"


class SpanModel(LogLinearModel):
    """A grammar with a span scorer that is ready to parse.

    Parameters
    ----------
    model : SpanGrammar
    fallback : {"none", "flat", "partial"}
        What to do without a parse of the grammar; see `GrammarParser`.
    budget : Budget
        For each sentence.
    """

    kind = KIND
    contents_type = SpanGrammar

    def __init__(
        self, model: SpanGrammar, fallback: Fallback = "none", budget: Budget = DEFAULT
    ) -> None:
        super().__init__(model.grammar, fallback, budget)
        self.model = model
        self._parser = SpanParser(model, budget)

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and the options of the grammar."""
        return {**texts_of(self.model.scorer.settings), **super().about}

    @property
    def contents(self) -> SpanGrammar:
        """The grammar and the span scorer."""
        return self.model


class SpanTrainer(Trainer[SpanModel]):
    """The training of a span scorer, epoch by epoch.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees with heads.
    settings : SpanSettings
    about : mapping of str to str
        How the trees were made, for people.

    Raises
    ------
    TreebankError
        If there are no trees.
    InputError
        If PyTorch is not installed, or word vectors or a pretrained encoder cannot be read.
    """

    unit = "epoch"
    parser = SpanModel
    can_resume = True

    def __init__(
        self, trees: Sequence[Tree], settings: SpanSettings, about: Mapping[str, str]
    ) -> None:
        require_torch()
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        from plcfrs.neural.spans.training import Training

        self._trees = trees
        self._settings = settings
        self._grammar = grammar_of(trees, settings.markovization)
        self._grammar.options = {**about, **self._grammar.options}
        self._training = Training(trees, settings, read_inputs(settings, [t.tokens for t in trees]))
        self.rounds = range(0 if self._training.needs_forests else 1, settings.epochs + 1)
        self.steps = len(trees)
        self.patience = settings.patience

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
        return {**texts_of(self._settings), "training set": checksum(self._trees)}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once; epoch 0 finds their forests, if they are needed."""
        self._grammar.options = {**self._grammar.options, "epochs": str(number)}
        if number == 0:
            return {"possible gaps": self._training.find_forests(step)}
        report = self._training.run_epoch(step)
        return {"loss": round(report.loss, 4), "seconds": round(report.seconds, 2)}

    def model(self) -> SpanModel:
        """Return the grammar of all trees with the average of the weights so far."""
        grammar = replace(self._grammar)  # with the options of now
        return SpanModel(SpanGrammar(grammar, self._training.scorer(), self._shares))

    @cached_property
    def _shares(self) -> Costs:
        """The cost of each component of each rule, learned from some of the trees."""
        return shares_of(self._grammar, self._trees)

    @property
    def state(self) -> object:
        """The weights and the progress of the training."""
        return self._training.state

    def restore(self, state: Any) -> None:  # noqa: ANN401 (its type needs PyTorch)
        """Continue from the weights of a state."""
        self._training.resume(state)


def _inspect(path: Path) -> Inspection:
    model = SpanModel.load(path)
    scorer = model.model.scorer
    return Inspection(
        model.grammar,
        [
            *(f"  {key}: {value}" for key, value in texts_of(scorer.settings).items()),
            f"  words: {len(scorer.vocabulary.words)} seen at least twice",
            f"  labels: {len(scorer.vocabulary.labels)} ({some(scorer.vocabulary.labels)})",
            f"  weights: {scorer.weights:,}",
            *(f"  {each.title}" for each in scorer.inputs),
        ],
    )


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a grammar with a neural span scorer (Stern, Andreas and Klein 2017)",
        SpanModel.load,
        SpanTrainer,
        _inspect,
        SpanSettings(),
        FallbackOptions(),
        (),
        frozenset({"budget", "sums", "resume"}),
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
        # The forest of every sentence is found with tighter bounds.
        kernels={"parsing": (SEARCH, TIGHTENING._replace(modules=()), JUDGEMENT)},
    ),
)
