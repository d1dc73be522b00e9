"""The network of Coavoux and Cohen (2019), section 4, in PyTorch; `forward` is its reference."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.neural.encoder import Encoder, drop
from plcfrs.neural.forward import SLOTS
from plcfrs.neural.settings import Settings
from plcfrs.neural.vocabulary import Int32, Vocabulary


class Network(Encoder):
    """Words to vectors, vectors to scores of tags, structure steps and labels.

    Parameters
    ----------
    further_size : int
        The length of a further vector of each token, such as a pretrained one.
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
        """Return the scores of candidates, see `plcfrs.transition.sets.search.Scorer`.

        Parameters
        ----------
        tokens : Tensor of (tokens, units)
            After the second layer.
        rows : array of (candidates, 8)
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
