"""Pictures of dependency trees as elements of SVG."""

from __future__ import annotations

from plcfrs.drawing.arcs import PlacedArc
from plcfrs.drawing.arcs_geometry import CORNER, ArcGeometry
from plcfrs.drawing.geometry import label_width
from plcfrs.text import escape


def arc_elements(tree: ArcGeometry) -> list[str]:
    """Return all elements: caption, then each word with its tag and its arc."""
    caption = f'<text x="6" y="18" text-anchor="start">{escape(tree.caption)}</text>'
    words = (_word(tree, position, arc) for position, arc in enumerate(tree.plan.arcs))
    return [*([caption] if tree.caption else []), *words]


def _word(tree: ArcGeometry, position: int, arc: PlacedArc) -> str:
    token = tree.plan.tree.tokens[position]
    x = tree.x(tree.plan.middles[position])
    drawn = _arc(tree, arc)
    if arc.colour:
        drawn = f'<g color="{arc.colour.svg}" fill="currentColor">{drawn}</g>'
    return (
        f'<g data-token="{position}">{drawn}'
        f'<text x="{x}" y="{tree.words + 4}">{escape(token.form)}</text>'
        f'<text x="{x}" y="{tree.tags + 4}" fill-opacity=".75">{escape(token.tag)}</text></g>'
    )


def _arc(tree: ArcGeometry, arc: PlacedArc) -> str:
    """Return a line with rounded corners and an arrow, and the relation."""
    x, y = tree.label(arc)
    start, end = tree.ends(arc)
    label = arc.arc.label
    frame = looks = ""
    if arc.marked:
        width = label_width(label) + 6
        looks = ' font-weight="bold"'
        frame = (
            f'<rect x="{x - width // 2}" y="{y - 10}" width="{width}" height="20" rx="3" '
            'fill-opacity=".1" stroke="currentColor"/>'
        )
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
        f'{frame}<path d="{path}" fill="none" stroke="currentColor"/>'
        f'<path d="M{end} {tree.feet}l-3 -6h6z"/>'
        f'<text x="{x}" y="{y + 4}"{looks}>{escape(label)}</text>'
    )
