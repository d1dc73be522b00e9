"""Lines of characters, on which pictures for the terminal are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from plcfrs.drawing.layout import screen_columns
from plcfrs.drawing.picture import Colour
from plcfrs.drawing.spacing import left_of

# The directions of the strokes of a character: left, right, up, down; then parts, gaps, arrows.
_STROKES = (
    *("lr", "ud", "rd", "ld", "lrd", "lru", "rud", "lud", "lrud"),
    *("part", "gap", "arrow", "edge"),
)
BOX = dict(zip(_STROKES, "─│┌┐┬┴├┤┼━┄▼⇢", strict=True))
ASCII = dict(zip(_STROKES, "_|  _||||=.v>", strict=True))

Cell = tuple[str, Colour | None]
"""The text of a column of the screen: a character with its combining characters."""
BLANK: Cell = (" ", None)


def cells_of(columns: Iterable[str], colour: Colour | None = None) -> list[Cell]:
    """Return the columns of a text in a colour."""
    return [(column, colour) for column in columns]


class Canvas:
    """Lines of cells, below a caption, with `BOX` or `ASCII` for strokes."""

    def __init__(self, caption: str, strokes: dict[str, str], width: int, height: int) -> None:
        self.strokes = strokes
        self.caption = cells_of(screen_columns(caption))
        self.lines = [[BLANK] * width for _ in range(height)]
        self.texts: list[tuple[int, int]] = []
        """Where texts start and end."""
        self.last = 0
        """Where the last word starts, or a longer tag above it."""
        self.notes: list[list[Cell]] = []
        """Lines below the picture, which are not cut."""

    @property
    def width(self) -> int:
        """The number of columns, with the caption."""
        return max(len(line) for line in self.captioned())

    def captioned(self) -> list[list[Cell]]:
        """Return the lines with the caption above and the notes below."""
        return [*([self.caption] if self.caption else []), *self.lines, *self.notes]

    def pieces(self, width: int) -> list[list[list[Cell]]]:
        """Return the lines in pieces of at most this width, cut between labels."""
        whole = max(map(len, self.lines))
        places, cuts = self.gaps(), [0]
        while whole - cuts[-1] > width and places[-1:] > cuts[-1:]:
            behind = [place for place in places if place > cuts[-1]]
            fitting = [place for place in behind if place <= cuts[-1] + width]
            cuts.append(max(fitting, default=behind[0]))
        found = [
            [line[cut:end] for line in self.lines if any(cell != BLANK for cell in line[cut:end])]
            for cut, end in pairwise([*cuts, whole])
        ]
        found[-1] += self.notes
        return [[self.caption, *found[0]], *found[1:]] if self.caption else found

    def gaps(self) -> list[int]:
        """Return the places up to the last word that are outside all texts."""
        covered = {place for start, end in self.texts for place in range(start + 1, end)}
        return [place for place in range(1, self.last + 1) if place not in covered]

    def write(self, line: int, middle: int, columns: list[str], colour: Colour | None) -> None:
        """Write a text around a place."""
        start = middle - left_of(len(columns))
        end = start + len(columns)
        self.lines[line][start:end] = cells_of(columns, colour)
        self.texts.append((start, end))

    def upright(self, x: int, lines: range, colour: Colour | None) -> None:
        """Draw an upright line; the lines that it crosses get a hole."""
        for line in lines:
            for side in (max(x - 1, 0), min(x + 1, len(self.lines[line]) - 1)):
                if self.lines[line][side][0] == self.strokes["lr"]:
                    self.lines[line][side] = BLANK
            self.put(line, x, "ud", colour)

    def put(self, line: int, x: int, stroke: str, colour: Colour | None) -> None:
        """Draw a character of a line."""
        self.lines[line][x] = self.strokes[stroke], colour
