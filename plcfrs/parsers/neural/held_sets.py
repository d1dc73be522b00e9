"""The sets and the labels of a set-based derivation that agree with what is fixed of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from plcfrs.parsers.neural.configuration import SetState
from plcfrs.trees import ROOT, Fixed
from plcfrs.trees.labels import labels_of_chain

Int64 = NDArray[np.int64]


class HeldSets:
    """What is fixed of a sentence: no set of a derivation crosses a required one.

    Once the last token of a required set is shifted, its parts are combined before the next SHIFT,
    because later only sets outside it can be the focus. So it is a set of each derivation.
    """

    def __init__(self, fixed: Fixed, length: int) -> None:
        self._fixed = fixed
        everything = (1 << length) - 1
        spans = {everything, *(each.span for each in fixed.required)}
        self._spans = sorted(spans, key=int.bit_count)
        self._labelled = {each.span for each in (*fixed.required, *fixed.forbidden)}
        self._mother = cache(self._smallest_around)

    def _smallest_around(self, part: int) -> int:
        return next((span for span in self._spans if span & part == part != span), 0)

    def options(self, state: SetState, options: tuple[int, ...]) -> tuple[int, ...]:
        """Return the options of a state that break nothing: there is always one."""
        focus = state.focus
        if not focus:
            return options
        mother = self._mother(focus)
        return tuple(
            [
                option
                for option in options
                if (mother >> state.next if option > focus else self._mother(option) == mother)
            ]
        )

    def broken(self, span: int, labels: Sequence[str]) -> Int64 | None:
        """Return how much of what is fixed each label of a set breaks; None if nothing is fixed."""
        if span not in self._labelled:
            return None
        having, nothing = _having(tuple(labels)), np.zeros(len(labels), np.bool_)
        broken = np.zeros(len(labels), np.int64)
        for each in self._fixed.required:
            if each.span == span:
                broken += ~having.get(each.category, nothing)
        for each in self._fixed.forbidden:
            if each.span == span:
                broken += having.get(each.category, nothing)
        return broken


@lru_cache(maxsize=8)
def _having(labels: tuple[str, ...]) -> dict[str | None, NDArray[np.bool_]]:
    """Return which labels have each category below ROOT; None is for any."""
    having: dict[str | None, NDArray[np.bool_]] = {}
    for place, label in enumerate(labels):
        for category in {each.category for each in labels_of_chain(label)} - {ROOT}:
            for key in (category, None):
                having.setdefault(key, np.zeros(len(labels), np.bool_))[place] = True
    return having
