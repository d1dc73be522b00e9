"""Linear classifiers over templates, for decisions that come one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from plcfrs.learning.kernel.arrays import Averages, Weights
from plcfrs.learning.sequences import CandidateLists, Steps, check_lists, find, train
from plcfrs.learning.templates import ContextTemplates, Keys, number
from plcfrs.learning.weights import weights_of

Atoms = dict[str, str]
"""What is known where a decision is made, by the names of atoms; an empty text is nothing."""


class Shared:
    """What several decisions know in common, which is computed when it is first needed."""

    def __init__(self, atoms: Callable[[], Atoms] = dict) -> None:
        self._atoms = atoms
        self._numbers: list[int] | None = None

    def numbers(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of its atoms."""
        if self._numbers is None:
            self._numbers = _numbers(self._atoms(), names)
        return self._numbers


_NOTHING = Shared()


def _numbers(atoms: Atoms, names: Sequence[str]) -> list[int]:
    return [number(text) if (text := atoms[name]) else 0 for name in names]


class Decision(NamedTuple):
    """A decision to make.

    Parameters
    ----------
    key : tuple of str
        Only what was decided in training for the same key is possible, or, if it did not occur, for
        the same beginning of the key.
    atoms : callable
        Returns its own atoms, which are not needed if only one thing is possible.
    shared : Shared
    """

    key: tuple[str, ...]
    atoms: Callable[[], Atoms]
    shared: Shared = _NOTHING

    @property
    def keys(self) -> list[str]:
        """The key and its beginnings, the longest first."""
        return ["\t".join(self.key[:length]) for length in range(len(self.key), -1, -1)]


class Features:
    """The features of decisions.

    Parameters
    ----------
    atoms, shared : sequence of str
        The names of the atoms of a decision, and of the atoms that several decisions share.
    templates : sequence of str
        Names of atoms, with spaces between them.
    pairs : sequence of str
        Templates that are combined with the decision before.
    """

    def __init__(
        self,
        *,
        atoms: Sequence[str],
        templates: Sequence[str],
        pairs: Sequence[str],
        shared: Sequence[str] = (),
    ) -> None:
        self._atoms, self._shared = atoms, shared
        self._templates = ContextTemplates([*shared, *atoms], templates)
        self._pairs = ContextTemplates([*shared, *atoms], pairs)

    def table(self, decisions: Sequence[Decision]) -> Keys:
        """Return the atoms of decisions as numbers (decisions, atoms)."""
        rows = [
            decision.shared.numbers(self._shared) + _numbers(decision.atoms(), self._atoms)
            for decision in decisions
        ]
        return np.array(rows, np.uint64).reshape(len(rows), len(self._shared) + len(self._atoms))

    def steps(self, lengths: Sequence[int], table: Keys, candidates: Sequence[int]) -> Steps:
        """Return the steps of sequences of these lengths."""
        return Steps(
            [0, *accumulate(lengths)],
            self._templates.keys(table),
            self._pairs.keys(table),
            candidates,
        )


@dataclass(eq=False, repr=False)
class Classifier:
    """A trained classifier.

    Parameters
    ----------
    labels : tuple of str
        What can be decided.
    candidates : dict of str to tuple of int
        The possible labels for each of the `keys` of a decision.
    averages : Averages
    """

    labels: tuple[str, ...]
    candidates: dict[str, tuple[int, ...]]
    averages: Averages

    def check(self) -> None:
        """Raise a ValueError if the candidates or the weights are damaged."""
        check_lists(list(self.candidates.values()), len(self.labels))
        if "" not in self.candidates:
            raise ValueError("the candidates are damaged")
        weights_of(self.averages, len(self.labels))

    @cached_property
    def _lists(self) -> CandidateLists:
        return CandidateLists(self.candidates)

    @cached_property
    def _weights(self) -> Weights:
        return weights_of(self.averages, len(self.labels))

    def decide(
        self, features: Features, sequences: Sequence[Sequence[Decision]]
    ) -> list[list[str]]:
        """Return the decisions of all sequences."""
        decided: list[list[str]] = []
        open_: list[Decision] = []
        candidates: list[int] = []
        places: list[tuple[int, int]] = []
        lengths: list[int] = []
        for sequence in sequences:
            decided.append([])
            for decision in sequence:
                key = next(key for key in decision.keys if key in self.candidates)
                possible = self.candidates[key]
                if len(possible) > 1:
                    places.append((len(decided) - 1, len(decided[-1])))
                    open_.append(decision)
                    candidates.append(self._lists.find([key]))
                decided[-1].append(self.labels[possible[0]])
            lengths.append(len(open_) - sum(lengths))
        if open_:
            nonempty = list(filter(None, lengths))
            steps = features.steps(nonempty, features.table(open_), candidates)
            labels = find(self._weights, steps, self._lists.arrays, len(self.labels))
            for (sequence_number, place), label in zip(places, labels, strict=True):
                decided[sequence_number][place] = self.labels[label]
        return decided


class Lessons:
    """What a classifier learns from: gold decisions, sequence by sequence."""

    def __init__(self, features: Features) -> None:
        self._features = features
        self._keys: list[list[list[str]]] = []
        self._gold: list[Sequence[str]] = []
        self._tables: list[Keys] = []

    def add(self, sequence: Sequence[Decision], gold: Sequence[str]) -> None:
        """Add a sequence of decisions and what is right."""
        if sequence:
            self._keys.append([decision.keys for decision in sequence])
            self._gold.append(gold)
            self._tables.append(self._features.table(sequence))

    def learn(self, seed: int) -> Classifier | None:
        """Return a classifier, or None if all decisions are the same."""
        labels = tuple(sorted({label for gold in self._gold for label in gold}))
        if len(labels) < 2:
            return None
        numbers = {label: place for place, label in enumerate(labels)}
        found: dict[str, set[int]] = {}
        for keys, gold in zip(self._keys, self._gold, strict=True):
            for own, label in zip(keys, gold, strict=True):
                for key in own:
                    found.setdefault(key, set()).add(numbers[label])
        lists = CandidateLists(found)
        is_open = [np.array([len(found[own[0]]) > 1 for own in keys]) for keys in self._keys]
        table = np.concatenate([t[o] for t, o in zip(self._tables, is_open, strict=True)])
        self._tables.clear()
        opened = [
            (own[0], numbers[label])
            for keys, gold, chosen in zip(self._keys, self._gold, is_open, strict=True)
            for own, label, is_chosen in zip(keys, gold, chosen, strict=True)
            if is_chosen
        ]
        lengths = [count for chosen in is_open if (count := int(chosen.sum()))]
        steps = self._features.steps(lengths, table, [lists.find([key]) for key, _ in opened])
        right = [label for _, label in opened]
        weights = train(steps, right, lists.arrays, len(labels), seed)
        candidates = {key: tuple(sorted(each)) for key, each in found.items()}
        return Classifier(labels, candidates, weights.averages)
