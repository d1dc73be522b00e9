"""Pictures of trees."""

from plcfrs.drawing.terminal import draw

__all__ = ["draw"]
