"""What grammars of other programs share: a file of rules, and a lexicon beside it.

A line of the lexicon has a word, a tab, and the word's tags with their weights, as in disco-dop,
bitpar, LoPar and treetools. None of these formats keeps the options of a grammar or the signatures
of rare words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum, inf, isclose
from pathlib import Path

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats.labels import Labels, decode, write_word
from plcfrs.grammar.grammar import START, Grammar, Lexicon, Rule, Weights
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.yield_function import YieldFunction
from plcfrs.storage.files import errors_name, read_text, write_texts

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
        for symbol, total in _totals(grammar.rules).items():
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
    defined = {rule.lhs for rule in draft.rules}
    rules = {
        rule._replace(
            rhs=tuple(
                child if child in defined else child._replace(kind="tag") for child in rule.rhs
            )
        ): weight
        for rule, weight in draft.rules.items()
    }
    weights = draft.weights or _kind_of_weights(rules)
    counted = any(weight > 1 for tags in lexicon.words.values() for weight in tags.values())
    if weights == "probabilities" and counted:
        lexicon = Lexicon(lexicon.probabilities())
    grammar = Grammar(rules, lexicon, draft.start or first_top(rules), weights)
    grammar.check()
    return grammar


def _kind_of_weights(rules: dict[Rule, float]) -> Weights:
    """Return what weights are: probabilities sum to one and are not all whole numbers."""
    if all(isinstance(weight, int) for weight in rules.values()):
        return "counts"
    proper = all(isclose(total, 1, abs_tol=_TOLERANCE) for total in _totals(rules).values())
    return "probabilities" if proper else "counts"


def _totals(rules: dict[Rule, float]) -> dict[Nonterminal, float]:
    weights = defaultdict(list)
    for rule, weight in rules.items():
        weights[rule.lhs].append(weight)
    return {symbol: fsum(found) for symbol, found in weights.items()}
