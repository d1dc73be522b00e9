"""The network of a set-based parser: its settings, and its forward pass with NumPy.

A set of tokens has four slots, see `plcfrs.parsers.set_based.configuration`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plcfrs.networks.encoding import (
    Encoded,
    Encoding,
    Float32,
    Int32,
    NetworkSettings,
    Shapes,
    Vocabulary,
    encoder_shapes,
    linear,
    linear_shapes,
)
from plcfrs.settings import setting
from plcfrs.threads import one_thread

WIDEST_BEAM = 1_000


@dataclass(frozen=True)
class Settings(NetworkSettings):
    """Settings of a set-based parser and its training.

    Parameters
    ----------
    tags : {"given", "own"}
    oracle : {"static", "dynamic"}
        What is learned from: the derivations of the trees alone, or also derivations that the
        network has sampled, with the actions of the dynamic oracle.
    explored : {"sentences", "steps"}
        What is sampled with the probability `exploration`: all steps of a sentence, as by Coavoux
        and Cohen (2019), or each step, as by Goldberg and Nivre (2013).
    exploration : float
    beam : int

    Raises
    ------
    InputError
        If a value is not possible.

    Examples
    --------
    >>> Settings(tags="own").oracle
    'dynamic'
    """

    tags: Literal["given", "own"] = setting(
        "given",
        "The tags: given, as in the trees; or own, predicted from the words by the same network, "
        "which then parses words alone.",
    )
    oracle: Literal["static", "dynamic"] = setting(
        "dynamic",
        "Learn from the derivations of the trees, or also from derivations that the network has "
        "sampled.",
    )
    explored: Literal["sentences", "steps"] = setting(
        "sentences", "What the dynamic oracle samples: whole derivations, or single steps."
    )
    exploration: float = setting(
        0.15, "The probability that it is sampled.", least=0, most=1, fraction=True
    )
    beam: int = setting(1, "How many derivations to keep at each step.", least=1, most=WIDEST_BEAM)


def shapes_of(settings: Settings, vocabulary: Vocabulary, further_size: int = 0) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.parsers.set_based.training.Network`."""
    units, hidden = 2 * settings.recurrent_size, settings.hidden_size
    shapes = encoder_shapes(settings, vocabulary, further_size)
    shapes |= {"no_gap": (2, units), "shift": (hidden,)}
    if settings.tags != "given":
        shapes |= linear_shapes("tagger", units, len(vocabulary.tags) + 1)
    for name, slots, outputs in (("structure", 8, 1), ("labels", 4, len(vocabulary.labels))):
        shapes |= {f"{name}.rows.weight": (slots * hidden, units), f"{name}.bias": (hidden,)}
        shapes |= linear_shapes(f"{name}.hidden", hidden, hidden)
        shapes |= linear_shapes(f"{name}.output", hidden, outputs)
    return shapes


SLOTS = 4


class Forward(Encoding):
    """A trained network of a set-based parser.

    The arrays have the names of `plcfrs.parsers.set_based.training.Network`.
    """

    def tags(self, encoded: Encoded) -> Int32:
        """Return the number of the best tag of each token."""
        best: Int32 = 1 + self.tag_scores(encoded).argmax(1).astype(np.int32)
        return best

    @one_thread
    def tag_scores(self, encoded: Encoded) -> Float32:
        """Return the scores of the tags of the vocabulary, of the shape (tokens, tags)."""
        scores = linear(self._arrays, "tagger.", encoded.first)
        return scores[:, 1:]  # 0 stands for no known tag

    def scorer(self, encoded: Encoded) -> NetworkScorer:
        """Return the scorer of structure steps and labels of this batch."""
        return NetworkScorer(self._arrays, encoded.second)


class NetworkScorer:
    """A `plcfrs.parsers.set_based.search.Scorer` of a batch of sentences.

    The first layer of the scorers is linear in each slot of a set, so it is computed once for each
    token and slot; the rows of the tokens of a set are added up. The tokens have the shape (tokens,
    units), after the second layer of LSTMs.
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
