"""A trained network's scores of transitions, with NumPy.

A set of tokens has four slots, see `plcfrs.parsers.neural.configuration`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.networks.encoding import Float32, Int32, Shapes, linear, linear_shapes
from plcfrs.threads import one_thread

SLOTS = 4


def transition_shapes(units: int, hidden: int, labels: int) -> Shapes:
    """Return the shapes of the arrays that score structure steps and labels."""
    shapes: Shapes = {"no_gap": (2, units), "shift": (hidden,)}
    for name, slots, outputs in (("structure", 2 * SLOTS, 1), ("labels", SLOTS, labels)):
        shapes |= {f"{name}.rows.weight": (slots * hidden, units), f"{name}.bias": (hidden,)}
        shapes |= linear_shapes(f"{name}.hidden", hidden, hidden)
        shapes |= linear_shapes(f"{name}.output", hidden, outputs)
    return shapes


class TransitionScorer:
    """A `plcfrs.parsers.neural.search.SetScorer` of a batch of sentences.

    The first layer of the scorers is linear in each slot of a set, so it is computed once for each
    token and slot, and the rows of a set's tokens are added up. The tokens (tokens, units) come
    from the second layer of LSTMs. The arrays have the names of
    `plcfrs.parsers.neural.module.NeuralModule`.
    """

    @one_thread
    def __init__(self, arrays: Mapping[str, NDArray[Any]], tokens: Float32) -> None:
        self._arrays = arrays
        self._tokens = np.vstack([tokens, arrays["no_gap"]])
        self._tables = {name: self._table(name) for name in ("structure.", "labels.")}

    @one_thread
    def structure(self, rows: Int32) -> Float32:
        """Return the scores of candidates."""
        sums = self._sums("structure.", rows)
        sums[rows[:, 0] > rows[:, SLOTS + 1]] += self._arrays["shift"]
        return self._finish("structure.", sums)[:, 0]

    @one_thread
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
