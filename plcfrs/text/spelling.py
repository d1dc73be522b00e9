"""The spelling of quotes, brackets and slashes, in which treebanks differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from plcfrs.trees import Token

# The Penn Treebank has typewriter characters instead of typographic quotes, dashes and dots.
TYPEWRITER = {
    "\u2018": "`",
    "\u2019": "'",
    "\u201c": "``",
    "\u201d": "''",
    "\u201e": "``",
    "\u2013": "--",
    "\u2014": "--",
    "\u2026": "...",
}

# The spelling of the Penn Treebank, and that of others.
_SIGNS = {
    "``": ('"', "\u201e", "\u201c"),
    "''": ('"', "\u201c", "\u201d"),
    "`": ("'", "\u201a", "\u2018"),
    "--": ("-", "\u2013", "\u2014"),
    "...": ("\u2026",),
    "-LRB-": ("(",),
    "-RRB-": (")",),
    "-LSB-": ("[",),
    "-RSB-": ("]",),
    "-LCB-": ("{",),
    "-RCB-": ("}",),
}
_ESCAPED = ("/", "*")
_BRACKET = re.compile("-[LR][RSC]B-")  # also in emoticons, such as :--RRB-
_KEPT = ("--", "...")  # running text often has them, too
BRACKETS = {others[0]: sign for sign, others in _SIGNS.items() if sign.endswith("B-")}
_TYPED = str.maketrans(TYPEWRITER)
_TURNING = ('"', "\u201c")  # the second one opens in English, and closes in German


class Spelling:
    r"""How a lexicon spells quotes, brackets and other special tokens of the Penn Treebank.

    Parameters
    ----------
    words : collection of str
        The words of the lexicon. A token among them stays; any other takes the first other
        spelling among them.

    Examples
    --------
    >>> spelling = Spelling(["(", ")", "3\\/4"])
    >>> print(*map(spelling, ["-LRB-", "1/2", "''"]))
    ( 1\/2 ''
    """

    def __init__(self, words: Collection[str]) -> None:
        self._words = frozenset(words)
        self._signs = {
            sign: next((other for other in others if other in self._words), sign)
            for sign, others in _SIGNS.items()
            if sign not in self._words
        }
        self._escaped = [sign for sign in _ESCAPED if any(f"\\{sign}" in word for word in words)]

    def __call__(self, word: str, written: str = "") -> str:
        """Return a word of running text in the spelling of the lexicon.

        A word that is in the lexicon as it is `written` in the text stays so.
        """
        if written in self._words:
            return written
        for sign in self._escaped:
            word = word.replace(sign, f"\\{sign}")
        if len(word) > 5 and "B-" in word:
            return _BRACKET.sub(lambda sign: self._signs.get(sign[0], sign[0]), word)
        return self._signs.get(word, word)

    def sentence(self, words: Sequence[str]) -> list[str]:
        """Return the words of a sentence from another tokenizer in this spelling.

        Straight quotes open and close in turn; one at the end of the sentence closes.

        >>> print(*Spelling([]).sentence(['"', "Why", "(", "not", ")", "?", '"']))
        `` Why -LRB- not -RRB- ? ''
        """
        spelled = []
        is_open = False
        for place, word in enumerate(words, start=1):
            sign = word.translate(_TYPED)
            if word in _TURNING:
                sign = "''" if is_open or 1 < place == len(words) else "``"
            is_open = sign == "``" or (is_open and sign != "''")
            spelled.append(self(BRACKETS.get(sign, sign), word))
        return spelled


def in_running_text(word: str) -> str:
    r"""Return a token of the Penn Treebank as running text spells it.

    >>> print(*map(in_running_text, ["-LRB-", r"1\/2", "''", "word", ":--RRB-"]))
    ( 1/2 " word :-)
    """
    if word in _SIGNS and word not in _KEPT:
        return _SIGNS[word][0]
    for sign in _ESCAPED:
        word = word.replace(f"\\{sign}", sign)
    return _BRACKET.sub(lambda sign: _SIGNS[sign[0]][0], word) if "B-" in word else word


def as_typed(token: Token) -> str:
    """Return the word of a token as it is in the text, if the token has a place there.

    >>> as_typed(Token("-LRB-", "-LRB-", start=4, end=5)), as_typed(Token("-LRB-", "-LRB-"))
    ('(', '-LRB-')
    """
    typed = in_running_text(token.form)
    if token.start is None or token.end is None or token.end - token.start != len(typed):
        return token.form
    return typed


def as_spelled(typed: Token, form: str) -> Token:
    """Return a token with the form of its treebank, if that form `as_typed` is the token's word.

    >>> as_spelled(Token("(", "-LRB-", start=4, end=5), "-LRB-").form
    '-LRB-'
    """
    spelled = replace(typed, form=form)
    return spelled if as_typed(spelled) == typed.form else typed
