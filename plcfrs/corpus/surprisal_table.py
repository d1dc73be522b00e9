"""A table with a row for each word: its surprisal, and the most probable analyses after it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from plcfrs.pipeline.analyses import Analysis
from plcfrs.pipeline.surprisal import Surprisal
from plcfrs.trees.notation import render_discbracket

COLUMNS = (
    "sentence",
    "position",
    "word",
    "tag",
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
    "status",
)
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
        numbers = map(_number, _numbers(word))
        yield [
            *(sentence, str(position), word.word, tag or "NA"),
            *numbers,
            word.status,
            *more,
            *absent,
        ]


def render_table(lines: Iterable[Sequence[str]], kind: str) -> str:
    """Return a table as text, of one of the kinds in `DELIMITERS`."""
    text = StringIO()
    csv.writer(text, delimiter=DELIMITERS[kind], lineterminator="\n").writerows(lines)
    return text.getvalue()


def _numbers(word: Surprisal) -> tuple[float | None, ...]:
    return (
        word.surprisal,
        word.at_least,
        word.at_most,
        word.tag_surprisal,
        word.word_surprisal,
        word.log_prefix_probability,
        word.entropy,
        word.entropy_reduction,
        word.derivation_entropy,
        word.derivation_entropy_reduction,
    )


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
