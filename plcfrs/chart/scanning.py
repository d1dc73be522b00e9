"""The possible tags of a sentence, as the search begins with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.chart.compile import CompiledGrammar
from plcfrs.chart.kernel.arrays import Costs, Int32
from plcfrs.grammar import Nonterminal

Candidates = Sequence[Mapping[Nonterminal, float]]


class Scanned(NamedTuple):
    """The tags of a sentence, in the order of the tokens: positions, labels and costs."""

    length: int
    positions: Int32
    labels: Int32
    costs: Costs


def scan_tags(compiled: CompiledGrammar, candidates: Candidates) -> Scanned:
    """Return the tags of a sentence as arrays, without tags that the grammar does not have."""
    scanned = [
        (position, compiled.labels[tag], cost)
        for position, tags in enumerate(candidates)
        for tag, cost in tags.items()
        if tag in compiled.labels
    ]
    return Scanned(
        len(candidates),
        np.array([position for position, _, _ in scanned], np.int32),
        np.array([label for _, label, _ in scanned], np.int32),
        np.array([cost for _, _, cost in scanned], np.float64),
    )
