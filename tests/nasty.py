"""Texts that have broken file formats before: in words, tags and categories."""

from hypothesis import strategies as st

WORDS = (
    "#",
    "#x",
    "x#",
    ":",
    "''",
    "``",
    "1\\/2",
    "\\",
    "\\u0041",
    "[",
    "]",
    "->",
    "-",
    "--",
    "-LRB-",
    "-lrb-",
    "_",
    "VP_2",
    "^",
    "~",
    "NN~",
    "@",
    "@1",
    "|",
    ">",
    "- x",
    "? x",
    "NO",
    "null",
    "1.0",
    "{}",
    "&a",
    "*a",
    "!!x",
    "%",
    "\t",
    "\x00",
    "a\x85b",
    "\xa0",
    "\u2028",
    "\u2029",
    "\u3000",
    "\ufeff",
    "\uffff",
    "\ud800",
    "\U000f0041",
    "\U0001f600",
    "é",
    "e\u0301",
)


def texts() -> st.SearchStrategy[str]:
    """Texts of at least one character."""
    pieces = st.sampled_from(WORDS)
    any_text = st.text(min_size=1, max_size=4)
    return any_text | pieces | st.lists(pieces, min_size=2, max_size=3).map("".join)
