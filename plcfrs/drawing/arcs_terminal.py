"""Pictures of dependency trees for the terminal."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from plcfrs.drawing.arcs import ArcPlan, Measures, PlacedArc
from plcfrs.drawing.canvas import BLANK, Canvas
from plcfrs.drawing.layout import screen_columns, screen_width
from plcfrs.drawing.picture import DependencyPicture

_BELOW = 3  # lines: arrows, words, tags


_MEASURES = Measures(screen_width, port=1, gap=1, beside=2)


class ArcCanvas(Canvas):
    """A line for each level of arcs, the highest first; then arrows, words and tags."""

    def __init__(self, picture: DependencyPicture, strokes: dict[str, str]) -> None:
        self.plan = plan = ArcPlan(_bracketed(picture), _MEASURES)
        super().__init__(picture.caption, strokes, plan.width, plan.levels + _BELOW)
        self._draw()

    def _draw(self) -> None:
        """Draw everything; upright lines come after the arcs that they cross."""
        highest_first = sorted(self.plan.arcs, key=attrgetter("arc.level"), reverse=True)
        for arc in highest_first:
            for x in range(min(arc.start, arc.end), max(arc.start, arc.end) + 1):
                self.put(self._line(arc), x, "lr", arc.colour)
        for arc in highest_first:
            self._draw_uprights(arc)
        for arc in highest_first:
            if arc.arc.head is not None:
                self._draw_corners(arc)
            self.write(self._line(arc), arc.label, screen_columns(arc.arc.label), arc.colour)
        for token, middle in zip(self.plan.tree.tokens, self.plan.middles, strict=True):
            self.write(-1, middle, screen_columns(token.tag), None)
            self.write(-2, middle, screen_columns(token.form), None)
        self.last = max((start for start, _ in self.texts[-2:]), default=0)

    def _line(self, arc: PlacedArc) -> int:
        return self.plan.levels - arc.arc.level

    def _draw_uprights(self, arc: PlacedArc) -> None:
        arrows = len(self.lines) - _BELOW
        self.upright(arc.end, range(self._line(arc) + 1, arrows), arc.colour)
        self.put(arrows, arc.end, "arrow", arc.colour)
        if arc.arc.head is not None:
            self.upright(arc.start, range(self._line(arc) + 1, arrows + 1), arc.colour)

    def _draw_corners(self, arc: PlacedArc) -> None:
        """Draw both ends; a line from higher arcs of the same head goes on downwards."""
        to_right = arc.start < arc.end
        for x in (arc.start + 1, arc.end - 1) if to_right else (arc.start - 1, arc.end + 1):
            if self.lines[self._line(arc)][x] == BLANK:  # a hole for lines of the same word
                self.put(self._line(arc), x, "lr", arc.colour)
        joined = any(
            other.start == arc.start and other.arc.level > arc.arc.level for other in self.plan.arcs
        )
        up = "u" if joined else ""
        self.put(self._line(arc), arc.start, f"{'r' if to_right else 'l'}{up}d", arc.colour)
        self.put(self._line(arc), arc.end, "ld" if to_right else "rd", arc.colour)


def _bracketed(picture: DependencyPicture) -> DependencyPicture:
    relations = [
        f"[{relation}]" if word in picture.marked else relation
        for word, relation in enumerate(picture.tree.relations)
    ]
    return picture._replace(tree=replace(picture.tree, relations=relations))
