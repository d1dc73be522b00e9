"""The places of features, their sums and their steps, against plain Python."""

from math import sqrt
from random import Random

import numpy as np
import pytest

from plcfrs.parsers.features.kernel import (
    AdaGradWeights,
    add_counts,
    add_up,
    fill_places,
    take_step,
)

ROWS, ATOMS, TEMPLATES, PLACES = 5, 3, 4, 7
COLUMNS = [[0, -1, -1], [2, 0, -1], [0, 2, -1], [0, 1, 2]]
MASK = 2**64 - 1


def place_of(seed, values):
    key = seed
    for value in values:
        key = ((key ^ value) * 0x9E3779B97F4A7C15) & MASK
        key ^= key >> 29
    return ((key >> 32) * PLACES) >> 32


@pytest.fixture
def places():
    random = Random(1)
    atoms = [[random.getrandbits(64) for _ in range(ATOMS)] for _ in range(ROWS)]
    seeds = [random.getrandbits(64) for _ in range(TEMPLATES)]
    found = np.empty((ROWS, TEMPLATES), np.int32)
    columns = np.array(COLUMNS, np.int32)
    fill_places(np.array(atoms, np.uint64), np.array(seeds, np.uint64), columns, PLACES, found)
    for row, numbers in zip(atoms, found.tolist(), strict=True):
        for seed, names, place in zip(seeds, COLUMNS, numbers, strict=True):
            assert place == place_of(seed, [row[name] for name in names if name >= 0])
    return found


def test_sums(places):
    values = np.arange(PLACES, dtype=np.float32)
    scores = np.empty(ROWS)
    add_up(values, places, scores)
    assert scores.tolist() == places.sum(axis=1).tolist()


def test_two_steps(places):
    weights = AdaGradWeights(*(np.zeros(PLACES, np.float32) for _ in range(3)))
    value, square = [0.0] * PLACES, [0.0] * PLACES
    for counts in ([0.5, 0.0, -1.0, 2.0, 0.0], [-1.0, 1.0, 0.0, 0.25, 0.0]):
        change = [0.0] * PLACES
        for count, row in zip(counts, places.tolist(), strict=True):
            for place in row:
                change[place] += count
        for place in range(PLACES):
            if change[place]:
                derivative = change[place] - 0.25 * value[place]
                square[place] += derivative**2
                value[place] += 0.5 * derivative / sqrt(square[place] + 0.01)
        add_counts(places, np.array(counts), weights.changes)
        assert weights.changes.tolist() == change
        take_step(places, np.array(counts), 0.5, 0.25, weights)
        assert weights.values == pytest.approx(value, rel=1e-5)
        assert weights.squares == pytest.approx(square, rel=1e-5)
        assert not weights.changes.any()
