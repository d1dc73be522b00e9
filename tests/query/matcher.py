"""A matcher that goes through one tree after the other: what the search over arrays must find.

A query is compiled to functions that call each other. A test takes, besides an element, a function
that tells whether all later conditions hold; if not, the next value of a named node is tried
(continuation-passing style).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, partial

from plcfrs.query.expressions import Expression
from plcfrs.query.joins import NUMBERED
from plcfrs.query.language import parse
from plcfrs.query.syntax import (
    COMPARISONS,
    NODE_TEXTS,
    TOKEN_TEXTS,
    AllOf,
    Alternatives,
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
    needed_labels,
)
from plcfrs.trees import Node, Tree, parse_label, render_label
from plcfrs.trees.heads import is_punctuation
from plcfrs.trees.tree import fan_out, gaps, leftmost

Element = Node | int
"""A constituent, a tag (the position of its token) or a word (``~position``, which is negative):
as in tgrep, a tag dominates its word."""

Elements = dict[Element, None]
"""A set that keeps its order: constituents from the root, then tags, then words."""


def position(token: int) -> int:
    """Return the position of a tag or a word.

    >>> position(5), position(~5)
    (5, 5)
    """
    return max(token, ~token)


class View:
    """A tree that is being searched; properties that only some queries need are computed late."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.nodes = tree.nodes()
        self.named: dict[str, Element] = {}
        """The named nodes of the match that is being tried."""
        self._found: dict[Label, Elements] = {}

    def having(self, label: Label) -> Elements:
        """Return the elements with a label."""
        if label not in self._found:
            self._found[label] = _having(label, self)
        return self._found[label]

    @cached_property
    def labels(self) -> list[str]:
        """The printed labels of the constituents."""
        return [render_label(node) for node in self.nodes]

    @cached_property
    def order(self) -> dict[Element, int]:
        """The numbers of all elements; no element has a smaller one than its mother."""
        tags = range(len(self.tree.tokens))
        elements = [*self.nodes, *tags, *(~tag for tag in tags)]
        return {element: number for number, element in enumerate(elements)}

    @cached_property
    def spans(self) -> dict[Element, int]:
        """The tokens of each element as a bitset."""
        yields = self.tree.yields()
        return {
            element: yields[element] if isinstance(element, Node) else 1 << position(element)
            for element in self.order
        }

    @cached_property
    def first(self) -> dict[Element, int]:
        """The first token of each element; without tokens -1, so that it follows no element."""
        return {element: leftmost(span) for element, span in self.spans.items()}

    @cached_property
    def last(self) -> dict[Element, int]:
        """The last token of each element; without tokens so large that it precedes no element."""
        beyond = len(self.tree.tokens) + 1
        return {e: (span.bit_length() or beyond) - 1 for e, span in self.spans.items()}

    @cached_property
    def overt(self) -> int:
        """The tokens that are not null elements, as a bitset."""
        return sum(1 << i for i, token in enumerate(self.tree.tokens) if not token.is_null)

    @cached_property
    def mothers(self) -> dict[Element, Element]:
        """The mother of every element except the root."""
        tags: dict[Element, Element] = {~tag: tag for tag in range(len(self.tree.tokens))}
        return tags | {child: node for node in self.nodes for child in node.children}

    def children(self, element: Element) -> Sequence[Element]:
        """Return the children, ordered by their first tokens."""
        if isinstance(element, Node):
            return element.children
        return [~element] if element >= 0 else []

    def sisters(self, element: Element) -> list[Element]:
        """Return the other children of the mother."""
        if element not in self.mothers:
            return []
        return [child for child in self.children(self.mothers[element]) if child != element]


def found(expression: Expression, text: str) -> bool:
    """Whether Python finds a regular expression."""
    flags = re.IGNORECASE if expression.ignores_case else 0
    return re.search(expression.pattern, text, flags) is not None


def fits(values: Alternatives, text: str) -> bool:
    """Whether a text is one of several."""
    return text in values.texts or any(found(each, text) for each in values.expressions)


def _fits_node(label: Label, printed: str) -> bool:
    parsed = parse_label(printed)
    without_split = render_label(parsed._replace(split=""))
    return label.names(parsed) or any(found(each, without_split) for each in label.expressions)


