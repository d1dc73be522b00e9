r"""The labels of disco-dop: ``VP|<NP,PP>^<S>_2`` for an intermediate VP after NP and PP below S.

A label that is not in the form of a symbol, such as ``X@12-3``, is a category as a whole.
Characters that a label cannot hold become codes such as ``\u0028``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.nonterminal import Kind, Nonterminal, parse_nonterminal

_INVISIBLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
_UNSAFE_IN_NAMES = re.compile(rf"[\\,<>]|{_INVISIBLE.pattern}")
_UNSAFE_IN_WORDS = re.compile(rf"{_INVISIBLE.pattern}|\\(?=u[0-9a-f]{{4}})")
_CODE = re.compile(r"\\u([0-9a-f]{4})")
_MARKOVIZED = re.compile(
    r"(?P<core>.+?)(?P<intermediate>\|<(?P<siblings>[^<>]*)>)?(?:\^<(?P<ancestors>[^<>]+)>)?"
    r"(?P<tag>~)?"
)


def write_word(word: str) -> str:
    r"""Write a word without blanks; unlike in plcfrs files, a backslash is not doubled.

    >>> print(write_word("1\\/2"), write_word("# 7"))
    1\/2 #\u00207
    """
    return _UNSAFE_IN_WORDS.sub(_code_of, word)


def decode(text: str) -> str:
    """Replace codes by characters, the inverse of `write_word`."""
    return _CODE.sub(lambda match: chr(int(match[1], 16)), text)


def labels_of(grammar: Grammar, marked: bool = True) -> dict[Nonterminal, str]:
    """Return the labels of all symbols, without marks of the fan-out in a lexicon.

    A tag that looks like a category is marked by ``~``.
    """
    symbols = grammar.nonterminals()
    labels = {}
    for symbol in symbols:
        category = symbol._replace(kind="category")
        plain = symbol.kind == "tag" and category not in symbols
        labels[symbol] = write_label(category if plain else symbol, marked)
    return labels


def write_label(symbol: Nonterminal, marked: bool = True) -> str:
    """Return the label of a symbol: its plain category if reading that gives the symbol."""
    mark = _mark(symbol.fanout) if marked else ""
    label = _render(symbol._replace(fanout=1)) + mark
    whole = symbol.category + mark
    if "\\" in label and _is_label(whole, symbol, marked):
        return whole
    return label


def read_label(label: str, fan_out: int, marked: bool = True) -> Nonterminal:
    """Return the symbol of a label, which must not have the mark of another fan-out."""
    name = _unmarked(label, fan_out) if marked else label
    for symbol in _candidates(name):
        if symbol.fanout == 1 and _render(symbol) == name:
            break
    else:
        symbol = Nonterminal(name, kind="intermediate" if "|<" in name else "category")
    return symbol._replace(fanout=fan_out)


def _mark(fan_out: int) -> str:
    return f"_{fan_out}" if fan_out > 1 else ""


def _unmarked(label: str, fan_out: int) -> str:
    """Return a label without the mark of its fan-out; raise an error if it has another."""
    name = label.removesuffix(_mark(fan_out)) or label
    marked = re.search(r"(?<!\\)_([0-9]+)$", label)
    if name == label and marked and label != marked[0]:
        raise GrammarError(f"the fan-out of {label} is {fan_out} in this rule, not {marked[1]}")
    return name


def _is_label(label: str, symbol: Nonterminal, marked: bool) -> bool:
    if _INVISIBLE.search(label):
        return False
    try:
        return read_label(label, symbol.fanout, marked) == symbol
    except GrammarError:
        return False


def _render(symbol: Nonterminal) -> str:
    """Write a symbol of fan-out 1."""
    intermediate = symbol.kind == "intermediate"
    tag = "~" if symbol.kind == "tag" else ""
    if symbol.siblings and not intermediate:
        return f"{symbol}{tag}"
    text = str(symbol._replace(kind="category", ancestors=(), siblings=()))
    if intermediate:
        text += f"|<{_join(symbol.siblings)}>"
    if symbol.ancestors:
        text += f"^<{_join(symbol.ancestors)}>"
    return text + tag


def _candidates(name: str) -> Iterator[Nonterminal]:
    """Yield the symbols that an unmarked label may stand for."""
    match = _MARKOVIZED.fullmatch(name)
    if match and (match["intermediate"] or match["ancestors"]):
        siblings, ancestors = _split(match["siblings"]), _split(match["ancestors"])
        kind: Kind = "tag" if match["tag"] else "category"
        if match["intermediate"]:
            kind = "intermediate"
        if all(siblings + ancestors):
            for core in _parsed(match["core"]):
                yield core._replace(kind=kind, ancestors=ancestors, siblings=siblings)
    yield from _parsed(name)


def _parsed(name: str) -> Iterator[Nonterminal]:
    """Yield the symbol of a name in the form of plcfrs, if it is one."""
    try:
        yield parse_nonterminal(name)
    except GrammarError:
        return


def _join(names: tuple[str, ...]) -> str:
    return ",".join(_UNSAFE_IN_NAMES.sub(_code_of, name) for name in names)


def _split(names: str | None) -> tuple[str, ...]:
    return tuple(map(decode, names.split(","))) if names else ()


def _code_of(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
