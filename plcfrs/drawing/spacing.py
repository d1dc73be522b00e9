"""The distances between columns: as small as the labels and lines of each row allow."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from plcfrs.drawing.layout import Layout


class Spacing(NamedTuple):
    """The middles of the columns, and their total width."""

    middles: list[int]
    width: int


def space_columns(layout: Layout, widths: list[int], gap: int, least: int) -> Spacing:
    """Return the places of the columns in the narrowest possible picture.

    Each column is halfway between the leftmost and the rightmost place that it can have. Labels and
    lines of a row are at least `gap` apart, columns `least`.

    >>> two_words = Layout(["S", "two", "words"], [[1, 2], [], []], [(0, 1), (1, 0), (1, 2)])
    >>> space_columns(two_words, [1, 3, 5], gap=1, least=2)
    Spacing(middles=[1, 3, 6], width=9)
    """
    last = max(column for _, column in layout.cells)
    sides = [[0, 0] for _ in range(last + 1)]
    """The largest extents of the labels of a column to the left and to the right."""
    for (_, column), width in zip(layout.cells, widths, strict=True):
        sides[column] = [max(sides[column][0], left_of(width)), max(sides[column][1], width // 2)]
    distances = _distances(layout, widths, gap)
    for pair in pairwise(range(last + 1)):
        distances[pair] = max(distances.get(pair, 0), least)
    first = [left for left, _ in sides]
    for (left, right), distance in sorted(distances.items(), key=lambda item: item[0][1]):
        first[right] = max(first[right], first[left] + distance)
    width = 1 + max(place + right for place, (_, right) in zip(first, sides, strict=True))
    latest = [width - 1 - right for _, right in sides]
    for (left, right), distance in sorted(distances.items(), reverse=True):
        latest[left] = min(latest[left], latest[right] - distance)
    return Spacing([sum(both) // 2 for both in zip(first, latest, strict=True)], width)


def left_of(width: int) -> int:
    """Return the width of a label to the left of its middle.

    >>> left_of(4), left_of(5)
    (1, 2)
    """
    return (width - 1) // 2


def _distances(layout: Layout, widths: list[int], gap: int) -> dict[tuple[int, int], int]:
    rows: dict[int, dict[int, int]] = defaultdict(dict)
    """The width of the label or line at each row and column."""
    for cell, width in zip(layout.cells, widths, strict=True):
        rows[cell[0]][cell[1]] = width
    for mother, children in enumerate(layout.children):
        for child in children:
            bottom, column = layout.cells[child]
            for row in range(layout.cells[mother][0] + 1, bottom):
                rows[row][column] = 1
    distances: dict[tuple[int, int], int] = defaultdict(int)
    for columns in rows.values():
        for (left, width), (right, other) in pairwise(sorted(columns.items())):
            needed = width // 2 + gap + 1 + left_of(other)
            distances[left, right] = max(distances[left, right], needed)
    return distances
