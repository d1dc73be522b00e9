"""Training of span scorers with PyTorch; `plcfrs.parsers.spans.parts` has the network in NumPy.

A span is the difference of the states of LSTMs at its ends (Stern, Andreas and Klein 2017). Several
labels may hold of one span, so each has a probability of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.forest.forest_training import ForestTrainer
from plcfrs.forest.forests import jackknifed_forests
from plcfrs.learning.runner import Step
from plcfrs.networks.encoder import Encoder, drop
from plcfrs.networks.encoding import Int32, Numbers, Vocabulary
from plcfrs.networks.learning import NetworkTrainer
from plcfrs.parsers.spans.model import SpanModel
from plcfrs.parsers.spans.parts import Targets, all_spans, neighbours, parts_of
from plcfrs.parsers.spans.scorer import SpanGrammar, SpanScorer, SpanSettings, forest_parts
from plcfrs.trees import Tree

# The log-odds of each label before training: few of all spans have one.
_FIRST_LOG_ODDS = -5.0


class BorderScorer(nn.Module):
    """A feed-forward network with a hidden layer over the spans between borders.

    The hidden layer is linear in each border before its nonlinearity, so it is computed once for
    each border and span.
    """

    def __init__(self, spans: int, size: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.borders = nn.Linear(size, spans * hidden, bias=False)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Linear(hidden, outputs)
        self.dropout = dropout
        bound = (6 / (spans * size + hidden)) ** 0.5  # Glorot's, for all spans as one layer
        nn.init.uniform_(self.borders.weight, -bound, bound)
        nn.init.xavier_uniform_(self.output.weight)
        nn.init.constant_(self.output.bias, _FIRST_LOG_ODDS)

    def forward(self, vectors: Tensor, borders: Tensor) -> Tensor:
        """Return the scores of all labels, as a tensor of (parts, outputs)."""
        sums = self.bias
        for span, table in enumerate(self.borders(vectors).split(len(self.bias), 1)):
            begin, end = borders[:, span], borders[:, span + 1]
            sums = sums + table.index_select(0, end) - table.index_select(0, begin)
        hidden = torch.relu(sums)
        scores: Tensor = self.output(drop(hidden, self.dropout) if self.training else hidden)
        return scores


class Network(Encoder):
    """Words to vectors, and vectors at borders to the log-odds of labels.

    A token may have a further vector of the length `further_size`, such as a pretrained one.
    """

    def __init__(
        self, settings: SpanSettings, vocabulary: Vocabulary, further_size: int = 0
    ) -> None:
        super().__init__(settings, vocabulary, further_size)
        sizes = 2 * settings.recurrent_size, settings.hidden_size, len(vocabulary.labels)
        self.spans = BorderScorer(1, *sizes, settings.dropout)
        if settings.gaps == "joint":
            self.gaps = BorderScorer(3, *sizes, settings.dropout)

    def borders(self, numbers: Numbers, further: Tensor | None = None) -> Tensor:
        """Return the vectors of all borders: the states of the LSTMs that have come so far.

        Further vectors have the shape (tokens, further size).
        """
        return borders_of(self.encode(numbers, further).second, numbers.lengths)

    def log_odds(self, vectors: Tensor, borders: Int32) -> Tensor:
        """Return the log-odds of all labels of parts, as a tensor of (parts, labels).

        The vectors have the shape (borders, units), the borders (parts, 2 or 4).
        """
        scorer = self.spans if borders.shape[1] == 2 else self.gaps
        scores: Tensor = scorer(vectors, self.tensor(borders))
        return scores


class Networks(nn.ModuleList):
    """Several networks; what differs are their first weights, and what dropout leaves out."""

    def __init__(
        self, settings: SpanSettings, vocabulary: Vocabulary, further_size: int = 0
    ) -> None:
        numbers = range(settings.networks)
        super().__init__(Network(settings, vocabulary, further_size) for _ in numbers)

    def all(self) -> list[Network]:
        """Return the networks."""
        return [each for each in self if isinstance(each, Network)]


def loss_of(
    network: Network, numbers: Numbers, targets: list[Targets], further: Tensor | None = None
) -> Tensor:
    """Return the sum of the negative log probabilities of all labels of all parts of a batch."""
    vectors = network.borders(numbers, further)
    losses = [loss_of_parts(network.log_odds(vectors, each.borders), each) for each in targets]
    return torch.stack(losses).sum()


def borders_of(tokens: Tensor, lengths: Int32) -> Tensor:
    """Return the vectors of all borders of a batch, given those of its tokens (tokens, units)."""
    from_left, from_right = functional.pad(tokens, (0, 0, 0, 1)).chunk(2, 1)
    left, right = (torch.from_numpy(side).to(tokens.device) for side in neighbours(lengths))
    return torch.cat([from_left.index_select(0, left), from_right.index_select(0, right)], 1)


def loss_of_parts(log_odds: Tensor, targets: Targets) -> Tensor:
    """Return the sum of the negative log probabilities of all labels of parts (parts, labels)."""
    places = (torch.from_numpy(each).long() for each in (targets.rows, targets.labels))
    right = log_odds[tuple(place.to(log_odds.device) for place in places)]
    loss: Tensor = functional.softplus(log_odds).sum() - right.sum()
    return loss


class SpanTrainer(NetworkTrainer[SpanModel, Networks, SpanSettings], ForestTrainer[SpanModel]):
    """The training of the networks of a span scorer, epoch by epoch.

    All learn from the same batches. With joint gaps, they learn from the constituents with
    gaps that forests have: epoch 0 finds these.
    """

    parser = SpanModel

    def __init__(
        self, trees: Sequence[Tree], settings: SpanSettings, about: Mapping[str, str]
    ) -> None:
        self._parts = [parts_of(tree, settings.gaps) for tree in trees]
        labels = sorted({part.label for parts in self._parts for part in parts})
        super().__init__(trees, settings, about, labels)
        self._needs_forests = settings.gaps == "joint"
        if self._needs_forests:
            self.rounds = range(self.rounds.stop)
        self._numbers = {label: number for number, label in enumerate(labels)}
        self._spans = {
            number: self._targets(number, all_spans(len(tree.tokens)))
            for number, tree in enumerate(trees)
        }
        self._gaps: dict[int, Targets] = {}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once; epoch 0 finds their forests, if they are needed."""
        if number == 0:
            self.about |= {"epochs": "0"}
            self._find_forests(step)
            return {"possible gaps": sum(len(each.borders) for each in self._gaps.values())}
        return super().run(number, step)

    def model(self) -> SpanModel:
        """Return the grammar of all trees with the average of the weights so far."""
        network, inputs = self._average_weights()
        scorer = SpanScorer(self.settings, self.vocabulary, network, inputs)
        return SpanModel(SpanGrammar(self.grammar_of_now(), scorer, self.shares))

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
