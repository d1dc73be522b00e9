"""Matching queries: a query is compiled once, to functions that call each other.

A test takes, besides an element, a function that tells whether all later conditions hold; if not,
the next value of a named node is tried (continuation-passing style).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plcfrs.errors import check_types
from plcfrs.query.language import parse
from plcfrs.query.relations import Element, View, position, relation
from plcfrs.query.syntax import (
    AllOf,
    AnyOf,
    Condition,
    Elsewhere,
    Label,
    Not,
    NumberTest,
    Pattern,
    Reference,
    Relation,
    TextTest,
    all_parts,
    compile_number_test,
    compile_text_test,
)
from plcfrs.trees import Node, Tree

Then = Callable[[], bool]
Test = Callable[[View, Element, Then], bool]


@dataclass(frozen=True, eq=False)
class Query:
    """A parsed and compiled query; see `parse_query`."""

    text: str
    # The label of the wanted node, and other labels that every match needs.
    labels: list[Label]
    test: Test  # tests an element with the first label


def parse_query(text: str) -> Query:
    """Parse and compile a query for many trees; an InputError has the column and a hint."""
    check_types("parse_query(text)", (text, str))
    pattern = parse(text)
    return Query(text, list(_labels(pattern)), _compile_pattern(pattern))


def find(tree: Tree, query: Query | str) -> list[Node | int]:
    """Return the nodes and tokens of a tree that match a query, each once.

    The constituents come first, mothers before children, then the positions of tokens whose tag or
    word matches. An InputError is raised if a text is not a query, a TypeError if the arguments are
    of other types, as in another order.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> vp = Node("VP", children=[0, 3])
    >>> tokens = [Token("What", "WP"), Token("did", "VBD"), Token("I", "PRP"), Token("do", "VB")]
    >>> tree = Tree(Node("ROOT", children=[vp, 1, Node("NP", children=[2])]), tokens)
    >>> [node.category for node in find(tree, "VP[discontinuous] <~ NP")]
    ['VP']
    >>> find(tree, "/^VB/ >~ (VP << do)")
    [1]
    """
    check_types("find(tree, query)", (tree, Tree), (query, (str, Query)))
    if isinstance(query, str):
        query = parse_query(query)
    view = View(tree)
    if not all(view.having(label) for label in query.labels):
        return []
    found = [e for e in view.having(query.labels[0]) if query.test(view, e, _nothing_more)]
    unique = dict.fromkeys(e if isinstance(e, Node) else position(e) for e in found)
    # Words come after all tags, but the word of a token may match where its tag does not.
    return sorted(unique, key=lambda one: -1 if isinstance(one, Node) else one)


def _nothing_more() -> bool:
    return True


def _holds(view: View, element: Element, then: Then) -> bool:  # noqa: ARG001 (all tests have them)
    return then()


def _compile_pattern(pattern: Pattern) -> Test:
    test = _compile_all(pattern.conditions)
    name = pattern.name
    if not name:
        return test

    def name_and_test(view: View, element: Element, then: Then) -> bool:
        view.named[name] = element
        return test(view, element, then)

    return name_and_test


def _compile(condition: Condition) -> Test:
    match condition:
        case Relation():
            return _compile_relation(condition)
        case TextTest():
            has_text = compile_text_test(condition)
            return lambda view, element, then: has_text(view, element) and then()
        case NumberTest():
            has_number = compile_number_test(condition)
            return lambda view, element, then: has_number(view, element) and then()
        case Not(condition=denied):
            holds = _compile(denied)
            return lambda view, element, then: not holds(view, element, _nothing_more) and then()
        case AllOf(conditions=conditions):
            return _compile_all(conditions)
        case AnyOf(conditions=conditions):
            tests = [_compile(one) for one in conditions]
            return lambda view, element, then: any(test(view, element, then) for test in tests)
        case Elsewhere(reference=reference, conditions=conditions):
            test, name = _compile_all(conditions), reference.name
            return lambda view, _, then: test(view, view.named[name], then)


def _compile_all(conditions: tuple[Condition, ...]) -> Test:
    """Compile a conjunction; if a condition names no node, one way to meet it is enough."""
    if not conditions:
        return _holds
    first, rest = _compile(conditions[0]), _compile_all(conditions[1:])
    if len(conditions) == 1:
        return first
    if _names_nodes(conditions[0]):
        return lambda view, element, then: first(view, element, lambda: rest(view, element, then))
    return lambda view, element, then: (
        first(view, element, _nothing_more) and rest(view, element, then)
    )


def _compile_relation(condition: Relation) -> Test:
    related = relation(condition.operator)
    test, label = _compile_pattern(condition.pattern), condition.pattern.label
    if isinstance(label, Reference):
        name = label.name
        return lambda view, element, then: any(
            test(view, other, then) for other in related(view, element, (view.named[name],))
        )
    return lambda view, element, then: any(
        test(view, other, then) for other in related(view, element, view.having(label))
    )


def _names_nodes(condition: Condition) -> bool:
    return any(isinstance(part, Relation) and part.pattern.name for part in all_parts(condition))


def _labels(pattern: Pattern) -> Iterator[Label]:
    """Yield the labels that every match needs, the label of the pattern first."""
    if isinstance(pattern.label, Label):
        yield pattern.label
    needed = list(pattern.conditions)
    while needed:
        match needed.pop():
            case Relation(pattern=other):
                if isinstance(other.label, Label):
                    yield other.label
                needed += other.conditions
            case AllOf(conditions=conditions) | Elsewhere(conditions=conditions):
                needed += conditions
