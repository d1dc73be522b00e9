"""Pictures of trees as LaTeX source, for the package tikz."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from plcfrs.drawing.arcs_geometry import ArcGeometry
from plcfrs.drawing.arcs_tikz import arc_commands
from plcfrs.drawing.geometry import Geometry, Line
from plcfrs.drawing.latex import escape_latex
from plcfrs.drawing.picture import DARKEST, GREEN, AnyPicture, Bar, DependencyPicture, picture_of
from plcfrs.drawing.secondary import Curve, Point, SecondaryArrow
from plcfrs.trees import DependencyTree, Node, Tree

_BESIDE = 32
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
    r"""Return a picture of a tree as a ``tikzpicture`` for a paper.

    The lines of a constituent follow its label, the relation of a dependency its arc. Characters
    outside ASCII are written unchanged: scripts that pdfLaTeX does not know need LuaLaTeX or
    XeLaTeX with a suitable font.

    Parameters
    ----------
    tree, marked, gaps, below
        As for `plcfrs.drawing.draw_svg`.

    Raises
    ------
    InputError
        If a constituent of a tree with tokens has no tokens, or a head is not in the sentence.

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
        tree, lines = _drawn(picture)
        if x:
            lines = [rf"\begin{{scope}}[shift={{({x},0)}}]", *lines, r"\end{scope}"]
        parts += lines
        x += tree.width + _BESIDE
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


def _drawn(picture: AnyPicture) -> tuple[Geometry | ArcGeometry, list[str]]:
    if isinstance(picture, DependencyPicture):
        arcs = ArcGeometry(picture)
        return arcs, arc_commands(arcs)
    tree = Geometry(picture)
    return tree, _commands(tree)


def _commands(tree: Geometry) -> list[str]:
    """Return all commands: caption, constituents, tokens, secondary edges, bars."""
    caption = rf"\node[anchor=west] at (0,14) {{{escape_latex(tree.caption)}}};"
    found = [caption] if tree.caption else []
    for number in range(len(tree.places)):
        colour = tree.sketch.colours.get(number)
        found.append(_label(tree, number))
        lines = tree.lines(number)
        if lines:
            found.append(rf"\draw{f'[{colour.tikz}]' if colour else ''} {_steps(lines)};")
    for position in range(len(tree.sketch.words)):
        for x, y, text in tree.below(position):
            found.append(rf"\node[font=\scriptsize] at ({x},{y}) {{{escape_latex(text)}}};")
    for arrow, curve in tree.curves():
        found += _secondary(arrow, curve)
    for bar, parts in tree.bars():
        found += _bar(tree, bar, parts)
    return found


def _label(tree: Geometry, number: int) -> str:
    x, y = tree.places[number]
    colour = tree.sketch.colours.get(number)
    looks = [colour.tikz] if colour else []
    if number in tree.sketch.marked:
        looks += ["draw", "rounded corners=2pt"]
    if number in tree.sketch.shades:
        looks.append(f"fill=blue!{100 * DARKEST * tree.sketch.shades[number]:.0f}")
    options = f"[{', '.join(looks)}]" if looks else ""
    return rf"\node{options} at ({x},{y}) {{{escape_latex(tree.sketch.layout.labels[number])}}};"


def _secondary(arrow: SecondaryArrow, curve: Curve) -> list[str]:
    """Return a dashed arrow, and its label on white paper."""
    first, second = map(_point, curve.controls())
    return [
        rf"\draw[{GREEN.tikz}, dashed, ->] {_point(curve.start)} .. controls {first} and {second} "
        f".. {_point(curve.end)};",
        rf"\node[{GREEN.tikz}, fill=white, inner sep=1pt, font=\scriptsize] at "
        f"{_point(curve.middle)} {{{escape_latex(arrow.label)}}};",
    ]


def _point(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _bar(tree: Geometry, bar: Bar, parts: list[Line]) -> list[str]:
    """Return thick lines below the parts of a constituent, dots below its gaps."""
    first, last = parts[0], parts[-1]
    return [
        rf"\draw[{bar.colour.tikz}, line width=3pt] {_steps(parts)};",
        rf"\draw[{bar.colour.tikz}, dotted] {_steps([first._replace(to_x=last.to_x)])};",
        rf"\node[{bar.colour.tikz}, anchor=west] at ({tree.words_end},{first.y}) "
        f"{{{escape_latex(bar.label)}}};",
    ]


def _steps(lines: Iterable[Line]) -> str:
    return " ".join(f"({line.x},{line.y}) -- ({line.to_x},{line.to_y})" for line in lines)
