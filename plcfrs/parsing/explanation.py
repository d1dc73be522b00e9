"""Why a sentence has its parse: a table with a row for each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import NamedTuple

from plcfrs.grammar.rules import Want
from plcfrs.trees import DependencyTree
from plcfrs.trees.tree import runs

Cell = str | float


class Column(NamedTuple):
    """A column of a table; numbers are aligned on the right, with this many decimals."""

    title: str
    is_number: bool = False
    decimals: int = 2

    def printed(self, cell: Cell) -> str:
        """Return a cell as printed text, without a minus before zero."""
        if isinstance(cell, str):
            return cell
        return f"{round(float(cell), self.decimals) + 0.0:.{self.decimals}f}"


SCORE = Column("    score", is_number=True)
"""The column of scores that add up to the score of the parse; see `sum_line`."""


class Row(NamedTuple):
    """A step of a parse: a rule, a word with its tag, a transition.

    Parameters
    ----------
    text : str
        The rule in the notation of grammar files, the tag, the transition.
    clause : str
        The same in the notation of the papers, with the words.
    score : float
        Its share of the score of the parse, or its own score; see `Explanation`.
    positions : list of int
        Of its tokens, from 0.
    cells : sequence of str or float
        One for each column; numbers are not rounded.
    categories : tuple of str
        Of the constituents that it makes of these tokens, the highest first.
    details : mapping of str to str
        Further texts by name, such as the stack after a transition or the next best head.
    """

    text: str
    clause: str
    score: float
    positions: list[int]
    cells: Sequence[Cell]
    categories: tuple[str, ...] = ()
    details: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a sentence has its parse.

    Parameters
    ----------
    words : list of str
    noun : str
        What a row is: a rule, a constituent, a transition, a dependency.
    measure : str
        What the score of a row is: "ln p", "ln posterior" or "score".
    columns : sequence of Column
    rows : list of Row
        The parts of the parse in order.
    text : list of str
        The lines below the table, such as the total.
    dependencies : DependencyTree, optional
        The dependencies that became the parse.
    """

    words: list[str]
    noun: str
    measure: str
    columns: Sequence[Column]
    rows: list[Row]
    text: list[str] = field(default_factory=list)
    dependencies: DependencyTree | None = None

    def lines(self) -> list[str]:
        """Return the lines of a text: the sentence, the table, and what is below it."""
        rows = ["", *table(self.columns, (row.cells for row in self.rows))] if self.rows else []
        return [numbered(self.words), *rows, *self.text]


def table(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> list[str]:
    """Return a table as lines, the titles first."""
    cells = [[column.title for column in columns]]
    cells += ([*map(Column.printed, columns, row)] for row in rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    sides = [str.rjust if column.is_number else str.ljust for column in columns]
    return [
        "  ".join(
            side(cell, width) for side, cell, width in zip(sides, row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


def sum_line(rows: Iterable[Row]) -> str:
    """Return the sum of the scores as a line below a table that begins with `SCORE`."""
    return f"{fsum(row.score for row in rows):{len(SCORE.title)}.2f}  the sum"


def only_in(one: Sequence[tuple[str, int]], other: Sequence[tuple[str, int]]) -> tuple[str, str]:
    """Return the constituents that only one of two parses has, each with its span, as texts."""
    texts = []
    for these, those in ((one, other), (other, one)):
        wants = [
            str(Want(category, tuple(runs(span))))
            for category, span in these
            if (category, span) not in those
        ]
        texts.append(", ".join(wants) or "nothing")
    return texts[0], texts[1]


def numbered(words: Sequence[str]) -> str:
    """Return a sentence with the position of each word."""
    return " ".join(f"{position}={word}" for position, word in enumerate(words))
