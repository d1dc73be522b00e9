"""Pictures of trees and dependency trees as SVG, for web pages, notebooks and papers.

Typst (``pip install 'plcfrs[pictures]'``) converts the SVG to PDF and PNG.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from plcfrs.drawing.arcs import (
    BESIDE,
    CORNER,
    ArcGeometry,
    Geometry,
    Line,
    PlacedArc,
    TraceArrow,
    geometry_of,
    label_width,
)
from plcfrs.drawing.picture import (
    BLUE,
    DARKEST,
    GREEN,
    GREY,
    AnyPicture,
    ArrowCurve,
    Bar,
    Colour,
    Point,
    SecondaryArrow,
    picture_of,
)
from plcfrs.errors import InputError
from plcfrs.stopping import until_stopped
from plcfrs.trees import DependencyTree, Node, Tree
from plcfrs.trees.tree import positions
from plcfrs.wording import escape

BOLD, FAINT = ' font-weight="bold"', ' fill-opacity=".75"'
FRAME = 'fill-opacity=".1" stroke="currentColor"'


_BELOW = 24  # between rows of trees
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
    arrow from the dependent to its second mother. Null elements are grey; a dashed arrow leads to
    each from the words of its antecedent, in a ``g`` with its position in ``data-trace``. Black is
    the ``color`` of the ``svg``, white the ``fill`` of its ``rect``: a page in dark mode can change
    both. An InputError is raised if a constituent has no tokens (but the tree has some), or a head
    is not in the sentence.

    Parameters
    ----------
    tree : Tree or DependencyTree
    marked : collection of Node or int
        Nodes, and positions of tokens; their labels and tags (in dependency trees, their
        relations) are drawn in red and in a frame.
    gaps : bool
        Whether each discontinuous constituent gets its own colour, and a line below the words that
        shows its parts and its gaps; in dependency trees, whether each arc above a word that does
        not depend on the head of the arc gets its own colour.
    below : collection of str
        The rows below the words of a constituent tree, without empty ones: ``function``,
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
            x += tree.width + BESIDE
    return svg_of(parts, width, height, " / ".join(sentences))


def svg_of(parts: Iterable[str], width: int, height: int, label: str) -> str:
    """Return a picture with elements, on white paper."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(label)}" color="#222" fill="currentColor" '
            f'font-family="{_FONTS}" font-size="13" text-anchor="middle">',
            '<rect width="100%" height="100%" fill="#fff"/>',
            *parts,
            "</svg>",
        ]
    )


def _elements(tree: Geometry | ArcGeometry) -> list[str]:
    caption = f'<text x="6" y="18" text-anchor="start">{escape(tree.caption)}</text>'
    captions = [caption] if tree.caption else []
    if isinstance(tree, ArcGeometry):
        return captions + [_word(tree, *arc) for arc in enumerate(tree.plan.arcs)]
    return [
        *captions,
        *(_constituent(tree, number) for number in until_stopped(range(tree.sketch.first_tag))),
        *(_token(tree, position) for position in until_stopped(range(len(tree.sketch.words)))),
        *(_secondary(*edge) for edge in tree.curves()),
        *map(_trace, tree.traces),
        *(_bar(tree, *bar) for bar in tree.bars()),
    ]


def _constituent(tree: Geometry, number: int) -> str:
    tokens = " ".join(map(str, positions(tree.sketch.yields[tree.sketch.nodes[number]])))
    return f'<g data-node="{number}" data-yield="{tokens}">{_branch(tree, number)}</g>'


def _token(tree: Geometry, position: int) -> str:
    tag, word = tree.sketch.first_tag + position, tree.sketch.first_word + position
    below = "".join(text_element(*each, f' font-size="11"{FAINT}') for each in tree.below(position))
    colour = tree.sketch.colours.get(word)
    form = coloured(_label(tree, word), colour)
    return f'<g data-token="{position}">{_branch(tree, tag)}{form}{below}</g>'


def _branch(tree: Geometry, number: int) -> str:
    lines = tree.lines(number)
    path = f'<path d="{_steps(lines)}" stroke="currentColor"/>' if lines else ""
    return coloured(path + _label(tree, number), tree.sketch.colours.get(number))


def _label(tree: Geometry, number: int) -> str:
    (x, y), sketch = tree.places[number], tree.sketch
    label = sketch.layout.labels[number]
    paper = looks = ""
    if number in sketch.shades:
        opacity = DARKEST * sketch.shades[number]
        paper = behind(x, y, label, f'fill="{BLUE.svg}" fill-opacity="{opacity:.3f}"')
    if number in sketch.marked:
        paper, looks = paper + behind(x, y, label), BOLD
    elif number not in sketch.colours and sketch.first_tag <= number < sketch.first_word:
        looks = FAINT
    return paper + text_element(x, y, label, looks)


def _secondary(arrow: SecondaryArrow, curve: ArrowCurve) -> str:
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


