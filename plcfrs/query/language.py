"""The query language: the operators of tgrep2 (Rohde 2005), and more for discontinuous trees.

New are ``<~`` (a node in a gap) and tests in square brackets (``VP[fanout=3]``), where tgrep2 has
only groups of conditions. Two things differ: brackets belong to the node before them (``A < B
[< C]`` is ``A < (B < C)``), and labels are partial descriptions (see `plcfrs.query.syntax`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from plcfrs.errors import InputError, check_types
from plcfrs.query.expressions import MOST_SECONDS, Expression
from plcfrs.query.joins import OPERATOR
from plcfrs.query.syntax import (
    NULL_TEXTS,
    NUMBERS,
    TEXTS,
    AllOf,
    Alternatives,
    AnyOf,
    Condition,
    Elsewhere,
    Not,
    NumberTest,
    Pattern,
    QueryLabel,
    Reference,
    Relation,
    TextTest,
    all_parts,
    known_names,
    needed_labels,
)
from plcfrs.stopping import TimeLimit

GRAMMAR = rf"""
query: pattern elsewhere*                             -> described
elsewhere: ":" REFERENCE any_of                       // conditions on the named node

?pattern: node
    | node first_any_of                               -> described
    | node "&" any_of                                 -> described

?node: label [REFERENCE] groups                       -> labelled
    | label some_groups REFERENCE                     -> named_behind
    | REFERENCE groups                                -> referred
    | "(" pattern ")"
label: text (_ALTERNATIVE text)*
text: NAME | QUOTED | EXPRESSION
groups: group*
some_groups: group+                                   -> groups
?group: "[" any_test "]"

?first_any_of: first_all_of ("|" all_of)*             -> any_of
?first_all_of: (relation | not_group) further*        -> all_of
?any_of: all_of ("|" all_of)*
?all_of: condition further*
?further: relation | "&" condition
?condition: relation | group | not_group
?not_group: "!" group                                 -> negated
?relation: OPERATOR node                              -> related
    | "!" OPERATOR node                               -> not_related

?any_test: all_test ("|" all_test)*                   -> any_of
?all_test: test further_test*                         -> all_of
?further_test: relation | attribute | "&" test
?test: condition | attribute
?attribute: DISCONTINUOUS                             -> discontinuous
    | TEXT_ATTRIBUTE                                  -> has_value
    | TEXT_ATTRIBUTE EQUALITY values                  -> text_test
    | NUMBER_ATTRIBUTE COMPARISON NUMBER              -> number_test
    | "!" attribute                                   -> negated
values: value (_ALTERNATIVE value)*
value: (VALUE | QUOTED | EXPRESSION)                  -> text

OPERATOR: /{OPERATOR}/
REFERENCE: /=[A-Za-z]\w*/
NAME: /(i@)?[^\s<>.,$%!\[\]()&|:;=\/"@~`'][^\s<>.,$%!\[\]()&|:;="@]*/
QUOTED.1: /(i@)?"(\\.|[^"\\])*"/
EXPRESSION.1: /(i@)?\/(\\.|[^\/\\])*\//
_ALTERNATIVE.1: /(?<=\S)\|(?=[^\s<>.,$!\[\]()&|:=])/
DISCONTINUOUS: /discontinuous(\s*=\s*words)?\b/
TEXT_ATTRIBUTE: /({"|".join(TEXTS)})\b/
NUMBER_ATTRIBUTE: /({"|".join(NUMBERS)})\b/
EQUALITY: /!?=/
COMPARISON: /!=|[<>]=?|=/
VALUE: /[^\s\[\]()&|"\/][^\s\[\]()&|"]*/
NUMBER: /[0-9]{{1,9}}/

