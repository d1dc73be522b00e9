"""Heads of any graph, repaired so that they are a tree."""

from collections.abc import Sequence


def repaired_heads(heads: Sequence[int]) -> list[int]:
    """Return heads, numbered from 1, without cycles after an unused entry 0.

    The root, 0, becomes the head of each word whose head is out of range, and of the first word of
    each cycle.

    >>> repaired_heads([2, 3, 2, 9])
    [0, 2, 0, 2, 0]
    """
    repaired = [0, *(head if 0 <= head <= len(heads) else 0 for head in heads)]
    walk_of = [0] * len(repaired)
    for start in range(1, len(repaired)):
        token = start
        while token and not walk_of[token]:
            walk_of[token] = start
            token = repaired[token]
        if token and walk_of[token] == start:
            repaired[min(_cycle(token, repaired))] = 0
    return repaired


def _cycle(token: int, heads: Sequence[int]) -> list[int]:
    cycle = [token]
    while heads[cycle[-1]] != token:
        cycle.append(heads[cycle[-1]])
    return cycle
