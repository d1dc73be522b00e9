"""Places of words and arcs in a picture that is not made of characters, in pixels."""

from __future__ import annotations

from plcfrs.drawing.arcs import ArcPlan, Measures, PlacedArc
from plcfrs.drawing.geometry import CAPTION, GAP, HOLE, Geometry, Line, label_width
from plcfrs.drawing.picture import AnyPicture, DependencyPicture

_LEVEL = 22  # from arc to arc
_ARROW = 10  # from the ends of the arcs to the middles of the words
_TEXT = 16  # from word to tag, and from the tag to the end of the picture
_ROOT = 8  # from the middle of the label of a root to its line
_BESIDE = 8  # of a label
CORNER = 6


class ArcGeometry:
    """A picture of a dependency tree in pixels, from the upper left corner.

    `feet`, `words` and `tags` are the y coordinates of the ends of the arcs, and of the middles of
    words and tags.
    """

    def __init__(self, picture: DependencyPicture) -> None:
        self.caption = picture.caption
        measures = Measures(label_width, port=4, gap=GAP, beside=_BESIDE + CORNER)
        self.plan = ArcPlan(picture, measures)
        self._top = (CAPTION if self.caption else 0) + _LEVEL // 2
        self.feet = self._top + _LEVEL * self.plan.levels
        self.words = self.feet + _ARROW
        self.tags = self.words + _TEXT
        self.width = max(self.plan.width, label_width(self.caption)) + GAP
        self.height = self.tags + _TEXT

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
