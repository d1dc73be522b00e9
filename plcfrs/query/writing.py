"""What translators into the query language share: writing queries, and messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lark import Token
from lark.exceptions import UnexpectedInput

from plcfrs.errors import InputError
from plcfrs.query.language import column, parse, start_of

LONGEST = 10_000
"""The most characters of a query to translate."""


def write(label: str, name: str, conditions: Sequence[str]) -> str:
    """Return the text of a node with a label, perhaps a name, and conditions.

    >>> write("NP", "n", ["[< DT | < PRP]", "> S", "![< CC]"])
    'NP=n[< DT | < PRP] > S & ![< CC]'
    """
    text = f"{label}={name}" if name else label
    if not conditions:
        return text
    return text + ("" if conditions[0].startswith("[") else " ") + join(conditions)


def write_below(label: str, name: str, conditions: Sequence[str]) -> str:
    """Return the text of a node behind an operator: in parentheses, if it needs them.

    >>> write_below("NP", "", ["< DT"]), write_below("*", "", ["[tag=DT]"])
    ('(NP < DT)', '*[tag=DT]')
    """
    text = write(label, name, conditions)
    needs_none = not conditions or (len(conditions) == 1 and conditions[0].startswith("["))
    return text if needs_none else f"({text})"


def join(conditions: Sequence[str]) -> str:
    """Return the text of a conjunction; a bracket behind a node would belong to that node.

    >>> join(["< NP", "< VP", "[. NN | . NNS]"])
    '< NP < VP & [. NN | . NNS]'
    """
    first, *others = conditions
    return first + "".join(
        f" & {condition}" if condition.startswith(("[", "![")) else f" {condition}"
        for condition in others
    )


_INVERSE = {">": str.maketrans("<>", "><"), ".": str.maketrans(".,", ",.")}


def inverse(operator: str) -> str:
    """Return the operator for the opposite direction.

    >>> inverse("<<,"), inverse("$.."), inverse("><")
    ('>>,', '$,,', '><')
    """
    if operator == "><":
        return operator
    return operator.translate(_INVERSE[">" if operator[0] in "<>" else "."])


def quoted(text: str) -> str:
    r"""Return a label or a value in quotes, in which it may have any characters.

    >>> print(quoted('PRP$'), quoted('"'))
    "PRP$" "\""
    """
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def exactly(text: str) -> str:
    r"""Return a regular expression for exactly this text.

    >>> exactly("NP-SBJ"), exactly("PRP$")
    ('^NP-SBJ$', '^PRP\\$$')
    """
    return "^" + re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", text) + "$"


def refused(language: str, part: str, why: str, place: int = 1) -> InputError:
    """Return the error for a part of a query that cannot be translated; a token knows its place."""
    place = column(part) if isinstance(part, Token) else place
    return InputError(f"{language}, column {place}: {part} cannot be translated: {why}")


def misread(language: str, text: str, error: UnexpectedInput) -> InputError:
    """Return the error for a text that is not a query of a language."""
    start = start_of(error, text)
    rest = text[start:].split()
    found = f"{rest[0]!r} is not expected here" if rest else "the query ends too early"
    return InputError(f"{language}, column {start + 1}: {found}")


def check_expression(language: str, token: Token, expression: str) -> None:
    """Raise an InputError unless Python accepts a regular expression, which is in slashes."""
    try:
        parse(expression)
    except InputError:
        why = "it is not a regular expression of Python"
        raise refused(language, expression, why, column(token)) from None
