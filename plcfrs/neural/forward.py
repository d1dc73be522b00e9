"""The forward pass of the network in NumPy, which equals that of PyTorch to 1e-5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.encoding import Encoded, Encoding, Float32, linear
from plcfrs.neural.vocabulary import Int32

SLOTS = 4  # of a set, see `plcfrs.transition.sets.slots`


class Forward(Encoding):
    """A trained network.

    Parameters
    ----------
    arrays : mapping of str to array
        By the names of `plcfrs.neural.network.Network`.
    """

    def tags(self, encoded: Encoded) -> Int32:
        """Return the number of the best tag of each token."""
        scores = linear(self._arrays, "tagger.", encoded.first)
        best: Int32 = 1 + scores[:, 1:].argmax(1).astype(np.int32)  # 0 stands for no known tag
        return best

    def scorer(self, encoded: Encoded) -> NetworkScorer:
        """Return what scores structure steps and labels in this batch."""
        return NetworkScorer(self._arrays, encoded.second)


class NetworkScorer:
    """A `plcfrs.transition.sets.search.Scorer` of a batch of sentences.

    The first layer of the scorers is linear in each slot of a set, so it is computed once for each
    token and slot; the rows of the tokens of a set are added up.

    Parameters
    ----------
    tokens : array of (tokens, units)
        After the second layer.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], tokens: Float32) -> None:
        self._arrays = arrays
        self._tokens = np.vstack([tokens, arrays["no_gap"]])
        self._tables = {name: self._table(name) for name in ("structure.", "labels.")}

    def structure(self, rows: Int32) -> Float32:
        """Return the scores of candidates."""
        sums = self._sums("structure.", rows)
        sums[rows[:, 0] > rows[:, SLOTS + 1]] += self._arrays["shift"]
        return self._finish("structure.", sums)[:, 0]

    def labels(self, rows: Int32) -> Float32:
        """Return the scores of all labels."""
        return self._finish("labels.", self._sums("labels.", rows))

    def _table(self, name: str) -> Float32:
        """Return the rows of each slot, as an array of (slots, tokens, hidden)."""
        weights = self._arrays[f"{name}rows.weight"]
        hidden = len(self._arrays[f"{name}bias"])
        slots = weights.reshape(-1, hidden, weights.shape[1])
        table: Float32 = np.matmul(self._tokens, slots.swapaxes(1, 2))
        return table

    def _sums(self, name: str, rows: Int32) -> Float32:
        places = np.where(rows < 0, len(self._tokens) - 2 + np.arange(rows.shape[1]) % 2, rows)
        sums = np.tile(self._arrays[f"{name}bias"], (len(rows), 1))
        for table, place in zip(self._tables[name], places.T, strict=True):
            sums += table[place]
        return sums

    def _finish(self, name: str, sums: Float32) -> Float32:
        hidden = np.tanh(linear(self._arrays, f"{name}hidden.", np.tanh(sums)))
        return linear(self._arrays, f"{name}output.", hidden)
