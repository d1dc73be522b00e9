"""The grammars of rparse: ``C:3 S:0.25 S1([0][1][2]) --> VP2([0],[2]) MD1([1])``.

C is the count and S the score, which is the probability. The number after a symbol is its fan-out;
the arguments are its components, made of numbered variables. Other fields (H, O, G) and the head
mark ``'`` are not kept. A line ``# start S1`` names the start symbol if it cannot be inferred.
``@7X`` is an intermediate symbol of a binarization.

A binarized grammar of rparse, ``3 0.25:S1 --> VP2 MD1 [[[false, true, false]]]`` (true for the
components of the second child), can be read but not written. The lexicon in ``NAME.lex`` has the
form of treetools; rparse's own has no counts.

See https://github.com/wmaier/rparse and https://github.com/wmaier/treetools
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats.exchange import (
    Draft,
    Exchange,
    Labels,
    first_top,
    from_variables,
    parse_number,
    quoted,
    render_number,
)
from plcfrs.grammar.grammar import Grammar, Rule, Weights
from plcfrs.grammar.nonterminal import Nonterminal, in_variables
from plcfrs.storage.files import errors_name

_ARROW = "-->"
_PREDICATE = re.compile(r"(\S+?)'?\(((?:\[\d+\])+(?:,(?:\[\d+\])+)*)\)")
_COMPONENT = r"\[(?:true|false)(?:, (?:true|false))*\]"
_BINARY = re.compile(
    rf"(?:(?P<count>\S+) )?(?P<weight>[^:\s]+):(?P<lhs>\S+) {_ARROW} (?P<rhs>\S+(?: \S+)?) +"
    rf"\[\[(?P<components>{_COMPONENT}(?:, {_COMPONENT})*)\]\]"
)


class RparseLabels(Labels):
    """``VP2`` for a VP of fan-out 2, ``@7X2`` for an intermediate symbol."""

    _unsafe = re.compile(r"[()]")

    def mark(self, fan_out: int) -> str:
        """Return the fan-out."""
        return str(fan_out)

    def unmarked(self, label: str, fan_out: int) -> str:
        """Return a label without its fan-out, which must not be missing."""
        name = label.removesuffix(self.mark(fan_out))
        if name in ("", label):
            raise GrammarError(
                f"{label} has {fan_out} argument{'s' * (fan_out > 1)}, so its name should be "
                f"a symbol and {fan_out}"
            )
        return name

    def _render(self, symbol: Nonterminal) -> str:
        return super()._render(symbol) + ("X" if symbol.kind == "intermediate" else "")

    def _candidates(self, name: str) -> Iterator[Nonterminal]:
        yield from super()._candidates(name.removesuffix("X") if name.startswith("@") else name)


_LABELS = RparseLabels()


def _render(grammar: Grammar) -> Iterator[str]:
    names = _LABELS.names(grammar)
    if first_top(grammar.rules) != grammar.start:
        yield f"# start {names[grammar.start]}"
    for rule, probability in grammar.probabilities().items():
        names_of_variables = (f"[{number}]" for number in count())
        left, children = in_variables(rule.yield_function, names_of_variables)
        fields = f"S:{render_number(probability, 'probabilities')}"
        if grammar.weights == "counts":
            fields = f"C:{render_number(grammar.rules[rule])} {fields}"
        right = [
            f"{names[symbol]}({','.join(arguments)})"
            for symbol, arguments in zip(rule.rhs, children, strict=True)
        ]
        yield " ".join([fields, f"{names[rule.lhs]}({','.join(left)})", _ARROW, *right])


def _parse(lines: Iterable[tuple[int, str]]) -> Draft:
    draft = Draft()
    for number, line in lines:
        with errors_name(f"line {number}"):
            if line.startswith("#"):
                keyword, _, label = line[1:].strip().partition(" ")
                if keyword == "start":
                    draft.start = _LABELS.read(label.strip(), 1)
            elif not line.startswith("%"):
                rule, weight, weights = _parse_binary(line) or _parse_clause(line)
                if draft.weights not in (None, weights):
                    raise GrammarError("either all clauses need a count C:, or none may have one")
                draft.weights = weights
                draft.add(rule, weight)
    return draft


def _parse_clause(line: str) -> tuple[Rule, float, Weights]:
    fields = line.split()
    arrow = fields.index(_ARROW) if _ARROW in fields else 0
    if not 0 < arrow < len(fields) - 1:
        raise GrammarError(
            f"{quoted(line)} should be like "
            f"'C:3 S:0.25 S1([0][1][2]) {_ARROW} VP2([0],[2]) MD1([1])'"
        )
    lhs, left = _parse_predicate(fields[arrow - 1])
    children = [_parse_predicate(field) for field in fields[arrow + 1 :]]
    for label, arguments in children:
        if any(len(argument) > 1 for argument in arguments):
            raise GrammarError(
                f"{label} has an argument of two variables; a child cannot have that"
            )
    right = [[variable for (variable,) in arguments] for _, arguments in children]
    yield_function = from_variables(left, right)
    rhs = [_LABELS.read(label, len(arguments)) for label, arguments in children]
    weight, weights = _weight(fields[: arrow - 1])
    return Rule(_LABELS.read(lhs, len(left)), tuple(rhs), yield_function), weight, weights


def _parse_predicate(text: str) -> tuple[str, list[list[str]]]:
    match = _PREDICATE.fullmatch(text)
    if match is None:
        raise GrammarError(f"{quoted(text)} is not a symbol with arguments such as VP2([0],[1][2])")
    return match[1], [re.findall(r"\d+", argument) for argument in match[2].split(",")]


def _weight(fields: list[str]) -> tuple[float, Weights]:
    """Return the count if there is one, otherwise the score."""
    values = dict(field.split(":", 1) for field in fields if ":" in field)
    if "C" in values:
        return parse_number(values["C"]), "counts"
    if "S" in values:
        return parse_number(values["S"]), "probabilities"
    raise GrammarError("the clause has neither a count C: nor a score S:")


def _parse_binary(line: str) -> tuple[Rule, float, Weights] | None:
    """Read a clause in rparse's form for binarized grammars."""
    match = _BINARY.fullmatch(line.strip())
    if match is None:
        return None
    components = tuple(
        tuple(int(name == "true") for name in component.split(", "))
        for component in match["components"][1:-1].split("], [")
    )
    named = [child for component in components for child in component]
    labels = match["rhs"].split()
    if set(named) != set(range(len(labels))):
        raise GrammarError(
            "false must stand for the components of the first child, true for those of the second"
        )
    rhs = [_LABELS.read(label, named.count(child)) for child, label in enumerate(labels)]
    rule = Rule(_LABELS.read(match["lhs"], len(components)), tuple(rhs), components)
    return rule, parse_number(match["count"] or match["weight"]), "counts"


RPARSE = Exchange("rparse", (".rcg",), _LABELS, _render, _parse)
