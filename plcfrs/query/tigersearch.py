"""Translating queries of TIGERSearch (König, Lezius and Voormann 2003).

A query of TIGERSearch is a graph of nodes and relations. The translation is a tree from its first
node, which is the match; a node that occurs again is referred to by its name. As in TIGERSearch,
inner nodes precede each other if their first tokens do. A token is its own corner (``>@l``) only if
it has no negated relation.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from plcfrs.query.language import column
from plcfrs.query.writing import (
    check_expression,
    inverse,
    join,
    misread,
    quoted,
    refused,
    write,
    write_below,
)

GRAMMAR = r"""
?query: any_of
any_of: all_of ("|" all_of)*
all_of: constraint ("&" constraint)*
?constraint: node                                     -> alone
    | node RELATION node                              -> related
    | PREDICATE "(" node ("," NUMBER)* ")"            -> predicate
    | "(" any_of ")"
node: VARIABLE [":" "[" [any_test] "]"]               -> variable
    | OPENING [any_test] "]"                          -> described

?any_test: all_test ("|" all_test)*
?all_test: test ("&" test)*
?test: feature
    | "!" feature                                     -> denied
    | "!" "(" any_test ")"                            -> denied
    | "(" any_test ")"                                -> grouped
?feature: NAME EQUALITY value                         -> feature
    | NAME                                            -> kind
?value: QUOTED | EXPRESSION | NAME | VARIABLE
    | "!" value                                       -> not_value
    | "(" any_value ")"
?any_value: all_value ("|" all_value)*
?all_value: value ("&" value)*

