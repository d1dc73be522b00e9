"""Pictures of dependency trees for the terminal."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from plcfrs.drawing.arcs import ArcPlan, Measures, PlacedArc
from plcfrs.drawing.canvas import BLANK, Canvas, Cell
from plcfrs.drawing.layout import screen_columns
from plcfrs.drawing.picture import Colour, DependencyPicture
from plcfrs.drawing.spacing import left_of

_BELOW = 3  # lines: arrows, words, tags


def _width(label: str) -> int:
    return len(screen_columns(label))


_MEASURES = Measures(_width, port=1, gap=1, beside=2)


class ArcCanvas(Canvas):
    """A line for each level of arcs, the highest first; then arrows, words and tags."""

    def __init__(self, picture: DependencyPicture, strokes: dict[str, str]) -> None:
        self.plan = plan = ArcPlan(_bracketed(picture), _MEASURES)
        super().__init__(picture.caption, strokes, plan.width, plan.levels + _BELOW)
        self._labels: list[tuple[int, int]] = []
        """Where labels start and end."""
        self._draw()

    def gaps(self) -> list[int]:
        """Return the places up to the last word that are outside all labels."""
        covered = {place for start, end in self._labels for place in range(start + 1, end)}
        last = max(start for start, _ in self._labels[-2:])
        return [place for place in range(1, last + 1) if place not in covered]

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
            self._write(self._line(arc), arc.label, arc.arc.label, arc.colour)
        for token, middle in zip(self.plan.tree.tokens, self.plan.middles, strict=True):
            self._write(-1, middle, token.tag, None)
            self._write(-2, middle, token.form, None)

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

    def _write(self, line: int, middle: int, label: str, colour: Colour | None) -> None:
        cells: list[Cell] = [(text, colour) for text in screen_columns(label)]
        start = middle - left_of(len(cells))
        self.lines[line][start : start + len(cells)] = cells
        self._labels.append((start, start + len(cells)))


def _bracketed(picture: DependencyPicture) -> DependencyPicture:
    """Return a picture with the relations of marked tokens in brackets."""
    relations = [
        f"[{relation}]" if word in picture.marked else relation
        for word, relation in enumerate(picture.tree.relations)
    ]
    return picture._replace(tree=replace(picture.tree, relations=relations))
