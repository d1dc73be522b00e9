"""From words to vectors in PyTorch, for all networks.

`plcfrs.networks.encoding` does the same with NumPy.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.networks.encoding import Int32, NetworkSettings, NetworkVocabulary, Numbers

# PyTorch keeps the compiled code of LSTMs of the last 1024 sizes. This can take gigabytes, because
# each batch has its own size. PyTorch reads this variable when it compiles the first one.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "32")

_MASKS = 256  # of dropout in the scorers; each row gets one


class EncodedTensors(NamedTuple):
    """The tokens of a batch after each layer of LSTMs, as arrays of (tokens, units)."""

    first: Tensor
    second: Tensor


class Encoder(nn.Module):
    """Words to vectors: embeddings, an LSTM over characters, and two layers over words.

    `further_size` is the length of an additional vector of each token, such as a pretrained one.
    """

    def __init__(
        self, settings: NetworkSettings, vocabulary: NetworkVocabulary, further_size: int = 0
    ) -> None:
        super().__init__()
        words, characters, tags = vocabulary.sizes
        self.has_tags = settings.tags == "given"
        self.dropout = settings.dropout
        self.words = _embedding(words, settings.word_size)
        self.characters = _embedding(characters, settings.character_size)
        self.spelling = TwoWayLSTMModule(settings.character_size, settings.character_size)
        size = settings.word_size + 2 * settings.character_size + further_size
        if self.has_tags:
            self.tags = _embedding(tags, settings.tag_size)
            size += settings.tag_size
        self.first = TwoWayLSTMModule(size, settings.units)
        self.second = TwoWayLSTMModule(2 * settings.units, settings.units)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.words.weight.device

    def encode(self, numbers: Numbers, further: Tensor | None = None) -> EncodedTensors:
        """Return the vectors of all tokens; further vectors have the shape (tokens, size)."""
        lengths = self.tensor(numbers.lengths)
        spelled = self.spelling(
            self.characters(self.tensor(numbers.characters)), numbers.spelling_lengths
        )
        ends = np.cumsum(numbers.spelling_lengths)
        starts = ends - numbers.spelling_lengths
        from_left, from_right = spelled.chunk(2, 1)
        spelled = torch.cat([from_left[self.tensor(ends - 1)], from_right[self.tensor(starts)]], 1)
        parts = [self.words(self.tensor(numbers.words)), spelled[self.tensor(numbers.spellings)]]
        if self.has_tags:
            parts.append(self.tags(self.tensor(numbers.tags)))
        if further is not None:
            parts.append(further)
        first = self.first(self._drop(torch.cat(parts, 1), lengths), numbers.lengths)
        first = self._drop(first, lengths)
        second = self.second(first, numbers.lengths)
        return EncodedTensors(first, self._drop(second, lengths))

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


class TwoWayLSTMModule(nn.Module):
    """An LSTM over sequences from the left, and one from the right.

    Each reads its own copy of the batch, padded at the ends of the sequences. This is faster than
    PyTorch's packed sequences.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.from_left = _lstm(size, units)
        self.from_right = _lstm(size, units)

    def forward(self, rows: Tensor, lengths: Int32) -> Tensor:
        """Return the vectors of all elements of consecutive sequences."""
        ends = np.cumsum(lengths)
        steps = np.arange(lengths.max())[:, None]
        is_element = steps < lengths
        from_left = np.where(is_element, ends - lengths + steps, 0)
        from_right = np.where(is_element, ends - 1 - steps, 0)
        ways = (self.from_left, from_left), (self.from_right, from_right)
        return torch.cat([_run_in_order(lstm, rows, order, is_element) for lstm, order in ways], 1)


def drop(rows: Tensor, dropout: float) -> Tensor:
    """Leave out some units of each row, with one of a few masks.

    Drawing a mask for each row would take a fifth of the training time. Rows have the shape (rows,
    units).
    """
    masks = torch.ones(_MASKS, rows.shape[1], device=rows.device)
    chosen = torch.randint(_MASKS, (len(rows),), device=rows.device)
    return rows * functional.dropout(masks, dropout)[chosen]


def _run_in_order(
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
