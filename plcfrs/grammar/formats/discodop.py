r"""The grammars of disco-dop: binary rules and a lexicon, in ``NAME.rules`` and ``NAME.lex``.

A rule is ``LHS  RHS1  [RHS2]  yield function  weight`` with tabs between: in ``010``, 0 is the next
component of the first child, 1 of the second, and commas separate the components of the mother.
Weights are counts, or probabilities as decimal numbers or fractions; disco-dop divides by their sum
anyway. Symbols of binarization and vertical Markovization are written in its own form, so that it
can undo both: ``VP|<NP,PP>^<S>_2``, an intermediate VP after NP and PP below S, is
``@VP>S+NP+PP_2`` in plcfrs. A label that is not in the form of a symbol, such as ``X@12-3``, is a
category as a whole. Characters that a label cannot hold become codes such as ``\u0028``.

A line of the lexicon has a word, a tab, and the word's tags with their weights, as in bitpar and
LoPar. Options and signatures are not kept.

See https://discodop.readthedocs.io/en/latest/fileformats.html
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf, isclose
from pathlib import Path

from plcfrs.errors import GrammarError
from plcfrs.grammar.derivation import has_adjacent_variables
from plcfrs.grammar.grammar import Grammar, Lexicon, Weights
from plcfrs.grammar.rules import Kind, Nonterminal, Rule, parse_nonterminal, with_tags
from plcfrs.storage.files import errors_name, read_text, write_texts

_RANK = 2  # of its rules
_TOLERANCE = 1e-6
_SHOWN = 60

Rules = dict[Rule, float]
Lines = Iterable[tuple[int, str]]  # with their numbers
_INVISIBLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
_UNSAFE_IN_NAMES = re.compile(rf"[\\,<>]|{_INVISIBLE.pattern}")
_UNSAFE_IN_WORDS = re.compile(rf"{_INVISIBLE.pattern}|\\(?=u[0-9a-f]{{4}})")
_CODE = re.compile(r"\\u([0-9a-f]{4})")
_MARKOVIZED = re.compile(
    r"(?P<core>.+?)(?P<intermediate>\|<(?P<siblings>[^<>]*)>)?(?:\^<(?P<ancestors>[^<>]+)>)?"
    r"(?P<tag>~)?"
)


class Discodop:
    """The format; a lexicon ``.lex`` lies beside the file of rules."""

    name = "discodop"
    extensions = (".rules",)

    def save(self, grammar: Grammar, path: Path) -> None:
        """Write the rules, and the lexicon beside them."""
        rules = "".join(f"{line}\n" for line in _rule_lines(grammar))
        lexicon = "".join(f"{line}\n" for line in _lexicon_lines(grammar))
        write_texts({path: rules, self._lexicon_paths(path)[0]: lexicon})

    def files(self, path: Path) -> list[Path]:
        """Return the file of the rules, and the file of the lexicon if it exists."""
        return [path, *(name for name in self._lexicon_paths(path) if name.exists())][:2]

    def load(self, path: Path) -> Grammar:
        """Read the rules, and the lexicon beside them if it exists."""
        lines = _numbered(path)
        with errors_name(path):
            rules = _parse_rules(lines)
        lexicon = Lexicon()
        for beside in self.files(path)[1:]:
            lines = _numbered(beside)
            with errors_name(beside):
                lexicon = _parse_lexicon(lines, rules)
        with errors_name(path):
            return _grammar(rules, lexicon)

    def _lexicon_paths(self, path: Path) -> list[Path]:
        """Return the two possible names of the lexicon, first with ``.gz`` if the rules have it."""
        stem = path.name.removesuffix(".gz").removesuffix(self.extensions[0])
        names = [path.with_name(f"{stem}.lex"), path.with_name(f"{stem}.lex.gz")]
        return sorted(names, key=lambda name: (name.suffix == ".gz") != (path.suffix == ".gz"))


def _rule_lines(grammar: Grammar) -> Iterator[str]:
    _check(grammar)
    labels = labels_of(grammar)
    # The start symbol must come first. Disco-dop takes a file that begins with a number, as
    # an intermediate symbol may, for a bitpar grammar.
    for rule in sorted(grammar.rules, key=lambda rule: rule.lhs != grammar.start):
        components = ("".join(map(str, component)) for component in rule.yield_function)
        weight = _render_number(grammar.rules[rule], grammar.weights)
        symbols = [labels[symbol] for symbol in (rule.lhs, *rule.rhs)]
        yield "\t".join([*symbols, ",".join(components), weight])


def _check(grammar: Grammar) -> None:
    """Raise an error if disco-dop could not use the grammar."""
    _check_weights(grammar)
    if not any(rule.lhs == grammar.start for rule in grammar.rules):
        raise GrammarError(f"disco-dop needs a rule for the start symbol {grammar.start}")
    for rule in grammar.rules:
        if rule.rank > _RANK:
            raise GrammarError(
                f"rule {rule}: disco-dop supports at most {_RANK} children in a rule: extract the "
                "grammar without --binarization none, or use plcfrs.binarize in Python"
            )
        if has_adjacent_variables(rule.yield_function):
            raise GrammarError(
                f"rule {rule}: in disco-dop, the ranges of a child cannot be adjacent"
            )
        if grammar.start in rule.rhs:
            raise GrammarError(
                f"rule {rule}: in disco-dop, the start symbol cannot be a child: add a rule "
                f"such as TOP -> {grammar.start} and start with TOP"
            )


def _check_weights(grammar: Grammar) -> None:
    if grammar.weights == "probabilities":
        for symbol, total in grammar.totals().items():
            if not isclose(total, 1, abs_tol=_TOLERANCE):
                raise GrammarError(
                    f"the probabilities of {symbol} sum to {total:g}, and disco-dop divides by "
                    "the sum; if that is intended, declare them as counts (weights: counts)"
                )


def _render_number(weight: float, weights: Weights = "counts") -> str:
    """Write a weight; only counts are written as whole numbers, which identifies them."""
    if weights == "counts" and weight == int(weight):
        return str(int(weight))
    return repr(float(weight))


def _lexicon_lines(grammar: Grammar) -> Iterator[str]:
    labels = labels_of(grammar, marked=False)
    counted = grammar.lexicon.signatures and grammar.weights == "probabilities"
    words = grammar.lexicon.probabilities() if counted else grammar.lexicon.words
    for word, tags in words.items():
        pairs = [f"{labels[tag]} {_render_number(weight)}" for tag, weight in tags.items()]
        yield "\t".join([write_word(word), *pairs])


def _numbered(path: Path) -> list[tuple[int, str]]:
    """Return the lines that are not empty, with their numbers."""
    text, _ = read_text(path)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _parse_rules(lines: Lines) -> Rules:
    rules: Rules = {}
    fan_outs: dict[str, int] = {}
    for number, line in lines:
        with errors_name(f"line {number}"):
            fields = line.split()
            if not 2 + 2 <= len(fields) <= 1 + _RANK + 2:
                raise GrammarError(
                    f"{_quoted(line)} should be one symbol, the one or two symbols of its "
                    "children, a yield function such as 010 and a weight"
                )
            *labels, components, weight = fields
            _add(rules, _parse_rule(labels, components, fan_outs), _parse_number(weight))
    return rules


def _parse_rule(labels: list[str], components: str, fan_outs: dict[str, int]) -> Rule:
    rank = len(labels) - 1
    digits = "01"[:rank]
    if not re.fullmatch(rf"[{digits}]+(,[{digits}]+)*", components) or any(
        digit not in components for digit in digits
    ):
        what = "child (0)" if rank == 1 else "two children (0 and 1)"
        raise GrammarError(f"{components!r} is not a yield function of {what}, such as 010 or 0,1")
    needed = [components.count(",") + 1, *map(components.count, digits)]
    for label, fan_out in zip(labels, needed, strict=True):
        if fan_outs.setdefault(label, fan_out) != fan_out:
            raise GrammarError(
                f"the fan-out of {label} is {fan_out} in this rule, {fan_outs[label]} above"
            )
    lhs, *rhs = map(read_label, labels, needed)
    return Rule(
        lhs, tuple(rhs), tuple(tuple(map(int, component)) for component in components.split(","))
    )


def _add(rules: Rules, rule: Rule, weight: float) -> None:
    """Add a rule; if it occurs twice in the file, its weights are added up."""
    rule.check()
    rules[rule] = rules.get(rule, 0) + weight


def _parse_number(text: str) -> float:
    """Read a weight above 0: an int if it is a whole number, else a float (also of 3/7)."""
    try:
        if "/" in text:
            weight = float(Fraction(text))
        elif text.startswith("0x"):
            weight = float.fromhex(text)
        else:
            weight = float(text)
            if text.isdecimal() and weight < inf:
                weight = int(text)
    except (ValueError, ArithmeticError):
        raise GrammarError(f"{_quoted(text)} is not a number") from None
    if not 0 < weight < inf:
        raise GrammarError(f"the weight {weight:g} is not a number above 0")
    return weight


def _parse_lexicon(lines: Lines, rules: Rules) -> Lexicon:
    """Read a lexicon; if a symbol has both rules and words, its words get a tag below it."""
    defined = {rule.lhs for rule in rules}
    lexicon = Lexicon()
    below: dict[Nonterminal, float] = defaultdict(int)
    for number, line in lines:
        word, _, rest = line.partition("\t" if "\t" in line else " ")
        fields = rest.split()
        if not word or not fields or len(fields) % 2:
            raise GrammarError(
                f"line {number}: {_quoted(line)} should be a word, a tab, and tags with weights"
            )
        for label, text in zip(fields[::2], fields[1::2], strict=True):
            with errors_name(f"line {number}"):
                tag, weight = read_label(label, 1, marked=False), _parse_number(text)
            if tag in defined:
                below[tag] += weight
            lexicon.add(tag._replace(kind="tag"), decode(word), weight)
    for symbol, weight in below.items():
        _add(rules, Rule(symbol, (symbol._replace(kind="tag"),), ((0,),)), weight)
    return lexicon


def _quoted(text: str) -> str:
    """Quote a text, or its beginning, in a message."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ...")


def _grammar(rules: Rules, lexicon: Lexicon) -> Grammar:
    if not rules:
        raise GrammarError("there are no rules")
    rules = with_tags(rules)
    weights = _kind_of_weights(rules)
    counted = any(weight > 1 for tags in lexicon.words.values() for weight in tags.values())
    if weights == "probabilities" and counted:
        lexicon = Lexicon(lexicon.probabilities())
    grammar = Grammar(rules, lexicon, _first_top(rules), weights)
    grammar.check()
    return grammar


def _first_top(rules: Rules) -> Nonterminal:
    """Return the first symbol on no right-hand side, or the first symbol."""
    children = {child for rule in rules for child in rule.rhs}
    tops = (rule.lhs for rule in rules if rule.lhs not in children)
    return next(tops, next(iter(rules)).lhs)


def _kind_of_weights(rules: Rules) -> Weights:
    """Return the kind of weights: probabilities sum to one and are not all whole numbers."""
    if all(isinstance(weight, int) for weight in rules.values()):
        return "counts"
    totals = Grammar(rules).totals().values()
    proper = all(isclose(total, 1, abs_tol=_TOLERANCE) for total in totals)
    return "probabilities" if proper else "counts"


DISCODOP = Discodop()


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
