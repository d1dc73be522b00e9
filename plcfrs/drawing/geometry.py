"""Places of labels and lines in a picture that is not made of characters, in pixels."""

from __future__ import annotations

from typing import NamedTuple

from plcfrs.drawing.layout import screen_width
from plcfrs.drawing.picture import Bar, Picture, Sketch
from plcfrs.drawing.secondary import Curve, SecondaryArrow, curve
from plcfrs.drawing.spacing import space_columns

_ROW, _HIGH_ROW = 40, 64  # between the middles of labels
_TEXT = 8  # from the middle of a label to its upper and lower end
_BRANCH = 15  # from the middle of a label to the horizontal line below
HOLE = 3  # on either side of a line that crosses
_CHARACTER, GAP, _WIDE_GAP = 9, 12, 36
_LEAST = 20  # from column to column
_BELOW, _BAR, CAPTION = 18, 18, 28  # heights
_BESIDE = 3  # from a label to a curve


class Line(NamedTuple):
    """A horizontal or a vertical line from one point to another."""

    x: int
    y: int
    to_x: int
    to_y: int


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
        bars = [self.words_end + label_width(bar.label) + GAP for bar in self.sketch.bars]
        self.width = max(self.words_end, label_width(self.caption), *bars, 0)
        self.height = self._tree_end + _BAR * len(bars)

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

    def curves(self) -> list[tuple[SecondaryArrow, Curve]]:
        """Return the secondary edges with their curves."""
        labels = self.sketch.layout.labels
        found = []
        for arrow in self.sketch.arrows:
            ends = arrow.child, arrow.mother
            child, mother = (label_width(labels[end]) / 2 + _BESIDE for end in ends)
            start, end = (self.places[end] for end in ends)
            frame = self.words_end, self._tree_end
            found.append((arrow, curve(start, end, (child, mother), frame)))
        return found

    def bars(self) -> list[tuple[Bar, list[Line]]]:
        """Return the bars below the words, each with the lines of its parts."""
        found = []
        for number, bar in enumerate(self.sketch.bars):
            y = self._tree_end + _BAR * number + _BAR // 2 - 4
            found.append((bar, [self._part(y, *part) for part in bar.parts]))
        return found

    def _part(self, y: int, left: int, right: int) -> Line:
        middles = [x for x, _ in self.places[self.sketch.first_word :]]
        halves = [label_width(word) // 2 for word in self.sketch.words]
        return Line(middles[left] - halves[left], y, middles[right - 1] + halves[right - 1], y)


def label_width(label: str) -> int:
    """Return the approximate width of a label."""
    return _CHARACTER * screen_width(label)
