"""The network of a neural parser with PyTorch, and its training; the losses of its heads add up.

The transitions are scored as in Coavoux and Cohen (2019), section 4. A span is the difference of
the states of LSTMs at its ends (Stern, Andreas and Klein 2017). A span may have several labels, so
each label has its own probability.

`plcfrs.parsers.neural.network.NeuralNetwork` does the same with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.forest.forests import ForestTrainer
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import Encoding, Float32, Int32, NetworkVocabulary, Numbers
from plcfrs.networks.learning import EncodedTensors, Encoder, NetworkTrainer
from plcfrs.parsers.neural.configuration import constituents_of, inventory
from plcfrs.parsers.neural.function_training import learn_functions
from plcfrs.parsers.neural.heads import SLOTS, SpanTargets, TransitionScorer, neighbours, parts_of
from plcfrs.parsers.neural.model import NeuralModel
from plcfrs.parsers.neural.network import NeuralNetwork
from plcfrs.parsers.neural.oracle import SetExample, example
from plcfrs.parsers.neural.parser import NeuralContents, NeuralParser
from plcfrs.parsers.neural.scorers import BorderScorer, SlotScorer
from plcfrs.parsers.neural.search import sample
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.trees import Tree

_SAMPLED = 64  # sentences to sample derivations of at once: the samples depend on it


class NeuralModule(Encoder):
    """Words to vectors, vectors to scores of tags, of structure steps and labels, and of spans.

    It has only the parts that its heads need. A token may have an additional vector of the length
    `further_size`, such as a pretrained one.
    """

    def __init__(
        self,
        settings: NeuralSettings,
        vocabulary: NetworkVocabulary,
        parts: Sequence[str],
        further_size: int = 0,
    ) -> None:
        super().__init__(settings, vocabulary, further_size)
        units, hidden, dropout = 2 * settings.units, settings.hidden_size, settings.dropout
        if not self.has_tags:
            self.tagger = nn.Linear(units, len(vocabulary.tags) + 1)
        if settings.has_transitions:
            self.no_gap = nn.Parameter(torch.empty(2, units).uniform_(-0.1, 0.1))
            self.shift = nn.Parameter(torch.zeros(hidden))
            self.structure = SlotScorer(2 * SLOTS, units, hidden, 1, dropout)
            self.labels = SlotScorer(SLOTS, units, hidden, len(vocabulary.labels), dropout)
        if settings.has_spans:
            self.spans = BorderScorer(units, settings.span_size, len(parts), dropout)

    def score_structure(self, tokens: Tensor, rows: Int32) -> Tensor:
        """Return the scores of candidates, see `plcfrs.parsers.neural.search.SetScorer`.

        The tokens are vectors of the second layer (tokens, units), the rows (candidates, 8).
        """
        is_shift = self.tensor(rows[:, 0] > rows[:, SLOTS + 1]).unsqueeze(1)
        hidden = self.structure.sums(self._with_gaps(tokens), self._rows(tokens, rows))
        return self.structure.finish(hidden + is_shift * self.shift).squeeze(1)

    def score_labels(self, tokens: Tensor, rows: Int32) -> Tensor:
        """Return the scores of all labels for sets, as an array of (sets, labels)."""
        hidden = self.labels.sums(self._with_gaps(tokens), self._rows(tokens, rows))
        scores: Tensor = self.labels.finish(hidden)
        return scores

    def _with_gaps(self, tokens: Tensor) -> Tensor:
        return torch.cat([tokens, self.no_gap])

    def _rows(self, tokens: Tensor, rows: Int32) -> Tensor:
        """Return slots with the rows of the vectors for no gap, after the tokens."""
        missing = len(tokens) + np.arange(rows.shape[1], dtype=np.int32) % 2
        return self.tensor(np.where(rows < 0, missing, rows))


class StepTargets(NamedTuple):
    """The examples of a batch; its tokens are consecutive.

    Parameters
    ----------
    candidates : array of (candidates, 8)
    places : array of (structure steps, most candidates of a step)
        The rows of the candidates of each step, padded with the number of all candidates.
    right : array of (structure steps,)
    labelled : array of (label steps, 4)
    label : array of (label steps,)
    """

    candidates: Int32
    places: Int32
    right: Int32
    labelled: Int32
    label: Int32


def targets_of(examples: Sequence[SetExample], lengths: Int32) -> StepTargets:
    """Return the examples of the sentences of a batch."""
    offsets = (np.cumsum(lengths) - lengths).tolist()
    counts = np.concatenate([np.diff(example.starts) for example in examples])
    starts = np.cumsum(counts) - counts
    columns = np.arange(counts.max(initial=1))
    total = sum(len(example.candidates) for example in examples)
    return StepTargets(
        _moved([example.candidates for example in examples], offsets),
        np.where(columns < counts[:, None], starts[:, None] + columns, total).astype(np.int32),
        np.concatenate([example.right for example in examples]),
        _moved([example.labelled for example in examples], offsets),
        np.concatenate([example.label for example in examples]),
    )


def _moved(rows: Sequence[Int32], offsets: Sequence[int]) -> Int32:
    pairs = zip(rows, offsets, strict=True)
    moved = [np.where(each < 0, each, each + offset) for each, offset in pairs]
    return np.concatenate(moved, dtype=np.int32)


def loss_of_steps(
    network: NeuralModule, encoded: EncodedTensors, targets: StepTargets
) -> tuple[Tensor, Tensor]:
    """Return the sums of the negative log probabilities of structure steps and of labels."""
    tensor = network.tensor
    scores = network.score_structure(encoded.second, targets.candidates)
    filled = torch.cat([scores, scores.new_full((1,), -torch.inf)])
    places, right = tensor(targets.places), tensor(targets.right)
    structure = functional.cross_entropy(filled[places], right, reduction="sum")
    labels = network.score_labels(encoded.second, targets.labelled)
    return structure, functional.cross_entropy(labels, tensor(targets.label), reduction="sum")


def borders_of(tokens: Tensor, lengths: Int32) -> Tensor:
    """Return the vectors of all borders of a batch, given those of its tokens (tokens, units)."""
    from_left, from_right = functional.pad(tokens, (0, 0, 0, 1)).chunk(2, 1)
    left, right = (torch.from_numpy(side).to(tokens.device) for side in neighbours(lengths))
    return torch.cat([from_left.index_select(0, left), from_right.index_select(0, right)], 1)


def loss_of_parts(log_odds: Tensor, targets: SpanTargets) -> Tensor:
    """Return the sum of the negative log probabilities of all labels of parts (parts, labels)."""
    places = (torch.from_numpy(each).long() for each in (targets.rows, targets.labels))
    right = log_odds[tuple(place.to(log_odds.device) for place in places)]
    loss: Tensor = functional.softplus(log_odds).sum() - right.sum()
    return loss


class ExploredDerivations:
    """The derivations to learn from; after the first epoch, some are sampled."""

    def __init__(self, trees: Sequence[Tree], settings: NeuralSettings) -> None:
        self._settings = settings
        self._lengths = [len(tree.tokens) for tree in trees]
        self._golds = [constituents_of(tree) for tree in trees]
        self.labels = inventory(self._golds)
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        self._oracles = [self._example(number) for number in range(len(trees))]
        self._examples = self._oracles

    def targets(self, batch: Sequence[int], lengths: Int32) -> StepTargets:
        """Return the examples of the sentences of a batch, given their numbers."""
        return targets_of([self._examples[number] for number in batch], lengths)

    def explore(
        self,
        epoch: int,
        random: np.random.Generator,
        arrays: Callable[[], Mapping[str, NDArray[np.float32]]],
        read: Callable[[Sequence[int]], tuple[Numbers, Float32 | None]],
    ) -> None:
        """Choose the derivations of an epoch.

        `arrays` returns the weights of the network so far, and `read` the network's input for a
        batch. Both are called only if derivations are sampled.
        """
        examples = self._examples = list(self._oracles)
        settings = self._settings
        if settings.oracle == "static" or epoch == 1:
            return
        is_whole = settings.explored == "sentences"
        share = settings.exploration if is_whole else 1.0
        is_chosen = random.random(len(examples)) < share
        chosen = sorted(np.flatnonzero(is_chosen).tolist(), key=self._lengths.__getitem__)
        weights = arrays()
        encoding = Encoding(weights)
        for start in range(0, len(chosen), _SAMPLED):
            part = chosen[start : start + _SAMPLED]
            lengths = [self._lengths[number] for number in part]
            golds = None if is_whole else [self._golds[number] for number in part]
            follow = 1.0 if is_whole else settings.exploration
            scorer = TransitionScorer(weights, encoding.encode(*read(part)).second)
            sampled = sample(lengths, scorer, random, golds, follow)
            for number, steps in zip(part, sampled, strict=True):
                examples[number] = self._example(number, steps)

    def _example(self, number: int, steps: Sequence[int] | None = None) -> SetExample:
        return example(self._golds[number], self._lengths[number], self._numbers, steps)


class SpansOfTrees:
    """The labelled parts of all spans to learn from."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        parts = [parts_of(tree) for tree in trees]
        self.labels = tuple(sorted({part.label for each in parts for part in each}))
        numbers = {label: number for number, label in enumerate(self.labels)}
        self._targets = [
            SpanTargets.of(len(tree.tokens), each, numbers)
            for tree, each in zip(trees, parts, strict=True)
        ]

    def targets(self, batch: Sequence[int], lengths: Int32) -> SpanTargets:
        """Return the targets of the sentences of a batch, given their numbers."""
        return SpanTargets.joined([self._targets[number] for number in batch], lengths)


