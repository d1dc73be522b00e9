"""The layout of a dependency tree, and the places of labels, lines and arcs in pixels.

Arcs are above the words, one level above the arcs that they span. The arc of a word ends at the
middle of the word. Arcs to its dependents begin left or right of the middle, on the side of the
dependent, so that lines of different words may cross, but never run together.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple

from plcfrs.drawing.layout import left_of, screen_width, space_columns
from plcfrs.drawing.picture import (
    OTHERS,
    RED,
    AnyPicture,
    ArrowCurve,
    Bar,
    Colour,
    DependencyPicture,
    Picture,
    SecondaryArrow,
    Sketch,
    curve,
)
from plcfrs.errors import InputError
from plcfrs.trees import DependencyTree


class Arc(NamedTuple):
    """The arc of a word; words are numbered from 0."""

    head: int | None  # None for the root
    dependent: int
    label: str
    level: int  # how high it is, from 1

    @property
    def ends(self) -> tuple[int, int]:
        """The leftmost and the rightmost word."""
        head = self.dependent if self.head is None else self.head
        return min(head, self.dependent), max(head, self.dependent)


class Measures(NamedTuple):
    """The sizes of a medium."""

    width: Callable[[str], int]  # returns the width of a label
    port: int  # the distance from the middle of a word to where arcs to dependents begin
    gap: int  # the least distance between words
    beside: int  # the least length of the line on either side of a label, with the end of the arc


class PlacedArc(NamedTuple):
    """An arc with its places from left to right."""

    arc: Arc
    start: int  # where it leaves the head (for the root: its end), and the middle of the dependent
    end: int
    holes: list[int]  # where lines of other arcs cross it
    label: int  # the middle of its label
    colour: Colour | None
    marked: bool


class ArcPlan:
    """A dependency tree with the middles of its words and an arc for each word."""

    def __init__(self, picture: DependencyPicture, measures: Measures) -> None:
        self.tree = picture.tree
        self.levels, arcs = _arcs(picture.tree)
        self._measures = measures
        crossed = [_crossing(arc, arcs) for arc in arcs]
        # Lines of the same word are so close that they make one hole.
        numbers = [len({word for word, _ in feet}) for feet in crossed]
        self.middles, self.width = self._space(arcs, numbers)
        colours = _colours(picture)
        self.arcs = [
            self._place(arc, words, colours.get(arc.dependent), arc.dependent in picture.marked)
            for arc, words in zip(arcs, crossed, strict=True)
        ]

    def _space(self, arcs: list[Arc], crossings: list[int]) -> tuple[list[int], int]:
        measure, port, gap, beside = self._measures
        widths = [
            max(2 * port + 1, measure(token.form), measure(token.tag)) for token in self.tree.tokens
        ]
        needed: list[dict[int, int]] = [{} for _ in widths]
        for arc, number in zip(arcs, crossings, strict=True):
            left, right = arc.ends
            if arc.head is None:
                widths[right] = max(widths[right], measure(arc.label))
            else:
                room = (measure(arc.label) + 2 * beside) * (number + 1) + port * (2 * number + 1)
                needed[right][left] = max(needed[right].get(left, 0), room)
        middles: list[int] = []
        end = -gap
        for width, distances in zip(widths, needed, strict=True):
            places = [middles[left] + distance for left, distance in distances.items()]
            middles.append(max([end + gap + left_of(width), *places]))
            end = middles[-1] + width // 2 + 1
        return middles, max(end, 0)

    def _place(
        self, arc: Arc, crossing: list[tuple[int, int]], colour: Colour | None, marked: bool
    ) -> PlacedArc:
        port = self._measures.port
        end = start = self.middles[arc.dependent]
        if arc.head is not None:
            start = self.middles[arc.head] + (port if arc.head < arc.dependent else -port)
        holes = sorted({self.middles[word] + side * port for word, side in crossing})
        left, right = min(start, end), max(start, end)
        pieces = zip([left, *holes], [*holes, right], strict=True)
        first, last = max(pieces, key=lambda piece: piece[1] - piece[0])
        return PlacedArc(arc, start, end, holes, (first + last) // 2, colour, marked)


def _arcs(tree: DependencyTree) -> tuple[int, list[Arc]]:
    _check_heads(tree)
    flat = [
        Arc(head - 1 if head else None, word, relation, 0)
        for word, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True))
    ]
    placed: list[Arc] = []
    for arc in sorted(flat, key=lambda arc: (arc.ends[1] - arc.ends[0], arc.ends)):
        if arc.head is not None:
            below = (other.level for other in placed if _overlap(arc, other))
            placed.append(arc._replace(level=1 + max(below, default=0)))
    top = 1 + max((arc.level for arc in placed), default=0)
    placed += [arc._replace(level=top) for arc in flat if arc.head is None]
    return top, sorted(placed, key=lambda arc: arc.dependent)


def _check_heads(tree: DependencyTree) -> None:
    for number, head in enumerate(tree.heads, start=1):
        if not 0 <= head <= len(tree.tokens) or head == number:
            raise InputError(f"cannot draw the arc of word {number}, whose head is {head}")


def _overlap(one: Arc, other: Arc) -> bool:
    return max(one.ends[0], other.ends[0]) < min(one.ends[1], other.ends[1])


def _crossing(arc: Arc, arcs: list[Arc]) -> list[tuple[int, int]]:
    ends = sorted(_feet(arc))
    feet = {foot for other in arcs if other.level > arc.level for foot in _feet(other)}
    return sorted(foot for foot in feet if ends[0] < foot < ends[-1])


def _feet(arc: Arc) -> list[tuple[int, int]]:
    if arc.head is None:
        return [(arc.dependent, 0)]
    return [(arc.dependent, 0), (arc.head, 1 if arc.head < arc.dependent else -1)]


def _colours(picture: DependencyPicture) -> dict[int, Colour]:
    crossing = [word for word in range(len(picture.tree.heads)) if _is_crossing(picture.tree, word)]
    colours = dict(zip(crossing if picture.gaps else (), cycle(OTHERS), strict=False))
    return {**colours, **dict.fromkeys(picture.marked, RED)}


def _is_crossing(tree: DependencyTree, word: int) -> bool:
    """Whether any word below the arc of a word does not depend on the head of the arc."""
    head = tree.heads[word]
    between = range(min(head, word + 1) + 1, max(head, word + 1))
    return head != 0 and any(not _depends(tree, number, head) for number in between)


def _depends(tree: DependencyTree, number: int, head: int) -> bool:
    seen: set[int] = set()
    while number not in (0, head) and number not in seen:
        seen.add(number)
        number = tree.heads[number - 1]
    return number == head


_ROW, _HIGH_ROW = 40, 64  # between the middles of labels
_TEXT = 8  # from the middle of a label to its upper and lower end
_BRANCH = 15  # from the middle of a label to the horizontal line below
HOLE = 3  # on either side of a line that crosses
_CHARACTER, GAP, _WIDE_GAP = 9, 12, 36
_LEAST = 20  # from column to column
_BELOW, _BAR, CAPTION = 18, 18, 28  # heights
_BESIDE = 3  # from a label to a curve
_DEPTH, _MARGIN, _ASIDE, _BEND = 20, 8, 4, 10  # of arrows to null elements


class Line(NamedTuple):
    """A horizontal or a vertical line from one point to another."""

    x: int
    y: int
    to_x: int
    to_y: int

    @property
    def svg(self) -> str:
        """The steps of a path in SVG."""
        return f"M{self.x} {self.y}" + (f"H{self.to_x}" if self.y == self.to_y else f"V{self.to_y}")

    @property
    def tikz(self) -> str:
        """The steps of a path in tikz."""
        return f"({self.x},{self.y}) -- ({self.to_x},{self.to_y})"


class TraceArrow(NamedTuple):
    """The arrow from the line below the words of an antecedent to a null element, in pixels."""

    null: int  # its position
    words: Line
    start: int
    bottom: int
    end: int
    tip: int

    @property
    def left(self) -> int:
        """The leftmost place."""
        return min(self.words.x, self.end)

    @property
    def right(self) -> int:
        """The rightmost place."""
        return max(self.words.to_x, self.end)

    @property
    def bend(self) -> int:
        """The radius of the corners; negative if the arrow goes to the left."""
        return max(-_BEND, min(_BEND, (self.end - self.start) // 2))


class Geometry:
    """A picture in pixels, from the upper left corner.

    `places` are the middles of the labels; the labels of the bars begin at `words_end`.
    """

    def __init__(self, picture: Picture) -> None:
        self.caption = picture.caption
        self.sketch = Sketch(picture)
        layout = self.sketch.layout
        row, gap = (_HIGH_ROW, _WIDE_GAP) if picture.spacious else (_ROW, GAP)
        self._crossings = layout.crossings()
        middles, width = space_columns(layout, self.sketch.widths(label_width), gap, _LEAST)
        self._middles = [middle + GAP // 2 for middle in middles]
        self.words_end = width + GAP
        top = CAPTION if self.caption else 0
        self.places = [
            (self._middles[column], top + row * level + row // 2) for level, column in layout.cells
        ]
        self._words_end = max(y for _, y in self.places) + row // 2
        self._tree_end = self._words_end + _BELOW * len(self.sketch.rows)
        self.traces = self._traces()
        self._bars = max([self._tree_end, *(each.bottom + _MARGIN for each in self.traces)])
        bars = [self.words_end + label_width(bar.label) + GAP for bar in self.sketch.bars]
        self.width = max(self.words_end, label_width(self.caption), *bars, 0)
        self.height = self._bars + _BAR * len(bars)

    def lines(self, mother: int) -> list[Line]:
        """Return the lines that lead down from a label, with holes where other lines cross them."""
        x, y = self.places[mother]
        feet = [self.places[child] for child in self.sketch.layout.children[mother]]
        if not feet:
            return []
        if feet == [(x, feet[0][1])]:
            return [Line(x, y + _TEXT, x, feet[0][1] - _TEXT)]
        holes = [self._middles[column] for column in self._crossings[mother]]
        columns = [column for column, _ in feet]
        starts = [min(columns), *(hole + HOLE for hole in holes)]
        ends = [*(hole - HOLE for hole in holes), max(columns)]
        y += _BRANCH
        return [
            Line(x, y, x, y - _BRANCH + _TEXT),
            *(Line(left, y, right, y) for left, right in zip(starts, ends, strict=True)),
            *(Line(foot, y, foot, below - _TEXT) for foot, below in feet),
        ]

    def below(self, position: int) -> list[tuple[int, int, str]]:
        """Return the texts below a word, each with its middle."""
        x, _ = self.places[self.sketch.first_word + position]
        texts = (row[position] for row in self.sketch.rows)
        first = self._words_end - _BELOW // 6
        return [(x, first + _BELOW * i, text) for i, text in enumerate(texts) if text]

    def curves(self) -> list[tuple[SecondaryArrow, ArrowCurve]]:
        """Return the secondary edges with their curves."""
        labels = self.sketch.layout.labels
        curves = []
        for arrow in self.sketch.arrows:
            ends = arrow.child, arrow.mother
            child, mother = (label_width(labels[end]) / 2 + _BESIDE for end in ends)
            start, end = (self.places[end] for end in ends)
            frame = self.words_end, self._tree_end
            curves.append((arrow, curve(start, end, (child, mother), frame)))
        return curves

    def bars(self) -> list[tuple[Bar, list[Line]]]:
        """Return the bars below the words, each with the lines of its parts."""
        bars = []
        for number, bar in enumerate(self.sketch.bars):
            y = self._bars + _BAR * number + _BAR // 2 - 4
            bars.append((bar, [self._part(y, *part) for part in bar.parts]))
        return bars

    def _traces(self) -> list[TraceArrow]:
        """Return the arrows to null elements; overlapping arrows have different depths."""
        tip = self._tree_end - _MARGIN
        arrows = []
        for null, left, right in self.sketch.traces:
            words = self._part(tip, left, right)
            end, _ = self.places[self.sketch.first_word + null]
            middle = (words.x + words.to_x) // 2
            aside = _ASIDE if middle < end else -_ASIDE
            arrows.append(TraceArrow(null, words, middle + aside, tip, end - aside, tip))
        placed: list[TraceArrow] = []

        def lowest(left: int, right: int) -> int:
            above = (one.bottom for one in placed if one.left <= right and left <= one.right)
            return max(above, default=tip)

        for arrow in sorted(arrows, key=lambda arrow: arrow.right - arrow.left):
            y = lowest(arrow.words.x, arrow.words.to_x) + _ASIDE
            words = arrow.words._replace(y=y, to_y=y)
            bottom = lowest(arrow.left, arrow.right) + _DEPTH
            placed.append(arrow._replace(words=words, bottom=bottom))
        return placed

    def _part(self, y: int, left: int, right: int) -> Line:
        first, last = self.sketch.first_word + left, self.sketch.first_word + right - 1
        labels = self.sketch.layout.labels
        start = self.places[first][0] - label_width(labels[first]) // 2
        return Line(start, y, self.places[last][0] + label_width(labels[last]) // 2, y)


def label_width(label: str) -> int:
    """Return the approximate width of a label."""
    return _CHARACTER * screen_width(label)


_LEVEL = 22  # from arc to arc
_ARROW = 10  # from the ends of the arcs to the middles of the words
_ARC_ROW = 16  # from word to tag, and from the tag to the end of the picture
_ROOT = 8  # from the middle of the label of a root to its line
_ARC_MARGIN = 8  # of a label
CORNER = 6

BESIDE = 32
"""The space between trees side by side."""


class ArcGeometry:
    """A picture of a dependency tree in pixels, from the upper left corner.

    `feet`, `words` and `tags` are the y coordinates of the ends of the arcs, and of the middles of
    words and tags.
    """

    def __init__(self, picture: DependencyPicture) -> None:
        self.caption = picture.caption
        measures = Measures(label_width, port=4, gap=GAP, beside=_ARC_MARGIN + CORNER)
        self.plan = ArcPlan(picture, measures)
        self._top = (CAPTION if self.caption else 0) + _LEVEL // 2
        self.feet = self._top + _LEVEL * self.plan.levels
        self.words = self.feet + _ARROW
        self.tags = self.words + _ARC_ROW
        self.width = max(self.plan.width, label_width(self.caption)) + GAP
        self.height = self.tags + _ARC_ROW

    def x(self, place: int) -> int:
        """Return the x coordinate of a place of the plan."""
        return place + GAP // 2

    def label(self, arc: PlacedArc) -> tuple[int, int]:
        """Return the middle of the label of an arc."""
        return self.x(arc.label), self._top + _LEVEL * (self.plan.levels - arc.arc.level)

    def root_line(self, arc: PlacedArc) -> Line:
        """Return the line from the label of a root down to its word."""
        x, y = self.label(arc)
        return Line(x, y + _ROOT, x, self.feet)

    def ends(self, arc: PlacedArc) -> tuple[int, int]:
        """Return the x coordinates of both ends of an arc: at its head and at its dependent."""
        return self.x(arc.start), self.x(arc.end)

    def pieces(self, arc: PlacedArc) -> list[Line]:
        """Return the level line of an arc between its corners, in parts around holes."""
        left, right = sorted(self.ends(arc))
        middle, y = self.label(arc)
        half = label_width(arc.arc.label) // 2 + HOLE
        holes = [(self.x(hole) - HOLE, self.x(hole) + HOLE) for hole in arc.holes]
        holes = sorted([*holes, (middle - half, middle + half)])
        starts = [left + CORNER, *(end for _, end in holes)]
        ends = [*(start for start, _ in holes), right - CORNER]
        lines = (Line(start, y, end, y) for start, end in zip(starts, ends, strict=True))
        return [line for line in lines if line.x < line.to_x]


def geometry_of(picture: AnyPicture) -> Geometry | ArcGeometry:
    """Return the picture of a tree of either kind in pixels."""
    return ArcGeometry(picture) if isinstance(picture, DependencyPicture) else Geometry(picture)
