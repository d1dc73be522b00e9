r"""Symbols in the grammar files of other programs.

A symbol is written in the text form of plcfrs (``S^WH``, ``NP-SBJ``, ``@7``), with the format's own
mark of the fan-out. A label that is not in this form, such as ``X@12-3``, is a category as a whole,
and is written as it was read. Characters that a format cannot hold become codes such as ``\u0028``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.nonterminal import Nonterminal, parse_nonterminal

INVISIBLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
_UNSAFE_IN_WORDS = re.compile(rf"{INVISIBLE.pattern}|\\(?=u[0-9a-f]{{4}})")
_CODE = re.compile(r"\\u([0-9a-f]{4})")


def character_code(match: re.Match[str]) -> str:
    """Return the code of a character, for `re.sub`."""
    return f"\\u{ord(match[0]):04x}"


def write_word(word: str) -> str:
    r"""Write a word without blanks; unlike in plcfrs files, a backslash is not doubled.

    >>> print(write_word("1\\/2"), write_word("# 7"))
    1\/2 #\u00207
    """
    return _UNSAFE_IN_WORDS.sub(character_code, word)


def decode(text: str) -> str:
    """Replace codes by characters, the inverse of `write_word`."""
    return _CODE.sub(lambda match: chr(int(match[1], 16)), text)


class Labels:
    """The labels of a format; `read` is the inverse of `write`.

    Formats with their own marks override `_render`, `_candidates` and `_whole`.
    """

    _unsafe = re.compile(r"(?!)")

    def names(self, grammar: Grammar, marked: bool = True) -> dict[Nonterminal, str]:
        """Return the labels of all symbols, without marks of the fan-out in a lexicon.

        A tag that looks like a category is marked by ``~``.
        """
        symbols = grammar.nonterminals()
        names = {}
        for symbol in symbols:
            category = symbol._replace(kind="category")
            plain = symbol.kind == "tag" and category not in symbols
            names[symbol] = self.write(category if plain else symbol, marked)
        return names

    def write(self, symbol: Nonterminal, marked: bool = True) -> str:
        """Return the label of a symbol: its plain category if that is read as the symbol."""
        mark = self.mark(symbol.fanout) if marked else ""
        label = self._render(symbol._replace(fanout=1)) + mark
        whole = symbol.category + mark
        if "\\" in label and self._is_label(whole, symbol, marked):
            return whole
        return label

    def read(self, label: str, fan_out: int, marked: bool = True) -> Nonterminal:
        """Return the symbol of a label, which must not have the mark of another fan-out."""
        name = self.unmarked(label, fan_out) if marked else label
        for symbol in self._candidates(name):
            if symbol.fanout == 1 and self._render(symbol) == name:
                break
        else:
            symbol = self._whole(name)
        return symbol._replace(fanout=fan_out)

    def mark(self, fan_out: int) -> str:
        """Return the mark that a format puts after a symbol with this fan-out."""
        return f"_{fan_out}" if fan_out > 1 else ""

    def unmarked(self, label: str, fan_out: int) -> str:
        """Return a label without the mark of its fan-out; raise an error if it has another."""
        name = label.removesuffix(self.mark(fan_out)) or label
        marked = re.search(r"(?<!\\)_([0-9]+)$", label)
        if name == label and marked and label != marked[0]:
            raise GrammarError(f"the fan-out of {label} is {fan_out} in this rule, not {marked[1]}")
        return name

    def _is_label(self, label: str, symbol: Nonterminal, marked: bool) -> bool:
        if INVISIBLE.search(label) or self._unsafe.search(label):
            return False
        try:
            return self.read(label, symbol.fanout, marked) == symbol
        except GrammarError:
            return False

    def _render(self, symbol: Nonterminal) -> str:
        """Write a symbol of fan-out 1."""
        text = str(symbol) + ("~" if symbol.kind == "tag" else "")
        return self._unsafe.sub(character_code, text)

    def _candidates(self, name: str) -> Iterator[Nonterminal]:
        """Yield the symbols that an unmarked label in the form of plcfrs may stand for."""
        try:
            yield parse_nonterminal(name)
        except GrammarError:
            return

    def _whole(self, name: str) -> Nonterminal:
        """Return the symbol of a label that is not in the form of plcfrs."""
        return Nonterminal(name, kind="intermediate" if name.startswith("@") else "category")
