"""Feed-forward networks over spans and over the tokens of sets, with PyTorch.

`plcfrs.parsers.neural.heads` computes the same with NumPy.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.networks.learning import drop

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
