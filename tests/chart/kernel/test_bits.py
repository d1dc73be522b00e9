"""The bit kernels against sets of positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.chart.kernel import bits
from plcfrs.trees.tree import runs, span_of

LENGTH = 150
WORDS = 3
spans = st.sets(st.integers(0, LENGTH - 1)).map(lambda positions: span_of(list(positions)))


def rows(*values: int) -> np.ndarray:
    """Return each span as a row of words, as in a chart."""
    words = [[value >> (64 * word) & (2**64 - 1) for word in range(WORDS)] for value in values]
    return np.array(words, np.uint64)


@given(st.integers(1, 2**64 - 1))
def test_lowest(word):
    assert bits.lowest(np.uint64(word)) == min(i for i in range(64) if word >> i & 1)


@given(spans, st.integers(0, LENGTH))
def test_next_set_and_next_clear(span, position):
    chart = rows(span)
    later = [i for i in range(position, LENGTH) if span >> i & 1]
    assert bits.next_set(chart, 0, position) == (min(later) if later else -1)
    clear = next(i for i in range(position, LENGTH + 1) if not span >> i & 1)
    assert bits.next_clear(chart, 0, position) == clear


def naive_interlocks(order, begins, left, right):
    """Follow the yield function over lists of ranges."""
    ranges = [list(left), list(right)]
    end = -1
    for child, is_first in zip(order, begins, strict=True):
        start, new_end = ranges[child].pop(0)
        if start <= end if is_first else start != end:
            return False
        end = new_end
    return True


@given(spans, spans, st.data())
def test_interlocks(left, right, data):
    """Every yield function that names the runs of both spans, over any two spans."""
    both = [runs(left)[:4], runs(right)[:4]]
    left, right = (
        span_of([i for start, end in found for i in range(start, end)]) for found in both
    )
    order = data.draw(st.permutations([0] * len(runs(left)) + [1] * len(runs(right))))
    begins = [data.draw(st.booleans()) for _ in order]
    expected = naive_interlocks(order, begins, runs(left), runs(right))
    found = interlock(order, begins, left, right)
    assert found == expected


def interlock(order, begins, left, right, words=WORDS):
    """Ask the kernel about two spans in rows of some words."""
    return bits.interlocks(
        np.uint64(sum(child << place for place, child in enumerate(order))),
        np.uint64(sum(first << place for place, first in enumerate(begins))),
        len(order),
        rows(left, right)[:, :words],
        0,
        1,
    )


@given(spans)
def test_interlocks_when_the_runs_fit(span):
    """Runs divided between two children fit the yield function extracted from them, no other."""
    words = 1 if span < 1 << 64 else WORDS
    pieces = [
        piece
        for start, end in runs(span)
        for piece in ([(start, start + 1), (start + 1, end)] if end > start + 1 else [(start, end)])
    ][:20]
    if len(pieces) < 2:
        return
    order = [number % 2 for number in range(len(pieces))]
    begins = [i == 0 or pieces[i - 1][1] != pieces[i][0] for i in range(len(pieces))]
    left, right = (
        span_of([position for piece in pieces[side::2] for position in range(*piece)])
        for side in (0, 1)
    )
    assert interlock(order, begins, left, right, words)
    for place in range(1, len(pieces)):
        others = [first != (number == place) for number, first in enumerate(begins)]
        assert not interlock(order, others, left, right, words)


@pytest.mark.parametrize("words", [1, WORDS])
def test_nothing_follows_the_last_token_of_a_word(words):
    last = 1 << (64 * words - 1)
    assert not interlock([0, 1], [True, True], last, 1, words)
    assert not interlock([0, 1], [True, False], last, 1, words)


@pytest.mark.parametrize("place", [0, 70])
def test_touching_runs_are_one_component(place):
    left, right = 1 << place, 2 << place
    assert interlock([0, 1], [True, False], left, right)
    assert not interlock([0, 1], [True, True], left, right)
