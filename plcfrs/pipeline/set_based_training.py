"""Training of set-based parsers with PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from plcfrs.neural.forward import Forward
from plcfrs.neural.learning import NetworkTrainer
from plcfrs.neural.network import Network
from plcfrs.neural.parser import BATCH, SetParser
from plcfrs.neural.settings import Settings
from plcfrs.neural.targets import Targets, targets_of
from plcfrs.neural.vocabulary import Numbers
from plcfrs.pipeline.set_based import SetBasedModel
from plcfrs.tagging.tagger import Tagger
from plcfrs.transition.sets.constituents import constituents_of, inventory
from plcfrs.transition.sets.examples import Example, example
from plcfrs.transition.sets.search import sample
from plcfrs.trees import Tree


class SetBasedTrainer(NetworkTrainer[SetBasedModel, Network, Settings]):
    """The training of a set-based parser, epoch by epoch."""

    parser = SetBasedModel

    def __init__(self, trees: Sequence[Tree], settings: Settings, about: Mapping[str, str]) -> None:
        self._golds = [constituents_of(tree) for tree in trees]
        super().__init__(trees, settings, about, inventory(self._golds))
        self.rounds = range(1, settings.epochs + 1)
        self.gold_tags = settings.tags == "given"
        self._tagger = Tagger.train(self._sentences, settings.seed) if self.gold_tags else None
        self._labels = {label: number for number, label in enumerate(self.vocabulary.labels)}
        self._derivations = [self._example(number) for number in range(len(trees))]  # the oracle's
        self._examples = self._derivations

    def model(self) -> SetBasedModel:
        """Return a parser with the average of the weights so far."""
        network, inputs = self._average_weights()
        parser = SetParser(self.settings, self.vocabulary, network, inputs)
        return SetBasedModel(parser, self._tagger, self.about)

    def _new_network(self, further_size: int) -> Network:
        return Network(self.settings, self.vocabulary, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        targets = targets_of([self._examples[number] for number in batch], numbers.lengths)
        return loss_of(self._network, numbers, targets, further)

    def _example(self, number: int, steps: Sequence[int] | None = None) -> Example:
        gold, length = self._golds[number], len(self._sentences[number])
        return example(gold, length, self._labels, steps)

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:
        """Make the examples of an epoch; after the first one, some are of sampled derivations."""
        examples = self._examples = list(self._derivations)
        settings = self.settings
        if settings.oracle == "static" or epoch == 1:
            return
        is_whole = settings.explored == "sentences"
        share = settings.exploration if is_whole else 1.0
        is_chosen = random.random(len(examples)) < share
        chosen = sorted(
            np.flatnonzero(is_chosen).tolist(), key=lambda number: len(self._sentences[number])
        )
        weights = {name: weight.cpu().numpy() for name, weight in self._weights().items()}
        forward = Forward(weights)
        for start in range(0, len(chosen), BATCH):
            part = chosen[start : start + BATCH]
            sentences = [self._sentences[number] for number in part]
            numbers = self.vocabulary.numbers(sentences)
            scorer = forward.scorer(forward.encode(numbers, self._inputs.encode(sentences)))
            golds = None if is_whole else [self._golds[number] for number in part]
            follow = 1.0 if is_whole else settings.exploration
            sampled = sample(numbers.lengths.tolist(), scorer, random, golds, follow)
            for number, steps in zip(part, sampled, strict=True):
                examples[number] = self._example(number, steps)


def loss_of(
    network: Network, numbers: Numbers, targets: Targets, further: Tensor | None = None
) -> Tensor:
    """Return the sum of the negative log probabilities of what a batch has to learn."""
    encoded = network.encode(numbers, further)
    scores = network.score_structure(encoded.second, targets.candidates)
    filled = torch.cat([scores, scores.new_full((1,), -torch.inf)])
    tensor = network.tensor
    loss = functional.cross_entropy(
        filled[tensor(targets.places)], tensor(targets.right), reduction="sum"
    )
    labels = network.score_labels(encoded.second, targets.labelled)
    loss = loss + functional.cross_entropy(labels, tensor(targets.label), reduction="sum")
    if not network.has_tags:
        tags = network.tagger(encoded.first)
        loss = loss + functional.cross_entropy(tags, tensor(numbers.tags), reduction="sum")
    return loss
