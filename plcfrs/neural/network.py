"""The network of Coavoux and Cohen (2019), section 4, in PyTorch; `forward` is its reference."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.neural.forward import SLOTS
from plcfrs.neural.settings import Settings
from plcfrs.neural.vocabulary import Int32, Numbers, Vocabulary

# PyTorch keeps the compiled code of LSTMs of the last 1024 sizes, which can take gigabytes: each
# batch has a size of its own. It reads this when the first one is compiled.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "32")

_MASKS = 256  # of dropout in the scorers, of which each row gets one


class Encoded(NamedTuple):
    """The tokens of a batch after each layer of LSTMs, as arrays of (tokens, units)."""

    first: Tensor
    second: Tensor


class Network(nn.Module):
    """Words to vectors, vectors to scores of tags, structure steps and labels.

    Parameters
    ----------
    settings : Settings
    vocabulary : Vocabulary
    further_size : int
        The length of a further vector of each token, such as a pretrained one.
    """

    def __init__(self, settings: Settings, vocabulary: Vocabulary, further_size: int = 0) -> None:
        super().__init__()
        words, characters, tags = vocabulary.sizes
        self.has_tags = settings.tags == "gold"
        self.dropout = settings.dropout
        self.words = _embedding(words, settings.word_size)
        self.characters = _embedding(characters, settings.character_size)
        self.spelling = TwoWayLSTM(settings.character_size, settings.character_size)
        size = settings.word_size + 2 * settings.character_size + further_size
        units = 2 * settings.recurrent_size
        if self.has_tags:
            self.tags = _embedding(tags, settings.tag_size)
            size += settings.tag_size
        else:
            self.tagger = nn.Linear(units, tags)
        self.first = TwoWayLSTM(size, settings.recurrent_size)
        self.second = TwoWayLSTM(units, settings.recurrent_size)
        self.no_gap = nn.Parameter(torch.empty(2, units).uniform_(-0.1, 0.1))
        self.shift = nn.Parameter(torch.zeros(settings.hidden_size))
        hidden = settings.hidden_size
        self.structure = SlotScorer(2 * SLOTS, units, hidden, 1, settings.dropout)
        self.labels = SlotScorer(SLOTS, units, hidden, len(vocabulary.labels), settings.dropout)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.shift.device

    def encode(self, numbers: Numbers, further: Tensor | None = None) -> Encoded:
        """Return the vectors of all tokens.

        Parameters
        ----------
        numbers : Numbers
        further : Tensor of (tokens, further size), optional
        """
        lengths = self.tensor(numbers.lengths)
        spelled = self.spelling(
            self.characters(self.tensor(numbers.characters)), numbers.spelling_lengths
        )
        ends = np.cumsum(numbers.spelling_lengths)
        half = spelled.shape[1] // 2
        spelled = torch.cat(
            [
                spelled[self.tensor(ends - 1), :half],
                spelled[self.tensor(ends - numbers.spelling_lengths), half:],
            ],
            1,
        )
        parts = [self.words(self.tensor(numbers.words)), spelled[self.tensor(numbers.spellings)]]
        if self.has_tags:
            parts.append(self.tags(self.tensor(numbers.tags)))
        if further is not None:
            parts.append(further)
        first = self.first(self._drop(torch.cat(parts, 1), lengths), numbers.lengths)
        first = self._drop(first, lengths)
        second = self.second(first, numbers.lengths)
        return Encoded(first, self._drop(second, lengths))

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

    def tensor(self, array: NDArray[np.generic]) -> Tensor:
        """Return an array as a tensor for this network; integers are indices."""
        tensor = torch.from_numpy(array).to(self.device)
        return tensor.long() if array.dtype == np.int32 else tensor

    def _drop(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Leave out the same units of all tokens of a sentence (Gal and Ghahramani 2016)."""
        if not self.training:
            return rows
        kept = torch.ones(len(lengths), rows.shape[1], device=rows.device)
        return rows * functional.dropout(kept, self.dropout).repeat_interleave(lengths, 0)

    def _with_gaps(self, tokens: Tensor) -> Tensor:
        return torch.cat([tokens, self.no_gap])

    def _rows(self, tokens: Tensor, rows: Int32) -> Tensor:
        """Return slots with the rows of the vectors for no gap, which come after the tokens."""
        missing = len(tokens) + np.arange(rows.shape[1], dtype=np.int32) % 2
        return self.tensor(np.where(rows < 0, missing, rows))


class TwoWayLSTM(nn.Module):
    """An LSTM over sequences from the left, and one from the right.

    Each reads its own copy of the batch, filled up at the end of the sequences, which is faster
    than PyTorch's packed sequences.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.from_left = _lstm(size, units)
        self.from_right = _lstm(size, units)

    def forward(self, rows: Tensor, lengths: Int32) -> Tensor:
        """Return the vectors of all elements of sequences, which are one after the other."""
        ends = np.cumsum(lengths)
        steps = np.arange(lengths.max())[:, None]
        is_element = steps < lengths
        from_left = np.where(is_element, ends - lengths + steps, 0)
        from_right = np.where(is_element, ends - 1 - steps, 0)
        return torch.cat(
            [
                _run(self.from_left, rows, from_left, is_element),
                _run(self.from_right, rows, from_right, is_element),
            ],
            1,
        )


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
        """Leave out units of each row; to draw each one would take a fifth of the training."""
        if not self.training:
            return rows
        masks = torch.ones(_MASKS, rows.shape[1], device=rows.device)
        chosen = torch.randint(_MASKS, (len(rows),), device=rows.device)
        return rows * functional.dropout(masks, self.dropout)[chosen]


def _run(
    lstm: nn.LSTM, rows: Tensor, order: NDArray[np.int64], is_element: NDArray[np.bool_]
) -> Tensor:
    """Return the outputs of an LSTM that reads rows in an order of (steps, sequences)."""
    outputs, _ = lstm(rows[torch.from_numpy(order).to(rows.device)])
    places = np.empty(len(rows), np.int64)
    places[order[is_element]] = np.flatnonzero(is_element)
    return torch.index_select(outputs.flatten(0, 1), 0, torch.from_numpy(places).to(rows.device))


def _embedding(number: int, size: int) -> nn.Embedding:
    embedding = nn.Embedding(number, size)
    nn.init.uniform_(embedding.weight, -0.1, 0.1)
    return embedding


def _lstm(size: int, units: int) -> nn.LSTM:
    lstm = nn.LSTM(size, units)
    nn.init.xavier_uniform_(lstm.weight_ih_l0)
    nn.init.orthogonal_(lstm.weight_hh_l0)
    for bias in (lstm.bias_ih_l0, lstm.bias_hh_l0):
        nn.init.zeros_(bias)
    return lstm
