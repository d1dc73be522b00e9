"""Scores as tables, and tables as text, Markdown, LaTeX, CSV and JSON.

The first table has the layout of table 2 of Evang and Kallmeyer (2011). All tables have plain
cells, so that other reports, such as the page of an experiment, can use them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from plcfrs.drawing.tikz import escape_latex
from plcfrs.evaluation.bracketing import LENGTHS, Counts, Evaluation, Scores
from plcfrs.trees.tree import TRACE_TYPES
from plcfrs.wording import aligned

Cell = int | float | str | None
Kind = TypeVar("Kind", Counts, Scores)
FUNCTION_GROUPS = {
    "syntactic": frozenset(["DTV", "LGS", "PRD", "PUT", "SBJ", "VOC"]),
    "semantic": frozenset(["ADV", "BNF", "DIR", "EXT", "LOC", "MNR", "NOM", "PRP", "TMP"]),
    "CLR": frozenset(["CLR"]),
    "TPC": frozenset(["TPC"]),
}
_MARKUP = re.compile(r"[\\`*_|\[\]]|<(?=[A-Za-z/!?])")  # special characters of Markdown
_MINUS = re.compile(r"^-(?=\d)")
_AFTER_LINE = re.compile(r"^(?=[*\[])")  # LaTeX would take it for an argument of the line end


@dataclass
class Table:
    """Figures or texts with headings.

    Parameters
    ----------
    title : str
    columns : list of str
    rows : dict of str to list
        By the heading of the row: counts are int, percentages float; a score with a denominator of
        0 is None.
    decimals : dict of str to int
        Number of decimals in a printed column; two by default.
    """

    title: str
    columns: list[str]
    rows: dict[str, list[Cell]]
    decimals: dict[str, int] = field(default_factory=dict)

    @property
    def has_text(self) -> bool:
        """Whether any cell is a text."""
        return any(isinstance(cell, str) for cells in self.rows.values() for cell in cells)

    def lines(self) -> list[list[str]]:
        """Return the lines of the printed table, the headings first."""
        decimals = [self.decimals.get(column, 2) for column in self.columns]
        return [
            [self.title, *self.columns],
            *([row, *map(_text, cells, decimals)] for row, cells in self.rows.items()),
        ]


def tables(evaluation: Evaluation) -> list[Table]:
    """Return all tables of an evaluation: `main_tables`, then one for each kind of constituents.

    Parameters
    ----------
    evaluation : Evaluation
    """
    by_frequency = sorted(evaluation.by_category.items(), key=lambda item: (-item[1].gold, item[0]))
    kinds: list[tuple[str, Mapping[str, Counts]]] = [
        ("By category", dict(by_frequency)),
        ("By fan-out", _texts(evaluation.by_fan_out)),
    ]
    if evaluation.all.functions.parsed:
        kinds.append(("Function tags", dict(sorted(evaluation.by_function.items()))))
        kinds.append(("Function groups", function_groups(evaluation)))
    lengths = {
        f"{longest - LENGTHS + 1}-{longest}": scores
        for longest, scores in sorted(evaluation.by_length.items())
    }
    return [
        *main_tables(evaluation.subsets()),
        *(_count_table(title, counts) for title, counts in kinds),
        *([null_table(evaluation)] if evaluation.all.nulls.parsed else []),
        _sentence_table("Sentences by gap degree", _texts(evaluation.by_gap_degree)),
        _sentence_table("Sentences by length", lengths),
    ]


def function_groups(evaluation: Evaluation) -> dict[str, Counts]:
    """Return the counts of function tags in groups.

    The groups are those of Blaheta and Charniak (2000); or constituents and words, if words have
    functions, too, as in German treebanks.

    Parameters
    ----------
    evaluation : Evaluation
    """
    every, words = evaluation.all.functions, evaluation.all.word_functions
    if words.parsed:
        constituents = Counts(
            every.gold - words.gold, every.parsed - words.parsed, every.matched - words.matched
        )
        return {"all": every, "of constituents": constituents, "of words": words}
    known = frozenset().union(*FUNCTION_GROUPS.values())

    def total(is_counted: Callable[[str], bool]) -> Counts:
        tags = evaluation.by_function.items()
        return _total(counts for tag, counts in tags if is_counted(tag))

    return {
        "all": every,
        "all without CLR": total(lambda tag: tag != "CLR"),
        **{name: total(group.__contains__) for name, group in FUNCTION_GROUPS.items()},
        "other": total(lambda tag: tag not in known),
    }


def null_table(evaluation: Evaluation) -> Table:
    """Return the scores of null elements by type (Johnson 2002), alone and with antecedents.

    Parameters
    ----------
    evaluation : Evaluation
    """
    kinds = sorted(evaluation.by_null.items(), key=lambda item: (-item[1].gold, item[0]))
    traces = [kind for kind, _ in kinds if kind[1] in TRACE_TYPES]
    linked = evaluation.by_null_with_antecedent
    pairs = {
        "all": (evaluation.all.nulls, evaluation.all.nulls_with_antecedents),
        " ".join(TRACE_TYPES): (
            _total(evaluation.by_null[kind] for kind in traces),
            _total(linked[kind] for kind in traces),
        ),
        **{" ".join(kind): (counts, linked[kind]) for kind, counts in kinds},
    }
    rows: dict[str, list[Cell]] = {}
    for name, (found, with_antecedent) in pairs.items():
        counts = [found.gold, found.parsed, found.matched, with_antecedent.matched]
        rows[name] = [*_figures(found), *_figures(with_antecedent), *counts]
    columns = ["LP", "LR", "LF1", "AP", "AR", "AF1"]
    columns += ["Gold", "Parsed", "Matched", "Matched with antecedent"]
    return Table("Null elements", columns, rows)


def main_tables(subsets: Mapping[str, Scores]) -> list[Table]:
    """Return the tables of all and discontinuous constituents, and of sentences and words.

    Parameters
    ----------
    subsets : mapping of str to Scores
        By the headings of the columns.
    """
    columns, scores = list(subsets), list(subsets.values())
    constituents = [(subset.labelled, subset.unlabelled) for subset in scores]
    with_gaps = [
        (subset.labelled_discontinuous, subset.unlabelled_discontinuous) for subset in scores
    ]
    return [
        Table("Constituents", columns, _bracket_rows(constituents)),
        Table("Discontinuous constituents", columns, _bracket_rows(with_gaps)),
        Table("Sentences and words", columns, _sentence_rows(scores)),
    ]


def render_scores(scores: Scores) -> str:
    """Return tables of scores as text, all and discontinuous constituents side by side.

    A score is ``-`` if neither the gold trees nor the parses have such constituents.

    Parameters
    ----------
    scores : Scores
    """
    kinds = [
        (scores.labelled, scores.unlabelled),
        (scores.labelled_discontinuous, scores.unlabelled_discontinuous),
    ]
    constituents = Table("Constituents", ["All", "Discontinuous"], _bracket_rows(kinds))
    return render_text(
        [constituents, Table("Sentences and words", ["All"], _sentence_rows([scores]))]
    )


def render_text(tables: Iterable[Table]) -> str:
    """Return tables for the terminal: aligned figures first, then the tables with texts."""
    tables = list(tables)
    figures = [line for table in tables if not table.has_text for line in ([], *table.lines())]
    texts = [aligned(table.lines(), str.ljust) for table in tables if table.has_text]
    return "\n\n".join([aligned(figures[1:])] * bool(figures) + texts)


def render_markdown(tables: Iterable[Table]) -> str:
    """Return tables in Markdown, percentages with two decimals."""
    return "\n\n".join(map(_markdown, tables))


def render_latex(tables: Iterable[Table]) -> str:
    """Return a ``tabular`` for each table, with the lines of the package booktabs."""
    return "\n\n".join(map(_latex, tables))


def render_csv(tables: Iterable[Table]) -> str:
    """Return one line for each figure: table, row, column, figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "row", "column", "figure"])
    for table in tables:
        for row, figures in table.rows.items():
            for column, figure in zip(table.columns, figures, strict=True):
                writer.writerow([table.title, row, column, figure])
    return text.getvalue().removesuffix("\n")


