"""Scores of choices: one call of a network for all sentences that are parsed together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from plcfrs.transition.sets.slots import slots
from plcfrs.transition.sets.state import State
from plcfrs.trees.labels import is_axiom

Int32 = NDArray[np.int32]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]


class Scorer(Protocol):
    """Scores the choices in a batch of sentences.

    Token t of sentence j has the number ``sum(lengths[:j]) + t`` in `slots`; -1 stands for no gap.
    """

    def structure(self, rows: Int32) -> Float32:
        """Return the scores of candidates, not normalised, from rows of (candidates, 8).

        A row has the slots of a set that can be combined with the focus, or for SHIFT of the next
        token; then those of the focus. Only the next token is right of the focus.
        """

    def labels(self, rows: Int32) -> Float32:
        """Return scores (sets, labels), not normalised, from slots; column 0 is NO-LABEL."""


class Choice(NamedTuple):
    """The options of a state, and the logarithms of their probabilities."""

    options: tuple[int, ...]
    scores: list[float]


class Batch:
    """Sentences of these numbers of tokens, parsed together."""

    def __init__(self, lengths: Sequence[int], scorer: Scorer) -> None:
        self.lengths = lengths
        self.scorer = scorer
        self.offsets = np.cumsum([0, *lengths], dtype=np.int32)

    def choices(
        self, states: Sequence[tuple[int, State]], noise: np.random.Generator | None = None
    ) -> list[Choice]:
        """Return the options of states, each with the number of its sentence, with their scores.

        A single option has the score 0, and the scorer is not asked about it. With noise, the best
        option is drawn from the softmax of all (Gumbel 1954).
        """
        options = [state.options(self.lengths[sentence]) for sentence, state in states]
        found = [Choice(each, [0.0]) for each in options]
        asked = [place for place, each in enumerate(options) if len(each) > 1]
        if not asked:
            return found
        counts = [len(options[place]) for place in asked]
        focuses = self._rows([(states[place][0], (states[place][1].focus,)) for place in asked])
        rows = np.empty((sum(counts), 8), np.int32)
        rows[:, :4] = self._rows([(states[place][0], options[place]) for place in asked])
        rows[:, 4:] = np.repeat(focuses, counts, axis=0)
        scores = _log_softmax(self.scorer.structure(rows), counts)
        if noise is not None:
            scores += noise.gumbel(size=len(scores))
        values, end = scores.tolist(), 0
        for place, count in zip(asked, counts, strict=True):
            found[place] = Choice(options[place], values[end : end + count])
            end += count
        return found

    def best_labels(
        self, sets: Sequence[Sequence[int]], labels: Sequence[str]
    ) -> list[dict[int, tuple[int, float]]]:
        """Return the best label of each set of each sentence, and its log probability."""
        scores = self.label_scores(sets, labels)
        found = iter(zip(scores.argmax(axis=1).tolist(), scores.max(axis=1).tolist(), strict=True))
        return [{mask: next(found) for mask in masks} for masks in sets]

    def label_scores(self, sets: Sequence[Sequence[int]], labels: Sequence[str]) -> Float64:
        """Return the natural log probabilities of all labels, as an array of (sets, labels)."""
        is_full = [
            mask.bit_count() == length
            for length, masks in zip(self.lengths, sets, strict=True)
            for mask in masks
        ]
        rows = self._rows(list(enumerate(sets)))
        scores: Float64 = self.scorer.labels(rows).astype(np.float64)
        is_top = [is_axiom(label) for label in labels]
        scores[np.not_equal.outer(is_full, is_top)] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        return scores

    def _rows(self, sets: Sequence[tuple[int, Sequence[int]]]) -> Int32:
        """Return the slots of sets of some sentences, numbered through the batch."""
        masks = chain.from_iterable(masks for _, masks in sets)
        rows = np.fromiter(chain.from_iterable(map(slots, masks)), np.int32).reshape(-1, 4)
        sentences = np.repeat(
            np.array([sentence for sentence, _ in sets], np.int32),
            [len(masks) for _, masks in sets],
        )
        rows += self.offsets[sentences][:, None] * (rows >= 0)
        return rows


def _log_softmax(scores: Float32, counts: Sequence[int]) -> Float64:
    """Return the logarithms of probabilities of groups with these numbers of candidates."""
    starts = np.cumsum([0, *counts[:-1]])
    exact: Float64 = scores.astype(np.float64)
    exact -= np.repeat(np.maximum.reduceat(exact, starts), counts)
    exact -= np.repeat(np.log(np.add.reduceat(np.exp(exact), starts)), counts)
    return exact
