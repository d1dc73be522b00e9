"""The layout of a tree with crossing branches, and the distances between its columns.

A vertical line goes up from every word, tag and node to the row of its mother, where a horizontal
line joins it with its sisters. Rows are filled from the words upwards, and a node takes the column
of one of its children or a column without a line. So lines may cross, but never run together or
through a label. Columns are as close as the labels and lines of each row allow.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from itertools import count, pairwise
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.stopping import check_stopped, until_stopped
from plcfrs.trees import Tree, render_label

_END, _BEGIN, _BRANCH = range(3)  # of a row: lines that end, lines that begin, branches


class TreeLayout(NamedTuple):
    """Labels on a grid: nodes come first, mothers before children, then tags, then words."""

    labels: list[str]
    children: list[list[int]]  # the numbers of the children of each label
    # The row and the column of each label; the root is in row 0, the words in the last row.
    cells: list[tuple[int, int]]

    def crossings(self) -> list[list[int]]:
        """Return for each label the columns where other lines cross the branch below it."""
        events = []
        for mother, children in enumerate(self.children):
            top = self.cells[mother][0]
            events.append((top, _BRANCH, mother))
            for bottom, column in (self.cells[child] for child in children):
                if top + 1 < bottom:
                    events += [(top + 1, _BEGIN, column), (bottom, _END, column)]
        crossings: list[list[int]] = [[] for _ in self.cells]
        columns: list[int] = []
        for _, kind, number in until_stopped(sorted(events)):
            if kind == _END:
                del columns[bisect_left(columns, number)]
            elif kind == _BEGIN:
                insort(columns, number)
            else:
                feet = [self.cells[child][1] for child in self.children[number]]
                left, right = min(feet, default=0), max(feet, default=0)
                inside = slice(bisect_right(columns, left), bisect_left(columns, right))
                crossings[number] = columns[inside]
        return crossings


def lay_out(tree: Tree) -> TreeLayout:
    """Return the places of nodes, tags and words; raise an InputError for a node without tokens.

    >>> from plcfrs.trees import Node, Token
    >>> layout = lay_out(Tree(Node("ROOT", children=[0]), [Token("Why", "WRB")]))
    >>> layout.labels, layout.children, layout.cells
    (['ROOT', 'WRB', 'Why'], [[1], [2], []], [(0, 0), (1, 0), (2, 0)])
    """
    nodes = tree.nodes()
    first_tag, first_word = len(nodes), len(nodes) + len(tree.tokens)
    numbers = {node: number for number, node in enumerate(nodes)}
    children = []
    for node in nodes:
        if not node.children:
            raise InputError(f"cannot draw {render_label(node)}, which has no words below it")
        children.append(
            [first_tag + c if isinstance(c, int) else numbers[c] for c in node.children]
        )
    children += [[first_word + position] for position in range(len(tree.tokens))]
    children += [[] for _ in tree.tokens]
    labels = [render_label(node) for node in nodes]
    labels += [token.tag for token in tree.tokens] + [token.form for token in tree.tokens]
    return TreeLayout(labels, children, _Grid(children).cells())


def screen_columns(text: str) -> list[str]:
    """Return the text of each column of the screen; the column after a wide character is empty.

    Characters that would move the cursor, such as tabs, become replacement characters.

    >>> screen_columns("a文")
    ['a', '文', '']
    """
    columns: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Mn", "Me", "Cf"):
            columns[-1:] = ["".join(columns[-1:] or " ") + character]
        elif category in ("Cc", "Cs", "Zl", "Zp"):
            columns.append("\ufffd")
        else:
            columns.append(character)
            if unicodedata.east_asian_width(character) in ("W", "F"):
                columns.append("")
    return columns


def screen_width(text: str) -> int:
    """Return the number of columns of the screen that a text takes."""
    return len(screen_columns(text))


class _Grid:
    """The grid while it is filled: row 0 has the words, in even columns; odd columns are free."""

    def __init__(self, children: list[list[int]]) -> None:
        self.children = children
        words = [number for number, below in enumerate(children) if not below]
        self.rows = dict.fromkeys(words, 0)
        self.columns = {word: 2 * position for position, word in enumerate(words)}
        self.lines = set(self.columns.values())
        """The columns of vertical lines that have not yet reached a mother."""

    def cells(self) -> list[tuple[int, int]]:
        """Fill the grid, and return rows (from the top) and columns (without empty ones)."""
        mothers = {child: mother for mother, below in enumerate(self.children) for child in below}
        missing = list(map(len, self.children))  # how many children have no place yet
        ready: set[int] = set()
        placed, top = list(self.rows), 0
        while True:
            for mother in (mothers[child] for child in placed if child in mothers):
                missing[mother] -= 1
                if not missing[mother]:
                    ready.add(mother)
            if not ready:
                break
            check_stopped()
            top += 1
            placed = self._next_row(sorted(ready))
            ready.difference_update(placed)
            for number in placed:
                self.rows[number] = top
                self._take_column(number)
        places = {column: place for place, column in enumerate(sorted({*self.columns.values()}))}
        return [
            (top - self.rows[number], places[self.columns[number]])
            for number in range(len(self.children))
        ]

    def _next_row(self, ready: list[int]) -> list[int]:
        """Return the numbers that fit side by side; the children of all have places."""
        extents = {number: self._extent(number) for number in ready}
        row: list[int] = []
        taken: list[tuple[int, int]] = []
        for number in sorted(ready, key=lambda n: extents[n][1] - extents[n][0]):
            left, right = extents[number]
            place = bisect_left(taken, (left, right))
            neighbours = taken[max(place - 1, 0) : place + 1]
            if all(right < other[0] or other[1] < left for other in neighbours):
                row.append(number)
                taken.insert(place, (left, right))
        return row

    def _extent(self, number: int) -> tuple[int, int]:
        columns = [self.columns[child] for child in self.children[number]]
        return min(columns), max(columns)

    def _take_column(self, number: int) -> None:
        """Take the free column nearest to the middle."""
        middle, odd = divmod(sum(self._extent(number)), 2)
        self.lines.difference_update(self.columns[child] for child in self.children[number])
        outward = (place for step in count() for place in (middle - step, middle + odd + step))
        column = next(column for column in outward if column not in self.lines)
        self.columns[number] = column
        self.lines.add(column)


def space_columns(
    layout: TreeLayout, widths: list[int], gap: int, least: int
) -> tuple[list[int], int]:
    """Return the middles of the columns in the narrowest possible picture, and its width.

    Each column is halfway between its leftmost and its rightmost possible place. Labels and lines
    of a row are at least `gap` apart, columns at least `least`.

    >>> two_words = TreeLayout(["S", "two", "words"], [[1, 2], [], []], [(0, 1), (1, 0), (1, 2)])
    >>> space_columns(two_words, [1, 3, 5], gap=1, least=2)
    ([1, 3, 6], 9)
    """
    last = max(column for _, column in layout.cells)
    sides = [[0, 0] for _ in range(last + 1)]
    """The largest extents of the labels of a column to the left and to the right."""
    for (_, column), width in zip(layout.cells, widths, strict=True):
        sides[column] = [max(sides[column][0], left_of(width)), max(sides[column][1], width // 2)]
    distances = _distances(layout, widths, gap)
    for pair in pairwise(range(last + 1)):
        distances[pair] = max(distances.get(pair, 0), least)
    first = [left for left, _ in sides]
    for (left, right), distance in sorted(distances.items(), key=lambda item: item[0][1]):
        first[right] = max(first[right], first[left] + distance)
    width = 1 + max(place + right for place, (_, right) in zip(first, sides, strict=True))
    latest = [width - 1 - right for _, right in sides]
    for (left, right), distance in sorted(distances.items(), reverse=True):
        latest[left] = min(latest[left], latest[right] - distance)
    return [sum(both) // 2 for both in zip(first, latest, strict=True)], width


def left_of(width: int) -> int:
    """Return the width of a label to the left of its middle.

    >>> left_of(4), left_of(5)
    (1, 2)
    """
    return (width - 1) // 2


def _distances(layout: TreeLayout, widths: list[int], gap: int) -> dict[tuple[int, int], int]:
    """Return the least distances of columns that are neighbours in a row.

    Few columns change from row to row, and only their neighbours are considered.
    """
    changes: dict[int, dict[int, int | None]] = defaultdict(dict)
    """For each row, the columns that change, and the width of the label or line, if any."""
    for row, column in layout.cells:
        changes[row + 1][column] = None
    for mother, children in enumerate(layout.children):
        for child in children:
            changes[layout.cells[mother][0] + 1][layout.cells[child][1]] = 1
    for (row, column), width in zip(layout.cells, widths, strict=True):
        changes[row][column] = width
    distances: dict[tuple[int, int], int] = defaultdict(int)
    columns: list[int] = []
    width_in: dict[int, int] = {}
    for _, changed in until_stopped(sorted(changes.items())):
        for column, new in changed.items():
            if width_in.pop(column, None) is not None:
                del columns[bisect_left(columns, column)]
            if new is not None:
                insort(columns, column)
                width_in[column] = new
        for column in changed:
            place = bisect_left(columns, column)
            for left, right in pairwise(columns[max(place - 1, 0) : place + 2]):
                needed = width_in[left] // 2 + gap + 1 + left_of(width_in[right])
                distances[left, right] = max(distances[left, right], needed)
    return distances
