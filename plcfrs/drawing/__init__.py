"""Pictures of trees: for the terminal, as SVG, PDF and PNG, and as LaTeX source."""

from plcfrs.drawing.picture import AnyPicture, DependencyPicture, Picture, picture_of
from plcfrs.drawing.svg import draw_svg, render_pdf, render_png, render_svg
from plcfrs.drawing.terminal import draw, render_text
from plcfrs.drawing.tikz import draw_tikz, render_tikz, tikz_document

__all__ = [
    "AnyPicture",
    "DependencyPicture",
    "Picture",
    "draw",
    "draw_svg",
    "draw_tikz",
    "picture_of",
    "render_pdf",
    "render_png",
    "render_svg",
    "render_text",
    "render_tikz",
    "tikz_document",
]
