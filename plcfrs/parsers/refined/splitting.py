"""Splitting, merging and smoothing of substates (Petrov et al. 2006, sections 2.2 to 2.4).

All three end with `estimate`: counts of entries and pairs become probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel.arrays import Costs, Int32, Int64
from plcfrs.parsers.refined.grammar import (
    Integers,
    add_up,
    estimate,
    first_states,
    owners,
    rules_of_entries,
)
from plcfrs.parsers.refined.kernel import Refinement, Skeleton


class Entries(NamedTuple):
    """Choices of substates for rules, in any order; an entry may occur several times."""

    rule: Integers
    state: Integers
    left: Integers
    right: Integers
    value: Costs


def collect(skeleton: Skeleton, states: Int32, entries: Entries, pairs: Costs) -> Refinement:
    """Return the refinement with these entries and pairs; equal entries are added up.

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


def split(
    skeleton: Skeleton,
    refinement: Refinement,
    start: int,
    noise: float,
    random: np.random.Generator,
) -> Refinement:
    """Split every substate in two, except those of the start symbol.

    The noise is the largest relative deviation of the halves' probabilities. The start symbol is
    not a tag.
    """
    halves = np.full(skeleton.labels + 1, 2, np.int32)
    halves[[start, -1]] = 1  # the last is for the missing second child of a unary rule
    rule = rules_of_entries(refinement)
    of_lhs, of_left, of_right = halves[skeleton.rule_labels[rule]].T
    value = refinement.probability / (of_left * of_right)
    parts = []
    for lhs, left, right in product((0, 1), repeat=3):
        exists = (lhs < of_lhs) & (left < of_left) & (right < of_right)
        columns = (
            rule,
            refinement.state * of_lhs + lhs,
            refinement.left * of_left + left,
            refinement.right * of_right + right,
            value,
        )
        parts.append(Entries(*(column[exists] for column in columns)))
    pairs = np.repeat(refinement.pair_probability, 2)
    states = refinement.states * halves[:-1]
    new = collect(skeleton, states, _joined(parts), pairs)
    for values in (new.probability, new.pair_probability):
        values *= 1.0 + noise * random.uniform(-1.0, 1.0, len(values))
    return estimate(skeleton, new)


def merge(
    skeleton: Skeleton,
    refinement: Refinement,
    frequency: Costs,
    losses: Costs,
    fraction: float,
) -> Refinement:
    """Undo a fraction of the splits, beginning with the one that improves the likelihood least.

    Sisters are the substates 0 and 1, 2 and 3, ... of a symbol. Their loss from merging is at the
    place of the first one.
    """
    firsts = first_sisters(refinement)
    # Rounded, so that the order of equal losses does not depend on the order of additions.
    order = np.argsort(np.round(losses[firsts], 6), kind="stable")
    undone = firsts[order][: int(fraction * len(firsts))]
    kept = np.ones(len(frequency))
    kept[undone + 1] = 0.0
    new = np.cumsum(kept > 0.0) - 1  # the number of the new substate of each old one
    weight = frequency / np.maximum(add_up(new, frequency, new[-1] + 1)[new], 1e-300)
    states = add_up(_labels(refinement), kept, skeleton.labels).astype(np.int32)
    of_entries, of_pairs = owners(skeleton, refinement)
    rule = rules_of_entries(refinement)
    lhs, left, right = skeleton.rule_labels[rule].T

    old_first, new_first = first_states(refinement.states), first_states(states)

    def renumbered(label: Integers, state: Integers) -> Integers:
        """Return the new substates of a symbol for old ones."""
        return np.asarray(new[old_first[label] + state] - new_first[label], np.int64)

    entries = Entries(
        rule,
        renumbered(lhs, refinement.state),
        renumbered(left, refinement.left),
        np.where(right < 0, 0, renumbered(np.maximum(right, 0), refinement.right)),
        refinement.probability * weight[of_entries],
    )
    pair = np.repeat(np.arange(len(skeleton.pair_label)), np.diff(refinement.pair_start))
    pair_start = first_states(states[skeleton.pair_label])
    place = pair_start[pair] + new[of_pairs] - new_first[skeleton.pair_label[pair]]
    pairs = add_up(place, refinement.pair_probability * weight[of_pairs], pair_start[-1])
    return estimate(skeleton, collect(skeleton, states, entries, pairs))


def smooth(
    skeleton: Skeleton, refinement: Refinement, smoothing: float, lexical_smoothing: float
) -> Refinement:
    """Move the probabilities of each substate towards the mean over its symbol's substates.

    `smoothing` and `lexical_smoothing` are from 0 to 1: 1 moves all the way.
    """
    most = int(refinement.states.max())
    rule = rules_of_entries(refinement)
    key = (rule * most + refinement.left) * most + refinement.right
    keys, number = np.unique(key, return_inverse=True)
    rules = keys // most**2
    sizes = refinement.states[skeleton.rule_labels[rules, 0]]
    mean = add_up(number, refinement.probability, len(keys)) / sizes
    place = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    moved = Entries(
        np.repeat(rules, sizes),
        place,
        np.repeat(keys // most % most, sizes),
        np.repeat(keys % most, sizes),
        np.repeat(mean * smoothing, sizes),
    )
    probability = refinement.probability * (1.0 - smoothing)
    kept = Entries(rule, refinement.state, refinement.left, refinement.right, probability)
    pair_sizes = np.diff(refinement.pair_start)
    pair_mean = np.add.reduceat(refinement.pair_probability, refinement.pair_start[:-1])
    pairs = (1.0 - lexical_smoothing) * refinement.pair_probability
    pairs += lexical_smoothing * np.repeat(pair_mean / pair_sizes, pair_sizes)
    return estimate(skeleton, collect(skeleton, refinement.states, _joined([kept, moved]), pairs))


def shares(refinement: Refinement, frequency: Costs) -> Costs:
    """Return the frequency of each substate relative to itself and its sister."""
    firsts = first_sisters(refinement)
    total = np.maximum(frequency[firsts] + frequency[firsts + 1], 1e-300)
    share = np.ones(len(frequency))
    share[firsts] = frequency[firsts] / total
    share[firsts + 1] = 1.0 - share[firsts]
    return share


def first_sisters(refinement: Refinement) -> Int64:
    """Return the first substate of each pair of sisters; a single substate has no sister."""
    labels = _labels(refinement)
    place = np.arange(len(labels)) - first_states(refinement.states)[labels]
    return np.flatnonzero((place % 2 == 0) & (refinement.states[labels] > 1))


def _labels(refinement: Refinement) -> Int64:
    """Return the symbol of each substate."""
    return np.repeat(np.arange(len(refinement.states)), refinement.states)


def _joined(parts: Sequence[Entries]) -> Entries:
    return Entries(*(np.concatenate(column) for column in zip(*parts, strict=True)))
