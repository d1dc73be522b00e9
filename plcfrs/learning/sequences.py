"""A perceptron that labels sequences: of tokens, of dependents, of constituents (Collins 2002)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.learning.kernel import sequences as kernel
from plcfrs.learning.kernel.learned import Int32, Keys, Weights
from plcfrs.learning.kernel.sequences import Beams, Candidates, Sequences
from plcfrs.learning.weights import averaged, enlarge_weights, new_weights

_EPOCHS = 10
_BEAM = 5

# Features seen at least this often are learned: rarer ones help little, and without them words seen
# once look like unknown words.
_LEAST = 2

_UNKNOWN = np.zeros(0, np.int32)


class CandidateLists:
    """Lists of the labels among which a search chooses, found by keys.

    Parameters
    ----------
    lists : mapping of key to labels
        The numbers of the candidates; no list is empty.

    Attributes
    ----------
    arrays : Candidates
        The lists, as kernels see them.

    Examples
    --------
    >>> lists = CandidateLists({("NP", "DT"): {4, 2}, ("NP",): {1, 2, 4}})
    >>> lists.find([("NP", "DT"), ("NP",)]), lists.find([("NP", "JJ"), ("NP",)])
    (0, 1)
    >>> lists.arrays.labels.tolist()
    [2, 4, 1, 2, 4]
    """

    def __init__(self, lists: Mapping[Hashable, Iterable[int]]) -> None:
        self._numbers = {key: number for number, key in enumerate(lists)}
        parts = list(map(sorted, lists.values()))
        self.arrays = Candidates(
            np.cumsum([0, *map(len, parts)], dtype=np.int64),
            np.array([label for part in parts for label in part], np.int32),
        )

    def find(self, keys: Iterable[Hashable]) -> int:
        """Return the number of the list of the first key that has one."""
        return next(self._numbers[key] for key in keys if key in self._numbers)


def check_lists(lists: Collection[Sequence[int]], labels: int) -> None:
    """Raise a ValueError if there are no lists, one is empty, or a label is out of range."""
    if (
        not lists
        or not all(lists)
        or not all(label in range(labels) for each in lists for label in each)
    ):
        raise ValueError("the lists of candidates are damaged")


class Steps(NamedTuple):
    """The steps of some sequences.

    Parameters
    ----------
    start : sequence of int
        Where each sequence starts among the steps, and where the last one ends.
    keys : array of (steps, features)
        0 stands for no feature.
    pair_keys : array of (steps, features)
        Of features that are combined with the label of the step before.
    candidates : sequence of int
        The number of the list of candidates of each step.
    triple_keys : array of (features,)
        Of features of all steps that are combined with the two labels before.
    """

    start: Sequence[int]
    keys: Keys
    pair_keys: Keys
    candidates: Sequence[int]
    triple_keys: Keys = np.zeros(0, np.uint64)

    @classmethod
    def joined(cls, parts: Sequence[Steps]) -> Steps:
        """Return the steps of several parts, at least one, without features of two labels."""
        first = accumulate((part.start[-1] for part in parts), initial=0)
        starts = [
            before + start
            for before, part in zip(first, parts, strict=False)
            for start in part.start[:-1]
        ]
        return cls(
            [*starts, sum(part.start[-1] for part in parts)],
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.pair_keys for part in parts]),
            [number for part in parts for number in part.candidates],
        )

    def compiled(self, is_used: NDArray[np.bool_], gold: Int32 = _UNKNOWN) -> Sequences:
        """Return the steps with the features that are used."""
        return Sequences(
            np.array(self.start, np.int64),
            np.append(0, np.cumsum(is_used.sum(axis=1))),
            self.keys[is_used],
            self.pair_keys,
            self.triple_keys,
            np.array(self.candidates, np.int32),
            gold,
        )


def train(
    steps: Steps, gold: Sequence[int], candidates: Candidates, labels: int, seed: int
) -> Weights:
    """Return the averaged weights of a perceptron (Collins 2002).

    Parameters
    ----------
    steps : Steps
    gold : sequence of int
        The labels of all steps.
    candidates : Candidates
    labels : int
        Number of labels.
    seed : int
        Of the order in which sequences are visited.
    """
    sequences = steps.compiled(_is_frequent(steps.keys), np.array(gold, np.int32))
    weights, beams = new_weights(actions=labels), new_beams(sequences, candidates, labels)
    size = len(sequences.start) - 1
    random = np.random.default_rng(seed)
    for epoch in range(_EPOCHS):
        order = random.permutation(size)
        counters = np.zeros(kernel.COUNTERS, np.int64)
        while counters[kernel.PLACE] < size:
            time = float(epoch * size)
            kernel.learn_labels(weights, sequences, candidates, beams, order, time, counters)
            if counters[kernel.PLACE] < size:
                weights = enlarge_weights(weights)
        if counters[kernel.MISTAKES] == 0:
            break
    return averaged(weights, float((epoch + 1) * size))


def find(weights: Weights, steps: Steps, candidates: Candidates, labels: int) -> list[int]:
    """Return the best label of each step; see `train`."""
    sequences = steps.compiled(steps.keys != 0)
    found = np.empty(len(steps.keys), np.int32)
    kernel.find_all_labels(
        weights, sequences, candidates, new_beams(sequences, candidates, labels), found
    )
    return found.tolist()


def new_beams(sequences: Sequences, candidates: Candidates, labels: int) -> Beams:
    """Return arrays for the search in the longest sequence.

    Without features of two labels, there is room for all candidates: the search is exact.
    """
    beam = _BEAM if len(sequences.triple_keys) else int(np.diff(candidates.start).max())
    steps = int(np.diff(sequences.start).max(initial=0))
    context = sequences.pair_keys.shape[1] + len(sequences.triple_keys)
    features = int(np.diff(sequences.key_start).max(initial=0))
    return Beams(
        step_scores=np.empty(labels),
        context_scores=np.empty(labels),
        size=np.empty(steps + 1, np.int32),
        score=np.empty((steps + 1, beam)),
        label=np.empty((steps + 1, beam), np.int32),
        before=np.zeros((steps + 1, beam), np.int32),
        found=np.empty(steps, np.int32),
        keys=np.empty(context, np.uint64),
        rows=np.empty(max(features, context), np.uint32),
    )


def _is_frequent(keys: Keys) -> NDArray[np.bool_]:
    is_frequent: NDArray[np.bool_] = keys != 0
    for template, column in enumerate(keys.T):  # one by one, to save memory
        _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
        is_frequent[:, template] &= (counts >= _LEAST)[places]
    return is_frequent