def render_json(tables: Iterable[Table]) -> str:
    """Return a JSON object: figures by table, row and column."""
    figures_by_title = {
        table.title: {
            row: dict(zip(table.columns, figures, strict=True))
            for row, figures in table.rows.items()
        }
        for table in tables
    }
    return json.dumps(figures_by_title, indent=2, ensure_ascii=False)


REPORTS: dict[str, Callable[[Iterable[Table]], str]] = {
    "text": render_text,
    "markdown": render_markdown,
    "latex": render_latex,
    "csv": render_csv,
    "json": render_json,
}


def _bracket_rows(columns: list[tuple[Counts, Counts]]) -> dict[str, list[Cell]]:
    labelled = [counts for counts, _ in columns]
    unlabelled = [counts for _, counts in columns]
    return {
        **_percentages("L", labelled),
        **_percentages("U", unlabelled),
        "Gold": [counts.gold for counts in labelled],
        "Parsed": [counts.parsed for counts in labelled],
        "Matched labelled": [counts.matched for counts in labelled],
        "Matched unlabelled": [counts.matched for counts in unlabelled],
    }


def _percentages(letter: str, columns: list[Counts]) -> dict[str, list[Cell]]:
    figures = [_figures(counts) for counts in columns]
    return {
        letter + name: [column[place] for column in figures]
        for place, name in enumerate(["P", "R", "F1"])
    }


