"""Where the parts of a tree go in a picture with crossing branches.

A picture is a grid. A vertical line goes up from every word, tag and node to the row of its
mother, whose children a horizontal line joins. Rows are filled from the words upwards, and a
node stands in the column of one of its children or in one that no line goes up. So lines cross
lines, but never run into each other or through a label.
"""

from __future__ import annotations

from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees import Tree, render_label


class Layout(NamedTuple):
    """Labels on a grid: nodes come first, mothers before children, then tags, then words.

    Parameters
    ----------
    labels : list of str
    mothers : list of int
        The number of the mother of each but the root, which is number 0 and has -1 here.
    cells : list of tuple of int
        Row and column; the root is in row 0, the words are in the last row.
    """

    labels: list[str]
    mothers: list[int]
    cells: list[tuple[int, int]]


def lay_out(tree: Tree) -> Layout:
    """Return the places of the nodes, tags and words of a tree.

    Raises
    ------
    InputError
        If a node dominates no token: it has no place in the order of the words.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tree = Tree(Node("ROOT", children=[0]), [Token("Why", "WRB")])
    >>> lay_out(tree)
    Layout(labels=['ROOT', 'WRB', 'Why'], mothers=[-1, 0, 1], cells=[(0, 0), (1, 0), (2, 0)])
    """
    nodes = tree.nodes()
    first_tag, first_word = len(nodes), len(nodes) + len(tree.tokens)
    numbers = {node: number for number, node in enumerate(nodes)}
    mothers = [-1] * first_word + list(range(first_tag, first_word))
    for node in nodes:
        if not node.children:
            raise InputError(f"cannot draw {render_label(node)}, which has no words below it")
        for child in node.children:
            number = first_tag + child if isinstance(child, int) else numbers[child]
            mothers[number] = numbers[node]
    labels = [render_label(node) for node in nodes]
    labels += [token.tag for token in tree.tokens] + [token.form for token in tree.tokens]
    return Layout(labels, mothers, _Grid(mothers, first_word).cells())


_SCALE = 8


class _Grid:
    """The grid while it is filled, row 0 being the words, with free columns between them."""

    def __init__(self, mothers: list[int], first_word: int) -> None:
        self.children: list[list[int]] = [[] for _ in mothers]
        for number, mother in enumerate(mothers[1:], start=1):
            self.children[mother].append(number)
        self.rows = dict.fromkeys(range(first_word, len(mothers)), 0)
        self.columns = {word: _SCALE * (word - first_word) for word in self.rows}
        self.lines = set(self.columns.values())
        """The columns of vertical lines that have not yet reached a mother."""

    def cells(self) -> list[tuple[int, int]]:
        """Fill the grid and return row (from the top) and column (empty ones left out)."""
        waiting = set(range(len(self.children))) - self.rows.keys()
        top = 0
        while waiting:
            top += 1
            row = self._next_row(waiting)
            for number in row:
                self.rows[number] = top
                self._take_column(number)
            waiting.difference_update(row)
        places = {column: place for place, column in enumerate(sorted({*self.columns.values()}))}
        return [
            (top - self.rows[number], places[self.columns[number]])
            for number in range(len(self.children))
        ]

    def _next_row(self, waiting: set[int]) -> list[int]:
        """Return those whose horizontal lines fit side by side, the shortest first."""
        ready = [n for n in waiting if all(child in self.rows for child in self.children[n])]
        extents = {number: self._extent(number) for number in ready}
        row: list[int] = []
        for number in sorted(ready, key=lambda n: extents[n][1] - extents[n][0]):
            left, right = extents[number]
            if all(right < extents[other][0] or extents[other][1] < left for other in row):
                row.append(number)
        return row

    def _extent(self, number: int) -> tuple[int, int]:
        columns = [self.columns[child] for child in self.children[number]]
        return min(columns), max(columns)

    def _take_column(self, number: int) -> None:
        left, right = self._extent(number)
        self.lines.difference_update(self.columns[child] for child in self.children[number])
        free = [column for column in range(left, right + 1) if column not in self.lines]
        column = min(free, key=lambda column: _preference(column, left, right))
        self.columns[number] = column
        self.lines.add(column)


def _preference(column: int, left: int, right: int) -> tuple[bool, bool, int]:
    """Prefer a column between the children, then one that others share, then the middle."""
    at_end = column in (left, right)
    unshared = column % (_SCALE // 2) > 0
    return at_end, unshared, abs(2 * column - left - right)
