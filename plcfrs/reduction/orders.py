"""The order in which the dependents of a token are attached: as differences, and nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plcfrs.reduction.spines import dependents


def sides(heads: Sequence[int]) -> Iterator[list[int]]:
    """Yield the dependents of each token to its left, and to its right, from the head outward.

    >>> list(filter(None, sides([0, 3, 3, 0, 3])))
    [[2, 1], [4]]
    """
    for head, others in enumerate(dependents(heads)):
        if head:
            yield [other for other in reversed(others) if other < head]
            yield [other for other in others if other > head]


def differences(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Return the differences of the orders on each side of a head, from the head outward.

    >>> differences([0, 4, 4, 4, 0, 4], [0, 4, 3, 1, 0, 2])
    [0, 1, 2, 1, 0, 2]
    """
    found = list(orders)
    for side in sides(heads):
        for nearer, farther in pairwise(side):
            found[farther] = orders[farther] - orders[nearer]
    return found


def from_differences(heads: Sequence[int], numbers: Sequence[int | None]) -> list[int]:
    """Return the orders: the inverse of `differences`.

    A token without a number has the order of its neighbour nearer to the head, or else 1.

    >>> from_differences([0, 4, 4, 4, 0, 4], [0, 1, 2, 1, 0, None])
    [0, 4, 3, 1, 0, 1]
    """
    orders = [1 if head else 0 for head in heads]
    for side in sides(heads):
        order = 0
        for token in side:
            number = numbers[token]
            order = orders[token] = max(order, 1) if number is None else order + number
    return orders


def nested_orders(heads: Sequence[int], orders: Sequence[int]) -> list[int]:
    """Lower orders until no dependent is attached later than one farther from the head.

    See Fernández-González and Martins (2015), section 4.3.

    >>> nested_orders([0, 4, 4, 4, 0, 4], [0, 2, 1, 3, 0, 1])
    [0, 2, 1, 1, 0, 1]
    """
    found = list(orders)
    for side in sides(heads):
        for farther, nearer in pairwise(reversed(side)):
            found[nearer] = min(found[nearer], found[farther])
    return found
