"""The network of a neural parser with PyTorch; `NeuralNetwork` does the same with NumPy.

The transitions are scored as in Coavoux and Cohen (2019), section 4. A span is the difference of
the states of LSTMs at its ends (Stern, Andreas and Klein 2017). A span may have several labels, so
each label has its own probability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.networks.encoder import Encoder, drop
from plcfrs.networks.encoding import Int32, NetworkVocabulary
from plcfrs.parsers.neural.scorer import SLOTS
from plcfrs.parsers.neural.settings import NeuralSettings

# The log-odds of each label before training: few spans have a label.
_FIRST_LOG_ODDS = -5.0


class BorderScorer(nn.Module):
    """A feed-forward network with a hidden layer over the spans between borders.

    The hidden layer is linear in each border before its nonlinearity, so it is computed once for
    each border.
    """

    def __init__(self, size: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.borders = nn.Linear(size, hidden, bias=False)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Linear(hidden, outputs)
        self.dropout = dropout
        bound = (6 / (size + hidden)) ** 0.5  # Glorot's
        nn.init.uniform_(self.borders.weight, -bound, bound)
        nn.init.xavier_uniform_(self.output.weight)
        nn.init.constant_(self.output.bias, _FIRST_LOG_ODDS)

    def forward(self, vectors: Tensor, borders: Tensor) -> Tensor:
        """Return the scores of all labels, as a tensor of (parts, outputs)."""
        table = self.borders(vectors)
        begin, end = borders[:, 0], borders[:, 1]
        sums = self.bias + table.index_select(0, end) - table.index_select(0, begin)
        hidden = torch.relu(sums)
        scores: Tensor = self.output(drop(hidden, self.dropout) if self.training else hidden)
        return scores


class SlotScorer(nn.Module):
    """A feed-forward network with two hidden layers over the tokens in slots.

    The first layer is linear in each slot, so it is computed once for each token and slot, and the
    rows of a set's tokens are added up.
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
