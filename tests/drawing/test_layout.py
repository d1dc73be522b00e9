"""Layout of random trees: no two things in one place."""

from collections import Counter

from hypothesis import given
from strategies import trees

from plcfrs.drawing.layout import lay_out


@given(trees())
def test_lines_do_not_run_together(tree):
    layout = lay_out(tree)
    taken = Counter(layout.cells)
    for mother, children in enumerate(layout.children):
        top, _ = layout.cells[mother]
        for child in children:
            bottom, column = layout.cells[child]
            assert top < bottom
            taken.update((row, column) for row in range(top + 1, bottom))
    assert set(taken.values()) == {1}


@given(trees())
def test_branches_of_a_row_are_apart(tree):
    layout = lay_out(tree)
    taken = Counter()
    for mother, children in enumerate(layout.children):
        if children:
            row, above = layout.cells[mother]
            columns = [layout.cells[child][1] for child in children]
            assert min(columns) <= above <= max(columns)
            taken.update((row, column) for column in range(min(columns), max(columns) + 1))
    assert set(taken.values()) == {1}


@given(trees())
def test_root_at_the_top_and_words_in_order_at_the_bottom(tree):
    layout = lay_out(tree)
    words = layout.cells[-len(tree.tokens) :]
    assert layout.labels[-len(tree.tokens) :] == [token.form for token in tree.tokens]
    assert words == sorted(words)
    assert {row for row, _ in words} == {max(row for row, _ in layout.cells)}
    assert [cell for cell in layout.cells if cell[0] == 0] == layout.cells[:1]
