"""Text for people: columns and markup."""

import html
from xml.etree import ElementTree

from hypothesis import given
from nasty import texts

from plcfrs.wording import aligned, escape, printable


def test_columns():
    rows = [["type", "gold", "found"], ["*T*-PRN", "4"], [], ["other", "1234", "5"]]
    assert aligned(rows).split("\n") == [
        "type     gold  found",
        "*T*-PRN     4",
        "",
        "other    1234      5",
    ]
    assert aligned(rows[:2], str.ljust).split("\n") == ["type     gold  found", "*T*-PRN  4"]


def test_no_rows():
    assert aligned([]) == ""


@given(texts())
def test_markup_shows_the_text(text):
    assert html.unescape(escape(text)) == printable(text)
    element = ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>')
    # XML turns all line ends into one kind, and those of attributes into blanks.
    lines = printable(text).replace("\r\n", "\n").replace("\r", "\n")
    assert element.text == lines
    assert element.get("b") == lines.replace("\n", " ").replace("\t", " ")


@given(texts())
def test_only_what_cannot_be_written_is_replaced(text):
    shown = printable(text)
    assert len(shown) == len(text)
    for character, other in zip(text, shown, strict=True):
        code = ord(character)
        control = code < 32 and character not in "\t\n\r"
        if control or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF):
            assert other == "\ufffd"
        else:
            assert other == character
