"""Linear classifiers over templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from plcfrs.learning.kernel.arrays import Averages, Weights
from plcfrs.learning.kernel.sequences import Candidates
from plcfrs.learning.logistic import find, find_chances, train
from plcfrs.learning.sequences import CandidateLists, check_lists
from plcfrs.learning.templates import ContextTemplates, Keys, digest
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
    return list(map(_number, map(atoms.__getitem__, names)))


@lru_cache(maxsize=100_000)
def _number(text: str) -> int:
    """Return the number of an atom, 0 for an empty one."""
    return digest(text) if text else 0


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
    """

    def __init__(
        self,
        *,
        atoms: Sequence[str],
        templates: Sequence[str],
        shared: Sequence[str] = (),
    ) -> None:
        self._atoms, self._shared = atoms, shared
        self._templates = ContextTemplates([*shared, *atoms], templates)

    def table(self, decisions: Sequence[Decision]) -> Keys:
        """Return the atoms of decisions as numbers (decisions, atoms)."""
        rows = [
            decision.shared.numbers(self._shared) + _numbers(decision.atoms(), self._atoms)
            for decision in decisions
        ]
        return np.array(rows, np.uint64).reshape(len(rows), len(self._shared) + len(self._atoms))

    def keys(self, table: Keys) -> Keys:
        """Return the features of decisions with these atoms."""
        return self._templates.keys(table)


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

    def decide(self, features: Features, decisions: Sequence[Decision]) -> list[str]:
        """Return what is decided."""
        keys = self._keys(decisions)
        decided = [self.labels[self.candidates[key][0]] for key in keys]
        if places := self._open(keys):
            found = find(*self._inputs(features, decisions, keys, places))
            for place, label in zip(places, found, strict=True):
                decided[place] = self.labels[label]
        return decided

    def chances(self, features: Features, decisions: Sequence[Decision]) -> list[dict[str, float]]:
        """Return the probabilities of what can be decided."""
        keys = self._keys(decisions)
        chances = [{self.labels[self.candidates[key][0]]: 1.0} for key in keys]
        if places := self._open(keys):
            found = find_chances(*self._inputs(features, decisions, keys, places))
            for place, row in zip(places, found, strict=True):
                possible = self.candidates[keys[place]]
                chances[place] = {self.labels[label]: float(row[label]) for label in possible}
        return chances

    def _keys(self, decisions: Sequence[Decision]) -> list[str]:
        return [next(key for key in each.keys if key in self.candidates) for each in decisions]

    def _open(self, keys: Sequence[str]) -> list[int]:
        """Return the places of the keys with which several things are possible."""
        return [place for place, key in enumerate(keys) if len(self.candidates[key]) > 1]

    def _inputs(
        self,
        features: Features,
        decisions: Sequence[Decision],
        keys: Sequence[str],
        places: Sequence[int],
    ) -> tuple[Weights, Keys, list[int], Candidates, int]:
        """Return the arguments of `find` for the decisions at some places."""
        table = features.keys(features.table([decisions[place] for place in places]))
        numbers = [self._lists.find([keys[place]]) for place in places]
        return self._weights, table, numbers, self._lists.arrays, len(self.labels)


class Lessons:
    """What a classifier learns from: what is right, and the decisions about it."""

    def __init__(self, features: Features) -> None:
        self._features = features
        self._keys: list[list[str]] = []
        self._gold: list[str] = []
        self._tables: list[Keys] = []

    def add(self, examples: Iterable[tuple[str, Decision]]) -> None:
        """Add what is right, with the decisions about it."""
        gold, decisions = [], []
        for label, decision in examples:
            gold.append(label)
            decisions.append(decision)
        self._gold += gold
        self._keys += [decision.keys for decision in decisions]
        self._tables.append(self._features.table(decisions))

    def learn(self, seed: int) -> Classifier | None:
        """Return a classifier, or None if all decisions are the same."""
        labels = tuple(sorted(set(self._gold)))
        if len(labels) < 2:
            return None
        numbers = {label: place for place, label in enumerate(labels)}
        found: dict[str, set[int]] = {}
        for keys, label in zip(self._keys, self._gold, strict=True):
            for key in keys:
                found.setdefault(key, set()).add(numbers[label])
        lists = CandidateLists(found)
        places = [place for place, keys in enumerate(self._keys) if len(found[keys[0]]) > 1]
        table = np.concatenate(self._tables)[places]
        self._tables.clear()
        weights = train(
            self._features.keys(table),
            [numbers[self._gold[place]] for place in places],
            [lists.find([self._keys[place][0]]) for place in places],
            lists.arrays,
            len(labels),
            seed,
        )
        candidates = {key: tuple(sorted(each)) for key, each in found.items()}
        return Classifier(labels, candidates, weights.averages)
