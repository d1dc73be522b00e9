"""Pictures of trees."""

from plcfrs.drawing.svg import draw_svg
from plcfrs.drawing.terminal import draw

__all__ = ["draw", "draw_svg"]
