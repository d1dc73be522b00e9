"""Pictures of dependency trees as commands of tikz, and the commands of all pictures."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.drawing.arcs import PlacedArc
from plcfrs.drawing.arcs_geometry import CORNER, ArcGeometry
from plcfrs.drawing.latex import escape_latex
from plcfrs.drawing.picture import Colour

FRAME = ("draw", "rounded corners=2pt")


def node(place: str, text: str, options: Sequence[str] = ()) -> str:
    """Return the command for a text at a place."""
    return rf"\node{_listed(options)} at {place} {{{escape_latex(text)}}};"


def path(steps: str, options: Sequence[str] = ()) -> str:
    """Return the command for lines."""
    return rf"\draw{_listed(options)} {steps};"


def colours(colour: Colour | None) -> list[str]:
    """Return the option for a colour, if there is one."""
    return [colour.tikz] if colour else []


def arc_commands(tree: ArcGeometry) -> list[str]:
    """Return each word with its tag and its arc."""
    plan, found = tree.plan, []
    for token, middle, arc in zip(plan.tree.tokens, plan.middles, plan.arcs, strict=True):
        x = tree.x(middle)
        found += [node(f"({x},{tree.words})", token.form), node(f"({x},{tree.tags})", token.tag)]
        found += _arc(tree, arc)
    return found


def _arc(tree: ArcGeometry, arc: PlacedArc) -> list[str]:
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    colour = colours(arc.colour)
    label = node(f"({x},{y})", arc.arc.label, [*colour, *(FRAME if arc.marked else ())])
    if arc.arc.head is None:
        line = tree.root_line(arc)
        return [path(f"({x},{line.y}) -- ({x},{line.to_y})", ["->", *colour]), label]
    corner = CORNER if start < end else -CORNER
    rounded = ["rounded corners=3pt", *colour]
    pieces = " ".join(f"({line.x},{y}) -- ({line.to_x},{y})" for line in tree.pieces(arc))
    return [
        path(f"({start},{tree.feet}) -- ({start},{y}) -- ({start + corner},{y})", rounded),
        *([path(pieces, colour)] if pieces else []),
        path(f"({end - corner},{y}) -- ({end},{y}) -- ({end},{tree.feet})", ["->", *rounded]),
        label,
    ]


def _listed(options: Sequence[str]) -> str:
    return f"[{', '.join(options)}]" if options else ""