def _trace(arrow: TraceArrow) -> str:
    (_, words, start, bottom, end, tip), bend = arrow, arrow.bend
    depth = abs(bend)
    return coloured(
        f'<path d="{words.svg}" stroke="currentColor"/>'
        f'<path d="M{start} {words.y}V{bottom - depth}Q{start} {bottom} {start + bend} {bottom}'
        f'H{end - bend}Q{end} {bottom} {end} {bottom - depth}V{tip}" '
        'fill="none" stroke="currentColor" stroke-dasharray="4 3"/>'
        f'<path d="M{end} {tip}l-3 6h6z"/>',
        GREY,
        f'data-trace="{arrow.null}" ',
    )


def _point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _bar(tree: Geometry, bar: Bar, parts: list[Line]) -> str:
    first, last = parts[0], parts[-1]
    return coloured(
        f'<path d="{_steps(parts)}" stroke="currentColor" stroke-width="5"/>'
        f'<path d="{first._replace(to_x=last.to_x).svg}" stroke="currentColor" '
        'stroke-dasharray="2 4"/>'
        f'<text x="{tree.words_end}" y="{first.y + 4}" text-anchor="start">'
        f"{escape(bar.label)}</text>",
        bar.colour,
    )


def _steps(lines: Iterable[Line]) -> str:
    return "".join(line.svg for line in lines)


def text_element(x: int, y: int, text: str, looks: str = "") -> str:
    """Return a text with its middle at a place."""
    return f'<text x="{x}" y="{y + 4}"{looks}>{escape(text)}</text>'


def behind(x: int, y: int, label: str, looks: str = FRAME) -> str:
    """Return the frame or the paper behind a label."""
    width = label_width(label) + 6
    return f'<rect x="{x - width // 2}" y="{y - 10}" width="{width}" height="20" rx="3" {looks}/>'


def coloured(drawn: str, colour: Colour | None, what: str = "") -> str:
    """Return elements in a colour, as a group with the attributes `what`."""
    return f'<g {what}color="{colour.svg}" fill="currentColor">{drawn}</g>' if colour else drawn


def _word(tree: ArcGeometry, position: int, arc: PlacedArc) -> str:
    """Return a word with its tag and its arc."""
    token = tree.plan.tree.tokens[position]
    x = tree.x(tree.plan.middles[position])
    word = text_element(x, tree.words, token.form)
    tag = text_element(x, tree.tags, token.tag, FAINT)
    return f'<g data-token="{position}">{coloured(_arc(tree, arc), arc.colour)}{word}{tag}</g>'


def _arc(tree: ArcGeometry, arc: PlacedArc) -> str:
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    if arc.arc.head is None:
        path = tree.root_line(arc).svg
    else:
        corner = CORNER if start < end else -CORNER
        path = (
            f"M{start} {tree.feet}V{y + CORNER}Q{start} {y} {start + corner} {y}"
            f"{_steps(tree.pieces(arc))}"
            f"M{end - corner} {y}Q{end} {y} {end} {y + CORNER}V{tree.feet}"
        )
    return (
        f"{behind(x, y, arc.arc.label) if arc.marked else ''}"
        f'<path d="{path}" fill="none" stroke="currentColor"/>'
        f'<path d="M{end} {tree.feet}l-3 -6h6z"/>'
        f"{text_element(x, y, arc.arc.label, BOLD if arc.marked else '')}"
    )


_MARGIN = 8  # points
_PNG_SCALE = 2  # pixels of the PNG for each pixel of the SVG (1/96 inch)
_MOST_PIXELS = 200_000_000
_SVG_SIZE = re.compile(r'(?:width|height)="(\d+)"')
_PAGE = f"#set page(width: auto, height: auto, margin: {_MARGIN}pt)\n#set document(date: none)\n"


def render_pdf(rows: Iterable[Sequence[AnyPicture]]) -> bytes:
    """Return a PDF file with a page for each row of trees; without Typst, raise an InputError."""
    return _convert_with_typst([render_svg([row]) for row in rows], "pdf")


def render_png(rows: Iterable[Sequence[AnyPicture]]) -> bytes:
    """Return a PNG file: rows of trees side by side, one row below the other.

    Without Typst, or if the picture would be too large, an InputError is raised.
    """
    return png_of(render_svg(rows))


def png_of(picture: str) -> bytes:
    """Return a picture in SVG as a PNG file, with the errors of `render_png`."""
    width, height = (int(size) for size in _SVG_SIZE.findall(picture)[:2])
    if width * height > _MOST_PIXELS / _PNG_SCALE**2:
        raise InputError(
            f"a PNG of {_PNG_SCALE * width} times {_PNG_SCALE * height} pixels is too large: "
            "write PDF, or draw fewer trees"
        )
    return _convert_with_typst([picture], "png")


def _convert_with_typst(pictures: list[str], format: Literal["pdf", "png"]) -> bytes:
    try:
        import typst
    except ImportError:
        raise InputError(
            f"{format.upper()} needs Typst: pip install 'plcfrs[pictures]'; or write SVG"
        ) from None
    inputs = {str(number): picture for number, picture in enumerate(pictures)}
    images = (f'#image(bytes(sys.inputs.at("{number}")), format: "svg")\n' for number in inputs)
    source = _PAGE + "#pagebreak()\n".join(images)
    return typst.compile(source.encode(), format=format, ppi=96 * _PNG_SCALE, sys_inputs=inputs)
