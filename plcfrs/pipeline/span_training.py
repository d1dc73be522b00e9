"""Training of span scorers with PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from plcfrs.experts.forests import grammar_of, jackknifed_forests
from plcfrs.neural.learning import NetworkTrainer
from plcfrs.neural.spans.grammar import SpanGrammar
from plcfrs.neural.spans.network import Networks, loss_of
from plcfrs.neural.spans.parts import Targets, all_spans, parts_of
from plcfrs.neural.spans.scorer import SpanScorer, forest_parts
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.neural.vocabulary import Int32, Numbers
from plcfrs.pipeline.forest_training import ForestTrainer
from plcfrs.pipeline.spans import SpanModel
from plcfrs.training import Step
from plcfrs.trees import Tree


class SpanTrainer(NetworkTrainer[SpanModel, Networks, SpanSettings], ForestTrainer[SpanModel]):
    """The training of the networks of a span scorer, epoch by epoch.

    All learn from the same batches; what differs are their first weights, and what dropout leaves
    out. Constituents with gaps are scored among those that forests have: epoch 0 finds them.
    """

    parser = SpanModel

    def __init__(
        self, trees: Sequence[Tree], settings: SpanSettings, about: Mapping[str, str]
    ) -> None:
        self.trees = trees
        self._parts = [parts_of(tree, settings.gaps) for tree in trees]
        labels = sorted({part.label for parts in self._parts for part in parts})
        super().__init__(trees, settings, about, labels)
        self.grammar = grammar_of(trees, settings.markovization)
        self.grammar.options = {**about, **self.grammar.options}
        self._needs_forests = settings.gaps == "joint"
        self.rounds = range(0 if self._needs_forests else 1, settings.epochs + 1)
        self._numbers = {label: number for number, label in enumerate(labels)}
        self._spans = {
            number: self._targets(number, all_spans(len(tree.tokens)))
            for number, tree in enumerate(trees)
        }
        self._gaps: dict[int, Targets] = {}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once; epoch 0 finds their forests, if they are needed."""
        self.grammar.options = {**self.grammar.options, "epochs": str(number)}
        if number == 0:
            self._find_forests(step)
            return {"possible gaps": sum(len(each.borders) for each in self._gaps.values())}
        return super().run(number, step)

    def model(self) -> SpanModel:
        """Return the grammar of all trees with the average of the weights so far."""
        network, inputs = self._average_weights()
        scorer = SpanScorer(self.settings, self.vocabulary, network, inputs)
        grammar = replace(self.grammar)  # with the options of now
        return SpanModel(SpanGrammar(grammar, scorer, self.shares))

    def _find_forests(self, step: Step) -> None:
        """Find what could be a constituent with a gap by a grammar of other trees."""
        trees, settings = self.trees, self.settings
        for number, forest in jackknifed_forests(trees, settings.folds, settings.markovization):
            found = [] if forest is None else [part for _, part in forest_parts(forest, "joint")]
            gold = self._parts[number]
            borders = sorted({part.borders for part in (*found, *gold) if len(part.borders) > 2})
            self._gaps[number] = self._targets(number, np.array(borders, np.int32).reshape(-1, 4))
            step()

    def _targets(self, number: int, borders: Int32) -> Targets:
        return Targets.of(borders, self._parts[number], self._numbers)

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:  # noqa: ARG002
        if self._needs_forests and not self._gaps:  # after a resumption
            self._find_forests(lambda: None)

    def _new_network(self, further_size: int) -> Networks:
        return Networks(self.settings, self.vocabulary, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        """Return the mean of the losses of all networks."""
        kinds = [self._spans, self._gaps] if self._needs_forests else [self._spans]
        targets = [
            Targets.joined([kind[number] for number in batch], numbers.lengths) for kind in kinds
        ]
        losses = [loss_of(network, numbers, targets, further) for network in self._network.all()]
        return torch.stack(losses).mean()
