"""Pictures of trees as SVG, for web pages and papers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import accumulate

from plcfrs.drawing.layout import Layout, lay_out, screen_columns
from plcfrs.text import escape
from plcfrs.trees import Node, Tree, render_label

_ROW = 40  # between the middles of labels, in pixels
_TEXT = 8  # from the middle of a label to its upper and lower end
_BRANCH = 15  # from the middle of a label to the horizontal line below
_CHARACTER, _GAP = 9, 12
_BLACK, _GREY, _RED = "#222", "#666", "#b00020"


def draw_svg(tree: Tree, marked: Collection[Node | int] = ()) -> str:
    """Return a picture of a tree, with crossing branches where it is discontinuous.

    A horizontal line has a hole where a vertical one crosses it.

    Parameters
    ----------
    tree : Tree
    marked : collection of Node or int
        The nodes, and the positions of tokens whose tags are drawn in red and in a frame.

    Returns
    -------
    str
        An ``svg`` element without identifiers, styles or scripts, to be put into a page or a
        file; for a tree without tokens, the label of its root.

    Raises
    ------
    InputError
        If a constituent of a tree with tokens has none.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> picture = draw_svg(Tree(Node("ROOT", children=[0]), [Token("<b>", "X")]))
    >>> picture.startswith("<svg"), "&lt;b&gt;</text>" in picture
    (True, True)
    """
    layout = lay_out(tree) if tree.tokens else Layout([render_label(tree.root)], [[]], [(0, 0)])
    nodes = tree.nodes()
    numbers = {node: number for number, node in enumerate(nodes)}
    red = {numbers[part] if isinstance(part, Node) else len(nodes) + part for part in marked}
    return _Picture(layout, red, len(nodes), len(tree.tokens)).svg()


class _Picture:
    """A layout in pixels: `places` are the middles of its labels."""

    def __init__(self, layout: Layout, red: set[int], nodes: int, tokens: int) -> None:
        self.layout = layout
        self.red = red
        self.tags = range(nodes, nodes + tokens)
        self.words = layout.labels[nodes + tokens :]
        widths = [0] * (1 + max(column for _, column in layout.cells))
        for (_, column), label in zip(layout.cells, layout.labels, strict=True):
            widths[column] = max(widths[column], _width(label) + _GAP)
        ends = list(accumulate(widths))
        self.width = ends[-1]
        self.height = _ROW * (1 + max(row for row, _ in layout.cells))
        self.places = [
            (ends[column] - widths[column] // 2, _ROW * row + _ROW // 2)
            for row, column in layout.cells
        ]

    def svg(self) -> str:
        """Draw everything; vertical lines come after the horizontal ones that they cross."""
        mothers = [number for number, below in enumerate(self.layout.children) if below]
        red = [number for number in mothers if number in self.red]
        black = [number for number in mothers if number not in self.red]
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img" '
                f'aria-label="{escape(" ".join(self.words))}">',
                _path(map(self._horizontal, black), _BLACK),
                _path(map(self._horizontal, red), _RED),
                _path((self._vertical(number, 4) for number in mothers), "#fff", 7),
                _path(map(self._vertical, black), _BLACK),
                _path(map(self._vertical, red), _RED),
                '<g font-family="Helvetica, Arial, sans-serif" font-size="13" '
                'text-anchor="middle">',
                *map(self._label, range(len(self.places))),
                "</g>",
                "</svg>",
            ]
        )

    def _horizontal(self, mother: int) -> str:
        """Return the line from the first child to the last, and the one up to the label."""
        x, y = self.places[mother]
        columns = [self.places[child][0] for child in self.layout.children[mother]]
        line = f"M{min(columns)} {y + _BRANCH}H{max(columns)}"
        return f"{line}M{x} {y + _BRANCH}V{y + _TEXT}"

    def _vertical(self, mother: int, below: int = 0) -> str:
        """Return the lines down to the children, from somewhere below the horizontal line."""
        top = self.places[mother][1] + _BRANCH + below
        places = [self.places[child] for child in self.layout.children[mother]]
        return "".join(f"M{x} {top}V{y - _TEXT}" for x, y in places)

    def _label(self, number: int) -> str:
        x, y = self.places[number]
        label = self.layout.labels[number]
        colour = _GREY if number in self.tags else _BLACK
        if number not in self.red:
            return f'<text x="{x}" y="{y + 4}" fill="{colour}">{escape(label)}</text>'
        width = _width(label) + 6
        return (
            f'<rect x="{x - width // 2}" y="{y - 10}" width="{width}" height="20" rx="3" '
            f'fill="#fdecea" stroke="{_RED}"/>'
            f'<text x="{x}" y="{y + 4}" fill="{_RED}" font-weight="bold">{escape(label)}</text>'
        )


def _path(lines: Iterable[str], colour: str, width: int = 1) -> str:
    return f'<path d="{"".join(lines)}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def _width(label: str) -> int:
    return _CHARACTER * len(screen_columns(label))
