"""Pictures of trees for the terminal.

NLTK's `TreePrettyPrinter` would be the tool, but it leaves out parts of a branch that several
lines cross side by side (in a quarter of the discontinuous trees of its Penn Treebank sample), runs
branches together in other trees and fails on some, so layout and picture are our own.
"""

from __future__ import annotations

from plcfrs.drawing.layout import Layout, lay_out, screen_columns
from plcfrs.trees import Tree, render_label

# Where the strokes of a character go: left, right, up, down.
_ENDS = ("lr", "ud", "rd", "ld", "lrd", "lru", "rud", "lud", "lrud")
_BOX = dict(zip(_ENDS, "─│┌┐┬┴├┤┼", strict=True))
_ASCII = dict(zip(_ENDS, "_|  _||||", strict=True))
_LEAST_WIDTH = 3


def draw(tree: Tree, *, unicode: bool = True) -> str:
    """Return a picture of a tree, with crossing branches where it is discontinuous.

    A branch has a hole where another one crosses it.

    Parameters
    ----------
    tree : Tree
    unicode : bool
        Draw lines with box-drawing characters rather than ``|`` and ``_``.

    Returns
    -------
    str
        Lines without trailing blanks; for a tree without tokens, the label of its root.

    Raises
    ------
    InputError
        If a constituent of a tree with tokens has none.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token("What", "WP"), Token("helps", "VBZ"), Token("me", "PRP")]
    >>> vp = Node("VP", children=[0, 2])
    >>> print(draw(Tree(Node("ROOT", children=[vp, 1]), tokens)))
         ROOT
          ├─────┐
          VP    │
     ┌────┴──── │ ───┐
     WP        VBZ  PRP
     │          │    │
    What      helps  me
    """
    if not tree.tokens:
        return render_label(tree.root)
    return _Canvas(lay_out(tree), _BOX if unicode else _ASCII).picture()


class _Canvas:
    """Lines of characters, row i of the layout in line 2i, its branches in the line below."""

    def __init__(self, layout: Layout, strokes: dict[str, str]) -> None:
        self.layout = layout
        self.strokes = strokes
        self.labels = [screen_columns(label) for label in layout.labels]
        middles, width = self._middles()
        self.places = [(2 * row, middles[column]) for row, column in layout.cells]
        height = 1 + max(line for line, _ in self.places)
        self.lines = [[" "] * width for _ in range(height)]

    def picture(self) -> str:
        """Draw everything; vertical lines come after the branches that they cross."""
        for mother, children in enumerate(self.layout.children):
            if children:
                self._draw_branch(mother, children)
        for mother, children in enumerate(self.layout.children):
            for child in children:
                self._draw_line(mother, child)
        for (line, middle), label in zip(self.places, self.labels, strict=True):
            start = middle - (len(label) - 1) // 2
            self.lines[line][start : start + len(label)] = label
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def _middles(self) -> tuple[list[int], int]:
        """Return the middle of every column of the layout, and the width of all."""
        columns = [column for _, column in self.layout.cells]
        widths = [_LEAST_WIDTH] * (1 + max(columns))
        for column, label in zip(columns, self.labels, strict=True):
            widths[column] = max(widths[column], len(label))
        middles, left = [], 0
        for width in widths:
            middles.append(left + (width - 1) // 2)
            left += width + 1
        return middles, left

    def _draw_branch(self, mother: int, children: list[int]) -> None:
        line, top = self.places[mother]
        feet = {self.places[child][1] for child in children}
        left, right = min(feet), max(feet)
        for x in range(left, right + 1):
            ends = "l" * (x > left) + "r" * (x < right) + "u" * (x == top) + "d" * (x in feet)
            self.lines[line + 1][x] = self.strokes[ends]

    def _draw_line(self, mother: int, child: int) -> None:
        (upper, _), (lower, x) = self.places[mother], self.places[child]
        for line in self.lines[upper + 2 : lower]:
            for side in (x - 1, x + 1):
                if line[side] == self.strokes["lr"]:
                    line[side] = " "
            line[x] = self.strokes["ud"]
