"""Pictures of trees and dependency trees for the terminal, drawn on lines of characters.

The layout and drawing are our own, because NLTK's `TreePrettyPrinter` leaves out parts of branches
that several lines cross, runs branches together and fails on some trees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, zip_longest
from operator import attrgetter

from plcfrs.drawing.arcs import ArcPlan, Measures, PlacedArc
from plcfrs.drawing.layout import left_of, screen_columns, screen_width, space_columns
from plcfrs.drawing.picture import (
    GREEN,
    AnyPicture,
    Bar,
    Colour,
    DependencyPicture,
    Picture,
    SecondaryArrow,
    Sketch,
    picture_of,
)
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.tree import runs

# The directions of the strokes of a character: left, right, up, down; then parts, gaps, arrows.
_STROKES = (
    "lr",
    "ud",
    "rd",
    "ld",
    "lrd",
    "lru",
    "rud",
    "lud",
    "lrud",
    "part",
    "gap",
    "arrow",
    "edge",
)
BOX = dict(zip(_STROKES, "─│┌┐┬┴├┤┼━┄▼⇢", strict=True))
ASCII = dict(zip(_STROKES, "_|  _||||=.v>", strict=True))


_LEAST_DISTANCE = 4  # from column to column
_BETWEEN_TREES = 4  # columns
_LINES_BELOW = 3  # the lines below arcs: arrows, words, tags
_ARC_MEASURES = Measures(screen_width, port=1, gap=1, beside=2)


def draw(
    tree: Tree | DependencyTree,
    *,
    unicode: bool = True,
    marked: Collection[Node | int] = (),
    gaps: bool = False,
    below: Collection[str] = (),
    colour: bool = False,
    width: int | None = None,
) -> str:
    """Return a picture of a tree, with crossing branches where it is discontinuous.

    Secondary edges are listed below the picture: label, dependent and second mother, with the words
    of both. A dependency tree has arcs above its words, from each head to its dependents, with the
    relations. The errors are those of `draw_svg`.

    Parameters
    ----------
    tree : Tree or DependencyTree
    unicode : bool
        Draw lines with box-drawing characters rather than ``|`` and ``_``.
    marked, gaps, below
        As for `draw_svg`, but with brackets instead of frames.
    colour : bool
    width : int, optional
        The number of columns; a wider picture is cut into pieces between words.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ"), Token("me", "PRP")]
    >>> vp = Node("VP", children=[0, 2])
    >>> print(draw(Tree(Node("ROOT", children=[vp, 1]), tokens), gaps=True))
        ROOT
         ├───┐
         VP  │
     ┌───┴── │ ──┐
     WP     VBZ PRP
     │       │   │
    What   helps me
    ━━━━┄┄┄┄┄┄┄┄┄━━  VP
    """
    picture = picture_of(tree, marked, gaps, below=below)
    return render_text([picture], unicode=unicode, colour=colour, width=width)


def render_text(
    row: Sequence[AnyPicture],
    *,
    unicode: bool = True,
    colour: bool = False,
    width: int | None = None,
) -> str:
    """Return trees side by side, or one below the other if they are too wide; see `draw`."""
    strokes = BOX if unicode else ASCII
    canvases = [
        ArcCanvas(picture, strokes)
        if isinstance(picture, DependencyPicture)
        else _TreeCanvas(picture, strokes)
        for picture in row
    ]
    total_width = sum(canvas.width for canvas in canvases) + _BETWEEN_TREES * (len(canvases) - 1)
    if width is None or total_width <= width:
        return "\n".join(_line(line, colour) for line in _beside(canvases))
    return "\n\n".join(piece for canvas in canvases for piece in canvas.pieces(width, colour))


def has_boxes(encoding: str | None) -> bool:
    """Whether an encoding, such as that of a terminal, has the characters for lines.

    >>> has_boxes("utf-8"), has_boxes("cp1252")
    (True, False)
    """
    try:
        return bool("".join(BOX.values()).encode(encoding or "utf-8"))
    except UnicodeEncodeError:
        return False


Cell = tuple[str, Colour | None]
"""The text of a column of the screen: a character with its combining characters."""
Line = dict[int, Cell]
"""The columns of a line that are not blank."""


def cells_of(columns: Iterable[str], colour: Colour | None = None, start: int = 0) -> Line:
    """Return the columns of a text in a colour; the first one is at `start`."""
    return {x: (column, colour) for x, column in enumerate(columns, start)}


class Canvas:
    """Lines of cells, below a caption, with `BOX` or `ASCII` for strokes."""

    def __init__(self, caption: str, strokes: dict[str, str], width: int, height: int) -> None:
        self.strokes = strokes
        self.caption = cells_of(screen_columns(caption))
        self.lines: list[Line] = [{} for _ in range(height)]
        self.whole = width
        """The number of columns of the lines."""
        self.texts: list[tuple[int, int]] = []
        """Where each text starts and ends."""
        self.last = 0
        """Where the last word starts, or the longer tag above it."""
        self.notes: list[Line] = []
        """Lines below the picture, which are not cut."""

    @property
    def width(self) -> int:
        """The number of columns, with the caption and the notes."""
        return max(self.whole, len(self.caption), *map(len, self.notes))

    def drawn(self) -> Iterator[Line]:
        """Yield the lines of the picture."""
        yield from self.lines

    def captioned(self) -> Iterator[Line]:
        """Yield the lines with the caption above and the notes below."""
        return chain([self.caption] if self.caption else [], self.drawn(), self.notes)

    def pieces(self, width: int, colour: bool) -> list[str]:
        """Return the picture in pieces of at most this width, cut between labels."""
        places, cuts = self.gaps(), [0]
        while self.whole - cuts[-1] > width and places[-1:] > cuts[-1:]:
            behind = places[bisect_right(places, cuts[-1]) :]
            fitting = behind[: bisect_right(behind, cuts[-1] + width)]
            cuts.append(max(fitting, default=behind[0]))
        pieces: list[list[str]] = [[] for _ in cuts]
        if self.caption:
            pieces[0].append(_line(self.caption, colour))
        for line in self.drawn():
            parts: dict[int, Line] = defaultdict(dict)
            for x, cell in line.items():
                number = bisect_right(cuts, x) - 1
                parts[number][x - cuts[number]] = cell
            for number, part in parts.items():
                pieces[number].append(_line(part, colour))
        pieces[-1] += [_line(note, colour) for note in self.notes]
        return list(map("\n".join, pieces))

    def gaps(self) -> list[int]:
        """Return the places outside all texts, up to the last word."""
        covered = {place for start, end in self.texts for place in range(start + 1, end)}
        return [place for place in range(1, self.last + 1) if place not in covered]

    def write(self, line: int, middle: int, columns: list[str], colour: Colour | None) -> None:
        """Write a text with its middle at a place."""
        start = middle - left_of(len(columns))
        self.lines[line] |= cells_of(columns, colour, start)
        self.texts.append((start, start + len(columns)))

    def upright(self, x: int, lines: range, colour: Colour | None) -> None:
        """Draw an upright line, and make holes in the lines that it crosses."""
        for line in lines:
            for side in (x - 1, x + 1):
                if self.lines[line].get(side, "")[:1] == (self.strokes["lr"],):
                    del self.lines[line][side]
            self.put(line, x, "ud", colour)

    def put(self, line: int, x: int, stroke: str, colour: Colour | None) -> None:
        """Draw a character of a line."""
        self.lines[line][x] = self.strokes[stroke], colour


class ArcCanvas(Canvas):
    """A line for each level of arcs, the highest first; then arrows, words and tags."""

    def __init__(self, picture: DependencyPicture, strokes: dict[str, str]) -> None:
        self.plan = plan = ArcPlan(_bracketed(picture), _ARC_MEASURES)
        super().__init__(picture.caption, strokes, plan.width, plan.levels + _LINES_BELOW)
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
        arrows = len(self.lines) - _LINES_BELOW
        self.upright(arc.end, range(self._line(arc) + 1, arrows), arc.colour)
        self.put(arrows, arc.end, "arrow", arc.colour)
        if arc.arc.head is not None:
            self.upright(arc.start, range(self._line(arc) + 1, arrows + 1), arc.colour)

    def _draw_corners(self, arc: PlacedArc) -> None:
        """Draw both ends; a line from higher arcs of the same head goes through downwards."""
        to_right = arc.start < arc.end
        for x in (arc.start + 1, arc.end - 1) if to_right else (arc.start - 1, arc.end + 1):
            if x not in self.lines[self._line(arc)]:  # a hole for lines of the same word
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


class _TreeCanvas(Canvas):
    """Row i of the layout is line 2i, and its branches are in the line below."""

    def __init__(self, picture: Picture, strokes: dict[str, str]) -> None:
        self.sketch = sketch = Sketch(picture)
        self.layout = layout = sketch.layout
        self.labels = [
            screen_columns(f"[{label}]" if number in sketch.marked else label)
            for number, label in enumerate(layout.labels)
        ]
        widths = sketch.widths(screen_width)
        widths = [max(*both) for both in zip(widths, map(len, self.labels), strict=True)]
        middles, width = space_columns(layout, widths, 1, _LEAST_DISTANCE)
        self.places = [(2 * row, middles[column]) for row, column in layout.cells]
        height = 1 + max(line for line, _ in self.places)
        super().__init__(picture.caption, strokes, width, height)
        self._changes: dict[int, list[tuple[int, Cell | None]]] = defaultdict(list)
        """For each line, the columns where upright lines begin, with their cell, or end (None)."""
        self._draw()

    def drawn(self) -> Iterator[Line]:
        """Yield the lines with their uprights: all uprights at once would take much memory."""
        uprights: Line = {}
        blank = self.strokes["lr"]
        for number, line in enumerate(self.lines):
            for x, cell in self._changes.get(number, ()):
                if cell is None:
                    del uprights[x]
                else:
                    uprights[x] = cell
            if number % 2:  # a line with branches, which get holes where uprights cross them
                line = {
                    x: cell
                    for x, cell in line.items()
                    if cell[0] != blank or not (x - 1 in uprights or x + 1 in uprights)
                }
            yield line | uprights

    def _draw(self) -> None:
        """Draw everything."""
        for mother, children in enumerate(self.layout.children):
            if children:
                self._draw_branch(mother, children)
        for mother, children in enumerate(self.layout.children):
            for child in children:
                self._draw_line(mother, child)
        for number, (line, x) in enumerate(self.places):
            self.write(line, x, self.labels[number], self.sketch.colours.get(number))
        self.last, _ = self.texts[-1]
        for row in self.sketch.rows:
            self.lines.append({})
            for (_, x), text in zip(self.places[self.sketch.first_word :], row, strict=True):
                self.write(-1, x, screen_columns(text), None)
        self._below = self.whole
        for bar in self.sketch.bars:
            self._draw_bar(bar)
        self.notes = list(map(self._note, self.sketch.arrows))

    def _draw_branch(self, mother: int, children: list[int]) -> None:
        line, top = self.places[mother]
        feet = {self.places[child][1] for child in children}
        left, right = min(feet), max(feet)
        for x in range(left, right + 1):
            ends = "l" * (x > left) + "r" * (x < right) + "u" * (x == top) + "d" * (x in feet)
            self.put(line + 1, x, ends, self.sketch.colours.get(mother))

    def _draw_line(self, mother: int, child: int) -> None:
        (upper, _), (lower, x) = self.places[mother], self.places[child]
        if upper + 2 < lower:
            cell = self.strokes["ud"], self.sketch.colours.get(mother)
            self._changes[upper + 2].append((x, cell))
            self._changes[lower].insert(0, (x, None))

    def _note(self, arrow: SecondaryArrow) -> Line:
        child, mother = map(self._described, (arrow.child, arrow.mother))
        text = f"{arrow.label}: {child} {self.strokes['edge']} {mother}"
        return cells_of(screen_columns(text), GREEN)

    def _described(self, number: int) -> str:
        sketch = self.sketch
        token = number - sketch.first_tag
        span = sketch.yields[sketch.nodes[number]] if token < 0 else 1 << token
        parts = (" ".join(sketch.words[left:right]) for left, right in runs(span))
        return f"{self.layout.labels[number]} ({' ... '.join(parts)})"

    def _draw_bar(self, bar: Bar) -> None:
        label = cells_of(screen_columns(bar.label), bar.colour, self._below + 2)
        self.lines.append(label)
        self.whole = max(self.whole, self._below + 2 + len(label))
        words = self.texts[self.sketch.first_word : len(self.labels)]
        parts = [(words[left][0], words[right - 1][1]) for left, right in bar.parts]
        for x in range(parts[0][0], parts[-1][1]):
            self.put(-1, x, "gap", bar.colour)
        for x in (x for part in parts for x in range(*part)):
            self.put(-1, x, "part", bar.colour)


def _beside(canvases: Sequence[Canvas]) -> Iterator[Line]:
    starts = [0, *accumulate(canvas.width + _BETWEEN_TREES for canvas in canvases)]
    nothing: Line = {}
    for lines in zip_longest(*(canvas.captioned() for canvas in canvases), fillvalue=nothing):
        yield {
            start + x: cell
            for start, line in zip(starts, lines, strict=False)
            for x, cell in line.items()
        }


def _line(line: Line, coloured: bool) -> str:
    parts: list[str] = []
    end, last = 0, None
    for x in sorted(line):
        text, colour = line[x]
        if x > end:
            parts += ["\x1b[0m" * bool(last), " " * (x - end)]
            last = None
        if coloured and colour != last:
            parts += ["\x1b[0m" * bool(last), f"\x1b[{colour.terminal}m" if colour else ""]
            last = colour
        parts.append(text)
        end = x + 1
    parts.append("\x1b[0m" * bool(last))
    return "".join(parts).rstrip()
