r"""What grammars of other programs share: symbols, a file of rules, and a lexicon beside it.

A line of the lexicon has a word, a tab, and the word's tags with their weights, as in disco-dop,
bitpar, LoPar and treetools. A symbol has the text form of plcfrs, with the format's own mark of the
fan-out. A label that is not in this form, such as ``X@12-3``, is a category as a whole. Characters
that a format cannot hold become codes such as ``\u0028``. Options and signatures are not kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isclose
from pathlib import Path

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import START, Grammar, Lexicon, Rule, Weights, with_tags
from plcfrs.grammar.nonterminal import Nonterminal, YieldFunction, parse_nonterminal
from plcfrs.storage.files import errors_name, read_text, write_texts

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


_TOLERANCE = 1e-6
_SHOWN = 60


@dataclass
class Draft:
    """The rules of a file, before it is known which symbols are tags.

    `start` and `weights` are None if the file does not name them.
    """

    rules: dict[Rule, float] = field(default_factory=dict)
    start: Nonterminal | None = None
    weights: Weights | None = None

    def add(self, rule: Rule, weight: float) -> None:
        """Add a rule; if it occurs twice in the file, its weights are added up."""
        rule.check()
        self.rules[rule] = self.rules.get(rule, 0) + weight


@dataclass(frozen=True)
class Exchange:
    """A format of another program; a lexicon ``.lex`` lies beside the file of rules.

    `render` yields the lines of rules; `parse` returns a `Draft`, given lines with their numbers.
    """

    name: str
    extensions: tuple[str]
    labels: Labels
    render: Callable[[Grammar], Iterator[str]]
    parse: Callable[[Iterable[tuple[int, str]]], Draft]

    def save(self, grammar: Grammar, path: Path) -> None:
        """Write the rules, and the lexicon beside them."""
        rules = "".join(f"{line}\n" for line in self.render(grammar))
        lexicon = "".join(f"{line}\n" for line in _lexicon_lines(grammar, self.labels))
        write_texts({path: rules, self._lexicon_paths(path)[0]: lexicon})

    def files(self, path: Path) -> list[Path]:
        """Return the file of the rules, and the file of the lexicon if it exists."""
        return [path, *(name for name in self._lexicon_paths(path) if name.exists())][:2]

    def load(self, path: Path) -> Grammar:
        """Read the rules, and the lexicon beside them if it exists."""
        lines = _numbered(path)
        with errors_name(path):
            draft = self.parse(lines)
        lexicon = Lexicon()
        for beside in self.files(path)[1:]:
            lines = _numbered(beside)
            with errors_name(beside):
                lexicon = _parse_lexicon(lines, self.labels, draft)
        with errors_name(path):
            return _grammar(draft, lexicon)

    def _lexicon_paths(self, path: Path) -> list[Path]:
        """Return the two possible names of the lexicon, first with ``.gz`` if the rules have it."""
        stem = path.name.removesuffix(".gz").removesuffix(self.extensions[0])
        names = [path.with_name(f"{stem}.lex"), path.with_name(f"{stem}.lex.gz")]
        return sorted(names, key=lambda name: (name.suffix == ".gz") != (path.suffix == ".gz"))


def first_top(rules: Iterable[Rule]) -> Nonterminal:
    """Return the first symbol on no right-hand side, the start if the file names none."""
    rules = list(rules)
    children = {child for rule in rules for child in rule.rhs}
    tops = (rule.lhs for rule in rules if rule.lhs not in children)
    return next(tops, rules[0].lhs if rules else START)


def parse_number(text: str) -> float:
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
        raise GrammarError(f"{quoted(text)} is not a number") from None
    if not 0 < weight < inf:
        raise GrammarError(f"the weight {weight:g} is not a number above 0")
    return weight


def render_number(weight: float, weights: Weights = "counts") -> str:
    """Write a weight; only counts are written as whole numbers, which identifies them."""
    if weights == "counts" and weight == int(weight):
        return str(int(weight))
    return repr(float(weight))


def check_weights(grammar: Grammar, program: str) -> None:
    """Raise an error if probabilities do not sum to one, in a format that has only weights."""
    if grammar.weights == "probabilities":
        for symbol, total in grammar.totals().items():
            if not isclose(total, 1, abs_tol=_TOLERANCE):
                raise GrammarError(
                    f"the probabilities of {symbol} sum to {total:g}, and {program} divides by "
                    "the sum; if that is intended, declare them as counts (weights: counts)"
                )


def from_variables(
    left: Sequence[Sequence[object]], right: Sequence[Sequence[object]]
) -> YieldFunction:
    """Return the yield function of a rule, given the variables of its mother and of its children.

    >>> from_variables([["X", "Y", "Z"]], [["X", "Z"], ["Y"]])
    ((0, 1, 0),)
    """
    used = [variable for component in left for variable in component]
    given = [variable for child in right for variable in child]
    if len(set(used)) < len(used) or len(set(given)) < len(given) or set(used) != set(given):
        raise GrammarError("every component of a child must be used once (no copying or deleting)")
    place = {variable: number for number, variable in enumerate(used)}
    if any(sorted(child, key=place.__getitem__) != list(child) for child in right):
        raise GrammarError("the components of a child change their order (only monotone rules)")
    owner = {variable: number for number, child in enumerate(right) for variable in child}
    return tuple(tuple(owner[variable] for variable in component) for component in left)


def quoted(text: str) -> str:
    """Quote a text, or its beginning, in a message."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ...")


