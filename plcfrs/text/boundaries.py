"""Where sentences end in a paragraph: at which of its blanks.

A gap is a blank between two pieces of a paragraph. Rules say at which gaps no sentence can end. At
the others, a model decides for English: a sum of weights, learned from the English Web Treebank by
``tools/train_sentences.py``. For other languages, a mark and the next letter decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

MODEL = Path(str(files("plcfrs"))) / "models" / "english-sentences.tsv"
"""The file of the model: a line of words, and a weight for each feature, in hundredths."""

_ABBREVIATIONS = {
    # before a name or in the middle of a sentence, never at its end
    "title": """
        adm approx assn assoc asst attn bzw capt cf cmdr col cpl d.h dept dist dr drs e.g
        eg evtl excl fr ft gen ggf gov hon i.e ie incl inkl insp intl lt maj messrs mgr
        mio mlle mme mr mrd mrs ms mt mts natl pres prof rep reps resp rev sen sens sgt st
        ste supt u.a univ vgl viz vs z.b
    """,
    # before a number
    "number": """
        art arts bd bk c ca ch chap ed eq eqs ext fax fig figs ln no nos nr op p para pp
        pt pts sec sect tel v ver vol vols
    """,
    "any": """
        adj adv al apr apt arr aug ave bldg blvd bros cm co conf conn cont corp cpt dec
        dir div dom encl esq est etc eve exp feb fri ga hr hrs inc inst jan jr jul jun kan
        kg km ky la lb lbs llc ltd mar max md mfg mi mich min minn mins misc mo mon mont
        mos mph neb nev nov oct okla ont orig oz pa penn pkg ps pub pvt qt que rd rec ref
        refs reg ret rm sep sept sp spec sq sr sta temp tenn tex thu thur thurs trans tue
        tues usu va vt wash wed wis wk wks wyo yd yds yr yrs
    """,
}
_KINDS = {word: kind for kind, words in _ABBREVIATIONS.items() for word in words.split()}

_CLOSING = "\"'\u201d\u2019\u00bb)]}*_>"
_OPENING = "\"'\u201c\u2018\u201e\u00ab([{*_<`#"
_MARKS = ".?!:;,\u2026\u3002\uff01\uff1f"
_FINAL = frozenset(".?!")
_PIECE = re.compile(
    r"[^\s\u3002\uff01\uff1f]*[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\u2019)]*|\S+"
)
_DASH = re.compile("\u2013|\u2014|--+")
# A footnote mark belongs to the sentence before it, as an omission does: [1], [2][3], ², [...].
_NOTE = re.compile(r"(?:\[(?:\d{1,3}|\.\.\.|\u2026)\]|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079])+")
_NOTE_AT_END = re.compile(rf"(?:{_NOTE.pattern}|(?<=[a-z]{{2}}[.?!])\d{{1,2}})+\Z")
_ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]")
_DAYTIME = re.compile(r"[ap]\.m\.", re.IGNORECASE)
_DAY = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|[A-Z]+T\b"
    r"|(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:\.|[a-z]+(?:y|ch|il|st|er))?\b"
)
_INITIAL = re.compile(r"[A-Z]\.")
_SAME = str.maketrans(
    {**dict.fromkeys("\"'\u201d\u2019\u00bb", "q"), "}": ")", "\u2026": ".."}
    | {"\u3002": ".", "\uff01": "!", "\uff1f": "?"}
)


class Piece(NamedTuple):
    """What is between two blanks: how it may end a sentence, and how it may begin one."""

    text: str
    marks: str  # the kinds of marks and closing signs at its end
    word: str  # in lower case, without them
    kind: str  # of abbreviation, if a mark follows; "address"
    shape: str  # of the word
    opening: str  # the signs at its beginning
    first: str  # the word behind them
    start: str  # the first of these signs, and the shape of the word
    after: str  # the mark behind the word


class Gap(NamedTuple):
    """A blank at which a sentence may end."""

    pieces: list[Piece]  # of the paragraph
    first: int  # the number of the first piece of the sentence
    last: int  # the number of the piece before the gap
    text: str  # the text of the sentence up to the gap
    end: int  # where it is in the paragraph


Decide = Callable[[Gap], bool]


def find_spans(text: str, decide: Decide) -> Iterator[tuple[int, int]]:
    """Yield the place of each sentence of a paragraph.

    >>> list(find_spans("Dr. Ode left. Ada slept.", ends_in_english))
    [(0, 13), (14, 24)]
    """
    found = list(_PIECE.finditer(text))
    pieces = [_piece(match[0]) for match in found]
    first = 0
    for last in range(len(pieces) - 1):
        if pieces[last + 1].text[0].islower() and pieces[last].text[-1].isalnum():
            continue
        begin, end = found[first].start(), found[last].end()
        gap = Gap(pieces, first, last, text[begin:end], end)
        if not _goes_on(gap) and decide(gap):
            yield begin, end
            first = last + 1
    if found:
        yield found[first].start(), found[-1].end()


def ends_in_english(gap: Gap) -> bool:
    """Return whether a sentence ends at a gap, as the model says."""
    return sum(map(_model()[1].get, features(gap), repeat(0))) > 0


def ends_elsewhere(gap: Gap) -> bool:
    """Return whether a sentence of another language ends at a gap: a mark and no small letter."""
    before = _before(gap)[0]
    is_ordinal = before.marks == "." and before.word.isdigit() and len(before.word) < 3
    may_end = before.kind in ("", "any", "address") and not is_ordinal
    return (
        may_end and _is_final(before) and gap.pieces[gap.last + 1].start.strip(_OPENING)[:1] != "l"
    )


def features(gap: Gap) -> list[str]:
    """Return what the model knows about a gap: a letter for each kind of feature, and values."""
    before, earlier = _before(gap)
    after, later = (*gap.pieces[gap.last + 1 : gap.last + 3], _END)[:2]
    marks, word, shape, start = before.marks, before.word, before.shape, after.start
    words, left = _size(gap.last - gap.first), _size(len(gap.pieces) - 2 - gap.last)
    quotes = gap.text.count('"') % 2 + (gap.text.count("\u201c") > gap.text.count("\u201d"))
    bracket = _in_bracket(gap)
    begin = "a" if gap.text[0].islower() else "A" if gap.text[0].isupper() else "s"
    both = f"{marks}|{start}"
    return [
        f"a{both}",
        f"b{both}|{shape}",
        f"c{marks}|{word}",
        f"d{both}|{word}",
        f"e{marks}|{after.first}",
        f"f{both}|{after.first}",
        f"h{marks}|{words}",
        f"i{both}|{words}",
        f"j{marks}|{left}",
        f"k{both}|{left}",
        f"l{both}|{quotes}{bracket:d}",
        f"m{both}|{shape}|{earlier.shape}",
        f"n{both}|{later.start}",
        f"o{marks}|{after.opening}",
        f"p{marks}|{later.first}",
        f"q{marks}|{earlier.word}",
        f"r{both}|{after.after}",
        f"u{both}|{shape}|{after.after}",
        f"v{both}|{begin}",
        f"w{both}|{shape}|{begin}",
        f"x{marks}|{bracket:d}|{before.kind}",
        f"y{both}|{words}|{shape}",
    ]


def _goes_on(gap: Gap) -> bool:
    """Return whether no sentence can end at a gap."""
    before, after = gap.pieces[gap.last], gap.pieces[gap.last + 1]
    next_sign = after.text[0]
    if _NOTE.match(after.text) or _is_note(gap.pieces, gap.last + 1):
        return True
    if before.marks == ".":
        if before.kind == "title" or (before.kind == "initial" and _INITIAL.match(after.text)):
            return True
        if _DAYTIME.fullmatch(before.text) and _DAY.match(after.text):
            return True
    if next_sign.islower() and _ITEM.fullmatch(before.text):
        return True
    is_short = before.kind not in ("", "address")
    if is_short and "." in before.marks and before.marks != ".+":
        in_number = next_sign.isdigit() and before.kind != "any"
        if next_sign.islower() or next_sign in "([+#" or in_number:
            return True
    return (is_short or not _is_final(before)) and _in_bracket(gap)


def _is_final(piece: Piece) -> bool:
    return not _FINAL.isdisjoint(piece.marks)


def _in_bracket(gap: Gap) -> bool:
    return gap.text.count("(") > gap.text.count(")")


def _before(gap: Gap) -> tuple[Piece, Piece]:
    """Return the piece before a gap, and the one before it in the sentence, without notes."""
    last = gap.last
    while last > gap.first and _is_note(gap.pieces, last):
        last -= 1
    return gap.pieces[last], gap.pieces[last - 1] if last > gap.first else _BEGIN


def _is_note(pieces: list[Piece], place: int) -> bool:
    """Return whether a piece is the mark of a footnote, maybe a bare number: `left. 4 Even so`."""
    text = pieces[place].text
    if _NOTE.fullmatch(text):
        return True
    is_number = place > 0 and text.isdigit() and len(text) < 4
    if not is_number or pieces[place - 1].text[-1] not in '.?!\u201d)"':
        return False
    return place + 1 < len(pieces) and pieces[place + 1].start in ("Ck", "U1k")


def _size(number: int) -> int:
    """Return the largest of a few numbers that is not greater."""
    return max(size for size in (0, 1, 2, 3, 4, 6, 10, 20, 40) if size <= number)


@lru_cache(20_000)
def _piece(text: str) -> Piece:
    unmarked = _NOTE_AT_END.sub("", text) or text
    body = unmarked.rstrip(_CLOSING)
    core = body.rstrip(_MARKS)
    marks = body[len(core) :].translate(_SAME)
    if len(marks) > 1:
        marks = f"{marks[0]}+" if len(set(marks)) == 1 else "".join(sorted(set(marks)))
    word = _DASH.sub("--", core.lstrip(_OPENING))
    marks += "".join(sorted(set(unmarked[len(body) :].translate(_SAME))))
    if word in ("-", "--"):
        word, marks = "", word + marks
    kind = _kind(word.lower(), marks)
    first = text.lstrip(_OPENING)
    opening = text[: len(text) - len(first)]
    rest = first.rstrip(_CLOSING + _MARKS)
    after, first = first[len(rest) : len(rest) + 1], rest
    is_address = first.startswith(("http", "www."))
    start = "@" if is_address else _shape(first)
    first = "http" if is_address else _DASH.sub("--", first).lower()
    shape = _shape(word) + kind[:1]
    return Piece(text, marks, word.lower(), kind, shape, opening, first, opening[:1] + start, after)


_BEGIN = Piece("", "", "^", "", "^", "", "^", "^", "")
_END = Piece("", "", "$", "", "$", "", "$", "$", "")


def _kind(word: str, marks: str) -> str:
    """Return the kind of abbreviation of a word."""
    if marks and word in _KINDS:
        return _KINDS[word]
    if marks and len(word) == 1 and word.isalpha():
        return "initial"
    if "/" in word or "@" in word:
        return "address"
    return "dotted" if marks and "." in word else ""


def _shape(word: str) -> str:
    """Return the kind of characters of a word, and whether it is known in lower case."""
    if not word:
        return "0"
    known = _model()[0]
    if word[0].islower():
        return "l" if len(word) > 4 or word in known else "lu"
    if word[0].isupper():
        kind = "U1" if len(word) == 1 else "U" if word.isupper() else "C"
        return kind + "k" * (word.lower() in known)
    if word[0].isdigit():
        return f"d{min(len(word), 4)}" if word.isdigit() else "D"
    return "s"


@cache
def _model() -> tuple[frozenset[str], dict[str, int]]:
    """Return words in lower case, and the weights of features."""
    words, *rows = MODEL.read_text(encoding="utf-8").splitlines()
    pairs = (row.rsplit("\t", 1) for row in rows)
    return frozenset(words.split()), {feature: int(weight) for feature, weight in pairs}
