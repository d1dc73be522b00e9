"""Columns are apart if their contents are side by side, and no farther than needed."""

from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from strategies import trees

from plcfrs.drawing.layout import lay_out, left_of, space_columns


@given(trees())
def test_labels_and_lines_of_a_row_do_not_touch(tree):
    layout = lay_out(tree)
    widths = [len(label) for label in layout.labels]
    middles, width = space_columns(layout, widths, gap=1, least=4)
    rows = defaultdict(list)
    for (row, column), label in zip(layout.cells, widths, strict=True):
        start = middles[column] - left_of(label)
        rows[row].append((start, start + label))
    for mother, children in enumerate(layout.children):
        for child in children:
            bottom, column = layout.cells[child]
            for row in range(layout.cells[mother][0] + 1, bottom):
                rows[row].append((middles[column], middles[column] + 1))
    for extents in rows.values():
        extents.sort()
        assert extents[0][0] >= 0
        assert extents[-1][1] <= width
        assert all(one[1] < other[0] for one, other in pairwise(extents))
    assert all(other - one >= 4 for one, other in pairwise(middles))


@given(trees())
def test_no_picture_is_wider_than_its_columns_side_by_side(tree):
    layout = lay_out(tree)
    widths = defaultdict(lambda: 3)
    for (_, column), label in zip(layout.cells, layout.labels, strict=True):
        widths[column] = max(widths[column], len(label))
    _, width = space_columns(layout, [len(label) for label in layout.labels], gap=1, least=4)
    assert width <= sum(widths.values()) + len(widths)
