"""Sentences of running text, with their places."""

import re
from io import StringIO
from itertools import islice, pairwise, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.text import Splitter
from plcfrs.text.sentences import BLANK, split_sentences


def sentences(text):
    return [each.text for each in split_sentences(StringIO(text))]


def test_where_sentences_end():
    for text, found in [
        ("Dr. Berg left at 5 p.m. on Sunday. Nobody asked.", 2),
        ("The ferry\nwas late. It\ncame\n\nat noon", 3),
        ("Departures\nThe ferry leaves at noon from the old quay.\n", 2),
        ("The harbour\n===========\nIt is old.", 3),
        ("# News\nThe ferry is late.", 2),
        ("We need\n- bread\n- salt\n2. rope", 4),
        ("(a) bread\n(b) salt\n\u2022 rope", 3),
        ("The ferry to the island, which Captain\nHolm has sailed for years, is late.", 1),
        ("It cost 3.5 \u222f marks. We paid \u0169 \u2026 twice.", 2),
        ("", 0),
        (" \n\t\n\u00a0", 0),
    ]:
        assert len(sentences(text)) == found


def test_line_ends_and_blanks_count_as_they_are():
    text = "A  ferry\r\nleft.\tWe\u00a0wait.\r\n\r\n  \U0001f600 Now."
    found = list(split_sentences(StringIO(text, newline="")))
    assert [text[each.start :][: len(each.text)].split() for each in found] == [
        ["A", "ferry", "left."],
        ["We", "wait."],
        ["\U0001f600", "Now."],
    ]
    assert [each.line for each in found] == [1, 1, 4]


@pytest.mark.full
def test_a_text_of_100_000_words_without_a_stop_is_read_in_parts():
    lines = islice(repeat("word " * 100 + "\n"), 1000)
    found = list(split_sentences(lines))
    assert sum(len(each.text.split()) for each in found) == 100_000
    assert max(len(each.text) for each in found) < 10_000


def test_thousands_of_blanks_and_characters_without_any():
    text = f"Yes{' ' * 50_000}no {'x' * 50_000}"
    assert max(map(len, sentences(text))) < 10_000
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.full
@pytest.mark.parametrize(
    "sign", ["a. ", "(", "( ", "[1]", "[1] ", ".", '"a ', "1 ", "\n", "a\n", ",\n"]
)
def test_sentences_are_found_in_linear_time(sign):
    """In quadratic time, they would take minutes."""
    assert sum(len(each) for each in sentences(sign * 30_000)) <= len(sign) * 30_000


NOTHING = re.compile(f"[{BLANK}]*")
SIGNS = "\u00ad\u200baB. ?!\n\t\"'()\u2019\u201d\u222f&1-\u2022#\u0169\u2028\x1c\U0001f600"


@given(st.text(SIGNS) | st.text())
def test_all_characters_are_covered(text):
    end = 0
    for each in split_sentences(StringIO(text)):
        after = each.start + len(each.text)
        assert NOTHING.fullmatch(text[end : each.start])
        assert re.sub(r"\s", " ", text[each.start : after]) == re.sub(r"\s", " ", each.text)
        end = after
    assert NOTHING.fullmatch(text[end:])


@given(st.text(SIGNS))
def test_tokens_know_their_places(text):
    tokens = [token for each in Splitter().sentences(text) for token in each]
    plain = {"-LRB-": "(", "-RRB-": ")"}
    for token in tokens:
        written = text[token.start : token.end]
        form = plain.get(token.form, token.form)
        assert form in (written.replace("\u2019", "'"), written.replace("\u00ad", "")) or (
            form[0] in "`'" or "\u00ad" in written
        )
    assert all(one.end <= two.start for one, two in pairwise(tokens))
