"""Pictures of dependency trees as elements of SVG, and the elements of all pictures."""

from __future__ import annotations

from plcfrs.drawing.arcs import PlacedArc
from plcfrs.drawing.arcs_geometry import CORNER, ArcGeometry
from plcfrs.drawing.geometry import label_width
from plcfrs.drawing.picture import Colour
from plcfrs.text import escape

BOLD, FAINT = ' font-weight="bold"', ' fill-opacity=".75"'
FRAME = 'fill-opacity=".1" stroke="currentColor"'


def text_element(x: int, y: int, text: str, looks: str = "") -> str:
    """Return a text with its middle at a place."""
    return f'<text x="{x}" y="{y + 4}"{looks}>{escape(text)}</text>'


def behind(x: int, y: int, label: str, looks: str = FRAME) -> str:
    """Return the frame or the paper behind a label."""
    width = label_width(label) + 6
    return f'<rect x="{x - width // 2}" y="{y - 10}" width="{width}" height="20" rx="3" {looks}/>'


def coloured(drawn: str, colour: Colour | None, what: str = "") -> str:
    """Return elements in a colour, as a group that says what they are."""
    return f'<g {what}color="{colour.svg}" fill="currentColor">{drawn}</g>' if colour else drawn


def arc_elements(tree: ArcGeometry) -> list[str]:
    """Return each word with its tag and its arc."""
    return [_word(tree, position, arc) for position, arc in enumerate(tree.plan.arcs)]


def _word(tree: ArcGeometry, position: int, arc: PlacedArc) -> str:
    token = tree.plan.tree.tokens[position]
    x = tree.x(tree.plan.middles[position])
    word = text_element(x, tree.words, token.form)
    tag = text_element(x, tree.tags, token.tag, FAINT)
    return f'<g data-token="{position}">{coloured(_arc(tree, arc), arc.colour)}{word}{tag}</g>'


def _arc(tree: ArcGeometry, arc: PlacedArc) -> str:
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    if arc.arc.head is None:
        line = tree.root_line(arc)
        path = f"M{line.x} {line.y}V{line.to_y}"
    else:
        corner = CORNER if start < end else -CORNER
        pieces = "".join(f"M{line.x} {y}H{line.to_x}" for line in tree.pieces(arc))
        path = (
            f"M{start} {tree.feet}V{y + CORNER}Q{start} {y} {start + corner} {y}{pieces}"
            f"M{end - corner} {y}Q{end} {y} {end} {y + CORNER}V{tree.feet}"
        )
    return (
        f"{behind(x, y, arc.arc.label) if arc.marked else ''}"
        f'<path d="{path}" fill="none" stroke="currentColor"/>'
        f'<path d="M{end} {tree.feet}l-3 -6h6z"/>'
        f"{text_element(x, y, arc.arc.label, BOLD if arc.marked else '')}"
    )
