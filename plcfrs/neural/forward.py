"""The forward pass of the network in NumPy, which equals that of PyTorch to 1e-5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.vocabulary import Int32, Numbers

Float32 = NDArray[np.float32]

SLOTS = 4  # of a set, see `plcfrs.transition.sets.slots`


class Encoded(NamedTuple):
    """The tokens of a batch after each layer of LSTMs, as arrays of (tokens, units)."""

    first: Float32
    second: Float32


class Forward:
    """A trained network.

    Parameters
    ----------
    arrays : mapping of str to array
        By the names of `plcfrs.neural.network.Network`.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        self._spelling, self._first, self._second = (
            TwoWayLSTM(arrays, f"{name}.") for name in ("spelling", "first", "second")
        )

    def encode(self, numbers: Numbers, further: Float32 | None = None) -> Encoded:
        """Return the vectors of all tokens.

        Parameters
        ----------
        numbers : Numbers
        further : array of (tokens, further size), optional
        """
        arrays = self._arrays
        spelled = self._spelling.run(
            arrays["characters.weight"][numbers.characters], numbers.spelling_lengths
        )
        ends = np.cumsum(numbers.spelling_lengths)
        half = spelled.shape[1] // 2
        spelled = np.hstack(
            [spelled[ends - 1, :half], spelled[ends - numbers.spelling_lengths, half:]]
        )
        parts = [arrays["words.weight"][numbers.words], spelled[numbers.spellings]]
        if "tags.weight" in arrays:
            parts.append(arrays["tags.weight"][numbers.tags])
        if further is not None:
            parts.append(further)
        first = self._first.run(np.hstack(parts), numbers.lengths)
        return Encoded(first, self._second.run(first, numbers.lengths))

    def tags(self, encoded: Encoded) -> Int32:
        """Return the number of the best tag of each token."""
        scores = _linear(self._arrays, "tagger.", encoded.first)
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
    arrays : mapping of str to array
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
        hidden = np.tanh(_linear(self._arrays, f"{name}hidden.", np.tanh(sums)))
        return _linear(self._arrays, f"{name}output.", hidden)


class TwoWayLSTM:
    """An LSTM over sequences from the left, and one from the right, in the same matrix products.

    A sigmoid is ``(1 + tanh(x / 2)) / 2``, so its factor is already in the weights, and one call of
    `tanh` serves all gates.

    Parameters
    ----------
    arrays : mapping of str to array
    prefix : str
        Of the names of the arrays.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
        ways = [f"{prefix}{way}." for way in ("from_left", "from_right")]
        self._units = units = arrays[f"{ways[0]}weight_hh_l0"].shape[1]
        # PyTorch has the input, forget, cell and output gates in this order.
        order = np.r_[: 2 * units, 3 * units : 4 * units, 2 * units : 3 * units]
        factor = np.repeat(np.array([0.5, 1], np.float32), [3 * units, units])

        def gates(name: str) -> Float32:
            parts = [arrays[f"{way}{name}_l0"][order].T * factor for way in ways]
            return np.ascontiguousarray(np.stack(parts))

        self._inputs = gates("weight_ih")
        self._states = gates("weight_hh")
        self._bias = (gates("bias_ih") + gates("bias_hh"))[:, None]

    def run(self, rows: Float32, lengths: Int32) -> Float32:
        """Return the vectors of all elements of sequences, which are one after the other."""
        units = self._units
        longest_first = np.argsort(-lengths, kind="stable")
        ends = np.cumsum(lengths)[longest_first]
        lengths = lengths[longest_first]
        starts = ends - lengths
        inputs = np.matmul(rows, self._inputs) + self._bias
        outputs = np.empty((2, len(rows), units), np.float32)
        states, cells = np.zeros((2, 2, len(lengths), units), np.float32)
        ways = np.arange(2)[:, None]
        for step in range(lengths.max(initial=0)):
            active = np.searchsorted(-lengths, -step)  # the sequences that are longer
            places = np.stack([starts[:active] + step, ends[:active] - 1 - step])
            gates = np.matmul(states[:, :active], self._states)
            gates += inputs[ways, places]
            np.tanh(gates, out=gates)
            gates[..., : 3 * units] += 1
            gates[..., : 3 * units] *= 0.5
            put, keep, show, new = np.split(gates, 4, axis=2)
            cells = keep * cells[:, :active] + put * new
            states = show * np.tanh(cells)
            outputs[ways, places] = states
        return np.hstack(list(outputs))


def _linear(arrays: Mapping[str, NDArray[Any]], name: str, rows: Float32) -> Float32:
    sums: Float32 = rows @ arrays[f"{name}weight"].T
    sums += arrays[f"{name}bias"]
    return sums