def _having(label: Label, view: View) -> Elements:
    if label.fits_all:
        return dict.fromkeys(view.order)
    tokens = view.tree.tokens
    labelled = zip(view.nodes, view.labels, strict=True)
    found: list[Element] = [node for node, printed in labelled if _fits_node(label, printed)]
    found += [place for place, token in enumerate(tokens) if fits(label, token.tag)]
    found += [~place for place, token in enumerate(tokens) if fits(label, token.form)]
    return dict.fromkeys(found)


Related = Callable[[View, Element, Collection[Element]], Iterable[Element]]
"""Returns the candidates that are in the relation to an element."""

_Links = Callable[[View, Element], Sequence[Element]]
_Check = Callable[[View, Element, Element], bool]


def relation(operator: str) -> Related:
    """Return the relation of an operator."""
    numbered = NUMBERED.fullmatch(operator)
    if numbered:
        return _numbered(numbered[1], int(numbered[2]))
    return RELATIONS[operator.replace("'", "`")]


def _numbered(direction: str, number: int) -> Related:
    place = number - 1 if number > 0 else number

    def has_there(view: View, element: Element, other: Element) -> bool:
        children = view.children(element)
        return -len(children) <= place < len(children) and children[place] == other

    if direction == "<":
        return _both(View.children, has_there)
    return _both(_mother, _inverse(has_there))


def _linked(links: _Links) -> Related:
    return lambda view, element, candidates: (
        other for other in links(view, element) if other in candidates
    )


def _checked(holds: _Check) -> Related:
    return lambda view, element, candidates: (
        other for other in candidates if holds(view, element, other)
    )


def _inverse(holds: _Check) -> _Check:
    return lambda view, element, other: holds(view, other, element)


def _both(links: _Links, holds: _Check) -> Related:
    return lambda view, element, candidates: (
        other
        for other in links(view, element)
        if other in candidates and holds(view, element, other)
    )


def _mother(view: View, element: Element) -> Sequence[Element]:
    return [view.mothers[element]] if element in view.mothers else []


def _only_child(view: View, element: Element) -> Sequence[Element]:
    children = view.children(element)
    return children if len(children) == 1 else []


def _mother_of_only_child(view: View, element: Element) -> Sequence[Element]:
    return [mother for mother in _mother(view, element) if _only_child(view, mother)]


def _chain(link: _Links) -> _Links:
    def follow(view: View, element: Element) -> Sequence[Element]:
        found: list[Element] = []
        following = link(view, element)
        while following:
            found += following
            following = link(view, found[-1])
        return found

    return follow


def _dominates(view: View, element: Element, other: Element) -> bool:
    """Test dominance: if two elements share a token, one dominates the other."""
    span, is_above = view.spans[other], view.order[element] < view.order[other]
    return is_above and span != 0 and span & view.spans[element] == span


def _starts_with(view: View, element: Element, other: Element) -> bool:
    return view.first[element] == view.first[other] and _dominates(view, element, other)


def _ends_with(view: View, element: Element, other: Element) -> bool:
    return view.last[element] == view.last[other] and _dominates(view, element, other)


def _precedes(view: View, element: Element, other: Element) -> bool:
    return view.last[element] < view.first[other]


def _is_next_to(view: View, element: Element, other: Element) -> bool:
    return view.last[element] + 1 == view.first[other]


def _has_in_gap(view: View, element: Element, other: Element) -> bool:
    span = view.spans[element]
    return fan_out(span) > 1 and any(
        left <= view.first[other] and view.last[other] < right for left, right in gaps(span)
    )


def _has_gap_filled(view: View, element: Element, other: Element) -> bool:
    span = view.spans[element]
    return fan_out(span) > 1 and any(
        view.spans[other] == (1 << right) - (1 << left) for left, right in gaps(span)
    )


def _interleaves(view: View, element: Element, other: Element) -> bool:
    """Whether each has a token in a gap of the other (Maier and Lichte 2011: ill-nested)."""
    span, other_span = view.spans[element], view.spans[other]
    return (
        fan_out(span) > 1
        and fan_out(other_span) > 1
        and span & other_span == 0
        and _reach(view, element) & other_span != 0
        and _reach(view, other) & span != 0
    )


