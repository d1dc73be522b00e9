"""Secondary edges in pictures: dashed arrows from a dependent to a second mother."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import NamedTuple

from plcfrs.trees import Node, Tree

_BEND, _LEAST_BEND, _MOST_BEND = 0.25, 24, 90
_HALF_HEIGHT = 11  # of a label
_HEAD, _HALF_HEAD = 7, 3.5  # length and half of the width of an arrow head

Point = tuple[float, float]


class SecondaryArrow(NamedTuple):
    """A secondary edge by the numbers of the labels that it joins."""

    label: str
    child: int
    mother: int


class Curve(NamedTuple):
    """A quadratic Bézier curve with an arrow head, in pixels."""

    start: Point
    control: Point
    end: Point
    head: tuple[Point, Point, Point]  # the corners of the arrow head, its tip first
    middle: Point  # where the label is

    def controls(self) -> tuple[Point, Point]:
        """Return the control points of the same curve as a cubic one."""
        (x, y), (from_x, from_y), (to_x, to_y) = self.control, self.start, self.end
        return (
            (from_x + 2 * (x - from_x) / 3, from_y + 2 * (y - from_y) / 3),
            (to_x + 2 * (x - to_x) / 3, to_y + 2 * (y - to_y) / 3),
        )


def secondary_arrows(tree: Tree, numbers: Mapping[Node | int, int]) -> list[SecondaryArrow]:
    """Return the secondary edges between labels that are drawn, of constituents and of tags."""
    return [
        SecondaryArrow(edge.label, numbers[edge.child], numbers[edge.parent])
        for edge in tree.secondary_edges
        if edge.child in numbers and edge.parent in numbers
    ]


def curve(start: Point, end: Point, halves: tuple[float, float], frame: Point) -> Curve:
    """Return the curve between two labels (middles, half widths), bent upwards inside a frame.

    >>> curve((20, 60), (90, 60), (10, 10), (100, 80)).control
    (55.0, 36.0)
    """
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down) or 1
    bend = min(max(_BEND * length, _LEAST_BEND), _MOST_BEND)
    if abs(across) <= sum(halves):  # one label above the other
        aside = max(halves) + bend, 0.0
    else:
        way = 1 if across > 0 else -1
        aside = bend * way * down / length, -bend * way * across / length
    control = (
        _within((start[0] + end[0]) / 2 + aside[0], frame[0]),
        _within((start[1] + end[1]) / 2 + aside[1], frame[1]),
    )
    start, end = _edge(start, halves[0], control), _edge(end, halves[1], control)
    x, y = ((a + 2 * b + c) / 4 for a, b, c in zip(start, control, end, strict=True))
    return Curve(start, control, end, _arrow_head(control, end), (x, y))


def _edge(middle: Point, half: float, towards: Point) -> Point:
    across, down = towards[0] - middle[0], towards[1] - middle[1]
    scale = max(abs(across) / half, abs(down) / _HALF_HEIGHT, 1)
    return middle[0] + across / scale, middle[1] + down / scale


def _arrow_head(control: Point, tip: Point) -> tuple[Point, Point, Point]:
    across, down = tip[0] - control[0], tip[1] - control[1]
    length = hypot(across, down) or 1
    across, down = across / length, down / length
    foot = (tip[0] - _HEAD * across, tip[1] - _HEAD * down)
    side = (-_HALF_HEAD * down, _HALF_HEAD * across)
    return (tip, (foot[0] + side[0], foot[1] + side[1]), (foot[0] - side[0], foot[1] - side[1]))


def _within(place: float, size: float) -> float:
    return min(max(place, 0.0), size)
