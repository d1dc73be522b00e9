"""Pictures of dependency trees as commands of tikz."""

from __future__ import annotations

from plcfrs.drawing.arcs import PlacedArc
from plcfrs.drawing.arcs_geometry import CORNER, ArcGeometry
from plcfrs.drawing.latex import escape_latex


def arc_commands(tree: ArcGeometry) -> list[str]:
    """Return all commands: caption, then each word with its tag and its arc."""
    caption = rf"\node[anchor=west] at (0,14) {{{escape_latex(tree.caption)}}};"
    found = [caption] if tree.caption else []
    for token, middle, arc in zip(
        tree.plan.tree.tokens, tree.plan.middles, tree.plan.arcs, strict=True
    ):
        x = tree.x(middle)
        found += [
            rf"\node at ({x},{tree.words}) {{{escape_latex(token.form)}}};",
            rf"\node at ({x},{tree.tags}) {{{escape_latex(token.tag)}}};",
            *_arc(tree, arc),
        ]
    return found


def _arc(tree: ArcGeometry, arc: PlacedArc) -> list[str]:
    """Return a line with rounded corners and an arrow, and the relation."""
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    colour = [arc.colour.tikz] if arc.colour else []
    frame = ["draw", "rounded corners=2pt"] if arc.marked else []
    label = rf"\node{_listed([*colour, *frame])} at ({x},{y}) {{{escape_latex(arc.arc.label)}}};"
    if arc.arc.head is None:
        line = tree.root_line(arc)
        return [_draw(["->", *colour], f"({x},{line.y}) -- ({x},{line.to_y})"), label]
    corner = CORNER if start < end else -CORNER
    rounded = ["rounded corners=3pt", *colour]
    pieces = " ".join(f"({line.x},{y}) -- ({line.to_x},{y})" for line in tree.pieces(arc))
    return [
        _draw(rounded, f"({start},{tree.feet}) -- ({start},{y}) -- ({start + corner},{y})"),
        *([_draw(colour, pieces)] if pieces else []),
        _draw(["->", *rounded], f"({end - corner},{y}) -- ({end},{y}) -- ({end},{tree.feet})"),
        label,
    ]


def _draw(options: list[str], steps: str) -> str:
    return rf"\draw{_listed(options)} {steps};"


def _listed(options: list[str]) -> str:
    return f"[{', '.join(options)}]" if options else ""
