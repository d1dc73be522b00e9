"""Weights in training and averages, against a dictionary."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored import REFUSED, reread

from plcfrs.errors import InputError
from plcfrs.jit import kernel
from plcfrs.learning import weights as storage
from plcfrs.learning.kernel import arrays
from plcfrs.learning.kernel.arrays import Keys, Places, Scores, Weights
from plcfrs.learning.kernel.averages import add_scores, sum_scores
from plcfrs.learning.kernel.weights import add, has_room
from plcfrs.learning.weights import (
    averaged,
    count_averages,
    enlarge_weights,
    new_weights,
    resumed,
    weights_of,
)

# Keys that share halves, so that they meet in slots and in buckets.
HALVES = st.sampled_from([0, 1, 2, 7, 2**31, 2**32 - 1])
KEYS = st.one_of(
    st.integers(0, 2**64 - 1), st.builds(lambda upper, lower: upper << 32 | lower, HALVES, HALVES)
)

# The largest share by which rounding to 16 bits changes a weight.
ROUNDED = 2**-8


@kernel
def _update(weights: Weights, keys: Keys, action: int, change: float, time: float) -> bool:
    if not has_room(weights.learned, len(keys)):
        return False
    add(weights.learned, keys, len(keys), action, change, time)
    return True


@kernel
def _sum(weights: Weights, keys: Keys, rows: Places, scores: Scores) -> np.uint64:
    return sum_scores(weights, keys, len(keys), rows, scores)


@kernel
def _add(weights: Weights, keys: Keys, rows: Places, scores: Scores) -> None:
    add_scores(weights, keys, rows, scores)


def update(weights, keys, action, change, time):
    while not _update(weights, np.array(keys, np.uint64), action, float(change), float(time)):
        weights = enlarge_weights(weights)
    return weights


def scores_of(weights, keys, actions):
    rows, scores = np.zeros(len(keys), np.uint32), np.full(actions, 7, np.float32)
    _sum(weights, np.array(keys, np.uint64), rows, scores)
    added = np.zeros(actions, np.float32)
    _add(weights, np.array(keys, np.uint64), rows, added)
    assert added.tobytes() == scores.tobytes()
    return scores.tolist()


class Expected:
    """The same weights, in a dictionary, and their sum over time."""

    def __init__(self):
        self.values, self.totals = {}, {}

    def update(self, keys, action, change, time):
        for key in keys:
            place = key, action
            self.values[place] = self.values.get(place, 0) + change
            self.totals[place] = self.totals.get(place, 0) + change * time

    def mean(self, place, time):
        return self.values.get(place, 0) - self.totals.get(place, 0) / time

    def scores(self, keys, actions, mean=None):
        get = (lambda place: self.mean(place, mean)) if mean else self.values.get
        return [sum(get((key, action)) or 0 for key in keys) for action in range(actions)]


@st.composite
def histories(draw):
    actions = draw(st.sampled_from([1, 3, 9, 40, 200]))
    known = draw(st.lists(KEYS, min_size=1, max_size=30))
    step = st.tuples(
        st.lists(st.sampled_from(known), max_size=6, unique=True),
        st.integers(0, actions - 1),
        st.sampled_from([1, -1, 3]),
    )
    return actions, known, draw(st.lists(step, max_size=40))


@given(histories())
def test_like_a_dictionary(history):
    actions, known, steps = history
    weights, expected = new_weights(actions, 4, 4), Expected()
    for time, (keys, action, change) in enumerate(steps, 1):
        weights = update(weights, keys, action, change, time)
        expected.update(keys, action, change, time)
    keys = list(dict.fromkeys(known))
    for learned in (weights, resumed(weights.learned, actions)):
        assert scores_of(learned, keys, actions) == expected.scores(keys, actions)
        for key in keys:
            assert scores_of(learned, [key], actions) == expected.scores([key], actions)
    time = len(steps) + 1
    lowers = [key % 2**24 for key in keys]  # two equal ones may be confused
    averages = averaged(weights, time)
    for means in (averages, weights_of(averages.averages, actions)):
        for key in (key for key in keys if lowers.count(key % 2**24) == 1):
            right = pytest.approx(expected.scores([key], actions, time), rel=ROUNDED, abs=1e-5)
            assert scores_of(means, [key], actions) == right
    assert scores_of(weights, [], actions) == scores_of(averages, [], actions) == [0] * actions


def many(actions=300, features=20_000, seed=1):
    """Return weights of many features, a few of them dense."""
    random = Random(seed)
    keys = [random.getrandbits(64) for _ in range(features)]
    weights, expected = new_weights(actions), Expected()
    for time in range(1, 2000):
        some = [*random.sample(keys, 20), *keys[:3]]
        action, change = random.randrange(actions), random.choice([1, -1])
        weights = update(weights, some, action, change, time)
        expected.update(some, action, change, time)
    return weights, expected, keys


@pytest.mark.full
def test_many_features():
    weights, expected, keys = many()
    averages = averaged(weights, 2000)
    assert len(averages.averages.dense) == 3
    means = [expected.mean(place, 2000) for place in expected.values]
    features = len({key for (key, _), mean in zip(expected.values, means, strict=True) if mean})
    assert count_averages(averages) == (np.count_nonzero(means), features)
    for key in keys[:300]:
        assert scores_of(weights, [key], 300) == expected.scores([key], 300)
        means = pytest.approx(expected.scores([key], 300, 2000), rel=ROUNDED, abs=1e-4)
        assert scores_of(averages, [key], 300) == means


def test_holes_are_filled():
    weights, expected = new_weights(300), Expected()

    def learn(keys, action):
        nonlocal weights
        weights = update(weights, keys, action, 1, 1)
        expected.update(keys, action, 1, 1)
        return int(weights.learned.counters[arrays.ENTRIES])

    old, new = [2**40 * n for n in range(1, 101)], [2**40 * n for n in range(101, 201)]
    assert [learn(old, action) for action in (0, 1, 2)] == [100, 300, 700]
    weights = weights._replace(learned=resumed(weights.learned, 300).learned)
    assert [learn(new, action) for action in (0, 1)] == [700, 700]
    for key, wrong in ((1, -7), (2, 10**9)):  # of damaged files
        weights = resumed(damage(weights.learned, "counters", arrays.HOLES, wrong), 300)
        assert learn([key], 0) == 700 + key
    for key in (*old, *new, 1, 2):
        assert scores_of(weights, [key], 300) == expected.scores([key], 300)


def test_what_is_not_there_is_not_found():
    weights, _, _ = many()
    random = Random(2)
    unseen = [random.getrandbits(64) for _ in range(20_000)]
    for each in (weights, averaged(weights, 2000)):
        assert scores_of(each, unseen, 300) == [0] * 300


@pytest.mark.full
def test_averages_after_a_long_training():
    """Totals of 32 bits are exact up to 2 ** 24; beyond that, a part in ten million is lost."""
    weights, expected, last = new_weights(3), Expected(), 1_000_000
    for time in range(1, last, 101):
        change = 1 if time % 7 < 4 else -1
        weights = update(weights, [5], 1, change, time)
        expected.update([5], 1, change, time)
    assert expected.totals[5, 1] > 40 * 2**24
    mean = expected.mean((5, 1), last)
    assert scores_of(averaged(weights, last), [5], 3)[1] == pytest.approx(mean, rel=1e-4)


def test_averages_that_are_0_take_no_room():
    weights = new_weights(9)
    for time, change in ((1, 1), (1, -1), (3, 1)):
        weights = update(weights, [1, 2**40], 4, change, time)
    assert scores_of(averaged(weights, 3), [1, 2**40], 9) == [0] * 9
    assert averaged(weights, 3).averages.cells.tolist() == [1]


@pytest.mark.full
def test_the_weakest_of_very_many_go(monkeypatch):
    weights, expected, keys = many()
    monkeypatch.setattr(storage, "_MOST_AVERAGES", 10_000)
    averages = averaged(weights, 2000)
    size, features = count_averages(averages)
    assert 8_000 < size + features < 12_000  # an estimate from a sample
    means = means_of(expected)
    strengths = dict.fromkeys(keys, 0)
    for (key, _), mean in means.items():
        strengths[key] = max(strengths[key], abs(mean))
    least = sorted(strengths.values())[-features]
    for key in keys[::200]:
        for mean, score in zip(row(means, key), scores_of(averages, [key], 300), strict=True):
            is_kept = strengths[key] >= least and 2 * abs(mean) >= least
            is_border = 2 * abs(mean) < 1.07 * least  # strengths are counted in steps
            assert score == pytest.approx(mean if is_kept else 0, rel=ROUNDED) or is_border


def means_of(expected):
    return {place: np.float32(expected.mean(place, 2000)) for place in expected.values}


def row(means, key):
    return [means.get((key, action), 0) for action in range(300)]


def damage(numbers, name, place, value):
    changed = getattr(numbers, name).copy()
    changed[place] = value
    return numbers._replace(**{name: changed})


def changed(numbers, change):
    """Return numbers with one array changed, for each of them."""
    return {
        name: numbers._replace(**{name: change(array)}) for name, array in numbers._asdict().items()
    }


def test_damaged_weights_are_refused():
    weights, _, _ = many(features=100)
    numbers = weights.learned
    slot = int(np.flatnonzero(weights.learned.slots != arrays.EMPTY)[0])
    start = int(weights.learned.slots[slot] & arrays.LOWER)
    for broken in (
        damage(numbers, "slots", slot, 2**32 - 2),
        damage(numbers, "slots", slot, weights.learned.counters[arrays.ENTRIES]),
        damage(numbers, "slots", slot, arrays.EMPTY),
        damage(numbers, "slots", slice(None), 0),
        damage(numbers, "actions", start, 300),
        damage(numbers, "actions", slice(None), 0),
        damage(numbers, "values", 0, np.nan),
        damage(numbers, "totals", 0, np.inf),
        *(damage(numbers, "counters", place, -1) for place in range(3)),
        *(damage(numbers, "counters", place, 10**9) for place in range(3)),
        *changed(numbers, lambda array: array[:-1]).values(),
        *changed(numbers, lambda array: array.reshape(-1, 1)).values(),
    ):
        with pytest.raises(ValueError, match="damaged"):
            resumed(broken, 300)
    with pytest.raises(ValueError, match="damaged"):
        resumed(numbers, 299)
    check_types(numbers)


def test_damaged_averages_are_refused():
    weights, _, _ = many(features=100)
    numbers = averaged(weights, 2000).averages
    for broken in (
        damage(numbers, "buckets", 0, 1),
        damage(numbers, "buckets", -1, len(numbers.cells)),
        damage(numbers, "buckets", -1, 2**32 - 1),
        damage(numbers, "buckets", 3, 2**32 - 1),
        damage(numbers, "cells", slice(None), 0),
        damage(numbers, "cells", -1, 0),
        damage(numbers, "cells", slice(None), 2**16 - 1),
        damage(numbers, "dense", (0, 0), np.nan),
        *list(changed(numbers, lambda array: array[:-1]).values())[1:],  # but for the buckets
        *changed(numbers, lambda array: array[:0]).values(),
        *changed(numbers, lambda array: array.reshape(1, *array.shape)).values(),
    ):
        with pytest.raises(ValueError, match="damaged"):
            weights_of(broken, 300)
    with pytest.raises(ValueError, match="damaged"):
        weights_of(numbers, 299)
    check_types(numbers)


def check_types(numbers):
    """Check that arrays of another type, and those that are missing, are refused when read."""
    assert all(map(np.array_equal, reread(numbers), numbers))
    for name, array in numbers._asdict().items():
        for other in (array.astype("f8"), None):
            with pytest.raises(REFUSED):
                reread(numbers, arrays={name: other})


@pytest.mark.full
def test_any_cell_that_is_wrong():
    """Any content of a cell is refused, or nothing is read beyond the arrays."""
    weights, _, keys = many(actions=40, features=30)
    numbers = averaged(weights, 2000).averages
    random, refused = Random(1), 0
    for _ in range(500):
        place = random.randrange(len(numbers.cells))
        value = random.choice([0, 1, 40, 300, 0x7F80, 0x7FFF, 0xFF80, 0xFFFF])
        try:
            changed = weights_of(damage(numbers, "cells", place, value), 40)
        except ValueError:
            refused += 1
            continue
        assert np.isfinite(scores_of(changed, keys, 40)).all()
    assert 50 < refused < 450


def test_too_many_actions():
    new_weights(2**15 - 1, 4, 4)
    with pytest.raises(InputError, match="32768 different transitions or tags are too many"):
        new_weights(2**15)


@pytest.mark.full
def test_too_many_weights(monkeypatch):
    """Stands for 2 ** 32 weights, which need a large machine."""
    weights, _, _ = many(features=100)
    monkeypatch.setattr(storage, "_MOST_PLACES", len(weights.learned.actions))
    full = weights._replace(learned=weights.learned._replace(counters=np.array([0, 10**9, 300])))
    with pytest.raises(InputError, match="weights: train it on fewer trees"):
        enlarge_weights(full)
