"""Bar charts of the surprisal of words as SVG, one below the other, with the same axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, pairwise

from plcfrs.drawing.arcs import label_width
from plcfrs.drawing.svg import svg_of
from plcfrs.wording import escape

_SYNTACTIC, _LEXICAL, _SERIES = "#1f4f8b", "#c27617", "#5d8a3a"
_AXIS, _HEIGHT, _ABOVE, _BELOW, _MARGIN = 52, 160, 16, 56, 8
_COLUMN = 48  # the least width of a word
_TICKS = 6  # at most, besides 0
_BAR, _SECOND = 22, 10  # the widths of bars
_STRIPES = (
    '<pattern id="unknown" width="5" height="5" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="2" height="5" fill="#fff"/></pattern>'
)


@dataclass(frozen=True)
class WordBar:
    """A word with its numbers in bits; None for unknown ones.

    Parameters
    ----------
    word, written : str
        The word, and its surprisal as a text.
    syntactic, lexical : float or None
        The parts of the surprisal.
    at_least, at_most : float or None
        The bounds of the surprisal if it is an estimate; without `at_most`, the upper bound is
        infinite.
    series : float or None
        Another measure, shown beside the surprisal.
    known : bool or None
        Whether the model knows the word; if not, its bar is hatched.
    """

    word: str
    written: str
    syntactic: float | None = None
    lexical: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    series: float | None = None
    known: bool | None = None

    def numbers(self) -> list[float]:
        """Return the surprisal and all other numbers; 0 for unknown ones."""
        total = (self.syntactic or 0.0) + (self.lexical or 0.0)
        return [total, *(number or 0.0 for number in (self.at_least, self.at_most, self.series))]


def render_bars(rows: Sequence[Sequence[WordBar]], series: str = "") -> str:
    """Return the bars of sentences, one below the other; `series` names the other measure."""
    bars = [bar for row in rows for bar in row]
    top = max([1.0, *(number for bar in bars for number in bar.numbers())])
    height, width, parts = _ABOVE, 0, [_STRIPES]
    for row in rows:
        widths = [max(_COLUMN, label_width(bar.word) + 10) for bar in row]
        edges = list(accumulate(widths, initial=_AXIS))
        columns = (_column(bar, *ends, top) for bar, ends in zip(row, pairwise(edges), strict=True))
        parts.append(_moved(0, height, [*_axis(top, edges[-1]), *columns]))
        height, width = height + _HEIGHT + _BELOW, max(width, edges[-1])
    for mark, text in _legend(bars, series):
        label = f'<text x="18" y="10" text-anchor="start">{escape(text)}</text>'
        parts.append(_moved(_AXIS, height, [mark, label]))
        height, width = height + 18, max(width, _AXIS + label_width(text) + 18)
    words = " / ".join(" ".join(bar.word for bar in row) for row in rows)
    return svg_of(parts, width + _MARGIN, height + _MARGIN, words)


def _moved(x: int, y: int, parts: Iterable[str]) -> str:
    return f'<g transform="translate({x} {y})">{"".join(parts)}</g>'


def _axis(top: float, right: int) -> Iterator[str]:
    """Yield the ticks with their lines, and the unit."""
    steps = (step * 10**n for n in count() for step in (1, 2, 5))
    step = next(step for step in steps if top / step <= _TICKS)
    for tick in range(0, int(top) + 1, step):
        y = _HEIGHT * (1 - tick / top)
        yield f'<path d="M{_AXIS - 4} {y:.1f}H{right}" stroke="{"#ddd" if tick else "#222"}"/>'
        yield f'<text x="{_AXIS - 8}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>'
    yield f'<path d="M{_AXIS} 0V{_HEIGHT}" stroke="#222"/>'
    yield f'<text transform="translate(14 {_HEIGHT // 2}) rotate(-90)">bits</text>'


def _column(bar: WordBar, left: int, right: int, top: float) -> str:
    """Return the bars of a word, its number and the word."""
    middle, scale, total = (left + right) // 2, _HEIGHT / top, bar.numbers()[0]
    x = middle - (_BAR + _SECOND * (bar.series is not None)) // 2
    filled = [
        (x, _BAR, 0.0, bar.syntactic or 0.0, _SYNTACTIC),
        (x, _BAR, bar.syntactic or 0.0, total, _LEXICAL),
        (x, _BAR, 0.0, total * (bar.known is False), "url(#unknown)"),
        (x + _BAR, _SECOND, 0.0, bar.series or 0.0, _SERIES),
    ]
    parts = [
        f'<rect x="{x}" y="{_HEIGHT - high * scale:.1f}" width="{width}" '
        f'height="{(high - low) * scale:.1f}" fill="{colour}"/>'
        for x, width, low, high, colour in filled
        if high > low
    ]
    if bar.at_least is not None:
        high = top if bar.at_most is None else bar.at_most
        low, high = _HEIGHT - bar.at_least * scale, _HEIGHT - high * scale
        whisker = f"M{x + 6} {low:.1f}h10m-5 0V{high:.1f}m-5 0h10"
        parts.append(f'<path d="{whisker}" stroke="#222" stroke-width="2" fill="none"/>')
    looks = ' text-decoration="underline"' * (bar.known is False)
    written = f'<text x="{middle}" y="{_HEIGHT + 16}" font-size="11">{escape(bar.written)}</text>'
    word = f'<text x="{middle}" y="{_HEIGHT + 34}"{looks}>{escape(bar.word)}</text>'
    return "".join([*parts, written, word])


def _legend(bars: Sequence[WordBar], series: str) -> Iterator[tuple[str, str]]:
    """Yield the marks and what they mean."""
    mark = '<rect width="11" height="11" fill="{}"/>'.format
    yield mark(_SYNTACTIC), "syntactic part of surprisal: the tag"
    yield mark(_LEXICAL), "lexical part: the word, given its tag"
    if any(bar.known is False for bar in bars):
        yield mark(_LEXICAL) + mark("url(#unknown)"), "a word that the model does not know"
    if any(bar.at_least is not None for bar in bars):
        yield '<path d="M0 1h11m-5.5 0V10m-5.5 0h11" stroke="#222" fill="none"/>', "proven bounds"
    if series:
        yield mark(_SERIES), series
