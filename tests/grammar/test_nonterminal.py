"""Symbols and words as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import texts
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import Nonterminal, parse_nonterminal
from plcfrs.grammar.rules import escape, unescape

SYMBOLS = st.builds(
    Nonterminal,
    texts(),
    st.integers(1, 12),
    st.just("") | texts(),
    st.lists(texts(), max_size=3).map(tuple),
    st.sampled_from(["category", "intermediate"]),
    st.lists(texts(), max_size=2).map(tuple),
    st.lists(texts(), max_size=2).map(tuple),
)


@given(SYMBOLS)
def test_symbols_round_trip(symbol):
    text = str(symbol)
    assert parse_nonterminal(text) == symbol
    assert text.split() == [text]
    assert not text.startswith("#")
    assert text != "->"


@given(SYMBOLS)
def test_a_tag_is_marked_by_a_tilde(symbol):
    tag = symbol._replace(kind="tag")
    assert parse_nonterminal(f"{tag}~") == tag


@given(texts())
def test_words_round_trip_as_one_field(word):
    text = escape(word)
    assert unescape(text) == word
    assert text.split() == [text]
    assert not text.startswith("#")
    text.encode()


@core(
    1,
    ("text", "symbol"),
    [
        ("VP", Nonterminal("VP")),
        ("VP_1", Nonterminal("VP")),
        ("VP_2", Nonterminal("VP", 2)),
        ("S^WH-NOM_3", Nonterminal("S", 3, "WH", ("NOM",))),
        ("NP-SBJ-TMP", Nonterminal("NP", functions=("SBJ", "TMP"))),
        ("@7_2", Nonterminal("7", 2, kind="intermediate")),
        ("NN~", Nonterminal("NN", kind="tag")),
        ("NP^WH-SBJ>S>ROOT_2", Nonterminal("NP", 2, "WH", ("SBJ",), "category", ("S", "ROOT"))),
        ("@NP>S+DT+JJ", Nonterminal("NP", 1, "", (), "intermediate", ("S",), ("DT", "JJ"))),
        ("A\\+B\\>C", Nonterminal("A+B>C")),
        ("-LRB-", Nonterminal("-LRB-")),
        ("-LRB--SBJ_2", Nonterminal("-LRB-", 2, functions=("SBJ",))),
        ("NP-\\-LRB\\-", Nonterminal("NP", functions=("-LRB-",))),
        ("a\\_2", Nonterminal("a_2")),
        ("\\#", Nonterminal("#")),
        ("\\u00a0", Nonterminal("\xa0")),
        ("\\\U0001f600", Nonterminal("\U0001f600")),
        ("$,", Nonterminal("$,")),
        ("''", Nonterminal("''")),
    ],
)
def test_text_forms(text, symbol):
    assert parse_nonterminal(text) == symbol


@core(
    1,
    "text",
    [
        "",
        "VP_",
        "VP_0",
        "VP_x",
        "VP_-1",
        "VP_2_2",
        "VP_2^WH",
        "VP_" + 5000 * "9",
        "S^",
        "NP-",
        "-NP",
        "@",
        "~",
        "\\",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(GrammarError, match="is not a nonterminal such as"):
        parse_nonterminal(text)
