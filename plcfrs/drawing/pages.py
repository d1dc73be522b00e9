"""Pictures of trees as PDF and PNG: Typst (``pip install 'plcfrs[pictures]'``) converts the SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from plcfrs.drawing.picture import AnyPicture
from plcfrs.drawing.svg import render_svg
from plcfrs.errors import InputError

if TYPE_CHECKING:
    from typing import Literal

_MARGIN = 8  # points
_SCALE = 2  # pixels of the PNG for each pixel of the SVG (1/96 inch)
_MOST_PIXELS = 200_000_000
_SIZE = re.compile(r'(?:width|height)="(\d+)"')
_PAGE = f"#set page(width: auto, height: auto, margin: {_MARGIN}pt)\n#set document(date: none)\n"


def render_pdf(rows: Iterable[Sequence[AnyPicture]]) -> bytes:
    """Return a PDF file with a page for each row of trees; without Typst, raise an InputError."""
    return _compile([render_svg([row]) for row in rows], "pdf")


def render_png(rows: Iterable[Sequence[AnyPicture]]) -> bytes:
    """Return a PNG file: rows of trees side by side, one row below the other.

    Without Typst, or if the picture would be too large, an InputError is raised.
    """
    picture = render_svg(rows)
    width, height = (int(size) for size in _SIZE.findall(picture)[:2])
    if width * height > _MOST_PIXELS / _SCALE**2:
        raise InputError(
            f"a PNG of {_SCALE * width} times {_SCALE * height} pixels is too large: write PDF, or "
            "draw fewer trees"
        )
    return _compile([picture], "png")


def _compile(pictures: list[str], format: Literal["pdf", "png"]) -> bytes:
    try:
        import typst
    except ImportError:
        raise InputError(
            f"{format.upper()} needs Typst: pip install 'plcfrs[pictures]'; or write SVG"
        ) from None
    inputs = {str(number): picture for number, picture in enumerate(pictures)}
    images = (f'#image(bytes(sys.inputs.at("{number}")), format: "svg")\n' for number in inputs)
    source = _PAGE + "#pagebreak()\n".join(images)
    return typst.compile(source.encode(), format=format, ppi=96 * _SCALE, sys_inputs=inputs)