def _total(kinds: Iterable[Counts]) -> Counts:
    total = Counts()
    for counts in kinds:
        total.add(counts)
    return total


def _figures(counts: Counts) -> list[Cell]:
    if not counts.gold + counts.parsed:
        return [None, None, None]
    return [counts.precision, counts.recall, counts.f1]


def _sentence_rows(columns: list[Scores]) -> dict[str, list[Cell]]:
    rows: dict[str, list[Cell]] = {
        "Exact match": [scores.exact_match if scores.sentences else None for scores in columns],
        "Tagging accuracy": [
            scores.tagging_accuracy if scores.words else None for scores in columns
        ],
    }
    if any(scores.functions.parsed for scores in columns):
        rows["Function tags F1"] = [_figures(scores.functions)[2] for scores in columns]
    if any(scores.nulls.parsed for scores in columns):
        rows["Null elements F1"] = [_figures(scores.nulls)[2] for scores in columns]
        rows["Nulls with antecedent F1"] = [
            _figures(scores.nulls_with_antecedents)[2] for scores in columns
        ]
    return {
        **rows,
        "Sentences": [scores.sentences for scores in columns],
        "Without a parse": [scores.without_parse for scores in columns],
        "Words": [scores.words for scores in columns],
    }


def _count_table(title: str, kinds: Mapping[str, Counts]) -> Table:
    columns = ["LP", "LR", "LF1", "Gold", "Parsed", "Matched"]
    rows = {
        name: [*_figures(counts), counts.gold, counts.parsed, counts.matched]
        for name, counts in kinds.items()
    }
    return Table(title, columns, rows)


def _sentence_table(title: str, kinds: Mapping[str, Scores]) -> Table:
    columns = ["LP", "LR", "LF1", "Exact match", "Sentences"]
    rows = {
        name: [*_figures(scores.labelled), scores.exact_match, scores.sentences]
        for name, scores in kinds.items()
    }
    return Table(title, columns, rows)


def _texts(kinds: Mapping[int, Kind]) -> dict[str, Kind]:
    return {str(number): kinds[number] for number in sorted(kinds)}


def _text(cell: Cell, decimals: int) -> str:
    if cell is None:
        return "-"
    return f"{cell:.{decimals}f}" if isinstance(cell, float) else str(cell)


def _markdown(table: Table) -> str:
    header, *rows = ([_MARKUP.sub(r"\\\g<0>", cell) for cell in line] for line in table.lines())
    column = "---" if table.has_text else "---:"
    lines = [header, ["---", *[column] * len(table.columns)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _latex(table: Table) -> str:
    header, *rows = (
        _AFTER_LINE.sub("{}", " & ".join(_MINUS.sub("$-$", escape_latex(cell)) for cell in line))
        + r" \\"
        for line in table.lines()
    )
    columns = "l" + ("l" if table.has_text else "r") * len(table.columns)
    begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    return "\n".join([begin, r"\toprule", header, r"\midrule", *rows, r"\bottomrule", end])
