"""Splitting running text into sentences and words, as a treebank has them.

One regular expression cuts a sentence: at each character that is not blank, its alternatives are
tried in order. So words are in order, and only blanks are between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from io import StringIO
from typing import Any, Literal, NamedTuple

from plcfrs.text.boundaries import EMOTICON, EXCLAIMED, ends_elsewhere, ends_in_english, is_emoticon
from plcfrs.text.sentences import BLANK, SentenceText, split_sentences
from plcfrs.text.spelling import BRACKETS, TYPEWRITER, Spelling
from plcfrs.trees import Token

Guidelines = Literal["penn", "penn-hyphens", "words"]
"""How words are cut.

"penn": as in the Penn Treebank: `well-known` is one word, `don't` is two. "penn-hyphens": as in
newer English treebanks such as the English Web Treebank and CRAFT, which also cut at hyphens and
slashes, `well - known`, but not after affixes, `anti-war`. "words": for other languages; only
punctuation is cut off.
"""


class Word(NamedTuple):
    """A word as the treebank writes it, and its place in the text: `text[start:end]`."""

    form: str
    start: int
    end: int


_ENGLISH = ("VBZ", "PRP")
_WEB_TREEBANK = ("VBZ", "HYPH")
TAGS_OF: dict[Guidelines, tuple[str, ...]] = {
    "words": (),
    "penn": _ENGLISH,
    "penn-hyphens": _WEB_TREEBANK,
}
"""Tags by which `guidelines_of` knows the guidelines."""


def guidelines_of(tags: Collection[str]) -> Guidelines:
    """Return how a treebank cuts words, by its tags: only newer English ones tag hyphens.

    >>> guidelines_of(["VBZ", "NN"]), guidelines_of(["VBZ", "HYPH"]), guidelines_of(["VVFIN"])
    ('penn', 'penn-hyphens', 'words')
    """
    if "HYPH" in tags:
        return "penn-hyphens"
    return "penn" if any(tag in tags for tag in _ENGLISH) else "words"


# A character of a word; marks and joiners are in \w, soft hyphens and word joiners are added.
_W = r"[\w\p{N}\u00AD\u2060]"
_END = rf"(?!{_W})"
_CLITIC = rf"(?i:'(?:s|m|d|ll|re|ve)){_END}"
_SEGMENT = r"[/\\][\w.~-]{0,63}[\w~-]"  # of a path
# Emoticons, web and mail addresses, paths, names of files, hashtags and names, dates, telephone
# numbers, markup, runs of signs.
_WHOLE = rf"""
    {EMOTICON}
    | (?i:(?:https?|ftp)://|www\.) [^{BLANK}<>"\u201c\u201d]* [\w/\#=&%~+-]
    | [\w.+-]{{1,64}} @ \w[\w-]* (?:\.\w[\w-]*)*
    | (?<![\w/.~]) (?: (?:[A-Za-z]:|~|\.{{1,2}}) (?:{_SEGMENT})+ | (?:{_SEGMENT}){{2,}} ) /?
    | (?<!{_W}) [\w\#-]{{1,64}} (?:\.[\w-]{{1,64}}){{0,4}}
        \.(?i: docx? | xlsx? | pdf | jpe?g | gif | png | txt | html? | ppt | zip | exe ) {_END}
    | (?<!{_W}) (?:{"|".join(EXCLAIMED)})
    | (?<!{_W}) [@\#] \p{{L}} \w* (?:\.\w+)*
    | (?<!{_W}) (?: (?i:b/c|w/o?|c/o|n/a) | \d{{4}}-\d\d-\d\d | (?:\d{{3}}-)?\d{{3}}-\d{{4}}
        | (?:x?\d|\d{{5}})-\d{{4}} | \d+/\d+/\d+ | (?:0?[1-9]|1[0-2])/(?:0\d|[12]\d|3[01])(?!/)
    ) {_END} | °[CF]{_END}
    | </?\p{{L}}[\w-]*/?> | `` | '' | [.?!…]{{2,}} | …
    | [-=~+*<>|^\#]{{2,}} | //+ | \\\\+ | \*+ | (?:US|C|A|HK|NZ)?\$+
"""
_CONTRACTED = rf"""
    | (?<!{_W}) (?i: can(?=not) | gon(?=na) | wan(?=na) | got(?=ta) | gim(?=me) | lem(?=me)
        | 't(?=is|was) | i(?=m{_END}|ve{_END}) | (?:that|there|what|here|he)(?=s{_END})
        | (?:do|does|did|ca|wo|could|would|should|are|was|have|has|had)(?=nt{_END}) ) (?=\w+{_END})
    | (?<![\w.,/-]) \d[\d.,:]*
        (?= (?i: [ap]m | [mk] | bn | [kmc]m | ft | kg | lbs? | mins? | hrs? | [kmg]b | [kmg]?hz )
            {_END} )
    | (?<!{_W}) (?i: '(?:\d\ds?|em|til|cause|bout|round|nuff|n'?) ) {_END}
    | (?<=[\w).\]]) (?: (?i:n't){_END} | {_CLITIC} )
    | [\w\p{{N}}] {_W}*? (?=(?i:n't){_END})
"""
# A character with its marks: a flag, a face with a skin colour, a family.
_REST = rf"""
    | \p{{RI}}{{2}} | [^{BLANK}] (?: [\p{{M}}\p{{EMod}}\U000E0020-\U000E007F] | \u200D[^{BLANK}] )*
"""
# A period that does not end the sentence belongs to its word, as in Mr., but not before a closing
# mark or the mark of a note unless the word is an initial, as in (U.S.).
_PERIOD = r"""(?:
    (?<!\d) \. (?! \. | (?<! \.\p{L}\.) [?!] | [\s"'\u201D\u2019\u00BB)\]}]*\Z )
    (?: (?<= (?<!\w) \p{L} \.) | (?! ["'\u201D\u2019\u00BB)\]}\d\p{No}] | \s?\[\d ) )
)?"""
_AFFIXES = (
    "anti|ante|auto|bi|bio|co|contra|counter|cross|de|di|e|ex|extra|hetero|homo|hyper|infra|inter|"
    "intra|macro|mal|mega|micro|mid|mini|mis|mono|multi|neo|non|over|pan|para|peri|poly|post|pre|"
    "pro|proto|pseudo|quasi|re|retro|semi|sub|super|tri|u|ultra|un|under|uni|vice"
)


@cache
def _pattern(guidelines: Guidelines) -> Any:  # noqa: ANN401 (a compiled pattern)
    import regex  # here, for a fast start

    clitic, contracted = _CLITIC, _CONTRACTED
    if guidelines == "words":
        clitic = rf"'s{_END}"  # German has it, too
        contracted = rf"| (?<=\w) {clitic}"
    note = r"\p{No} | (?<=[a-z]{2}\.) \d{1,2} \s* \Z"  # as in: so it was.2
    inner = (
        rf"\.(?!{note})(?={_W}) | (?<=\p{{N}})[,:](?=\p{{N}}) | &(?={_W}) | (?!{clitic})'(?={_W})"
    )
    affixes, dangling = "", r"(?: -(?=[\s,)]) )?"
    if guidelines == "penn-hyphens":
        affixes = rf"(?: (?<!{_W}) (?i:{_AFFIXES}) - (?={_W}) )*"
        inner, dangling = rf"{inner} | -(?=fold{_END})", ""
    else:
        inner = rf"{inner} | \.?[-/](?={_W})"
    number = r"(?: (?<![\w/+-]) [.+-] (?=\d) )?"
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
_PIECE = re.compile(r"\S+")
# Most pieces are words whose cuts do not depend on the pieces around them.
_is_plain = re.compile(r"[^\W_]+(?:['-][^\W_]+)*,?").fullmatch
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u2060"))
_PENN = {**BRACKETS, **TYPEWRITER, "\u201a": "`", "\u00ab": "``", "\u00bb": "''"}
_QUOTES = {'"': ("``", "''"), "'": ("`", "'")}
_OPENING = "([{<-/\u2013\u2014\u201c\u2018`\"'"


def cut(text: str, guidelines: Guidelines = "penn") -> Iterator[Word]:
    """Yield the words of a sentence.

    >>> [word.form for word in cut('("She can\u2019t.")')]
    ['-LRB-', '``', 'She', 'ca', "n't", '.', "''", '-RRB-']
    """
    read = text if text.isascii() else text.translate(_READ_AS)
    find = _pattern(guidelines).finditer
    is_open = dict.fromkeys(_QUOTES, False)
    for piece in _PIECE.finditer(read):
        left, right = piece.span()
        if _is_plain(piece[0]):
            for form, start, end in _plain_words(piece[0], guidelines):
                yield Word(form, left + start, left + end)
            continue
        for match in find(read, left):
            start, end = match.span()
            if start >= right:
                break
            form = match[0].translate(_INVISIBLE)
            form = _PENN.get(form, form)
            if len(form) > 1 and not form.isalnum() and is_emoticon(form):
                form = "".join(BRACKETS.get(sign, sign) for sign in form)
            if text[start:end] in _QUOTES:
                before, after = read[start - 1 : start].strip(), read[end : end + 1].strip()
                closes = is_open[form] if not before and not after else before not in _OPENING
                is_open[form] = not closes
                form = _QUOTES[form][closes]
            yield Word(form, start, end)


@lru_cache(50_000)
def _plain_words(piece: str, guidelines: Guidelines) -> list[Word]:
    """Return the words of a plain piece between blanks: `don't,` has three."""
    return [Word(match[0], *match.span()) for match in _pattern(guidelines).finditer(piece)]


class Splitter:
    """Splits text into sentences and tokens, as the treebank of a model has them.

    Parameters
    ----------
    words, tags : collection of str
        Those of the treebank: its words show how it spells quotes and brackets, its tags which
        guidelines it has. By default, tokens are as in the English Web Treebank.

    Examples
    --------
    >>> for tokens in Splitter().sentences("We can't. (Not now.)"):
    ...     print(*(token.form for token in tokens))
    We ca n't .
    -LRB- Not now . -RRB-
    """

    def __init__(self, words: Collection[str] = (), tags: Collection[str] = _WEB_TREEBANK) -> None:
        self.guidelines = guidelines_of(tags)
        self._spell = Spelling(words)

    def tokens(self, text: str, start: int = 0) -> list[Token]:
        """Return the tokens of one sentence or several, which begin at a place of a text.

        >>> [(token.form, token.start, token.end) for token in Splitter().tokens("(I'm)", 20)]
        [('-LRB-', 20, 21), ('I', 21, 22), ("'m", 22, 24), ('-RRB-', 24, 25)]
        """
        return [
            token
            for sentence in self.split(text)
            for token in self._tokens(sentence.text, start + sentence.start)
        ]

    def _tokens(self, sentence: str, start: int) -> list[Token]:
        return [
            Token(
                self._spell(word.form, sentence[word.start : word.end]),
                tag="",
                start=start + word.start,
                end=start + word.end,
            )
            for word in cut(sentence, self.guidelines)
        ]

    def split(self, text: str | Iterable[str]) -> Iterator[SentenceText]:
        """Yield each sentence of a text, or of its lines with their ends."""
        lines = StringIO(text) if isinstance(text, str) else text
        decide = ends_elsewhere if self.guidelines == "words" else ends_in_english
        return split_sentences(lines, decide)

    def sentences(self, text: str | Iterable[str]) -> Iterator[list[Token]]:
        """Yield the tokens of each sentence of a text, or of its lines with their ends."""
        for sentence in self.split(text):
            yield self._tokens(sentence.text, sentence.start)

    def tokens_of(self, parts: Iterable[str]) -> list[list[Token]]:
        """Return the tokens of each part of a sentence, which is split as a whole.

        >>> parts = Splitter().tokens_of(["Mr.", "Hob", "can't", "see", "us."])
        >>> [[token.form for token in part] for part in parts]
        [['Mr.'], ['Hob'], ['ca', "n't"], ['see'], ['us', '.']]
        """
        parts = list(parts)
        tokens: list[list[Token]] = [[] for _ in parts]
        # The part of each character of the sentence; a blank belongs to the part before it.
        part_of = [number for number, part in enumerate(parts) for _ in f"{part} "]
        for token in self.tokens(" ".join(parts)):
            assert token.end is not None
            tokens[part_of[token.end - 1]].append(token)
        return tokens


def split_words(sentence: str) -> list[str]:
    """Return the words of a sentence, as the Penn Treebank writes them."""
    return [word.form for word in cut(sentence)]


_TAGGED = re.compile(r".+/(?:[A-Z][A-Z0-9$*.-]*|[^\w\s]{1,3})")
_MARKS = {*".,;:?!"}
# A word with a mark after it; not one letter, as in `p.`, and no capital inside, as in `U.S.`.
_ENDED = re.compile(r"[\"'(\[“„«]*[^\W\d_]+[^\W\d_A-Z][\"')\]”“»]*[.?!][\"')\]”“»]*")
_MARKUP = re.compile(
    r"< ?!(?: ?DOCTYPE|--)|</[a-z][\w:-]*>|& ?(?:amp|nbsp|lt|gt|quot|#x?[\da-f]{1,6}) ?;"
    r"|< ?(?:a|b|body|br|div|em|h[1-6]|head|hr|html|i|img|li|meta|ol|p|span|strong|t[dhr]|table|ul)"
    r"(?: [^<>]*=[^<>]*)?/?>",
    re.IGNORECASE,
)
_ATTACHED = re.compile(r"[^\W\d_]{2,}[,;:]")


def doubt_about(
    words: Sequence[str], split: str = "add --tokenize", pairs: str = "add --tagged"
) -> str | None:
    """Return a message if plain words look like word/TAG, untokenized text or markup.

    Its advice is `split` for text, and `pairs` for words with tags.

    A mark at the end of a single word proves nothing, as in `Yahoo! said so .`.

    >>> doubt_about("What/WP should/MD we/PRP do/VB ?/.".split())
    'What/WP looks like a word with its tag: if it is, add --tagged'
    >>> print(doubt_about("What should we do?".split()))
    do? counts as one word: put blanks before punctuation, or add --tokenize
    >>> doubt_about("What should we do ?".split())
    """
    if markup := _MARKUP.search(" ".join(words)):
        return f"{markup[0]:.30} looks like markup, such as HTML: remove it from the text"
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
