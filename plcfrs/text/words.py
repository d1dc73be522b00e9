"""Words of running text, with their places, as treebanks have them.

One regular expression cuts a sentence: at each character that is not blank, its alternatives are
tried in order. So words are in order, and only blanks are between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, Literal, NamedTuple

from plcfrs.text.spelling import BRACKETS, TYPEWRITER

Guidelines = Literal["penn", "penn-hyphens", "words"]
"""How words are cut.

"penn": as in the Penn Treebank: `well-known` is one word, `don't` is two. "penn-hyphens": as in
newer English treebanks such as CRAFT, which also cut at hyphens and slashes, `well - known`, but
not after affixes, `anti-war`. "words": for other languages; only punctuation is cut off.
"""


class Word(NamedTuple):
    """A word as the treebank writes it, and its place in the text: `text[start:end]`."""

    form: str
    start: int
    end: int


_ENGLISH = ("VBZ", "PRP")


def guidelines_of(tags: Collection[str]) -> Guidelines:
    """Return how a treebank cuts words, by its tags: only newer English ones tag hyphens.

    >>> guidelines_of(["VBZ", "NN"]), guidelines_of(["VBZ", "HYPH"]), guidelines_of(["VVFIN"])
    ('penn', 'penn-hyphens', 'words')
    """
    if "HYPH" in tags:
        return "penn-hyphens"
    return "penn" if any(tag in tags for tag in _ENGLISH) else "words"


BLANK = r"\s\x1C-\x1F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF"
"""Characters between words: blanks and invisible ones. Soft hyphens may be inside words."""

# A character of a word; marks and joiners are in \w, soft hyphens and word joiners are added.
_W = r"[\w\p{N}\u00AD\u2060]"
_END = rf"(?!{_W})"
_CLITIC = rf"(?i:'(?:s|m|d|ll|re|ve)){_END}"
# Web and mail addresses, hashtags and names, dates, telephone numbers, markup, signs.
_WHOLE = rf"""
      (?i:(?:https?|ftp)://|www\.) [^\s<>"“”]* [\w/\#=&%~+-]
    | [\w.+-]{{1,64}} @ \w[\w-]* (?:\.\w[\w-]*)+
    | (?<!{_W}) [@\#] \p{{L}} \w*
    | (?:\d{{4}}-\d\d-\d\d | (?:\d{{3}}-)?\d{{3}}-\d{{4}} | \d+/\d+/\d+ | °[CF]) {_END}
    | </?\p{{L}}[\w-]*/?> | \.{{2,}} | …\.* | -{{2,}} | \*+ | `` | '' | (?:US|C|A|HK|NZ)?\$
"""
_CONTRACTED = rf"""
    | (?<!{_W}) (?i: can(?=not) | gon(?=na) | wan(?=na) | got(?=ta) | gim(?=me) | lem(?=me)
        | 't(?=is|was) ) (?=\w+{_END})
    | (?<!{_W}) (?i: '(?:\d\ds?|em|til|cause|n'?) ) {_END}
    | (?<=[\w).\]]) (?: (?i:n't){_END} | {_CLITIC} )
    | [\w\p{{N}}] {_W}*? (?=(?i:n't){_END})
"""
# A character with its marks: a flag, a face with a skin colour, a family.
_REST = rf"""
    | \p{{RI}}{{2}} | [^{BLANK}] (?: [\p{{M}}\p{{EMod}}\U000E0020-\U000E007F] | \u200D[^{BLANK}] )*
"""
# A period that does not end the sentence belongs to its word, as in Mr.
_PERIOD = r"""(?: \. (?!\.|[\s"'\u201D\u2019\u00BB)\]}]*\Z) )?"""
_AFFIXES = (
    "anti|ante|auto|bi|bio|co|contra|counter|cross|de|di|e|ex|extra|hetero|homo|hyper|infra|inter|"
    "intra|macro|mal|mega|micro|mid|mini|mis|mono|multi|neo|non|over|pan|para|peri|poly|post|pre|"
    "pro|proto|pseudo|quasi|re|retro|self|semi|sub|super|tri|u|ultra|un|under|uni|vice"
)


@cache
def _pattern(guidelines: Guidelines) -> Any:  # noqa: ANN401 (a compiled pattern)
    import regex  # here, for a fast start

    clitic, contracted = _CLITIC, _CONTRACTED
    if guidelines == "words":
        clitic = rf"'s{_END}"  # German has it, too
        contracted = rf"| (?<=\w) {clitic}"
    inner = rf"\.(?={_W}) | (?<=\p{{N}})[,:](?=\p{{N}}) | &(?={_W}) | (?!{clitic})'(?={_W})"
    affixes, dangling = "", r"(?: -(?=[\s,)]) )?"
    if guidelines == "penn-hyphens":
        affixes = rf"(?: (?<!{_W}) (?i:{_AFFIXES}) - (?={_W}) )*"
        inner, dangling = rf"{inner} | -(?=fold{_END})", ""
    else:
        inner = rf"{inner} | \.?[-/](?={_W})"
    number = r"(?: (?<![\w/-]) [.-] (?=\d) )?"
    word = rf"{number} {affixes} [\w\p{{N}}] {_W}* (?: (?:{inner}) {_W}* )* {dangling} {_PERIOD}"
    return regex.compile(f"{_WHOLE} {contracted} | {word} {_REST}", regex.VERBOSE)


# Characters that are read as others: one for one, so that places stay.
_READ_AS = str.maketrans(
    {
        **dict.fromkeys("\u2019\u02bc\uff07", "'"),
        **dict.fromkeys("\u2010\u2011", "-"),
        **dict.fromkeys("\u200b\ufeff", " "),
    }
)
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u2060"))
_PENN = {**BRACKETS, **TYPEWRITER, "\u201a": "`", "\u00ab": "``", "\u00bb": "''"}
_QUOTES = {'"': ("``", "''"), "'": ("`", "'")}
_OPENING = "([{<-/\u2013\u2014\u201c\u2018`\"'"


def cut(text: str, guidelines: Guidelines = "penn") -> Iterator[Word]:
    """Yield the words of a sentence.

    >>> [word.form for word in cut('("She can\u2019t.")')]
    ['-LRB-', '``', 'She', 'ca', "n't", '.', "''", '-RRB-']
    """
    read = text.translate(_READ_AS)
    is_open = dict.fromkeys(_QUOTES, False)
    for match in _pattern(guidelines).finditer(read):
        start, end = match.span()
        form = match[0].translate(_INVISIBLE)
        form = _PENN.get(form, form)
        if text[start:end] in _QUOTES:
            before, after = read[start - 1 : start].strip(), read[end : end + 1].strip()
            closes = is_open[form] if not before and not after else before not in _OPENING
            is_open[form] = not closes
            form = _QUOTES[form][closes]
        yield Word(form, start, end)