%import common.WS
%ignore WS
"""
"""The grammar, in the notation of lark."""


@dataclass(frozen=True, eq=False)
class Query:
    """A parsed query; see `parse_query`."""

    text: str
    pattern: Pattern

    @property
    def labels(self) -> list[QueryLabel]:
        """The labels that every match needs, that of the match itself first."""
        return list(needed_labels(self.pattern))

    @property
    def is_about_nulls(self) -> bool:
        """Whether it has an attribute of null elements."""
        conditions = all_parts(AllOf(self.pattern.conditions))
        tests = (part for part in conditions if isinstance(part, TextTest))
        return any(test.attribute in NULL_TEXTS for test in tests)

    @property
    def names(self) -> list[str]:
        """The names that have a node in every match."""
        return sorted(known_names(self.pattern))


def parse_query(text: str) -> Query:
    """Parse a query for many trees; an InputError names the column and gives a hint."""
    check_types("parse_query(text)", (text, str))
    return Query(text, parse(text))


_MOST_CONDITIONS = 100  # each is a nested call, and Python's stack is limited

_ATTRIBUTES = ["discontinuous", *NUMBERS, *TEXTS]

_EXPECTED = {
    "NAME": 'a node (NP, "PRP$", /^WH/, * or a pattern in parentheses)',
    "OPERATOR": "an operator such as <, .. or <~",
    "TEXT_ATTRIBUTE": f"an attribute ({', '.join(_ATTRIBUTES)})",
    "EQUALITY": "= or !=",
    "COMPARISON": "=, !=, <, <=, > or >=",
    "VALUE": 'a value such as SBJ, "a text" or /an expression/',
    "NUMBER": "a number",
    "RSQB": "]",
    "RPAR": ")",
    "REFERENCE": "=name",
    "$END": "the end of the query",
}


def parse(text: str) -> Pattern:
    """Parse a query; an InputError names the column and the expected parts."""
    try:
        pattern: Pattern = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise _unexpected(text, error) from None
    conditions = [
        condition
        for condition in all_parts(AllOf(pattern.conditions))
        if not isinstance(condition, AllOf | AnyOf | Elsewhere)
    ]
    if len(conditions) > _MOST_CONDITIONS:
        raise InputError(f"query: more than {_MOST_CONDITIONS} conditions")
    known_names(pattern)  # raises an error if a name is unknown or given twice
    return pattern


_Text = str | Expression


class _PatternBuilder(Transformer[Token, Pattern]):
    """Turns syntax trees into patterns and conditions; the methods are named after the rules."""

    def elsewhere(self, name: Token, condition: Condition) -> Condition:
        return Elsewhere(_reference(name), (condition,))

    def described(self, pattern: Pattern, *conditions: Condition) -> Pattern:
        return pattern._replace(conditions=pattern.conditions + conditions)

    def labelled(
        self, label: QueryLabel, name: Token | None, groups: tuple[Condition, ...]
    ) -> Pattern:
        return Pattern(label, name[1:] if name else "", groups)

    def named_behind(
        self, label: QueryLabel, groups: tuple[Condition, ...], name: Token
    ) -> Pattern:
        return Pattern(label, name[1:], groups)

    def referred(self, name: Token, groups: tuple[Condition, ...]) -> Pattern:
        return Pattern(_reference(name), "", groups)

    def groups(self, *conditions: Condition) -> tuple[Condition, ...]:
        return conditions

    def label(self, *texts: _Text) -> QueryLabel:
        return QueryLabel(*_by_kind(texts))

    def values(self, *texts: _Text) -> Alternatives:
        return Alternatives(*_by_kind(texts))

    def text(self, token: Token) -> _Text:
        ignoring_case = token.startswith("i@") and token.type != "VALUE"
        text = token[2:] if ignoring_case else str(token)
        if token.type == "EXPRESSION":
            return _expression(text[1:-1], ignoring_case, token)
        if token.type == "QUOTED":
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
        return _expression(rf"^{re.escape(text)}\Z", True, token) if ignoring_case else text

    def any_of(self, *conditions: Condition) -> Condition:
        return conditions[0] if len(conditions) == 1 else AnyOf(conditions)

    def all_of(self, *conditions: Condition) -> Condition:
        return conditions[0] if len(conditions) == 1 else AllOf(conditions)

    def negated(self, condition: Condition) -> Condition:
        return Not(condition)

    def related(self, operator: Token, pattern: Pattern) -> Condition:
        return Relation(str(operator), pattern)

    def not_related(self, operator: Token, pattern: Pattern) -> Condition:
        return Not(Relation(str(operator), pattern))

    def discontinuous(self, written: Token) -> Condition:
        of_words = written.endswith("words")
        return NumberTest("gaps with words", ">", 0) if of_words else NumberTest("fanout", ">", 1)

    def has_value(self, attribute: Token) -> Condition:
        return TextTest(str(attribute), Alternatives((), (Expression("."),)))

    def text_test(self, attribute: Token, equality: Token, values: Alternatives) -> Condition:
        test = TextTest(str(attribute), values)
        return Not(test) if equality == "!=" else test

    def number_test(self, attribute: Token, comparison: Token, number: Token) -> Condition:
        return NumberTest(str(attribute), str(comparison), int(number))


@cache
def _parser() -> Lark:
    builder = v_args(inline=True)(_PatternBuilder)()
    return Lark(GRAMMAR, start="query", parser="lalr", transformer=builder)


def _by_kind(texts: tuple[_Text, ...]) -> tuple[tuple[str, ...], tuple[Expression, ...]]:
    return (
        tuple(text for text in texts if isinstance(text, str)),
        tuple(text for text in texts if isinstance(text, Expression)),
    )


def _reference(token: Token) -> Reference:
    return Reference(token[1:], column(token))


def column(token: Token) -> int:
    """Return the column of a token, from 1."""
    return (token.start_pos or 0) + 1


def _expression(text: str, ignoring_case: bool, token: Token) -> Expression:
    expression = Expression(text, ignoring_case)
    try:
        with TimeLimit(MOST_SECONDS).part():  # compiling it may take long, too
            expression.places(())
    except InputError as error:
        raise InputError(f"query, column {column(token)}: {error}") from None
    return expression


def start_of(error: UnexpectedInput, text: str) -> int:
    """Return where the unexpected part of a text begins, which may be its end."""
    is_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    return len(text) if is_end else error.pos_in_stream or 0


def _unexpected(text: str, error: UnexpectedInput) -> InputError:
    if isinstance(error, UnexpectedToken):
        allowed = error.accepts or error.expected
    else:
        allowed = error.allowed if isinstance(error, UnexpectedCharacters) else set()
    start = start_of(error, text)
    place, rest = f"query, column {start + 1}", text[start:]
    if rest[:1] in ('"', "/") and rest.count(rest[0]) == 1:
        return InputError(f"{place}: a second {rest[0]} is missing")
    word = re.split(r"[^\w-]", rest, maxsplit=1)[0]
    similar = get_close_matches(word, _ATTRIBUTES, n=1)
    if "TEXT_ATTRIBUTE" in allowed and similar:
        return InputError(f"{place}: there is no attribute {word}: did you mean {similar[0]}?")
    expected = " or ".join(phrase for name, phrase in _EXPECTED.items() if name in allowed)
    found = f"found {rest.split()[0]!r}" if rest.strip() else "the query ends there"
    return InputError(f"{place}: expected {expected}, but {found}")
