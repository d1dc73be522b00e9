"""Trees by number and length: the right ones, and nothing read behind them."""

import pytest

from plcfrs.errors import InputError
from plcfrs.treebank.selection import parse_ranges, select
from plcfrs.trees import NULL_TAG, Node, Token, Tree


def tree_of(length, nulls=0):
    tokens = [Token("a", "A")] * length + [Token("*", NULL_TAG)] * nulls
    return Tree(Node("ROOT", children=list(range(length + nulls))), tokens)


def lengths(ranges=(), max_length=None):
    numbered = ((number, tree_of(number)) for number in range(1, 7))
    return [len(tree.tokens) for tree in select(numbered, ranges, max_length)]


def test_all():
    assert lengths() == [1, 2, 3, 4, 5, 6]


def test_ranges():
    assert lengths(parse_ranges("1-2, 5,4-5")) == [1, 2, 4, 5]
    assert lengths(parse_ranges("9")) == []
    assert lengths(parse_ranges("5-2")) == []


def test_lengths():
    assert lengths(max_length=3) == [1, 2, 3]
    assert lengths(parse_ranges("2-5"), max_length=3) == [2, 3]


def test_null_elements_have_no_length():
    assert len(list(select([(1, tree_of(2, nulls=5))], max_length=2))) == 1


def test_nothing_is_read_behind_the_last_tree():
    def numbered():
        yield 3, tree_of(3)
        raise AssertionError("read too far")

    assert len(list(select(numbered(), ((2, 3),)))) == 1


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "1-2-3", "1;2", "1,", "²"])
def test_no_ranges(text):
    with pytest.raises(InputError, match="is not a number or a range such as 1-500"):
        parse_ranges(text)