OPENING: "["
VARIABLE: /#\w+/
NAME: /[^\W\d][\w-]*/
EQUALITY: /!?=/
QUOTED: /"(\\.|[^"\\])*"/
EXPRESSION: /\/(\\.|[^\/\\])*\//
NUMBER: /[0-9]{1,9}/
PREDICATE: /(root|arity|tokenarity|continuous|discontinuous)(?=\s*\()/
RELATION: /!?(>(@[lr]|~[\w-]*|\*|[0-9]{1,2}(,\s*[0-9]{1,2})?|[^\W\d][\w-]*)?|\$(\.\*)?|\.(\*|[0-9]{1,2}(,\s*[0-9]{1,2})?)?)/

COMMENT.2: /\/\/[^\n]*|\/\*(.|\n)*?\*\//

%import common.WS
%ignore WS
%ignore COMMENT
"""  # noqa: E501 (a regular expression cannot be broken)
"""The grammar, in the notation of lark."""

_LANGUAGE = "tigersearch"
_MOST = 100  # facts and alternatives; queries here have at most 100 conditions

_FEATURES = {"cat": "category", "pos": "tag", "word": "word", "lemma": "lemma", "morph": "morph"}
_KINDS = {"NT": "category", "T": "tag"}  # attributes that only inner nodes, or only tokens, have


class _Test(NamedTuple):
    node: str
    text: str = ""
    kind: str = ""
    column: int = 0


class _Link(NamedTuple):
    """Operators that lead from one node to another through unnamed nodes."""

    first: str
    second: str
    operators: tuple[str, ...]
    test: str = ""  # of the second node, if the link is denied
    is_denied: bool = False


_Facts = tuple[_Test | _Link, ...]
"""A conjunction, which begins with a test of its first node."""


def translate(text: str) -> str:
    """Translate a query of TIGERSearch; an InputError says what cannot be translated.

    >>> translate('#s:[cat="S"] >SB [cat="NP"] & #s > [pos="VVFIN"]')
    '*=s[category=S] < *[category=NP & function=SB] < *[tag=VVFIN]'
    """
    try:
        alternatives: tuple[_Facts, ...] = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise misread(_LANGUAGE, text, error) from None
    graphs = [_Graph(facts) for facts in alternatives]
    if len(graphs) == 1:
        return write("*", graphs[0].name(graphs[0].start), graphs[0].tree())
    starts = {graph.start for graph in graphs}
    names = {graph.name(graph.start) for graph in graphs if len(starts) == 1} - {""}
    choice = " | ".join(join(graph.tree() or ["[category | !category]"]) for graph in graphs)
    return write("*", "".join(names), [f"[{choice}]"])


@cache
def _parser() -> Lark:
    builder = v_args(inline=True)(_FactBuilder)()
    return Lark(GRAMMAR, start="query", parser="lalr", maybe_placeholders=True, transformer=builder)


class _FactBuilder(Transformer[Token, tuple[_Facts, ...]]):
    """Turns queries into alternatives of facts; the methods are named after the rules."""

    def any_of(self, *alternatives: tuple[_Facts, ...]) -> tuple[_Facts, ...]:
        return sum(alternatives, ())

    def all_of(self, *constraints: tuple[_Facts, ...]) -> tuple[_Facts, ...]:
        combined: tuple[_Facts, ...] = ((),)
        for alternatives in constraints:
            if len(combined) * len(alternatives) > _MOST:
                raise refused(_LANGUAGE, "|", "too many alternatives")
            combined = tuple(facts + more for facts, more in product(combined, alternatives))
        return combined

    def alone(self, node: _Test) -> tuple[_Facts, ...]:
        return ((node,),)

    def related(self, first: _Test, relation: Token, second: _Test) -> tuple[_Facts, ...]:
        sign = relation.lstrip("!")
        is_denied = sign != relation
        nodes: _Facts = (first, second)
        links = [
            _Link(first.node, second.node, operators) for operators in _operators(sign, relation)
        ]
        if sign == "$.*" and is_denied:
            raise refused(_LANGUAGE, relation, "a negation covers two relations")
        if sign == "$.*":
            return ((*nodes, *links),)
        label = sign[1:] if sign[1:2].isalpha() or sign[1:2] == "_" else ""
        test = f"function={label}" if label else "tag" if sign.startswith(">@") else ""
        if is_denied:
            return ((*nodes, *(link._replace(test=test, is_denied=True) for link in links)),)
        if sign.startswith(">") and test != "tag":
            nodes += (_Test(first.node, "category", "NT"),)  # only inner nodes are mothers
        if test:
            nodes += (_Test(second.node, test, "T" if test == "tag" else ""),)
        return tuple((*nodes, link) for link in links)

    def predicate(self, name: Token, node: _Test, *numbers: Token) -> tuple[_Facts, ...]:
        least, most = (int(numbers[0]), int(numbers[-1])) if numbers else (0, 0)
        expected = (1, 2) if name.endswith("arity") else (0,)
        if len(numbers) not in expected or (name == "arity" and least == 0):
            raise refused(_LANGUAGE, name, "unexpected numbers")
        text, kind = {
            "root": ("!> * | >: (ROOT !> *)", ""),  # files without a root get ROOT
            "arity": (f"<{least} * & !<{most + 1} *", "NT"),
            "tokenarity": (
                f"length={least}" if least == most else f"length>={least} & length<={most}",
                "",
            ),
            "continuous": ("!discontinuous", ""),
            "discontinuous": ("discontinuous", ""),
        }[name]
        return ((node, _Test(node.node, text, kind)),)

    def variable(self, variable: Token, test: tuple[str, str] | None) -> _Test:
        name = variable[1:] if variable[1].isalpha() else f"n{variable[1:]}"
        return _Test(name, *(test or ("", "")), column=column(variable))

    def described(self, opening: Token, test: tuple[str, str] | None) -> _Test:
        return _Test(f"node{column(opening)}", *(test or ("", "")), column=column(opening))

    def any_test(self, *tests: tuple[str, str]) -> tuple[str, str]:
        kinds = {kind for _, kind in tests}
        text = " | ".join(text for text, _ in tests)
        return text, kinds.pop() if len(kinds) == 1 else ""

    def all_test(self, *tests: tuple[str, str]) -> tuple[str, str]:
        return " & ".join(text for text, _ in tests), max(kind for _, kind in tests)

    def grouped(self, test: tuple[str, str]) -> tuple[str, str]:
        return f"[{test[0]}]", test[1]

    def denied(self, test: tuple[str, str]) -> tuple[str, str]:
        return f"![{test[0]}]", ""

    def kind(self, name: Token) -> tuple[str, str]:
        if name not in _KINDS:
            raise refused(_LANGUAGE, name, "plcfrs knows only the types NT and T")
        return _KINDS[name], str(name)

    def feature(self, name: Token, equality: Token, value: Token | _Value) -> tuple[str, str]:
        if name not in _FEATURES:
            raise refused(_LANGUAGE, name, f"plcfrs knows the features {', '.join(_FEATURES)}")
        kind = "NT" if name == "cat" else "T"
        if equality == "!=":
            value = _Value("!", (value,))
        # A node without this category is still an inner node, not a token.
        text = _value_test(_FEATURES[name], value)
        return f"{_KINDS[kind]} & {text}" if "!" in text else text, kind

    def not_value(self, value: Token | _Value) -> _Value:
        return _Value("!", (value,))

    def any_value(self, *values: Token | _Value) -> _Value:
        return _Value(" | ", values)

    def all_value(self, *values: Token | _Value) -> _Value:
        return _Value(" & ", values)


class _Value(NamedTuple):
    sign: str
    parts: tuple[Token | _Value, ...]


def _value_test(attribute: str, value: Token | _Value) -> str:
    if isinstance(value, Token):
        return f"{attribute}={_constant(value)}"
    if value.sign == " | " and all(isinstance(part, Token) for part in value.parts):
        constants = (_constant(part) for part in value.parts if isinstance(part, Token))
        return f"{attribute}={'|'.join(constants)}"
    if value.sign == "!":
        (denied,) = value.parts
        test = _value_test(attribute, denied)
        return test.replace("=", "!=", 1) if isinstance(denied, Token) else f"![{test}]"
    return f"[{value.sign.join(_value_test(attribute, part) for part in value.parts)}]"


def _constant(value: Token) -> str:
    if value.type == "EXPRESSION":
        expression = f"/^({value[1:-1]})$/"  # in TIGERSearch, it must match the whole text
        check_expression(_LANGUAGE, value, expression)
        return expression
    if value.type != "QUOTED":
        raise refused(_LANGUAGE, value, "plcfrs has no variables or types as values")
    text = re.sub(r"\\(.)", r"\1", value[1:-1])
    return text if re.fullmatch(r"[\w-]+", text) else quoted(text)


def _operators(sign: str, relation: Token) -> list[tuple[str, ...]]:
    """Return the operators from node to node, for each distance of a relation."""
    if sign.startswith(">~"):
        raise refused(_LANGUAGE, relation, "plcfrs queries do not see secondary edges")
    numbers = [int(number) for number in re.findall("[0-9]+", sign)]
    if numbers and not 0 < numbers[0] <= numbers[-1]:
        raise refused(_LANGUAGE, relation, "unexpected distances")
    distances = range(numbers[0], numbers[-1] + 1) if numbers else (1,)
    if sign.startswith("."):
        before = ".." if sign == ".*" else "."
        return [("<<,", *[before] * distance, ">>,") for distance in distances]
    if sign.startswith("$"):
        return [("$",), ("<<,", "..", ">>,")][: 1 if sign == "$" else 2]
    operator = {">*": "<<", ">@l": "<<,", ">@r": "<<`"}.get(sign, "<")
    return [(operator,) * distance for distance in distances]


class _Graph:
    """The nodes and links of one alternative, written as a tree from its first node."""

    def __init__(self, facts: _Facts) -> None:
        if len(facts) > _MOST:
            raise refused(_LANGUAGE, "the query", "too many parts")
        self.tests = [fact for fact in facts if isinstance(fact, _Test)]
        self.links = list(dict.fromkeys(fact for fact in facts if isinstance(fact, _Link)))
        self.start = self.tests[0].node
        self.met: set[str] = set()
        self.written: set[_Link] = set()

    def name(self, node: str) -> str:
        """Return the name of a node that may be met again, or an empty text."""
        links = sum(node in (link.first, link.second) for link in self.links)
        return node if links > 1 else ""

    def tree(self) -> list[str]:
        conditions = self.conditions(self.start)
        for test in self.tests:
            if test.node not in self.met:
                why = "no relation that is not negated connects it to the first node"
                part = "this node" if test.node == f"node{test.column}" else f"#{test.node}"
                raise refused(_LANGUAGE, part, why, test.column)
        return conditions

    def conditions(self, node: str) -> list[str]:
        self.met.add(node)
        tests = self.tests_of(node)
        conditions = [f"[{' & '.join(tests)}]"] if tests else []
        for link in self.links:
            if node not in (link.first, link.second) or link in self.written:
                continue
            other = link.second if node == link.first else link.first
            if link.is_denied and other not in self.met:
                continue  # another link leads to the other end
            self.written.add(link)
            conditions.append(self.condition(link, node, other))
        return conditions

    def tests_of(self, node: str) -> list[str]:
        own = dict.fromkeys(test for test in self.tests if test.node == node and test.text)
        kinds = {test.kind for test in own if test.text != _KINDS.get(test.kind)}
        texts = [t.text for t in own if t.text != _KINDS.get(t.kind) or t.kind not in kinds]
        denied = any(link.is_denied and node in (link.first, link.second) for link in self.links)
        # A word has the features of its tag, but is not a child of the node above.
        if denied and not self.is_kind(node, "NT"):
            texts.append("< *")
        return [f"[{t}]" if " | " in t and len(texts) > 1 else t for t in texts]

    def is_kind(self, node: str, kind: str) -> bool:
        return any(test.node == node and test.kind == kind for test in self.tests)

    def condition(self, link: _Link, node: str, other: str) -> str:
        operators = self.operators(link)
        if node != link.first:
            operators = [inverse(operator) for operator in reversed(operators)]
        if other in self.met:
            is_second = link.test and node == link.first
            text = f"={other}[{link.test}]" if is_second else f"={other}"
        else:
            text = write_below("*", self.name(other), self.conditions(other))
        between = "*[category]" if operators[0] in "<>" else "*[word]"
        for operator in reversed(operators[1:]):
            text = f"({between} {operator} {text})"
        if not link.is_denied:
            return f"{operators[0]} {text}"
        if link.test and node != link.first:
            return f"![{link.test} & {operators[0]} {text}]"
        return f"!{operators[0]} {text}"

    def operators(self, link: _Link) -> list[str]:
        """Return the operators of a link; the first token of a token is the token itself."""
        operators = list(link.operators)
        if len(operators) > 1 and operators[-1] == ">>,":
            ends = self.is_kind(link.first, "T"), self.is_kind(link.second, "T")
            return operators[ends[0] : len(operators) - ends[1]]
        return operators
