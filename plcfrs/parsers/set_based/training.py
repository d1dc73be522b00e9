"""Training of set-based parsers with PyTorch: the network, and what it learns from a batch.

The network is that of Coavoux and Cohen (2019), section 4; `Forward` does the same in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoder import Encoded, Encoder, drop
from plcfrs.networks.encoding import Float32, Int32, Numbers, Vocabulary
from plcfrs.networks.learning import NetworkTrainer
from plcfrs.parsers.set_based.configuration import constituents_of, inventory
from plcfrs.parsers.set_based.model import SetBasedModel
from plcfrs.parsers.set_based.network import SLOTS, Forward, Settings
from plcfrs.parsers.set_based.oracle import Example, example
from plcfrs.parsers.set_based.parser import BATCH, SetParser
from plcfrs.parsers.set_based.search import sample
from plcfrs.trees import Tree


class SlotScorer(nn.Module):
    """A feed-forward network with two hidden layers over the tokens in slots.

    The first layer is linear in each slot, so it is computed once for each token and slot; the
    rows of the tokens of a set are added up.
    """

    def __init__(self, slots: int, size: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.slots = slots
        self.rows = nn.Linear(size, slots * hidden, bias=False)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.hidden = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, outputs)
        self.dropout = dropout
        bound = (6 / (slots * size + hidden)) ** 0.5  # Glorot's, for all slots as one layer
        nn.init.uniform_(self.rows.weight, -bound, bound)
        for layer in (self.hidden, self.output):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def sums(self, tokens: Tensor, rows: Tensor) -> Tensor:
        """Return the first layer before its nonlinearity, as a tensor of (sets, hidden)."""
        table = self.rows(tokens).view(len(tokens) * self.slots, -1)
        places = rows * self.slots + torch.arange(self.slots, device=rows.device)
        return functional.embedding_bag(places, table, mode="sum") + self.bias

    def finish(self, sums: Tensor) -> Tensor:
        """Return the scores, as a tensor of (sets, outputs)."""
        hidden = torch.tanh(self.hidden(self._drop(torch.tanh(sums))))
        scores: Tensor = self.output(self._drop(hidden))
        return scores

    def _drop(self, rows: Tensor) -> Tensor:
        return drop(rows, self.dropout) if self.training else rows


class Network(Encoder):
    """Words to vectors, vectors to scores of tags, structure steps and labels.

    A token may have a further vector of the length `further_size`, such as a pretrained one.
    """

    def __init__(self, settings: Settings, vocabulary: Vocabulary, further_size: int = 0) -> None:
        super().__init__(settings, vocabulary, further_size)
        units, hidden = 2 * settings.recurrent_size, settings.hidden_size
        if not self.has_tags:
            self.tagger = nn.Linear(units, len(vocabulary.tags) + 1)
        self.no_gap = nn.Parameter(torch.empty(2, units).uniform_(-0.1, 0.1))
        self.shift = nn.Parameter(torch.zeros(hidden))
        self.structure = SlotScorer(2 * SLOTS, units, hidden, 1, settings.dropout)
        self.labels = SlotScorer(SLOTS, units, hidden, len(vocabulary.labels), settings.dropout)

    def score_structure(self, tokens: Tensor, rows: Int32) -> Tensor:
        """Return the scores of candidates, see `plcfrs.parsers.set_based.search.Scorer`.

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
        """Return slots with the rows of the vectors for no gap, which come after the tokens."""
        missing = len(tokens) + np.arange(rows.shape[1], dtype=np.int32) % 2
        return self.tensor(np.where(rows < 0, missing, rows))


class Targets(NamedTuple):
    """The examples of a batch, whose tokens are one after the other.

    Parameters
    ----------
    candidates : array of (candidates, 8)
    places : array of (structure steps, most candidates of a step)
        The rows of the candidates of each step; filled up with the number of all candidates.
    right : array of (structure steps,)
    labelled : array of (label steps, 4)
    label : array of (label steps,)
    """

    candidates: Int32
    places: Int32
    right: Int32
    labelled: Int32
    label: Int32


def targets_of(examples: Sequence[Example], lengths: Int32) -> Targets:
    """Return the examples of the sentences of a batch."""
    offsets = (np.cumsum(lengths) - lengths).tolist()
    counts = np.concatenate([np.diff(example.starts) for example in examples])
    starts = np.cumsum(counts) - counts
    columns = np.arange(counts.max(initial=1))
    total = sum(len(example.candidates) for example in examples)
    return Targets(
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


def loss_of_steps(network: Network, encoded: Encoded, numbers: Numbers, targets: Targets) -> Tensor:
    """Return the sum of the negative log probabilities of what a batch has to learn."""
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


class Derivations:
    """The derivations that are learned from; after the first epoch, some of them are sampled."""

    def __init__(self, trees: Sequence[Tree], settings: Settings) -> None:
        self._settings = settings
        self._lengths = [len(tree.tokens) for tree in trees]
        self._golds = [constituents_of(tree) for tree in trees]
        self.labels = inventory(self._golds)
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        self._oracles = [self._example(number) for number in range(len(trees))]
        self._examples = self._oracles

    def targets(self, batch: Sequence[int], lengths: Int32) -> Targets:
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

        The weights of the network so far, and what it reads of a batch, are asked for only if
        derivations are sampled.
        """
        examples = self._examples = list(self._oracles)
        settings = self._settings
        if settings.oracle == "static" or epoch == 1:
            return
        is_whole = settings.explored == "sentences"
        share = settings.exploration if is_whole else 1.0
        is_chosen = random.random(len(examples)) < share
        chosen = sorted(np.flatnonzero(is_chosen).tolist(), key=self._lengths.__getitem__)
        forward = Forward(arrays())
        for start in range(0, len(chosen), BATCH):
            part = chosen[start : start + BATCH]
            lengths = [self._lengths[number] for number in part]
            golds = None if is_whole else [self._golds[number] for number in part]
            follow = 1.0 if is_whole else settings.exploration
            scorer = forward.scorer(forward.encode(*read(part)))
            sampled = sample(lengths, scorer, random, golds, follow)
            for number, steps in zip(part, sampled, strict=True):
                examples[number] = self._example(number, steps)

    def _example(self, number: int, steps: Sequence[int] | None = None) -> Example:
        return example(self._golds[number], self._lengths[number], self._numbers, steps)


class SetBasedTrainer(NetworkTrainer[SetBasedModel, Network, Settings]):
    """The training of a set-based parser, epoch by epoch."""

    parser = SetBasedModel

    def __init__(self, trees: Sequence[Tree], settings: Settings, about: Mapping[str, str]) -> None:
        self._derivations = Derivations(trees, settings)
        super().__init__(trees, settings, about, self._derivations.labels)
        self.gold_tags = settings.tags == "given"
        self._tagger = Tagger.train(self._sentences, settings.seed) if self.gold_tags else None

    def model(self) -> SetBasedModel:
        """Return a parser with the average of the weights so far."""
        network, inputs = self._average_weights()
        parser = SetParser(self.settings, self.vocabulary, network, inputs)
        return SetBasedModel(parser, self._tagger, self.about)

    def _new_network(self, further_size: int) -> Network:
        return Network(self.settings, self.vocabulary, further_size)

    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        network, targets = self._network, self._derivations.targets(batch, numbers.lengths)
        return loss_of_steps(network, network.encode(numbers, further), numbers, targets)

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:
        self._derivations.explore(epoch, random, self._arrays, self._numbers_of)
