"""Transitions as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core

from plcfrs.errors import InputError
from plcfrs.parsers.transition.system import (
    BINARY,
    COUNTED,
    UNARY,
    Kind,
    Transition,
    parse_transition,
)

LABELS = st.sampled_from(["NP", "ROOT+S", "-LRB-", "ADVP|PRT", r"\@X", "1", "S^WH"])
TRANSITIONS = (
    st.builds(Transition, st.sampled_from(sorted(UNARY, key=str)), LABELS)
    | st.builds(Transition, st.sampled_from(sorted(BINARY, key=str)), LABELS, st.booleans())
    | st.builds(
        Transition,
        st.sampled_from(sorted(COUNTED, key=str)),
        st.just(""),
        st.just(False),
        st.integers(0, 300),
    )
    | st.builds(Transition, st.sampled_from(sorted({*Kind} - UNARY - BINARY - COUNTED, key=str)))
)


@core(
    1,
    ("text", "transition"),
    [
        ("SHIFT", Transition(Kind.SHIFT)),
        ("REDUCE-RIGHT-@S", Transition(Kind.REDUCE_RIGHT, "S", True)),
        ("BINL-VP", Transition(Kind.BINL, "VP")),
        ("UNARY-ROOT+S", Transition(Kind.UNARY, "ROOT+S")),
        ("SKIPSHIFT-0", Transition(Kind.SKIPSHIFT, count=0)),
        ("COMPOUNDGAP-12", Transition(Kind.COMPOUNDGAP, count=12)),
    ],
)
def test_notation(text, transition):
    assert str(transition) == text
    assert parse_transition(text) == transition


@given(TRANSITIONS)
def test_what_is_written_can_be_read(transition):
    assert parse_transition(str(transition)) == transition


@core(
    1,
    "text",
    ["", "JUMP", "SWAP", "SWAP-", "SWAP-x", "SWAP-²", "BINL", "BINL-", "BINL-@", "SHIFT-1"],
)
def test_what_is_no_transition(text):
    with pytest.raises(InputError, match="is not a transition such as SHIFT"):
        parse_transition(text)
