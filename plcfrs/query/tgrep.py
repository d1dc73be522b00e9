"""Translating queries of tgrep2 (Rohde 2005) and Tregex (Levy and Andrew 2006).

Names in these languages are whole labels, so they become regular expressions: ``NP`` is ``/^NP$/``.
Only Tregex's ``@NP`` is a category with any functions, like ``NP`` in the queries here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from plcfrs.errors import InputError
from plcfrs.query.writing import (
    LONGEST,
    check_expression,
    exactly,
    inverse,
    join,
    misread,
    refused,
    write,
    write_below,
)

GRAMMAR = r"""
query: pattern segment* ";"*
segment: COLON pattern

?pattern: node | node any_of                          -> described
?node: label | REFERENCE -> referred | "(" pattern ")"
label: [MARK] [NOT] [BASIC] text (_ALTERNATIVE text)* [REFERENCE]
text: NAME | QUOTED | EXPRESSION | REFUSED

?any_of: all_of ("|" all_of)*                         -> any_of
all_of: condition ("&"? condition)*
?condition: [NOT | OPTIONAL] (OPERATOR | REFUSED) node -> related
    | [NOT | OPTIONAL] "[" any_of "]"                 -> group

COLON: ":"
MARK: /['`]/
NOT: "!"
OPTIONAL: "?"
BASIC: "@"
REFERENCE: /=\w+/
QUOTED.1: /(i@)?"(\\.|[^"\\])*"/
EXPRESSION.1: /(i@)?\/(\\.|[^\/\\])*\/[a-z]*/
_ALTERNATIVE.1: /\|(?=\s*[^\s<>.,$%!?\[=~#&|()])/

%import common.WS
%ignore WS
"""
"""The grammar of both, in the notation of lark, without names, operators and REFUSED."""


class _Dialect(NamedTuple):
    name: str  # a regular expression, as the other parts are
    last: str  # behind << and >>, for descendants with the same last word
    sisters: str
    heads: str
    refused: dict[str, str]  # parts that cannot be translated, and why


_NO_LABELS = "labels of two nodes are not compared here"
_NO_IDENTITY = "no operator here relates a node to itself"

_DIALECTS = {
    "tgrep2": _Dialect(
        r"(i@)?(\\.|[^\s\[\];:.,&|<>()$!@%'`^=\"\/~?\\])+",
        "`'",
        r"\.\.?|,,?",
        "",
        {
            "@": "no macro of this name is defined before it, as in @ NAME /^NP/;",
            r"=(?!\w)": _NO_IDENTITY,
            "~": _NO_LABELS,
            r";(?=[\s;]*[^\s;])": "a query here is one pattern",
        },
    ),
    "tregex": _Dialect(
        r"-?[^\W\d][\w-]*",
        "`-",
        r"\.\.?|,,?|\+\+?|--?",
        "<<?#|>>?#|",
        {
            r"[<>.,]\+": "chains through nodes of one kind are unknown here",
            r"==|<=(?!\w)": _NO_IDENTITY,
            r"<<<|<\.\.\.": "there is no such operator here",
            "~": _NO_LABELS,
            "#": "parts of expressions are not compared here",
            "['`]": "marks are of tgrep2",
        },
    ),
}


def translate(text: str, language: str) -> str:
    """Translate a query of tgrep2 or of Tregex; an InputError says what cannot be translated.

    >>> translate("S < 'NP-SBJ $. VP", "tgrep2")
    '/^NP-SBJ$/ > (/^S$/ $. /^VP$/)'
    >>> translate("@NP $++ (@VP !<< /^VB/)", "tregex")
    'NP $.. (VP !<< /^VB/)'
    """
    expanded = _without_macros(text) if language == "tgrep2" else text
    try:
        return str(_parser(language).parse(expanded))
    except UnexpectedInput as error:
        place = "" if expanded == text else f", in {expanded}"
        raise InputError(f"{misread(language, expanded, error)}{place}") from None


_QUOTED = r'"(?:\\.|[^"\\])*"|/(?:\\.|[^/\\])*/'
_MACRO = r"[^\s\[\];:.,&|<>()$!@%'^=]+"
_COMMENTS = r"(?:\s|#.*\n)*"
_DEFINITION = re.compile(rf'{_COMMENTS}@\s+({_MACRO})\s((?:{_QUOTED}|[^;"/])*);{_COMMENTS}')
_USE = re.compile(rf"{_QUOTED}|@({_MACRO})")
_LABEL = re.compile(rf"(?:{_QUOTED}|i@|[\w*|-])+")


def _without_macros(text: str) -> str:
    """Return a query in which the macros that are defined before it have been replaced.

    >>> _without_macros("@ NP /^NP/;  @ BARE @NP !< DT;  @NP < @BARE")
    '/^NP/ < (/^NP/ !< DT)'
    """
    macros: dict[str, str] = {}

    def replaced(part: str) -> str:
        whole = _USE.sub(lambda use: macros.get(use[1], use[0]), part).strip()
        if len(whole) > LONGEST:
            raise InputError(f"tgrep2: with its macros, a query has more than {LONGEST} characters")
        return whole

    while definition := _DEFINITION.match(text):
        value = replaced(definition[2])
        macros[definition[1]] = value if _LABEL.fullmatch(value) else f"({value})"
        text = text[definition.end() :]
    return replaced(text) if macros else text


@cache
def _parser(language: str) -> Lark:
    dialect = _DIALECTS[language]
    operator = (
        rf"{dialect.heads}(<<|>>)[,:{dialect.last}]?|[<>](-?[1-9][0-9]{{0,8}}|[,:`'-])?"
        rf"|[$%]({dialect.sisters})?(?![+-])|\.\.?|,,?"
    )
    return Lark(
        f"{GRAMMAR}\nNAME: /{dialect.name}/\nOPERATOR: /{operator}/\n"
        f"REFUSED.2: /{'|'.join(dialect.refused)}/\n",
        start="query",
        parser="lalr",
        maybe_placeholders=True,
        transformer=v_args(inline=True)(_QueryWriter)(language),
        # The lexer refuses a part at once, because what follows may be unknown here, too.
        lexer_callbacks={"REFUSED": partial(_refuse, language)},
    )


def _refuse(language: str, token: Token) -> Token:
    reasons = _DIALECTS[language].refused
    why = next(why for part, why in reasons.items() if re.match(part.split("(?")[0], token))
    raise refused(language, token, why)


class _Text(NamedTuple):
    expression: str
    name: str = ""  # empty for regular expressions
    prefix: str = ""  # i@, to ignore case

    def __str__(self) -> str:
        return f"{self.prefix}/{self.expression}/"


class _Way(NamedTuple):
    """A relation that leads to the marked node."""

    operator: str
    pattern: _Pattern


@dataclass(frozen=True)
class _Pattern:
    label: str
    name: str = ""
    conditions: tuple[str, ...] = ()
    mark: Token | None = None  # of this node or of a node below
    way: _Way | None = None

    def below(self) -> str:
        return write_below(self.label, self.name, self.conditions)


_Conditions = tuple[str | _Way, ...]
"""A conjunction; it is empty if it always holds, like an optional condition."""


class _QueryWriter(Transformer[Token, str]):
    """Writes queries bottom-up, and keeps the way to a marked node, to reverse it."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def query(self, pattern: _Pattern, *segments: str) -> str:
        pattern = _marked_first(pattern)
        text = write(pattern.label, pattern.name, pattern.conditions)
        return " ".join([text, *filter(None, segments)])

    def segment(self, colon: Token, pattern: _Pattern) -> str:
        if not pattern.label.startswith("="):
            why = "the node behind it must be =name, of a node before"
            raise refused(self.language, colon, why)
        self._check_unmarked(pattern)
        return f": {pattern.label} {join(pattern.conditions)}" if pattern.conditions else ""

    def described(self, pattern: _Pattern, conditions: _Conditions) -> _Pattern:
        ways = [condition for condition in conditions if isinstance(condition, _Way)]
        marks = list(filter(None, [pattern.mark, *(way.pattern.mark for way in ways)]))
        if len(marks) > 1:
            raise refused(self.language, marks[1], "there are two marks")
        texts = tuple(condition for condition in conditions if isinstance(condition, str))
        return replace(
            pattern,
            conditions=pattern.conditions + texts,
            mark=marks[0] if marks else None,
            way=ways[0] if ways else None,
        )

    def referred(self, reference: Token) -> _Pattern:
        return _Pattern(f"={_name(reference)}")

    def label(
        self,
        mark: Token | None,
        negation: Token | None,
        basic: Token | None,
        *texts_and_name: _Text | Token | None,
    ) -> _Pattern:
        texts = [text for text in texts_and_name if isinstance(text, _Text)]
        name = _name(texts_and_name[-1])
        names = [text.name for text in texts]
        if not {"*", "__"}.isdisjoint(names):
            if negation:
                raise refused(self.language, negation, "there is no node")
            return _Pattern("*", name, mark=mark)
        if len(texts) > 1 and all(names) and not any(text.prefix for text in texts):
            texts = [_Text("^(" + "|".join(text.expression[1:-1] for text in texts) + ")$")]
        if basic and (negation or not all(names)):
            values = "|".join(map(str, texts))
            test = f"[category={values} | tag={values} & < *]"  # < *: words have tags, too
            return _Pattern("*", name, (f"!{test}" if negation else test,), mark)
        if negation:
            forbidden = "|".join(f"(?i:{e})" if prefix else e for e, _, prefix in texts)
            return _Pattern(f"/^(?!.*({forbidden}))/", name, mark=mark)
        return _Pattern("|".join(names if basic else map(str, texts)), name, mark=mark)

    def text(self, token: Token) -> _Text:
        prefix, text = ("i@", token[2:]) if token.startswith("i@") else ("", str(token))
        if token.type == "EXPRESSION":
            text, _, flags = text[1:].rpartition("/")
            if flags.strip("i"):
                why = "only the flag i has a counterpart here"
                raise refused(self.language, token, why)
            check_expression(self.language, token, f"/{text}/")
            return _Text(text, prefix="i@" if flags else prefix)
        if token.type == "QUOTED":
            text = text[1:-1]
        name = re.sub(r"\\(.)", r"\1", text)
        return _Text(exactly(name), name, prefix)

    def any_of(self, *alternatives: _Conditions) -> _Conditions:
        if len(alternatives) == 1 or not all(alternatives):
            return alternatives[0] if len(alternatives) == 1 else ()
        texts = (join(self._texts(conditions)) for conditions in alternatives)
        return (f"[{' | '.join(texts)}]",)

    def all_of(self, *conditions: _Conditions) -> _Conditions:
        return sum(conditions, ())

    def related(self, modifier: Token | None, operator: Token, pattern: _Pattern) -> _Conditions:
        sign = _operator(operator)
        if modifier is None and pattern.mark:
            return (_Way(sign, pattern),)
        self._check_unmarked(pattern)
        if modifier == "?":
            return ()
        return (f"{modifier or ''}{sign} {pattern.below()}",)

    def group(self, modifier: Token | None, conditions: _Conditions) -> _Conditions:
        if modifier is None:
            return conditions
        texts = self._texts(conditions)
        if modifier == "?":
            return ()
        if not texts:
            raise refused(self.language, modifier, "a negation has an optional condition")
        return (f"![{join(texts)}]",)

    def _texts(self, conditions: _Conditions) -> list[str]:
        for condition in conditions:
            if isinstance(condition, _Way):
                self._check_unmarked(condition.pattern)
        return [condition for condition in conditions if isinstance(condition, str)]

    def _check_unmarked(self, pattern: _Pattern) -> None:
        if pattern.mark:
            why = "the marked node must be in all matches"
            raise refused(self.language, pattern.mark, why)


def _marked_first(pattern: _Pattern) -> _Pattern:
    """Reverse the way to the marked node, because a query finds its first node."""
    while pattern.way:
        operator, marked = pattern.way
        above = f"{inverse(operator)} {pattern.below()}"
        pattern = replace(marked, conditions=(*marked.conditions, above))
    return pattern


def _operator(token: Token) -> str:
    if token[0] in "$%":
        return token.translate(str.maketrans("%+-", "$.,"))
    return re.sub("(<<|>>)-", r"\1`", token).replace("'", "`")


def _name(reference: _Text | Token | None) -> str:
    name = str(reference)[1:] if isinstance(reference, Token) else ""
    return f"n{name}" if name[:1].isdigit() or name.startswith("_") else name
