"""What a network sees of a set: its first and last token, and those of its gap."""

from functools import lru_cache

from plcfrs.trees.spans import leftmost

Slots = tuple[int, int, int, int]


@lru_cache(maxsize=1 << 15)
def slots(tokens: int) -> Slots:
    """Return the first and the last token of a set that is not empty, and of its gap.

    The gap goes from the first token missing in between to the last one; without a gap both are -1.

    >>> slots(0b1100)
    (2, 3, -1, -1)
    >>> slots(0b10110001)
    (0, 7, 1, 6)
    """
    first, last = leftmost(tokens), tokens.bit_length() - 1
    gap = tokens ^ ((2 << last) - (1 << first))
    return (first, last, leftmost(gap), gap.bit_length() - 1) if gap else (first, last, -1, -1)
