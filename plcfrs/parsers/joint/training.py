"""Training of joint parsers with PyTorch: the losses of all heads of the network add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor

from plcfrs.forest.forest_training import ForestTrainer
from plcfrs.networks.encoding import Numbers, Vocabulary
from plcfrs.networks.learning import NetworkTrainer
from plcfrs.parsers.joint.model import JointModel
from plcfrs.parsers.joint.network import JointGrammar, JointNetwork, JointSettings
from plcfrs.parsers.set_based.training import Derivations, loss_of_steps
from plcfrs.parsers.set_based.training import Network as SetBasedNetwork
from plcfrs.parsers.spans.parts import Targets, all_spans, parts_of
from plcfrs.parsers.spans.training import BorderScorer, borders_of, loss_of_parts
from plcfrs.trees import Tree


class Network(SetBasedNetwork):
    """Words to vectors, vectors to scores of tags, set-based steps and labels, and spans."""

    def __init__(
        self,
        settings: JointSettings,
        vocabulary: Vocabulary,
        parts: Sequence[str],
        further_size: int = 0,
    ) -> None:
        super().__init__(settings, vocabulary, further_size)
        sizes = 2 * settings.recurrent_size, settings.span_size, len(parts)
        self.spans = BorderScorer(1, *sizes, settings.dropout)


class JointTrainer(NetworkTrainer[JointModel, Network, JointSettings], ForestTrainer[JointModel]):
    """The training of a joint parser, epoch by epoch."""

    parser = JointModel
    gold_tags = False

    def __init__(
        self, trees: Sequence[Tree], settings: JointSettings, about: Mapping[str, str]
    ) -> None:
        self._derivations = Derivations(trees, settings)
        parts = [parts_of(tree, "factored") for tree in trees]
        self._parts = tuple(sorted({part.label for each in parts for part in each}))
        numbers = {label: number for number, label in enumerate(self._parts)}
        self._spans = [
            Targets.of(all_spans(len(tree.tokens)), each, numbers)
            for tree, each in zip(trees, parts, strict=True)
        ]
        super().__init__(trees, settings, about, self._derivations.labels)

    def model(self) -> JointModel:
        """Return the grammar of all trees with the average of the weights so far."""
        weights, inputs = self._average_weights()
        network = JointNetwork(self.settings, self.vocabulary, weights, inputs, self._parts)
        return JointModel(JointGrammar(self.grammar_of_now(), network, self.shares))

    def _new_network(self, further_size: int) -> Network:
        return Network(self.settings, self.vocabulary, self._parts, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        network = self._network
        encoded = network.encode(numbers, further)
        steps = self._derivations.targets(batch, numbers.lengths)
        loss = loss_of_steps(network, encoded, numbers, steps)
        spans = Targets.joined([self._spans[number] for number in batch], numbers.lengths)
        borders = borders_of(encoded.second, numbers.lengths)
        return loss + loss_of_parts(network.spans(borders, network.tensor(spans.borders)), spans)

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:
        self._derivations.explore(epoch, random, self._arrays, self._numbers_of)
