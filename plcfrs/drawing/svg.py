"""Pictures of trees as SVG, for web pages, notebooks and papers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from plcfrs.drawing.arcs_geometry import ArcGeometry, geometry_of
from plcfrs.drawing.arcs_svg import BOLD, FAINT, arc_elements, behind, coloured, text_element
from plcfrs.drawing.geometry import Geometry, Line
from plcfrs.drawing.picture import BLUE, DARKEST, GREEN, AnyPicture, Bar, picture_of
from plcfrs.drawing.secondary import Curve, Point, SecondaryArrow
from plcfrs.text import escape
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.spans import positions

_BESIDE, _BELOW = 32, 24  # between trees
_FONTS = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"


def draw_svg(
    tree: Tree | DependencyTree,
    marked: Collection[Node | int] = (),
    *,
    gaps: bool = False,
    below: Collection[str] = (),
) -> str:
    """Return a picture of a tree, with crossing branches where it is discontinuous.

    It is an ``svg`` element without identifiers, styles or scripts. Each constituent is a ``g``
    with its lines and its label; ``data-node`` is its number (mothers before children, from left to
    right), ``data-yield`` the positions of its tokens. Each token is a ``g`` with its position in
    ``data-token``; in a dependency tree, it also has the arc above it. A secondary edge is a dashed
    arrow from the dependent to its second mother. Black is the ``color`` of the ``svg``, white the
    ``fill`` of its ``rect``: a page in dark mode can change both. An InputError is raised if a
    constituent of a tree with tokens has none, or a head is not in the sentence.

    Parameters
    ----------
    tree : Tree or DependencyTree
    marked : collection of Node or int
        Nodes, and positions of tokens; their labels and tags (in dependency trees, their
        relations) are drawn in red and in a frame.
    gaps : bool
        Whether each discontinuous constituent gets its own colour, and a line below the words that
        shows its parts and its gaps; in dependency trees, whether each arc above a word that does
        not depend on its head gets its own colour.
    below : collection of str
        What is below the words of a constituent tree, as far as there is any: ``function``,
        ``lemma``, ``morph``.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> picture = draw_svg(Tree(Node("ROOT", children=[0]), [Token("<b>", "X")]))
    >>> picture.startswith("<svg"), "&lt;b&gt;</text>" in picture
    (True, True)
    """
    return render_svg([[picture_of(tree, marked, gaps, below=below)]])


def render_svg(rows: Iterable[Sequence[AnyPicture]]) -> str:
    """Return one picture of many trees: rows of trees side by side, one row below the other."""
    width = height = 0
    parts: list[str] = []
    sentences = []
    for row in rows:
        x, y = 0, height + _BELOW if parts else 0
        for picture in row:
            tree = geometry_of(picture)
            parts += [f'<g transform="translate({x} {y})">', *_elements(tree), "</g>"]
            sentences.append(" ".join(token.form for token in picture.tree.tokens))
            width, height = max(width, x + tree.width), max(height, y + tree.height)
            x += tree.width + _BESIDE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(" / ".join(sentences))}" color="#222" fill="currentColor" '
            f'font-family="{_FONTS}" font-size="13" text-anchor="middle">',
            '<rect width="100%" height="100%" fill="#fff"/>',
            *parts,
            "</svg>",
        ]
    )


def _elements(tree: Geometry | ArcGeometry) -> list[str]:
    caption = f'<text x="6" y="18" text-anchor="start">{escape(tree.caption)}</text>'
    found = [caption] if tree.caption else []
    if isinstance(tree, ArcGeometry):
        return found + arc_elements(tree)
    return [
        *found,
        *(_constituent(tree, number) for number in range(tree.sketch.first_tag)),
        *(_token(tree, position) for position in range(len(tree.sketch.words))),
        *(_secondary(*each) for each in tree.curves()),
        *(_bar(tree, *bar) for bar in tree.bars()),
    ]


def _constituent(tree: Geometry, number: int) -> str:
    tokens = " ".join(map(str, positions(tree.sketch.yields[tree.sketch.nodes[number]])))
    return f'<g data-node="{number}" data-yield="{tokens}">{_branch(tree, number)}</g>'


def _token(tree: Geometry, position: int) -> str:
    tag, word = tree.sketch.first_tag + position, tree.sketch.first_word + position
    below = "".join(text_element(*each, f' font-size="11"{FAINT}') for each in tree.below(position))
    return f'<g data-token="{position}">{_branch(tree, tag)}{_label(tree, word)}{below}</g>'


def _branch(tree: Geometry, number: int) -> str:
    lines = tree.lines(number)
    path = f'<path d="{_steps(lines)}" stroke="currentColor"/>' if lines else ""
    return coloured(path + _label(tree, number), tree.sketch.colours.get(number))


def _label(tree: Geometry, number: int) -> str:
    x, y = tree.places[number]
    label = tree.sketch.layout.labels[number]
    paper = looks = ""
    if number in tree.sketch.shades:
        opacity = DARKEST * tree.sketch.shades[number]
        paper = behind(x, y, label, f'fill="{BLUE.svg}" fill-opacity="{opacity:.3f}"')
    if number in tree.sketch.marked:
        paper, looks = paper + behind(x, y, label), BOLD
    elif tree.sketch.first_tag <= number < tree.sketch.first_word:
        looks = FAINT
    return paper + text_element(x, y, label, looks)


def _secondary(arrow: SecondaryArrow, curve: Curve) -> str:
    head, left, right = map(_point, curve.head)
    return coloured(
        f'<path d="M{_point(curve.start)}Q{_point(curve.control)} {_point(curve.end)}" '
        'fill="none" stroke="currentColor" stroke-dasharray="4 3"/>'
        f'<path d="M{head}L{left}L{right}z"/>'
        f'<text x="{curve.middle[0]:.1f}" y="{curve.middle[1] + 4:.1f}" font-size="11" '
        f'stroke="#fff" stroke-width="4" paint-order="stroke">{escape(arrow.label)}</text>',
        GREEN,
        f'data-edge="{arrow.child} {arrow.mother}" ',
    )


def _point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _bar(tree: Geometry, bar: Bar, parts: list[Line]) -> str:
    first, last = parts[0], parts[-1]
    return coloured(
        f'<path d="{_steps(parts)}" stroke="currentColor" stroke-width="5"/>'
        f'<path d="{_steps([first._replace(to_x=last.to_x)])}" stroke="currentColor" '
        'stroke-dasharray="2 4"/>'
        f'<text x="{tree.words_end}" y="{first.y + 4}" text-anchor="start">'
        f"{escape(bar.label)}</text>",
        bar.colour,
    )


def _steps(lines: Iterable[Line]) -> str:
    return "".join(
        f"M{line.x} {line.y}" + (f"H{line.to_x}" if line.y == line.to_y else f"V{line.to_y}")
        for line in lines
    )
