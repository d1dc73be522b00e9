"""What networks in NumPy share: from words to vectors, equal to PyTorch to 1e-5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.vocabulary import Int32, Numbers

Float32 = NDArray[np.float32]


class Encoded(NamedTuple):
    """The tokens of a batch after each layer of LSTMs, as arrays of (tokens, units)."""

    first: Float32
    second: Float32


class Encoding:
    """The layers from words to vectors of a trained network.

    Parameters
    ----------
    arrays : mapping of str to array
        By the names of `plcfrs.neural.encoder.Encoder`.
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


class TwoWayLSTM:
    """An LSTM over sequences from the left, and one from the right, in the same matrix products.

    A sigmoid is ``(1 + tanh(x / 2)) / 2``, so its factor is already in the weights, and one call of
    `tanh` serves all gates.

    Parameters
    ----------
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


def linear(arrays: Mapping[str, NDArray[Any]], name: str, rows: Float32) -> Float32:
    """Return the outputs of the layer with a name, which ends with a dot."""
    sums: Float32 = rows @ arrays[f"{name}weight"].T
    sums += arrays[f"{name}bias"]
    return sums
