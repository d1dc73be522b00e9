"""PMCFG text, as treetools writes it: rules, their components, and the parts of components.

    fun1 : VP_2 <- WHNP VB
    fun1 = s1 s2
    fun1 3
    s1 -> 0:0
    s2 -> 1:0

Function 1 makes a VP of components s1 and s2, and has the count 3; s2 is component 0 of child 1.
Symbols have no mark of their fan-out, which is the number of components. A line ``:start S`` names
the start symbol if it cannot be inferred, and ``:weights probabilities`` says what the weights are
if they are not whole numbers; lines that begin with ``--``, ``***`` or ``#`` are comments. The
lexicon is in ``NAME.lex``.

See https://github.com/wmaier/treetools
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
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
from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.storage.files import errors_name

_LABELS = Labels()
_COMPONENT = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_COMMENTS = ("--", "***", "#")


@dataclass
class _Function:
    """The contents of the lines of one function."""

    line: int
    labels: list[str]
    components: list[str] = field(default_factory=list)
    weight: float = 0


def _render(grammar: Grammar) -> Iterator[str]:
    names = _LABELS.names(grammar)
    if first_top(grammar.rules) != grammar.start:
        yield f":start {names[grammar.start]}"
    if grammar.weights == "probabilities" or any(w != int(w) for w in grammar.rules.values()):
        yield f":weights {grammar.weights}"
    sequences: dict[str, str] = {}
    for number, (rule, weight) in enumerate(grammar.rules.items(), start=1):
        components = [
            sequences.setdefault(sequence, f"s{len(sequences) + 1}")
            for sequence in _sequences(rule)
        ]
        yield f"fun{number} : {names[rule.lhs]} <- {' '.join([names[child] for child in rule.rhs])}"
        yield f"fun{number} = {' '.join(components)}"
        yield f"fun{number} {render_number(weight, grammar.weights)}"
    for sequence, name in sequences.items():
        yield f"{name} -> {sequence}"


def _sequences(rule: Rule) -> Iterator[str]:
    numbers = [count() for _ in rule.rhs]
    for component in rule.yield_function:
        yield " ".join(f"{child}:{next(numbers[child])}" for child in component)


def _parse(lines: Iterable[tuple[int, str]]) -> Draft:
    draft = Draft()
    functions: dict[str, _Function] = {}
    sequences: dict[str, list[str]] = {}
    for number, line in lines:
        fields = line.split()
        with errors_name(f"line {number}"):
            if fields[0].startswith(":"):
                _parse_pragma(fields, draft)
            elif not fields[0].startswith(_COMMENTS):
                _parse_line(number, fields, functions, sequences)
    for name, function in functions.items():
        with errors_name(f"line {function.line}"):
            draft.add(_rule(name, function, sequences), function.weight)
    return draft


def _parse_pragma(fields: list[str], draft: Draft) -> None:
    match fields:
        case [":start", label]:
            draft.start = _LABELS.read(label, 1)
        case [":weights", ("counts" | "probabilities") as weights]:
            draft.weights = weights
        case [":encoding", _]:
            return
        case _:
            raise GrammarError(
                f"{quoted(' '.join(fields))} is not one of :start SYMBOL, :weights counts, "
                ":weights probabilities"
            )


def _parse_line(
    number: int, fields: list[str], functions: dict[str, _Function], sequences: dict[str, list[str]]
) -> None:
    """Record a line of a function or a sequence."""
    match fields:
        case [name, ":", lhs, "<-", *rhs] if rhs:
            if name in functions:
                raise GrammarError(f"{name} occurs twice")
            functions[name] = _Function(number, [lhs, *rhs])
        case [name, "->", *variables] if variables:
            if name in sequences:
                raise GrammarError(f"{name} occurs twice")
            sequences[name] = variables
        case [name, "=", *components] if components and name in functions:
            functions[name].components = components
        case [name, weight] if name in functions:
            functions[name].weight = parse_number(weight)
        case _:
            raise GrammarError(
                f"{quoted(' '.join(fields))} should be like 'fun1 : S <- NP VP', 'fun1 = s1', "
                "'fun1 3' or 's1 -> 0:0 1:0'; the first comes before the other lines of a function"
            )


def _rule(name: str, function: _Function, sequences: dict[str, list[str]]) -> Rule:
    if not function.components or not function.weight:
        raise GrammarError(f"{name} also needs the lines '{name} = ...' and '{name} WEIGHT'")
    for component in function.components:
        if component not in sequences:
            raise GrammarError(f"{name}: there is no line '{component} -> ...'")
    left = [
        [_variable(text, len(function.labels) - 1) for text in sequences[component]]
        for component in function.components
    ]
    used = sorted(variable for component in left for variable in component)
    right = [
        [(child, place) for place in range(sum(child == owner for owner, _ in used))]
        for child in range(len(function.labels) - 1)
    ]
    for child, components in enumerate(right):
        if not components:
            raise GrammarError(f"child {child} ({function.labels[child + 1]}) is not used")
    yield_function = from_variables(left, right)
    lhs, *rhs = map(_LABELS.read, function.labels, [len(left), *map(len, right)])
    return Rule(lhs, tuple(rhs), yield_function)


def _variable(text: str, rank: int) -> tuple[int, int]:
    found = _COMPONENT.fullmatch(text)
    if found is None:
        raise GrammarError(f"{quoted(text)} is not a component of a child, such as 1:0")
    child, place = map(int, found.groups())
    if child >= rank:
        raise GrammarError(f"{text}: there is no child {child} (children count from 0)")
    return child, place


PMCFG = Exchange("pmcfg", (".pmcfg",), _LABELS, _render, _parse)
