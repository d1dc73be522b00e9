"""What constituents may be over the spans of a sentence, so that a search makes no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.grammar import Nonterminal
from plcfrs.trees import Fixed, FixedConstituent
from plcfrs.trees.tree import runs

Bracket: TypeAlias = tuple[int, int]
"""A span that no component of an item crosses: its first token, and the one after its last."""

Labels: TypeAlias = NDArray[np.bool_]
"""Some labels of a grammar, by their numbers."""


class CellLimits(NamedTuple):
    """The spans that no component of an item crosses, and the labels of items over some spans."""

    brackets: Sequence[Bracket] = ()
    labels: Mapping[Bracket, Labels] = MappingProxyType({})


NO_LIMITS = CellLimits()


class FixedLabels:
    """Finds the labels of a grammar that items may have where something is fixed of a tree.

    Some symbols may stand for `originals`.
    """

    def __init__(
        self, compiled: CompiledGrammar, originals: Mapping[Nonterminal, Nonterminal]
    ) -> None:
        self._symbols = [originals.get(symbol, symbol) for symbol in compiled.labels]
        self._has_gaps = np.array([symbol.fanout > 1 for symbol in compiled.labels])
        is_unary = np.array([len(rule.rhs) == 1 for rule in compiled.rules])
        self._mothers = compiled.arrays.rules["mother"][is_unary]
        self._children = compiled.children[is_unary, 0]
        self._required: dict[str | None, Labels] = {}

    def limits(self, fixed: Fixed, brackets: Sequence[Bracket] = ()) -> CellLimits:
        """Return what a derivation with all that is fixed has, in addition to some brackets.

        What is fixed of constituents with gaps is only seen in the forest.
        """
        labels: dict[Bracket, Labels] = {}
        for each in fixed.required:
            (cell, *others) = runs(each.span)
            if not others:
                labels[cell] = labels.get(cell, self._has_gaps) | self._around(each.category)
        for each in fixed.forbidden:
            (cell, *others) = runs(each.span)
            if not others:
                before = labels.get(cell, np.ones(len(self._symbols), np.bool_))
                labels[cell] = before & (self._has_gaps | ~self._of(each.category))
        return CellLimits([*brackets, *fixed.brackets], labels)

    def _of(self, category: str | None) -> Labels:
        constituent = FixedConstituent(category, 1)
        return np.array(
            [
                symbol.kind == "category" and constituent.fits(symbol.category, 1)
                for symbol in self._symbols
            ]
        )

    def _around(self, category: str | None) -> Labels:
        """Return the labels of a category, and those above or below in chains of unary rules."""
        if category not in self._required:
            above, below = self._of(category), self._of(category)
            for reached, start, end in (
                (above, self._children, self._mothers),
                (below, self._mothers, self._children),
            ):
                before = -1
                while reached.sum() > before:
                    before = reached.sum()
                    reached[end[reached[start]]] = True
            self._required[category] = above | below
        return self._required[category]