def _numbered(path: Path) -> list[tuple[int, str]]:
    """Return the lines that are not empty, with their numbers."""
    text, _ = read_text(path)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _lexicon_lines(grammar: Grammar, labels: Labels) -> Iterator[str]:
    names = labels.names(grammar, marked=False)
    counted = grammar.lexicon.signatures and grammar.weights == "probabilities"
    words = grammar.lexicon.probabilities() if counted else grammar.lexicon.words
    for word, tags in words.items():
        pairs = [f"{names[tag]} {render_number(weight)}" for tag, weight in tags.items()]
        yield "\t".join([write_word(word), *pairs])


def _parse_lexicon(lines: Iterable[tuple[int, str]], labels: Labels, draft: Draft) -> Lexicon:
    """Read a lexicon; if a symbol has both rules and words, its words get a tag below it."""
    defined = {rule.lhs for rule in draft.rules}
    lexicon = Lexicon()
    below: dict[Nonterminal, float] = defaultdict(int)
    for number, line in lines:
        word, _, rest = line.partition("\t" if "\t" in line else " ")
        fields = rest.split()
        if not word or not fields or len(fields) % 2:
            raise GrammarError(
                f"line {number}: {quoted(line)} should be a word, a tab, and tags with weights"
            )
        for label, text in zip(fields[::2], fields[1::2], strict=True):
            with errors_name(f"line {number}"):
                tag, weight = labels.read(label, 1, marked=False), parse_number(text)
            if tag in defined:
                below[tag] += weight
            lexicon.add(tag._replace(kind="tag"), decode(word), weight)
    for symbol, weight in below.items():
        draft.add(Rule(symbol, (symbol._replace(kind="tag"),), ((0,),)), weight)
    return lexicon


def _grammar(draft: Draft, lexicon: Lexicon) -> Grammar:
    if not draft.rules:
        raise GrammarError("there are no rules")
    rules = with_tags(draft.rules)
    weights = draft.weights or _kind_of_weights(rules)
    counted = any(weight > 1 for tags in lexicon.words.values() for weight in tags.values())
    if weights == "probabilities" and counted:
        lexicon = Lexicon(lexicon.probabilities())
    grammar = Grammar(rules, lexicon, draft.start or first_top(rules), weights)
    grammar.check()
    return grammar


def _kind_of_weights(rules: dict[Rule, float]) -> Weights:
    """Return the kind of weights: probabilities sum to one and are not all whole numbers."""
    if all(isinstance(weight, int) for weight in rules.values()):
        return "counts"
    totals = Grammar(rules).totals().values()
    proper = all(isclose(total, 1, abs_tol=_TOLERANCE) for total in totals)
    return "probabilities" if proper else "counts"
