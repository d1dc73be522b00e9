"""From counts of entries and pairs to the probabilities of a refinement."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.refinement.kernel.arrays import Refinement, Skeleton

Integers = NDArray[np.signedinteger[Any]]

# Less probable entries are dropped: expectation maximization drives most of them towards 0.
_LEAST = 1e-12


class Entries(NamedTuple):
    """Choices of substates for rules, in any order; some may occur several times."""

    rule: Integers
    state: Integers
    left: Integers
    right: Integers
    value: Costs


def add_up(place: Integers, values: Costs, size: int) -> Costs:
    """Return an array of sums: each value is added at its place."""
    return np.asarray(np.bincount(place, values, size), np.float64)


def first_states(states: Int32) -> Int64:
    """Return where each symbol starts in the numbering of all substates, and its end."""
    return np.concatenate([[0], np.cumsum(states, dtype=np.int64)])


def rules_of_entries(refinement: Refinement) -> Int64:
    """Return the rule of each entry."""
    return np.repeat(np.arange(len(refinement.rule_start) - 1), np.diff(refinement.rule_start))


def owners(skeleton: Skeleton, refinement: Refinement) -> tuple[Int64, Int64]:
    """Return the substates to whose distributions the entries and the pairs belong."""
    first = first_states(refinement.states)
    of_entries = first[skeleton.rule_labels[rules_of_entries(refinement), 0]] + refinement.state
    sizes = np.diff(refinement.pair_start)
    place = np.arange(refinement.pair_start[-1]) - np.repeat(refinement.pair_start[:-1], sizes)
    return of_entries, np.repeat(first[skeleton.pair_label], sizes) + place


def frequencies(skeleton: Skeleton, counts: Refinement) -> Costs:
    """Return how often each of all substates is expected."""
    return _totals(counts, *owners(skeleton, counts))


def estimate(skeleton: Skeleton, counts: Refinement) -> Refinement:
    """Return the refinement whose probabilities are relative frequencies of the given counts.

    A substate that is never expected gets no probabilities; it is unreachable.
    """
    of_entries, of_pairs = owners(skeleton, counts)
    totals = _totals(counts, of_entries, of_pairs)
    totals[totals == 0.0] = 1.0
    probability = counts.probability / totals[of_entries]
    kept = probability > _LEAST
    kept_before = np.concatenate([[0], np.cumsum(kept)])
    return counts._replace(
        rule_start=kept_before[counts.rule_start],
        state=counts.state[kept],
        left=counts.left[kept],
        right=counts.right[kept],
        probability=probability[kept],
        pair_probability=counts.pair_probability / totals[of_pairs],
    )


def collect(skeleton: Skeleton, states: Int32, entries: Entries, pairs: Costs) -> Refinement:
    """Return the refinement with the given entries and pairs; equal entries are added up.

    `pairs` has a number for each pair and each substate of its tag.
    """
    most = int(states.max())
    key = ((entries.rule * most + entries.state) * most + entries.left) * most + entries.right
    keys, number = np.unique(key, return_inverse=True)
    state, left, right = ((keys // most**n % most).astype(np.int16) for n in (2, 1, 0))
    return Refinement(
        states,
        np.searchsorted(keys // most**3, np.arange(len(skeleton.rule_labels) + 1)),
        state,
        left,
        right,
        add_up(number, entries.value, len(keys)),
        first_states(states[skeleton.pair_label]),
        pairs,
    )


def _totals(counts: Refinement, of_entries: Int64, of_pairs: Int64) -> Costs:
    """Return the total of each substate, given the owners of entries and pairs."""
    size = int(counts.states.sum())
    totals = add_up(of_entries, counts.probability, size)
    return totals + add_up(of_pairs, counts.pair_probability, size)
