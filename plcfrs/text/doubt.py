"""Doubts about plain words: they may be words with tags, or text that is not split into words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TAGGED = re.compile(r".+/(?:[A-Z][A-Z0-9$*.-]*|[^\w\s]{1,3})")
_MARKS = {*".,;:?!"}
# A word with a mark after it; not one letter, as in `p.`, and no capital inside, as in `U.S.`.
_ENDED = re.compile(r"[\"'(\[“„«]*[^\W\d_]+[^\W\d_A-Z][\"')\]”“»]*[.?!][\"')\]”“»]*")
_ATTACHED = re.compile(r"[^\W\d_]{2,}[,;:]")


def doubt_about(
    words: Sequence[str], split: str = "use parse --tokenize", pairs: str = "add --tagged"
) -> str | None:
    """Return a message if plain words look like word/TAG or untokenized text.

    Its advice is `split` for text, and `pairs` for words with tags.

    A mark at the end of a single word proves nothing, as in `Yahoo! said so .`.

    >>> doubt_about("What/WP should/MD we/PRP do/VB ?/.".split())
    'What/WP looks like a word with its tag: if it is, add --tagged'
    >>> print(doubt_about("What should we do?".split()))
    do? counts as one word: put blanks before punctuation, or use parse --tokenize
    >>> doubt_about("What should we do ?".split())
    """
    tagged = [word for word in words if _TAGGED.fullmatch(word)]
    if len(tagged) > max(1, len(words) / 2):
        return f"{tagged[0]} looks like a word with its tag: if it is, {pairs}"
    if not _MARKS.isdisjoint(words):
        return None
    joined = [word for word in words if _ATTACHED.fullmatch(word)]
    joined += [word for word in words[-1:] if _ENDED.fullmatch(word)]
    if joined and len(words) > 1:
        return f"{joined[0]} counts as one word: put blanks before punctuation, or {split}"
    return None
