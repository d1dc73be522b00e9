"""Yield functions as text, and their application."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import parse_yield_function, render_yield_function
from plcfrs.grammar.rules import apply, child_fan_outs, from_runs
from plcfrs.trees.tree import runs


@given(st.lists(st.lists(st.integers(0, 40), min_size=1).map(tuple), min_size=1).map(tuple))
def test_round_trip(yield_function):
    assert parse_yield_function(render_yield_function(yield_function)) == yield_function


@core(1, "text", ["", "[]", "[0,]", "[,0]", "[0, , 1]", "[x]", "[0 1.5]", "[0;1]"])
def test_other_texts_are_refused(text):
    with pytest.raises(GrammarError):
        parse_yield_function(text)


def test_fan_outs_of_the_rule_of_sq_in_figure_6():
    assert child_fan_outs(parse_yield_function("[0 1 2 0]")) == [2, 1, 1]


def test_apply_to_strings():
    # A(Xa, Yb) -> A(X, Y) with the tuple of strings (x, y)
    assert apply(((0, 1), (0, 2)), ["xy", "a", "b"]) == [["x", "a"], ["y", "b"]]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_yield_function_of_runs_puts_the_runs_back(owners):
    """Each position belongs to a child, or to none if its owner is 3."""
    spans = [sum(1 << i for i, owner in enumerate(owners) if owner == child) for child in range(3)]
    ranges = [(left, right, child) for child in range(3) for left, right in runs(spans[child])]
    children = [[list(range(*run)) for run in runs(span)] for span in spans]
    everything = runs(sum(spans))
    composed = apply(from_runs(reversed(ranges)), children)
    assert composed == [list(range(*run)) for run in everything]
