"""A table with a row for each word: its surprisal, and the most probable analyses after it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from plcfrs.pipeline.analyses import Analysis
from plcfrs.pipeline.surprisal import Surprisal
from plcfrs.trees.notation import render_discbracket

_NUMBERS = (
    "surprisal",
    "at_least",
    "at_most",
    "tag_surprisal",
    "word_surprisal",
    "log_prefix_probability",
    "entropy",
    "entropy_reduction",
    "derivation_entropy",
    "derivation_entropy_reduction",
)
COLUMNS = ("sentence", "position", "word", "tag", *_NUMBERS, "status")
ANALYSIS_COLUMNS = ("probability", "open", "awaited", "tree")
DELIMITERS = {"tsv": "\t", "csv": ","}


def header(analyses: int) -> list[str]:
    """Return the names of the columns, with those of some analyses after each word."""
    ranks = range(1, analyses + 1)
    return [*COLUMNS, *(f"{name}_{rank}" for rank in ranks for name in ANALYSIS_COLUMNS)]


def rows(
    sentence: str, tags: Sequence[str] | None, words: Sequence[Surprisal], analyses: int
) -> Iterator[list[str]]:
    """Yield a row for each word of a sentence; unknown values are NA."""
    for position, word in enumerate(words):
        tag = tags[position] if tags else ""
        more = [cell for each in word.analyses for cell in _analysis(each)]
        absent = ["NA"] * (len(ANALYSIS_COLUMNS) * analyses - len(more))
        numbers = [_number(getattr(word, name)) for name in _NUMBERS]
        start = (sentence, str(position), word.word, tag or "NA")
        yield [*start, *numbers, word.status, *more, *absent]


def render_table(lines: Iterable[Sequence[str]], kind: str) -> str:
    """Return a table as text, of one of the kinds in `DELIMITERS`."""
    text = StringIO()
    csv.writer(text, delimiter=DELIMITERS[kind], lineterminator="\n").writerows(lines)
    return text.getvalue()


def _number(number: float | None) -> str:
    return "NA" if number is None else f"{number:.6g}"


def _analysis(analysis: Analysis) -> list[str]:
    tokens = analysis.tree.tokens
    awaited = [
        f"{category}({' '.join(tokens[position].form for position in positions)})"
        for category, positions in analysis.awaited
    ]
    return [
        _number(analysis.probability),
        " ".join(analysis.open),
        " ".join(awaited),
        render_discbracket(analysis.tree),
    ]
