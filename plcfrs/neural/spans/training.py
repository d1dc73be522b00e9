"""Training of span scorers with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from plcfrs.experts.forests import jackknifed_forests
from plcfrs.neural.inputs import Input
from plcfrs.neural.learning import NetworkTraining
from plcfrs.neural.spans.network import Networks, loss_of
from plcfrs.neural.spans.parts import Targets, all_spans, parts_of
from plcfrs.neural.spans.scorer import SpanScorer, forest_parts
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.neural.vocabulary import Int32, Numbers, Vocabulary
from plcfrs.trees import Tree


class Training(NetworkTraining[Networks, SpanSettings]):
    """Training of the networks of a span scorer, epoch by epoch.

    All learn from the same batches; what differs are their first weights, and what dropout leaves
    out.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed, with heads.
    settings : SpanSettings
    inputs : sequence of Input
        Further vectors of the words, see `plcfrs.neural.inputs.read_inputs`.
    """

    def __init__(
        self, trees: Sequence[Tree], settings: SpanSettings, inputs: Sequence[Input] = ()
    ) -> None:
        self._trees = trees
        self._parts = [parts_of(tree, settings.gaps) for tree in trees]
        labels = sorted({part.label for parts in self._parts for part in parts})
        sentences = [tree.tokens for tree in trees]
        super().__init__(sentences, Vocabulary.of(sentences, labels), settings, inputs)
        self._numbers = {label: number for number, label in enumerate(labels)}
        self._spans = {
            number: self._targets(number, all_spans(len(tree.tokens)))
            for number, tree in enumerate(trees)
        }
        self._gaps: dict[int, Targets] = {}

    @property
    def needs_forests(self) -> bool:
        """Whether what could be a constituent with a gap has to be found in forests."""
        return self.settings.gaps == "joint"

    def find_forests(self, step: Callable[[], object] = lambda: None) -> int:
        """Find what could be a constituent with a gap by a grammar of other trees.

        Parameters
        ----------
        step : callable
            Called after each sentence.

        Returns
        -------
        int
            The number of such parts.
        """
        trees, settings = self._trees, self.settings
        for number, forest in jackknifed_forests(trees, settings.folds, settings.markovization):
            found = [] if forest is None else [part for _, part in forest_parts(forest, "joint")]
            gold = self._parts[number]
            borders = sorted({part.borders for part in (*found, *gold) if len(part.borders) > 2})
            self._gaps[number] = self._targets(number, np.array(borders, np.int32).reshape(-1, 4))
            step()
        return sum(len(each.borders) for each in self._gaps.values())

    def scorer(self) -> SpanScorer:
        """Return a scorer with the average of the weights so far."""
        network, inputs = self._average_weights()
        return SpanScorer(self.settings, self.vocabulary, network, inputs)

    def _targets(self, number: int, borders: Int32) -> Targets:
        return Targets.of(borders, self._parts[number], self._numbers)

    def _prepare(self, random: np.random.Generator) -> None:  # noqa: ARG002 (the same always)
        if self.needs_forests and not self._gaps:
            self.find_forests()

    def _new_network(self, further_size: int) -> Networks:
        return Networks(self.settings, self.vocabulary, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        """Return the mean of the losses of all networks."""
        kinds = [self._spans, self._gaps] if self.needs_forests else [self._spans]
        targets = [
            Targets.joined([kind[number] for number in batch], numbers.lengths) for kind in kinds
        ]
        losses = [loss_of(network, numbers, targets, further) for network in self._network.all()]
        return torch.stack(losses).mean()
