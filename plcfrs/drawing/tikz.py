"""Pictures of trees and dependency trees as LaTeX source for the package tikz."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from plcfrs.drawing.arcs import (
    BESIDE,
    CORNER,
    ArcGeometry,
    Geometry,
    Line,
    PlacedArc,
    TraceArrow,
    geometry_of,
)
from plcfrs.drawing.picture import (
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
from plcfrs.stopping import until_stopped
from plcfrs.trees import DependencyTree, Node, Tree

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # Characters that LaTeX's old font encoding, or the package babel, would change.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPED)))
_NOT_PRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\s]+")


FRAME = ("draw", "rounded corners=2pt")
_DOCUMENT = r"""\documentclass[tikz, border=5pt]{{standalone}}
\usepackage[T1]{{fontenc}}
\begin{{document}}
{}
\end{{document}}"""


def draw_tikz(
    tree: Tree | DependencyTree,
    marked: Collection[Node | int] = (),
    *,
    gaps: bool = False,
    below: Collection[str] = (),
) -> str:
    r"""Return a picture of a tree as a ``tikzpicture`` for a paper, like `draw_svg`.

    Characters outside ASCII are written as they are: scripts that pdfLaTeX does not know need
    LuaLaTeX or XeLaTeX with a suitable font.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> print(draw_tikz(Tree(Node("ROOT", children=[0]), [Token("50_%", "X")])))
    \begin{tikzpicture}[x=.75pt, y=-.75pt, inner sep=2pt, font=\footnotesize,
        text height=1.5ex, text depth=.25ex]
      \node at (23,20) {ROOT};
      \draw (23,28) -- (23,52);
      \node at (23,60) {X};
      \draw (23,68) -- (23,92);
      \node at (23,100) {50\_\%};
    \end{tikzpicture}
    """
    return render_tikz([picture_of(tree, marked, gaps, below=below)])


def render_tikz(row: Sequence[AnyPicture]) -> str:
    """Return trees side by side in one ``tikzpicture``."""
    parts = []
    x = 0
    for picture in row:
        tree = geometry_of(picture)
        lines = _commands(tree)
        if x:
            lines = [rf"\begin{{scope}}[shift={{({x},0)}}]", *lines, r"\end{scope}"]
        parts += lines
        x += tree.width + BESIDE
    return "\n".join(
        [
            r"\begin{tikzpicture}[x=.75pt, y=-.75pt, inner sep=2pt, font=\footnotesize,",
            "    text height=1.5ex, text depth=.25ex]",
            *(f"  {line}" for line in parts),
            r"\end{tikzpicture}",
        ]
    )


def tikz_document(pictures: Iterable[str]) -> str:
    """Return a LaTeX document with a page for each ``tikzpicture``."""
    return _DOCUMENT.format("\n".join(pictures))


def _commands(tree: Geometry | ArcGeometry) -> list[str]:
    commands = [node("(0,14)", tree.caption, ["anchor=west"])] if tree.caption else []
    if isinstance(tree, ArcGeometry):
        return commands + arc_commands(tree)
    for number in until_stopped(range(len(tree.places))):
        commands.append(_label(tree, number))
        lines = tree.lines(number)
        if lines:
            commands.append(path(_steps(lines), colours(tree.sketch.colours.get(number))))
    for position in range(len(tree.sketch.words)):
        for x, y, text in tree.below(position):
            commands.append(node(f"({x},{y})", text, [r"font=\scriptsize"]))
    for arrow, curve in tree.curves():
        commands += _secondary(arrow, curve)
    for trace in tree.traces:
        commands += _trace(trace)
    for bar, parts in tree.bars():
        commands += _bar(tree, bar, parts)
    return commands


def _label(tree: Geometry, number: int) -> str:
    (x, y), sketch = tree.places[number], tree.sketch
    looks = colours(sketch.colours.get(number))
    if number in sketch.marked:
        looks += FRAME
    if number in sketch.shades:
        looks.append(f"fill=blue!{100 * DARKEST * sketch.shades[number]:.0f}")
    return node(f"({x},{y})", sketch.layout.labels[number], looks)


def _secondary(arrow: SecondaryArrow, curve: ArrowCurve) -> list[str]:
    start, first, second, end = map(_point, (curve.start, *curve.controls(), curve.end))
    paper = [GREEN.tikz, "fill=white", "inner sep=1pt", r"font=\scriptsize"]
    return [
        path(f"{start} .. controls {first} and {second} .. {end}", [GREEN.tikz, "dashed", "->"]),
        node(_point(curve.middle), arrow.label, paper),
    ]


def _trace(arrow: TraceArrow) -> list[str]:
    _, words, start, bottom, end, tip = arrow
    looks = [GREY.tikz, "dashed", "->", f"rounded corners={abs(arrow.bend)}"]
    places = [(start, words.y), (start, bottom), (end, bottom), (end, tip)]
    return [
        path(words.tikz, [GREY.tikz]),
        path(" -- ".join(f"({x},{y})" for x, y in places), looks),
    ]


def _point(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _bar(tree: Geometry, bar: Bar, parts: list[Line]) -> list[str]:
    first, last, colour = parts[0], parts[-1], bar.colour.tikz
    return [
        path(_steps(parts), [colour, "line width=3pt"]),
        path(first._replace(to_x=last.to_x).tikz, [colour, "dotted"]),
        node(f"({tree.words_end},{first.y})", bar.label, [colour, "anchor=west"]),
    ]


def _steps(lines: Iterable[Line]) -> str:
    return " ".join(line.tikz for line in lines)


def escape_latex(text: str) -> str:
    r"""Return a text for use in LaTeX; characters that cannot be printed become blanks.

    >>> escape_latex("NP_2 100% {a}")
    'NP\\_2 100\\% \\{a\\}'
    """
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], _NOT_PRINTED.sub(" ", text))


def node(place: str, text: str, options: Sequence[str] = ()) -> str:
    """Return the command for a text at a place."""
    return rf"\node{_listed(options)} at {place} {{{escape_latex(text)}}};"


def path(steps: str, options: Sequence[str] = ()) -> str:
    """Return the command for lines."""
    return rf"\draw{_listed(options)} {steps};"


def colours(colour: Colour | None) -> list[str]:
    """Return the option for a colour, if any."""
    return [colour.tikz] if colour else []


def arc_commands(tree: ArcGeometry) -> list[str]:
    """Return each word with its tag and its arc."""
    plan, commands = tree.plan, []
    for token, middle, arc in zip(plan.tree.tokens, plan.middles, plan.arcs, strict=True):
        x = tree.x(middle)
        commands.append(node(f"({x},{tree.words})", token.form))
        commands.append(node(f"({x},{tree.tags})", token.tag))
        commands += _arc(tree, arc)
    return commands


def _arc(tree: ArcGeometry, arc: PlacedArc) -> list[str]:
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    colour = colours(arc.colour)
    label = node(f"({x},{y})", arc.arc.label, [*colour, *(FRAME if arc.marked else ())])
    if arc.arc.head is None:
        return [path(tree.root_line(arc).tikz, ["->", *colour]), label]
    corner = CORNER if start < end else -CORNER
    rounded = ["rounded corners=3pt", *colour]
    pieces = _steps(tree.pieces(arc))
    return [
        path(f"({start},{tree.feet}) -- ({start},{y}) -- ({start + corner},{y})", rounded),
        *([path(pieces, colour)] if pieces else []),
        path(f"({end - corner},{y}) -- ({end},{y}) -- ({end},{tree.feet})", ["->", *rounded]),
        label,
    ]


def _listed(options: Sequence[str]) -> str:
    return f"[{', '.join(options)}]" if options else ""
