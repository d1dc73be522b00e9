"""The network in PyTorch; `plcfrs.neural.spans.forward` does the same in NumPy.

A span is the difference of the states of LSTMs at its ends (Stern, Andreas and Klein 2017). Several
labels may hold of one span, so each has a probability of its own.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.neural.encoder import Encoder, drop
from plcfrs.neural.spans.parts import Targets, neighbours
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.neural.vocabulary import Int32, Numbers, Vocabulary

# Of the log-odds before training: few of all spans have a label.
_FIRST = -5.0


class Network(Encoder):
    """Words to vectors, and vectors at borders to the log-odds of labels.

    Parameters
    ----------
    further_size : int
        The length of a further vector of each token, such as a pretrained one.
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

        Parameters
        ----------
        further : Tensor of (tokens, further size), optional
        """
        tokens = functional.pad(self.encode(numbers, further).second, (0, 0, 0, 1))
        from_left, from_right = tokens.chunk(2, 1)
        left, right = map(self.tensor, neighbours(numbers.lengths))
        return torch.cat([from_left.index_select(0, left), from_right.index_select(0, right)], 1)

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
        nn.init.constant_(self.output.bias, _FIRST)

    def forward(self, vectors: Tensor, borders: Tensor) -> Tensor:
        """Return the scores of all labels, as a tensor of (parts, outputs)."""
        sums = self.bias
        for span, table in enumerate(self.borders(vectors).split(len(self.bias), 1)):
            begin, end = borders[:, span], borders[:, span + 1]
            sums = sums + table.index_select(0, end) - table.index_select(0, begin)
        hidden = torch.relu(sums)
        scores: Tensor = self.output(drop(hidden, self.dropout) if self.training else hidden)
        return scores


def loss_of(
    network: Network, numbers: Numbers, targets: list[Targets], further: Tensor | None = None
) -> Tensor:
    """Return the sum of the negative log probabilities of all labels of all parts of a batch."""
    vectors = network.borders(numbers, further)
    loss = vectors.new_zeros(())
    for borders, rows, labels in targets:
        log_odds = network.log_odds(vectors, borders)
        right = log_odds[network.tensor(rows), network.tensor(labels)]
        loss = loss + functional.softplus(log_odds).sum() - right.sum()
    return loss
