"""Running text: pySBD splits it into English sentences, NLTK into words as in the Penn Treebank.

`doubt_about` tells whether words look like text that is not split.

A blank line ends a sentence; any other line end counts as a blank. Memory holds one paragraph, or
a part of a long one. pySBD comes with ``pip install 'plcfrs[tokenize]'``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from plcfrs.errors import InputError

# Number of characters that are split into sentences at a time: the time of pySBD is quadratic.
_MOST = 4000
_PIECE = re.compile(rf"\S.{{0,{_MOST}}}\S*")

# The Penn Treebank has typewriter characters instead of typographic quotes, dashes and dots.
_TYPEWRITER = str.maketrans(
    {
        **{"\u2018": "`", "\u2019": "'", "\u201c": "``", "\u201d": "''", "\u201e": "``"},
        **{"\u2013": "--", "\u2014": "--", "\u2026": "..."},
    }
)


def split_sentences(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each sentence with the line where its part of the text begins.

    Without pySBD, an InputError is raised.
    """
    cut = _splitter()
    text, start = "", 1
    for number, line in enumerate(chain(lines, [""]), start=1):
        pieces = _PIECE.findall(line)
        for piece in pieces:
            start = start if text else number
            text = f"{text} {piece}".strip()
            if len(text) > _MOST:
                *sentences, last = cut(text)  # the last one may continue
                text = last if len(last) <= _MOST else ""
                yield from ((start, each) for each in (sentences if text else [*sentences, last]))
        if text and not pieces:
            yield from ((start, each) for each in cut(text))
            text = ""


def split_words(sentence: str) -> list[str]:
    """Return the words of a sentence, as the Penn Treebank writes them."""
    from nltk.tokenize import NLTKWordTokenizer

    return list(
        NLTKWordTokenizer().tokenize(sentence.translate(_TYPEWRITER), convert_parentheses=True)
    )


def split_words_of(parts: Sequence[str]) -> list[list[str]]:
    """Return the words of each part of a sentence, which is split as a whole.

    >>> split_words_of(["Mr.", "Hob", "can't", "see", "us."])
    [['Mr.'], ['Hob'], ['ca', "n't"], ['see'], ['us', '.']]
    """
    words = split_words(" ".join(parts))
    found: list[list[str]] = []
    for part in parts:
        wanted, length = len(_signs(part)), 0
        taken = []
        while length < wanted and len(words):
            taken.append(words.pop(0))
            length += len(_signs(taken[-1]))
        found.append(taken)
    if words or list(map(_signs, map("".join, found))) != list(map(_signs, parts)):
        return list(map(split_words, parts))  # a word goes over two parts
    return found


def _signs(text: str) -> str:
    """Return a text without blanks, with one sign for all brackets or quotes of a kind."""
    text = "".join(text.translate(_TYPEWRITER).split())
    for written, sign in {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}.items():
        text = text.replace(written, sign)
    return text


@cache
def _splitter() -> Callable[[str], list[str]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about old escapes in its regular expressions
            from pysbd import Segmenter
    except ImportError:
        raise InputError("running text needs pySBD: pip install 'plcfrs[tokenize]'") from None
    segment = Segmenter(language="en", clean=False).segment

    def cut(text: str) -> list[str]:
        sentences = [each.strip() for each in segment(text) if each.strip()]
        # pySBD uses rare characters as marks, and loses text where they occur.
        whole = "".join("".join(sentences).split()) == "".join(text.split())
        return sentences if whole else [text]

    return cut


_TAGGED = re.compile(r".+/(?:[A-Z][A-Z0-9$*.-]*|[^\w\s]{1,3})")
_MARKS = {*".,;:?!"}
# A word with a mark after it; not one letter, as in `p.`, and no capital inside, as in `U.S.`.
_ENDED = re.compile(r"[\"'(\[“„«]*[^\W\d_]+[^\W\d_A-Z][\"')\]”“»]*[.?!][\"')\]”“»]*")
_ATTACHED = re.compile(r"[^\W\d_]{2,}[,;:]")


def doubt_about(
    words: Sequence[str], split: str = "use parse --tokenize", pairs: str = "add --tagged"
) -> str | None:
    """Return a message if plain words look like word/TAG or untokenized text.

    It advises how text can be `split`, and how words with tags are read (`pairs`).

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
