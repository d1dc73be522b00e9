"""The published figures of a table, put beside ours."""

from __future__ import annotations

from dataclasses import dataclass

from plcfrs.evaluation.report import Cell, Table

MARK = " (paper)"


@dataclass(frozen=True)
class Published:
    """The figures of a table in a paper by row and column, None where the paper has none."""

    columns: list[str]
    rows: dict[str, list[Cell]]


def beside(table: Table, published: Published) -> Table:
    """Return a table beside a published one, which decides the order of rows and columns.

    Missing cells are None. Rows and columns that only our table has come last.

    >>> ours = Table("Table 2", ["Tr", "Te"], {"LP": [1.5, 2.5]})
    >>> both = beside(ours, Published(["MST", "Tr"], {"LP": [5.5, 6.5], "LR": [7.5, None]}))
    >>> both.columns
    ['MST (paper)', 'Tr', 'Tr (paper)', 'Te']
    >>> both.rows
    {'LP': [5.5, 1.5, 6.5, 2.5], 'LR': [7.5, None, None, None]}
    """
    ours = {
        (row, column): cell
        for row, cells in table.rows.items()
        for column, cell in zip(table.columns, cells, strict=True)
    }
    theirs = {
        (row, column): cell
        for row, cells in published.rows.items()
        for column, cell in zip(published.columns, cells, strict=True)
    }
    columns: list[tuple[str, dict[tuple[str, str], Cell], str]] = []
    for column in published.columns:
        if column in table.columns:
            columns.append((column, ours, column))
        columns.append((column + MARK, theirs, column))
    columns += [
        (column, ours, column) for column in table.columns if column not in published.columns
    ]
    rows = [*published.rows, *(row for row in table.rows if row not in published.rows)]
    return Table(
        table.title,
        [heading for heading, _, _ in columns],
        {row: [cells.get((row, column)) for _, cells, column in columns] for row in rows},
        table.decimals,
    )
