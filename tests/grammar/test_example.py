import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar.rules import RuleExample, parse_example

WORDS = st.sampled_from(["[", "]", "[x]", "a\\", "\\", "-", "#", "->", "ü", "a b", "x:", "-LRB-"])


@st.composite
def examples(draw):
    words = draw(st.lists(WORDS | texts(), min_size=1, max_size=9))
    cuts = st.lists(st.integers(0, len(words)), min_size=2, unique=True).map(sorted)
    ends = draw(cuts)
    ends = ends[: len(ends) // 2 * 2]
    name = draw(st.sampled_from(["", "-", "wsj_0001:1", "a b", "#1", "[x"]))
    return RuleExample(tuple(words), tuple(zip(ends[::2], ends[1::2], strict=True)), name)


@given(examples())
def test_lines_round_trip(example):
    line = example.line()
    assert parse_example(line) == example
    assert len(line.splitlines()) == 1


def test_ranges_that_touch_have_brackets_of_their_own():
    example = RuleExample(("a", "b", "c"), ((0, 1), (1, 3)), "s")
    assert example.line() == "s [a] [b c]"
    assert parse_example("s [a] [b c]") == example


@core(1, "line", ["s a b", "s [a", "s a]", "s [a [b]", "s [a] b]", "s", "- a[b]", r"s [a\]"])
def test_brackets_that_do_not_match_are_an_error(line):
    with pytest.raises(GrammarError, match="should be like"):
        parse_example(line)
