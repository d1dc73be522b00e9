"""Sets of token positions as bitsets: bit ``i`` of a Python int is token ``i``, at any length.

A *run* is a maximal interval of positions, written as a half-open range ``(left, right)``.
"""

from collections.abc import Iterable
from itertools import pairwise


def runs(span: int) -> list[tuple[int, int]]:
    """Return the maximal intervals of a span, from left to right.

    >>> runs(0b110101)
    [(0, 1), (2, 3), (4, 6)]
    """
    found = []
    left = 0
    while span:
        skipped = (span & -span).bit_length() - 1
        span >>= skipped
        length = (~span & (span + 1)).bit_length() - 1
        span >>= length
        found.append((left + skipped, left + skipped + length))
        left += skipped + length
    return found


def fan_out(span: int) -> int:
    """Return the number of runs of a span (its block degree).

    >>> fan_out(0b110101)
    3
    """
    return (span & ~(span << 1)).bit_count()


def gaps(span: int) -> list[tuple[int, int]]:
    """Return the intervals between the runs of a span.

    >>> gaps(0b110101)
    [(1, 2), (3, 4)]
    """
    found = runs(span)
    return [(left[1], right[0]) for left, right in pairwise(found)]


def leftmost(span: int) -> int:
    """Return the first position of a non-empty span.

    >>> leftmost(0b1100)
    2
    """
    return (span & -span).bit_length() - 1


def positions(span: int) -> list[int]:
    """Return the positions of a span in order.

    >>> positions(0b1101)
    [0, 2, 3]
    """
    return [position for left, right in runs(span) for position in range(left, right)]


def span_of_runs(ranges: Iterable[tuple[int, int]]) -> int:
    """Return the span that consists of the given half-open ranges.

    >>> bin(span_of_runs([(0, 1), (2, 4)]))
    '0b1101'
    """
    found = 0
    for left, right in ranges:
        found |= (1 << right) - (1 << left)
    return found


def span_of(tokens: list[int]) -> int:
    """Return the span that holds the given positions.

    >>> bin(span_of([0, 2]))
    '0b101'
    """
    span = 0
    for position in tokens:
        span |= 1 << position
    return span