class NeuralTrainer(NetworkTrainer[NeuralParser, NeuralModule, NeuralSettings]):
    """The training of a neural parser, epoch by epoch; this class is for transitions alone."""

    parser = NeuralModel

    def __init__(
        self, trees: Sequence[Tree], settings: NeuralSettings, about: Mapping[str, str]
    ) -> None:
        self._derivations = (
            ExploredDerivations(trees, settings) if settings.has_transitions else None
        )
        self._spans = SpansOfTrees(trees) if settings.has_spans else None
        self._trees = trees
        labels = self._derivations.labels if self._derivations else inventory(())
        super().__init__(trees, settings, about, labels)
        self.gold_tags = settings.tags == "given"
        self._tagger = Tagger.train(self._sentences, settings.seed) if self.gold_tags else None

    def model(self) -> NeuralParser:
        """Return a parser with the average of the weights so far."""
        return NeuralModel.of(self._contents())

    def with_functions(self, model: NeuralParser) -> NeuralParser:
        """Return the parser with a head of functions over its network."""
        with self._torch(self.rounds.stop):
            network = learn_functions(model.model.network, self._trees, self.settings.seed)
        return NeuralModel.of(model.model._replace(network=network))

    def _contents(self) -> NeuralContents:
        weights, inputs = self._average_weights()
        parts = self._spans.labels if self._spans else ()
        network = NeuralNetwork(self.settings, self.vocabulary, weights, inputs, parts)
        return NeuralContents(network, dict(self.about), self._tagger)

    def _new_network(self, further_size: int) -> NeuralModule:
        parts = self._spans.labels if self._spans else ()
        return NeuralModule(self.settings, self.vocabulary, parts, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        network, lengths = self._network, numbers.lengths
        encoded = network.encode(numbers, further)
        losses: list[Tensor] = []
        if self._derivations:
            losses += loss_of_steps(network, encoded, self._derivations.targets(batch, lengths))
        if not network.has_tags:
            scores, tags = network.tagger(encoded.first), network.tensor(numbers.tags)
            losses.append(functional.cross_entropy(scores, tags, reduction="sum"))
        if self._spans:
            targets = self._spans.targets(batch, lengths)
            borders = borders_of(encoded.second, lengths)
            scores = network.spans(borders, network.tensor(targets.borders))
            losses.append(loss_of_parts(scores, targets))
        loss: Tensor = sum(losses)
        return loss

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:
        if self._derivations:
            self._derivations.explore(epoch, random, self._arrays, self._numbers_of)


class NeuralForestTrainer(NeuralTrainer, ForestTrainer[NeuralParser]):
    """The training of a neural parser that scores spans in the forests of a grammar."""

    def _contents(self) -> NeuralContents:
        return super()._contents()._replace(grammar=self.grammar, shares=self.shares)


def new_trainer(
    trees: Sequence[Tree], settings: NeuralSettings, about: Mapping[str, str]
) -> NeuralTrainer:
    """Return the training of a neural parser with the heads of the settings."""
    kind = NeuralForestTrainer if settings.has_spans else NeuralTrainer
    return kind(trees, settings, about)
