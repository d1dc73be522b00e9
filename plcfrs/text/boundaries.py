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
from itertools import pairwise, repeat
from pathlib import Path
from typing import NamedTuple

MODEL = Path(str(files("plcfrs"))) / "models" / "english-sentences.tsv"
"""The file of the model: a line of words, and a weight for each feature, in hundredths."""

_ABBREVIATIONS = {
    # before a name or in the middle of a sentence, never at its end
    "title": """
        a.k.a adm approx assn assoc asst attn bzw capt cf cmdr col cpl d.h dept dist dr drs e.g
        eg evtl excl fr ft gen ggf gov hon i.e ie incl inkl insp intl lt maj messrs mgr
        mio mlle mme mr mrd mrs ms mt mts natl pres prof rep reps resp rev sen sens sgt st
        ste supt u.a univ v vgl viz vs z.b
    """,
    # before a number
    "number": """
        art arts bd bk c ca ch chap ed eq eqs ext fax fig figs lit ln no nos nr op p para pp
        pt pts sec sect tel ver vol vols
    """,
    "any": """
        adj adv al apr apt arr aug ave bldg blvd bros cm co conf conn cont corp cpt dec deg
        dir div dom encl esq est etc eve exp feb fri ga gal hr hrs inc inst jan jr jul jun kan
        kg km ky la lb lbs llc ltd mar max md mfg mi mich min minn mins misc mo mon mont
        mos mph neb nev nov oct okla ont orig oz pa pcs penn pkg ps pub pvt qt que rd rec ref
        refs reg ret rm sep sept sp spec sq sr sta tbsp temp tenn tex thu thur thurs trans tue
        tsp tues usu va vt wash wed wis wk wks wyo yd yds yr yrs
    """,
}
_KINDS = {word: kind for kind, words in _ABBREVIATIONS.items() for word in words.split()}

EMOTICON = r"""
    (?: (?<!\w) (?: [<>]?[:;=][-o^']? (?: [()\[\]{}|\\/@*]+ | [DPpOo3SXx]+ ) | [(\[]-?[:;=] | <3+
        | </3 | [xX][.]?[xDd] | [oO^-]_+[oO^-] | \\[oO]/ ) | (?<=\w) [:;]-?[()] )
    (?![\w/(\[])
"""
"""A verbose regular expression: :-) ;) =( :D <3 ^_^, and :) directly behind a word."""

EXCLAIMED = ("Yahoo!", "Jeopardy!")
"""Names with a mark at their end."""

_CLOSING = "\"'\u201d\u2019\u00bb)]}*_>"
_OPENING = "\"'\u201c\u2018\u201e\u00ab([{*_<`#"
_MARKS = ".?!:;,\u2026\u3002\uff01\uff1f"
_FINAL = frozenset(".?!")
_PIECE = re.compile(
    r"[^\s\u3002\uff01\uff1f]*[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\u2019)]*|\S+"
)
_DASH = re.compile("\u2013|\u2014|--+")
# A footnote mark belongs to the sentence before it, as an omission does: [1], [2][3], ², [...].
_NOTE_SIGNS = "[\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
_ONE_NOTE = rf"\[(?:\d{{1,3}}|\.\.\.|\u2026)\]|[{_NOTE_SIGNS[1:]}]"
_NOTE = re.compile(rf"(?:{_ONE_NOTE})+")
_NOTE_AT_END = re.compile(rf"(?:{_ONE_NOTE}|(?<=[a-z]{{2}}[.?!])\d{{1,2}})+\Z")
is_emoticon = re.compile(EMOTICON, re.VERBOSE).fullmatch
_ITEM = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]")
_DAYTIME = re.compile(r"[ap]\.m\.", re.IGNORECASE)
_DAY = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|[A-Z]+T\b"
    r"|(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:\.|[a-z]+(?:y|ch|il|st|er))?\b"
)
# After an abbreviation such as U.S., these begin a sentence.
_STARTERS = re.compile(
    "but|her?|his|how|i|if|its?|my|our|she|that|the|their|then|there|these|they|this|those|we|what"
    "|when|where|who|why|your?",
    re.IGNORECASE,
).fullmatch
_SIZES = [max(size for size in (0, 1, 2, 3, 4, 6, 10, 20, 40) if size <= n) for n in range(41)]
_GREETING = 6  # pieces at most, before a comma
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
    is_final: bool  # whether it ends with a full stop, a question mark or an exclamation mark


class Gap(NamedTuple):
    """A blank at which a sentence may end."""

    before: Piece
    after: Piece
    ended: Piece  # the piece before the gap that is not the mark of a note
    earlier: Piece  # the piece before that in the sentence
    later: Piece  # the piece behind `after`
    begin: str  # the first character of the sentence
    words: int  # the number of pieces of the sentence, about
    left: int  # the number of pieces behind `after`, about
    quotes: int  # how many quotes are open
    in_bracket: bool
    end: int  # where it is in the paragraph


Decide = Callable[[Gap], bool]


def find_spans(text: str, decide: Decide) -> Iterator[tuple[int, int]]:
    """Yield the place of each sentence of a paragraph.

    >>> list(find_spans("Dr. Ode left. Ada slept.", ends_in_english))
    [(0, 13), (14, 24)]
    """
    found = list(_PIECE.finditer(text))
    pieces = [match[0] for match in found]
    first = 0
    has_signs = any(sign in text for sign in '(["\u201c')
    for last, (before, after) in enumerate(pairwise(pieces)):
        if before[-1] == ",":
            goes_on = last - first >= _GREETING or not after[0].isupper()
        else:
            goes_on = before[-1].isalnum() and after[0].islower()
        if goes_on or _is_note(pieces, last + 1):
            continue
        begin, end = found[first].start(), found[last].end()
        gap = _gap(pieces, first, last, text[begin:end] if has_signs else "", end)
        if not _goes_on(gap) and decide(gap):
            yield begin, end
            first = last + 1
    if found:
        yield found[first].start(), found[-1].end()


