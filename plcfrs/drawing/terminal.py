"""Pictures of trees for the terminal.

NLTK's `TreePrettyPrinter` leaves out parts of branches that several lines cross, runs branches
together and fails on some trees, so we have our own layout and drawing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from plcfrs.drawing.arcs_terminal import ArcCanvas
from plcfrs.drawing.canvas import ASCII, BLANK, BOX, Canvas, Cell, cells_of
from plcfrs.drawing.layout import screen_columns, screen_width
from plcfrs.drawing.picture import (
    GREEN,
    AnyPicture,
    Bar,
    DependencyPicture,
    Picture,
    Sketch,
    picture_of,
)
from plcfrs.drawing.secondary import SecondaryArrow
from plcfrs.drawing.spacing import space_columns
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.spans import runs

_LEAST = 4
_BESIDE = 4


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

    Secondary edges are listed below the picture: label, dependent and second mother, each with its
    words. A dependency tree has arcs above its words, from each head to its dependents, with the
    relations. Errors are those of `draw_svg`.

    Parameters
    ----------
    tree : Tree or DependencyTree
    unicode : bool
        Draw lines with box-drawing characters rather than ``|`` and ``_``.
    marked, gaps, below
        As for `draw_svg`, but with brackets instead of frames.
    colour : bool
    width : int, optional
        The number of columns: a wider picture is cut between words into pieces.

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
    together = sum(canvas.width for canvas in canvases) + _BESIDE * (len(canvases) - 1)
    if width is None or together <= width:
        return _text(_beside([canvas.captioned() for canvas in canvases]), colour)
    pieces = [_text(piece, colour) for canvas in canvases for piece in canvas.pieces(width)]
    return "\n\n".join(pieces)


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
        middles, width = space_columns(layout, widths, 1, _LEAST)
        self.places = [(2 * row, middles[column]) for row, column in layout.cells]
        height = 1 + max(line for line, _ in self.places)
        super().__init__(picture.caption, strokes, width, height)
        self._draw()

    def _draw(self) -> None:
        """Draw everything; vertical lines come after the branches that they cross."""
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
            self._draw_row(row)
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
        self.upright(x, range(upper + 2, lower), self.sketch.colours.get(mother))

    def _draw_row(self, row: list[str]) -> None:
        self.lines.append([BLANK] * len(self.lines[0]))
        for (_, x), text in zip(self.places[self.sketch.first_word :], row, strict=True):
            self.write(-1, x, screen_columns(text), None)

    def _note(self, arrow: SecondaryArrow) -> list[Cell]:
        child, mother = map(self._described, (arrow.child, arrow.mother))
        text = f"{arrow.label}: {child} {self.strokes['edge']} {mother}"
        return cells_of(screen_columns(text), GREEN)

    def _described(self, number: int) -> str:
        sketch = self.sketch
        words = self.layout.labels[sketch.first_word :]
        token = number - sketch.first_tag
        span = sketch.yields[sketch.nodes[number]] if token < 0 else 1 << token
        parts = (" ".join(words[left:right]) for left, right in runs(span))
        return f"{self.layout.labels[number]} ({' ... '.join(parts)})"

    def _draw_bar(self, bar: Bar) -> None:
        label = cells_of(screen_columns(bar.label), bar.colour)
        self.lines.append([BLANK] * (len(self.lines[0]) + 2) + label)
        words = self.texts[self.sketch.first_word : len(self.labels)]
        parts = [(words[left][0], words[right - 1][1]) for left, right in bar.parts]
        for x in range(parts[0][0], parts[-1][1]):
            inside = any(left <= x < right for left, right in parts)
            self.put(-1, x, "part" if inside else "gap", bar.colour)


def _beside(grids: list[list[list[Cell]]]) -> list[list[Cell]]:
    joined: list[list[Cell]] = [[] for _ in range(max(map(len, grids)))]
    start = 0
    for grid in grids:
        for line, cells in zip(joined, grid, strict=False):
            line += [BLANK] * (start - len(line)) + cells
        start += max(map(len, grid)) + _BESIDE
    return joined


def _text(grid: Iterable[list[Cell]], colour: bool) -> str:
    return "\n".join(_line(line, colour) for line in grid)


def _line(line: Iterable[Cell], coloured: bool) -> str:
    parts = []
    for colour, cells in groupby(line, lambda cell: cell[1] if coloured else None):
        text = "".join(text for text, _ in cells)
        parts.append(f"\x1b[{colour.terminal}m{text}\x1b[0m" if colour else text)
    return "".join(parts).rstrip()
