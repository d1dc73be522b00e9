"""Selections of trees, and texts of trees that are parsed elsewhere."""

import pickle

import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank import EVERYTHING, Selection, parse_texts, read_texts, read_trees, write_trees
from plcfrs.treebank.reading import parse_ranges

RANGES = st.lists(st.builds(range, st.integers(1, 150), st.integers(0, 160)), max_size=3)


@given(RANGES.map(tuple), st.none() | st.integers(1, 12))
def test_trees_are_wanted_by_number_and_length(ranges, max_length):
    texts = list(read_texts("plcfrs:demo"))
    chosen = Selection(ranges, max_length)
    found = [tree.id for tree in parse_texts(chosen.until_last(texts), selection=chosen)]
    numbered = enumerate(parse_texts(texts), start=1)
    assert found == [
        tree.id
        for number, tree in numbered
        if (not ranges or any(number in numbers for numbers in ranges))
        and (max_length is None or sum(not token.is_null for token in tree.tokens) <= max_length)
    ]


def test_nothing_is_read_behind_the_last_tree():
    items = iter(range(1, 10))
    assert list(Selection((range(4, 6), range(1, 3))).until_last(items)) == [1, 2, 3, 4, 5]
    assert next(items) == 6
    assert list(EVERYTHING.until_last(items)) == [7, 8, 9]


def test_a_malformed_tree_behind_the_last_one_does_not_matter(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("((S (X x)))\n((S (X x)))\n((S x))\n")
    two = Selection((range(1, 3),))
    assert [tree.id for tree in read_trees(path, selection=two)] == ["a:1", "a:2"]


def test_texts_are_parsed_in_another_process(tmp_path):
    for extension in ["discbracket", "export", "tiger", "tagged", "tokens"]:
        path = tmp_path / f"demo.{extension}"
        write_trees(demo_trees()[::5], path)
        texts = pickle.loads(pickle.dumps(list(read_texts(path))))
        trees, expected = list(parse_texts(texts)), list(read_trees(path))
        assert trees == expected
        assert [tree.id for tree in trees] == [tree.id for tree in expected]


def test_errors_keep_their_places_in_another_process(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("")
    (error,) = pickle.loads(pickle.dumps(list(read_texts(path))))
    assert isinstance(error, TreebankError)
    assert (error.path, str(error)) == (
        str(path),
        f"{path}: no trees in this file (read as brackets)",
    )
    with pytest.raises(TreebankError, match="no trees in this file"):
        list(parse_texts([error]))


def test_ranges():
    assert parse_ranges("1-2, 5,4-5") == (range(1, 3), range(5, 6), range(4, 6))
    assert not parse_ranges("5-2")[0]


def test_no_ranges():
    for text in ["", "a", "1-", "-1", "1-2-3", "1;2", "1,", "²", "1" * 5000]:
        with pytest.raises(InputError, match="is not a number or a range such as 1-500"):
            parse_ranges(text)