def ends_in_english(gap: Gap) -> bool:
    """Return whether a sentence ends at a gap, as the model says."""
    if gap.ended.kind in ("any", "dotted") and _STARTERS(gap.after.text):
        return gap.ended.is_final and gap.after.start[0] in "UC"
    return sum(map(_model()[1].get, features(gap), repeat(0))) > 0


def ends_elsewhere(gap: Gap) -> bool:
    """Return whether a sentence of another language ends at a gap: a mark and no small letter."""
    ended = gap.ended
    is_ordinal = ended.marks == "." and ended.word.isdigit() and len(ended.word) < 3
    may_end = ended.kind in ("", "any", "address") and not is_ordinal
    return may_end and ended.is_final and not gap.after.text.lstrip(_OPENING)[:1].islower()


def features(gap: Gap) -> list[str]:
    """Return what the model knows about a gap: a letter for each kind of feature, and values."""
    _, after, ended, earlier, later, begin, words, left, quotes, in_bracket, _ = gap
    marks, word, shape = ended.marks, ended.word, ended.shape
    both = f"{marks}|{after.start}"
    every = f"{both}|{shape}"
    return [
        f"a{both}",
        f"b{every}",
        f"c{marks}|{word}",
        f"d{both}|{word}",
        f"e{marks}|{after.first}",
        f"f{both}|{after.first}",
        f"i{both}|{words}",
        f"k{both}|{left}",
        f"l{both}|{quotes}{in_bracket:d}",
        f"m{every}|{earlier.shape}",
        f"n{both}|{later.start}",
        f"o{marks}|{after.opening}",
        f"p{marks}|{later.first}",
        f"q{marks}|{earlier.word}",
        f"u{every}|{after.after}",
        f"v{both}|{begin}",
        f"w{every}|{begin}",
        f"x{marks}|{in_bracket:d}|{ended.kind}",
        f"y{every}|{words}",
    ]


def _gap(pieces: list[str], first: int, last: int, text: str, end: int) -> Gap:
    """Return the gap behind a piece; the text of its sentence may be empty without signs."""
    place = last
    while place > first and _is_note(pieces, place):
        place -= 1
    begin = pieces[first][0]
    return Gap(
        before=_piece(pieces[last]),
        after=_piece(pieces[last + 1]),
        ended=_piece(pieces[place]),
        earlier=_piece(pieces[place - 1] if place > first else ""),
        later=_piece(pieces[last + 2] if last + 2 < len(pieces) else ""),
        begin="a" if begin.islower() else "A" if begin.isupper() else "s",
        words=_SIZES[min(last - first, 40)],
        left=_SIZES[min(len(pieces) - 2 - last, 40)],
        quotes=text.count('"') % 2 + (text.count("\u201c") > text.count("\u201d")),
        in_bracket=text.count("(") > text.count(")") or text.count("[") > text.count("]"),
        end=end,
    )


def _is_note(pieces: list[str], place: int) -> bool:
    """Return whether a piece is the mark of a footnote, maybe a bare number: `left. 4 Even so`."""
    text = pieces[place]
    if text[0] in _NOTE_SIGNS:
        return _NOTE.fullmatch(text) is not None
    is_number = place > 0 and text.isdigit() and len(text) < 4
    if not is_number or pieces[place - 1][-1] not in '.?!\u201d)"':
        return False
    return place + 1 < len(pieces) and _piece(pieces[place + 1]).start in ("Ck", "U1k")


def _goes_on(gap: Gap) -> bool:
    """Return whether no sentence can end at a gap."""
    before, after = gap.before, gap.after
    sign = after.text[0]
    if sign in _NOTE_SIGNS and _NOTE.match(after.text):
        return True
    if before.marks == "--" and sign.isdigit():
        return True
    if not gap.words and len(before.text) == 1 and not before.text.isalnum():  # of a list
        return True
    if not after.text.strip(_CLOSING) and (gap.quotes or sign not in "\"'*_"):
        return True
    if before.marks == ".":
        if before.kind == "title" or (before.kind == "initial" and _INITIAL.match(after.text)):
            return True
        if _DAYTIME.fullmatch(before.text) and _DAY.match(after.text):
            return True
    is_quoted = before.is_final and before.marks[-1] == "q"
    if sign.islower() and (is_quoted or before.text in EXCLAIMED or _ITEM.fullmatch(before.text)):
        return True
    if gap.later.text[:1].islower() and not before.is_final and _ITEM.fullmatch(after.text):
        return True
    is_short = before.kind not in ("", "address")
    if is_short and "." in before.marks and before.marks != ".+":
        in_number = sign.isdigit() and before.kind != "any"
        if sign.islower() or sign in "([+#\u00a7" or in_number:
            return True
    return gap.in_bracket and (is_short or not before.is_final)


@lru_cache(50_000)
def _piece(text: str) -> Piece:
    """Return what is known about a piece; an empty one is before and behind the paragraph."""
    if text.isalnum():  # most are
        word, shape = text.lower(), _shape(text)
        return Piece(text, "", word, "", shape, "", word, shape, "", is_final=False)
    if is_emoticon(text):
        return Piece(text, "e", ":)", "", "e", "", ":)", "e", "", is_final=False)
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
    is_final = not _FINAL.isdisjoint(marks)
    return Piece(
        text, marks, word.lower(), kind, shape, opening, first, opening[:1] + start, after, is_final
    )


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
