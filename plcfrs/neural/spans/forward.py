"""The forward pass of the network in NumPy, which equals that of PyTorch to 1e-5."""

from __future__ import annotations

import numpy as np

from plcfrs.neural.encoding import Encoding, Float32
from plcfrs.neural.spans.parts import neighbours
from plcfrs.neural.vocabulary import Int32, Numbers


class Forward(Encoding):
    """A trained network.

    Parameters
    ----------
    arrays : mapping of str to array
        By the names of `plcfrs.neural.spans.network.Network`.
    """

    def borders(self, numbers: Numbers, further: Float32 | None = None) -> Float32:
        """Return the vectors of all borders, as an array of (tokens + sentences, units).

        Parameters
        ----------
        further : array of (tokens, further size), optional
        """
        tokens = np.pad(self.encode(numbers, further).second, ((0, 1), (0, 0)))
        from_left, from_right = np.hsplit(tokens, 2)
        left, right = neighbours(numbers.lengths)
        return np.hstack([from_left[left], from_right[right]])

    def log_odds(self, vectors: Float32, borders: Int32, labels: Int32) -> Float32:
        """Return the log-odds of one label of each part, as an array of (parts,).

        The vectors have the shape (borders, units), the borders (parts, 2 or 4).
        """
        arrays, name = self._arrays, "spans." if borders.shape[1] == 2 else "gaps."
        sums = np.tile(arrays[f"{name}bias"], (len(borders), 1))
        tables = vectors @ arrays[f"{name}borders.weight"].T
        for span, table in enumerate(np.hsplit(tables, borders.shape[1] - 1)):
            sums += table[borders[:, span + 1]] - table[borders[:, span]]
        weights = arrays[f"{name}output.weight"][labels]
        scores: Float32 = np.einsum("ij,ij->i", np.maximum(sums, 0), weights)
        scores += arrays[f"{name}output.bias"][labels]
        return scores
