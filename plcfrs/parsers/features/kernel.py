"""Features of forests: the borders and shapes of items, and hashed weights, with their updates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel.arrays import Bits, Costs, Int64
from plcfrs.chart.kernel.bits import next_clear, next_set
from plcfrs.jit import kernel
from plcfrs.learning.kernel.arrays import Int32, Keys, Scores
from plcfrs.learning.kernel.weights import bucket_of

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

# Avoids a division by zero, and keeps the first steps of a weight small.
_LEAST_SQUARE = 1e-2


class AdaGradWeights(NamedTuple):
    """The weights in training."""

    values: Scores  # (places,)
    squares: Scores  # (places,) sums of squared derivatives
    changes: Scores  # (places,) scratch memory, 0 between updates


@kernel
def fill_places(atoms: Keys, seeds: Keys, columns: Int32, places: int, placed: Int32) -> None:
    """Write the place of the weight of each feature: (rows, T), for T templates.

    A template has a seed and the columns of its atoms, with -1 after the last one.
    """
    for row in range(len(atoms)):
        for template in range(len(seeds)):
            key = seeds[template]
            for column in columns[template]:
                if column < 0:
                    break
                key = (key ^ atoms[row, column]) * _FACTOR
                key ^= key >> _SHIFT
            placed[row, template] = bucket_of(key, places)


@kernel
def add_up(values: Scores, places: Int32, scores: Costs) -> None:
    """Write the sum of the weights in each row of places."""
    for row in range(len(places)):
        total = 0.0
        for place in places[row]:
            total += values[place]
        scores[row] = total


@kernel
def add_counts(places: Int32, counts: Costs, changes: Scores) -> None:
    """Add the count of each row to the changes of its places."""
    for row in range(len(places)):
        if counts[row] != 0.0:
            for place in places[row]:
                changes[place] += np.float32(counts[row])


@kernel
def take_step(
    places: Int32, counts: Costs, rate: float, penalty: float, weights: AdaGradWeights
) -> None:
    """Change the weights in the rows with counts by AdaGrad (Duchi et al. 2011); clear the changes.

    The penalty times the weight is subtracted from the derivative (L2 regularization).
    """
    for row in range(len(places)):
        if counts[row] == 0.0:
            continue
        for place in places[row]:
            change = np.float64(weights.changes[place])
            if change != 0.0:
                weights.changes[place] = 0
                change -= penalty * weights.values[place]
                weights.squares[place] += np.float32(change * change)
                step = rate * change / np.sqrt(weights.squares[place] + _LEAST_SQUARE)
                weights.values[place] += np.float32(step)


# The columns of the borders of an item, as token positions: its first token, the end of its first
# component (half open), the first token after the first gap (-1 if there is none), its end (half
# open); and the numbers of its components and tokens.
FIRST, GAP, AFTER_GAP, END, COMPONENTS, LENGTH = range(6)
COLUMNS = 6

_SHAPE_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_GAP_MARK = np.uint64(0x9E3779B97F4A7C15)


@kernel
def find_borders(bits: Bits, kinds: Keys, padding: int, borders: Int64, shapes: Keys) -> None:
    """Write the borders of each item, and a key for its shape.

    `kinds` has the kind of each token's form, with `padding` more on both sides. A shape is the
    kinds of the item's tokens in order, its gaps, and the kinds of the tokens around it.
    """
    for item in range(len(bits)):
        start = next_set(bits, item, 0)
        end = next_clear(bits, item, start)
        borders[item, FIRST] = start
        borders[item, GAP] = end
        borders[item, AFTER_GAP] = -1
        components = length = 0
        shape = kinds[padding + start - 1]
        while start >= 0:
            end = next_clear(bits, item, start)
            components += 1
            length += end - start
            if components == 2:
                borders[item, AFTER_GAP] = start
            for token in range(start, end):
                shape = shape * _SHAPE_FACTOR + kinds[padding + token]
            shape = shape * _SHAPE_FACTOR + _GAP_MARK
            start = next_set(bits, item, end)
        borders[item, END] = end
        borders[item, COMPONENTS] = components
        borders[item, LENGTH] = length
        shapes[item] = shape * _SHAPE_FACTOR + kinds[padding + end]
