"""The borders of items against the runs of Python ints."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from quick import core

from plcfrs.parsers.features import kernel as borders
from plcfrs.parsers.features.kernel import find_borders
from plcfrs.trees.tree import runs

TOKENS = 70  # more than a word of 64 bits
SPANS = st.integers(1, 2**TOKENS - 1)


def found(spans, kinds):
    bits = np.array([[span % 2**64, span >> 64] for span in spans], np.uint64)
    limits = np.empty((len(spans), borders.COLUMNS), np.int64)
    shapes = np.empty(len(spans), np.uint64)
    find_borders(bits, np.array(kinds, np.uint64), 2, limits, shapes)
    return limits.tolist(), shapes.tolist()


@given(st.lists(SPANS, min_size=1, max_size=4))
def test_borders(spans):
    limits, _ = found(spans, [0] * (TOKENS + 4))
    for span, row in zip(spans, limits, strict=True):
        parts = runs(span)
        after_gap = parts[1][0] if len(parts) > 1 else -1
        ends = [parts[0][0], parts[0][1], after_gap, parts[-1][1]]
        assert row == [*ends, len(parts), span.bit_count()]


@core(
    1,
    ("one", "other", "is_same"),
    [
        ((0b011, "abcd"), (0b011, "abcx"), True),  # another word further on
        ((0b011, "abcd"), (0b011, "abxd"), False),  # another word after it
        ((0b011, "abcd"), (0b101, "abcd"), False),
        ((0b0011, "aaaa"), (0b0110, "aaaa"), False),  # nothing before it
        ((0b0110, "aaaaa"), (0b1100, "aaaaa"), True),
        ((0b00110, "baaaa"), (0b01100, "baaaa"), False),
    ],
)
def test_shapes(one, other, is_same):
    shapes = [found([span], [1, 2, *map(ord, text), 2, 1])[1] for span, text in (one, other)]
    assert (shapes[0] == shapes[1]) == is_same
