"""The grammars of disco-dop: binary rules and a lexicon, in ``NAME.rules`` and ``NAME.lex``.

A rule is ``LHS  RHS1  [RHS2]  yield function  weight`` with tabs between: in ``010``, 0 is the next
component of the first child, 1 of the second, and commas separate the components of the mother.
Weights are counts, or probabilities as decimal numbers or fractions; disco-dop divides by their sum
anyway. Symbols of binarization and vertical Markovization are written in its own form, so that it
can undo both: ``VP|<NP,PP>^<S>_2`` is ``@VP>S+NP+PP_2`` in plcfrs.

See https://discodop.readthedocs.io/en/latest/fileformats.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plcfrs.errors import GrammarError
from plcfrs.grammar.derivation import has_adjacent_variables
from plcfrs.grammar.formats.exchange import (
    INVISIBLE,
    Draft,
    Exchange,
    Labels,
    character_code,
    check_weights,
    decode,
    parse_number,
    quoted,
    render_number,
)
from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.grammar.nonterminal import Kind, Nonterminal
from plcfrs.storage.files import errors_name

_RANK = 2  # of its rules


class DiscodopLabels(Labels):
    """``VP|<NP,PP>^<S>_2`` for an intermediate VP after NP and PP below S, of fan-out 2."""

    _unsafe_within = re.compile(rf"[\\,<>]|{INVISIBLE.pattern}")
    _markovized = re.compile(
        r"(?P<core>.+?)(?P<intermediate>\|<(?P<siblings>[^<>]*)>)?(?:\^<(?P<ancestors>[^<>]+)>)?"
        r"(?P<tag>~)?"
    )

    def _render(self, symbol: Nonterminal) -> str:
        intermediate = symbol.kind == "intermediate"
        if symbol.siblings and not intermediate:
            return super()._render(symbol)
        text = super()._render(symbol._replace(kind="category", ancestors=(), siblings=()))
        if intermediate:
            text += f"|<{self._names(symbol.siblings)}>"
        if symbol.ancestors:
            text += f"^<{self._names(symbol.ancestors)}>"
        return text + ("~" if symbol.kind == "tag" else "")

    def _candidates(self, name: str) -> Iterator[Nonterminal]:
        match = self._markovized.fullmatch(name)
        if match and (match["intermediate"] or match["ancestors"]):
            siblings, ancestors = _split(match["siblings"]), _split(match["ancestors"])
            kind: Kind = "tag" if match["tag"] else "category"
            if match["intermediate"]:
                kind = "intermediate"
            if all(siblings + ancestors):
                for core in super()._candidates(match["core"]):
                    yield core._replace(kind=kind, ancestors=ancestors, siblings=siblings)
        yield from super()._candidates(name)

    def _whole(self, name: str) -> Nonterminal:
        return Nonterminal(name, kind="intermediate" if "|<" in name else "category")

    def _names(self, names: tuple[str, ...]) -> str:
        return ",".join(self._unsafe_within.sub(character_code, name) for name in names)


_LABELS = DiscodopLabels()


def _split(names: str | None) -> tuple[str, ...]:
    return tuple(map(decode, names.split(","))) if names else ()


def _render(grammar: Grammar) -> Iterator[str]:
    _check(grammar)
    names = _LABELS.names(grammar)
    # The start symbol is known by its place. Disco-dop takes a file that begins with a number, as
    # an intermediate symbol may, for a bitpar grammar.
    for rule in sorted(grammar.rules, key=lambda rule: rule.lhs != grammar.start):
        components = ("".join(map(str, component)) for component in rule.yield_function)
        weight = render_number(grammar.rules[rule], grammar.weights)
        labels = [names[symbol] for symbol in (rule.lhs, *rule.rhs)]
        yield "\t".join([*labels, ",".join(components), weight])


def _check(grammar: Grammar) -> None:
    """Raise an error if disco-dop could not use the grammar."""
    check_weights(grammar, "disco-dop")
    if not any(rule.lhs == grammar.start for rule in grammar.rules):
        raise GrammarError(f"disco-dop needs a rule of the start symbol {grammar.start}")
    for rule in grammar.rules:
        if rule.rank > _RANK:
            raise GrammarError(
                f"rule {rule}: disco-dop has rules with at most {_RANK} children: extract the "
                "grammar without --binarization none, or use plcfrs.binarize in Python"
            )
        if has_adjacent_variables(rule.yield_function):
            raise GrammarError(f"rule {rule}: in disco-dop, the ranges of a child cannot touch")
        if grammar.start in rule.rhs:
            raise GrammarError(
                f"rule {rule}: in disco-dop, the start symbol cannot be a child: add a rule "
                f"such as TOP -> {grammar.start} and start with TOP"
            )


def _parse(lines: Iterable[tuple[int, str]]) -> Draft:
    draft = Draft()
    fan_outs: dict[str, int] = {}
    for number, line in lines:
        with errors_name(f"line {number}"):
            fields = line.split()
            if not 2 + 2 <= len(fields) <= 1 + _RANK + 2:
                raise GrammarError(
                    f"{quoted(line)} should be one symbol, the one or two symbols of its children, "
                    "a yield function such as 010 and a weight"
                )
            *labels, components, weight = fields
            draft.add(_rule(labels, components, fan_outs), parse_number(weight))
    return draft


def _rule(labels: list[str], components: str, fan_outs: dict[str, int]) -> Rule:
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
    lhs, *rhs = map(_LABELS.read, labels, needed)
    return Rule(
        lhs, tuple(rhs), tuple(tuple(map(int, component)) for component in components.split(","))
    )


DISCODOP = Exchange("discodop", (".rules",), _LABELS, _render, _parse)