def _reach(view: View, element: Element) -> int:
    return (2 << view.last[element]) - (1 << view.first[element])


RELATIONS: dict[str, Related] = {
    "<": _linked(View.children),
    ">": _linked(_mother),
    "<<": _checked(_dominates),
    ">>": _checked(_inverse(_dominates)),
    "<,": _numbered("<", 1),
    ">,": _numbered(">", 1),
    "<-": _numbered("<", -1),
    ">-": _numbered(">", -1),
    "<`": _numbered("<", -1),
    ">`": _numbered(">", -1),
    "<:": _linked(_only_child),
    ">:": _linked(_mother_of_only_child),
    "<<,": _checked(_starts_with),
    ">>,": _checked(_inverse(_starts_with)),
    "<<`": _checked(_ends_with),
    ">>`": _checked(_inverse(_ends_with)),
    "<<:": _linked(_chain(_only_child)),
    ">>:": _linked(_chain(_mother_of_only_child)),
    ".": _checked(_is_next_to),
    ",": _checked(_inverse(_is_next_to)),
    "..": _checked(_precedes),
    ",,": _checked(_inverse(_precedes)),
    "$": _linked(View.sisters),
    "$.": _both(View.sisters, _is_next_to),
    "$,": _both(View.sisters, _inverse(_is_next_to)),
    "$..": _both(View.sisters, _precedes),
    "$,,": _both(View.sisters, _inverse(_precedes)),
    "<~": _checked(_has_in_gap),
    ">~": _checked(_inverse(_has_in_gap)),
    "<~:": _checked(_has_gap_filled),
    ">~:": _checked(_inverse(_has_gap_filled)),
    "><": _checked(_interleaves),
}
"""The relations by operator; there are also ``<N`` and ``>N`` for the N-th child."""


NUMBERS: dict[str, Callable[[View, Element], int]] = {
    "fanout": lambda view, element: fan_out(view.spans[element]),
    "length": lambda view, element: (view.spans[element] & view.overt).bit_count(),
    "gaps with words": lambda view, element: sum(
        not all(token.is_null or is_punctuation(token) for token in view.tree.tokens[left:right])
        for left, right in gaps(view.spans[element])
    ),
}
"""Attributes with numbers as values: of blocks; of tokens without null elements; of gaps."""


def _compile_text_test(test: TextTest) -> Callable[[View, Element], bool]:
    """Return a function that tests an attribute of an element."""
    of_node, part, fit = (
        NODE_TEXTS.get(test.attribute),
        TOKEN_TEXTS.get(test.attribute),
        partial(fits, test.values),
    )

    def check(view: View, element: Element) -> bool:
        if isinstance(element, Node):
            return of_node is not None and any(map(fit, of_node(element)))
        return part is not None and fit(getattr(view.tree.tokens[position(element)], part))

    return check


def _compile_number_test(test: NumberTest) -> Callable[[View, Element], bool]:
    """Return a function that tests an attribute of an element."""
    number_of, holds = NUMBERS[test.attribute], COMPARISONS[test.comparison]
    return lambda view, element: holds(number_of(view, element), test.number)


Then = Callable[[], bool]
Test = Callable[[View, Element, Then], bool]


class Matcher:
    """A compiled query."""

    def __init__(self, text: str) -> None:
        pattern = parse(text)
        self.labels = list(needed_labels(pattern))
        self.test = _compile_pattern(pattern)

    def find(self, tree: Tree) -> list[Node | int]:
        """Return the nodes and tokens of a tree that match, each once."""
        view = View(tree)
        if not all(view.having(label) for label in self.labels):
            return []
        found = [e for e in view.having(self.labels[0]) if self.test(view, e, _nothing_more)]
        unique = dict.fromkeys(e if isinstance(e, Node) else position(e) for e in found)
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
            has_text = _compile_text_test(condition)
            return lambda view, element, then: has_text(view, element) and then()
        case NumberTest():
            has_number = _compile_number_test(condition)
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
