"""SR-GAP and SR-CGAP: the example of the paper, table 7, and one derivation for each tree."""

from collections import Counter

from hypothesis import assume, given
from prepared import leeway, nested, prepared_trees
from quick import core

from plcfrs.parsers.transition.gap import CompoundGap, Gap
from plcfrs.parsers.transition.system import Kind, Transition, parse_transition, prepare
from plcfrs.trees import Node

# Table 1 of Coavoux and Crabbé (2017): transition, then stack and deque after it; S is the axiom.
TABLE_1 = """
SHIFT                | | Es
SHIFT                | Es | bestünde
SHIFT                | Es bestünde | somit
SHIFT                | Es bestünde somit | hinreichender
SHIFT                | Es bestünde somit hinreichender | Spielraum
REDUCE-RIGHT-NP      | Es bestünde somit | NP
GAP                  | Es bestünde | somit NP
GAP                  | Es | bestünde somit NP
REDUCE-RIGHT-NP      | bestünde somit | NP
GAP                  | bestünde | somit NP
REDUCE-LEFT-@ROOT+S  | somit | @ROOT+S
REDUCE-RIGHT-ROOT+S  | | ROOT+S
"""


def shown(children, tokens):
    return " ".join(
        tokens[child].form if isinstance(child, int) else "@" * child.intermediate + child.category
        for child in children
    )


def test_the_example_of_table_1():
    system = Gap()
    tree = prepare(leeway(), system.binarization)
    derivation = system.oracle(tree)
    configuration = system.initial(5)
    for line, transition in zip(TABLE_1.strip().splitlines(), derivation, strict=True):
        text, stack, deque = map(str.strip, line.split("|"))
        assert parse_transition(text) == transition
        assert system.legal(configuration, transition)
        configuration = system.apply(configuration, transition)
        assert shown(configuration.stack, tree.tokens) == stack
        assert shown(configuration.deque, tree.tokens) == deque
    assert list(configuration.buffer) == []
    assert system.is_final(configuration)


def test_the_example_with_compound_gaps():
    texts = list(map(str, CompoundGap().oracle(prepare(leeway()))))
    assert texts == [
        *["SHIFT", "GHOST-REDUCE"] * 5,
        "COMPOUNDGAP-0",
        "REDUCE-RIGHT-NP",
        "COMPOUNDGAP-2",
        "REDUCE-RIGHT-NP",
        "COMPOUNDGAP-1",
        "REDUCE-LEFT-@ROOT+S",
        "COMPOUNDGAP-0",
        "REDUCE-RIGHT-ROOT+S",
    ]


@core(1, "length", range(2, 9))
def test_the_longest_derivation_of_appendix_a_1(length):
    tree = nested(0, length - 1, *range(1, length - 1))
    assert len(Gap().oracle(tree)) == length * (length + 1) // 2  # 15 for 5


@given(prepared_trees())
def test_lengths(tree):
    derivation, length = Gap().oracle(tree), len(tree.tokens)
    kinds = Counter(transition.kind for transition in derivation)
    assert kinds[Kind.SHIFT] == length
    assert kinds[Kind.REDUCE_LEFT] + kinds[Kind.REDUCE_RIGHT] == length - 1
    assert len(derivation) - kinds[Kind.REDUCE_UNARY] <= length * (length + 1) // 2
    assert len(CompoundGap().oracle(tree)) == 4 * length - 2


@given(prepared_trees())
def test_the_bound_of_compound_gaps(tree):
    derivation = CompoundGap().oracle(tree)
    most = max(transition.count for transition in derivation)
    assume(len(tree.tokens) > 1)
    assert CompoundGap(most).build(derivation, tree.tokens) == tree
    configuration = CompoundGap(most - 1).initial(len(tree.tokens))
    refused = []
    for transition in derivation:
        if not CompoundGap(most - 1).legal(configuration, transition):
            refused.append(transition)
        configuration = CompoundGap().apply(configuration, transition)
    assert Transition(Kind.COMPOUNDGAP, count=most) in refused


WHOLE, PART = Node("NP", children=[0, 1], head=0), Node("NP", children=[0, 1], intermediate=True)
TABLE_7 = [
    # stack, deque, tokens left, last, transition, whether it is legal: line by line of table 7
    ([WHOLE], [5], 1, Kind.SHIFT, "SHIFT", True),
    ([WHOLE], [5], 0, Kind.SHIFT, "SHIFT", False),
    ([WHOLE], [WHOLE, 5], 1, Kind.GAP, "SHIFT", False),
    ([WHOLE, WHOLE], [5], 1, Kind.SHIFT, "GAP", True),
    ([WHOLE], [5], 1, Kind.SHIFT, "GAP", False),
    ([WHOLE, PART], [PART], 1, Kind.REDUCE_LEFT, "GAP", True),
    ([PART, WHOLE], [PART], 1, Kind.REDUCE_LEFT, "GAP", False),
    ([WHOLE], [5], 1, Kind.SHIFT, "REDUCE-UNARY-NP", True),
    ([WHOLE], [5], 1, Kind.GAP, "REDUCE-UNARY-NP", False),
    ([WHOLE], [5], 0, Kind.SHIFT, "REDUCE-UNARY-ROOT", False),
    ([], [0], 0, Kind.SHIFT, "REDUCE-UNARY-ROOT", True),
    ([], [0], 0, Kind.SHIFT, "REDUCE-UNARY-NP", False),
    ([], [0], 1, Kind.SHIFT, "REDUCE-UNARY-ROOT", False),
    ([], [WHOLE], 1, Kind.REDUCE_LEFT, "REDUCE-LEFT-NP", False),
    ([WHOLE], [5], 1, Kind.SHIFT, "REDUCE-LEFT-NP", True),
    ([WHOLE], [5], 1, Kind.SHIFT, "REDUCE-LEFT-ROOT", False),
    ([WHOLE], [5], 0, Kind.SHIFT, "REDUCE-LEFT-NP", False),
    ([WHOLE], [5], 0, Kind.SHIFT, "REDUCE-LEFT-ROOT+S", True),
    ([WHOLE], [5], 0, Kind.SHIFT, "REDUCE-LEFT-@ROOT+S", False),
    ([WHOLE], [WHOLE, 5], 0, Kind.GAP, "REDUCE-LEFT-ROOT", False),
    ([PART, WHOLE], [5], 0, Kind.SHIFT, "REDUCE-LEFT-@NP", False),
    ([PART, WHOLE], [5], 1, Kind.SHIFT, "REDUCE-LEFT-@NP", True),
    ([WHOLE, WHOLE], [5], 0, Kind.SHIFT, "REDUCE-LEFT-@NP", True),
    ([WHOLE], [WHOLE, 5], 0, Kind.GAP, "REDUCE-LEFT-@NP", True),
    ([WHOLE], [PART, 5], 0, Kind.GAP, "REDUCE-LEFT-@NP", False),
    ([WHOLE, PART], [5], 1, Kind.SHIFT, "REDUCE-RIGHT-NP", False),
    ([WHOLE, PART], [5], 1, Kind.SHIFT, "REDUCE-LEFT-NP", True),
    ([WHOLE, WHOLE], [PART], 1, Kind.REDUCE_LEFT, "REDUCE-LEFT-NP", False),
    ([WHOLE, WHOLE], [PART], 1, Kind.REDUCE_LEFT, "REDUCE-RIGHT-NP", True),
    ([], [Node("ROOT", children=[0], head=0)], 0, Kind.REDUCE_UNARY, "IDLE", True),
    ([], [Node("ROOT", children=[0], head=0)], 0, Kind.IDLE, "IDLE", True),
    ([WHOLE], [5], 0, Kind.SHIFT, "IDLE", False),
    ([WHOLE], [5], 0, Kind.SHIFT, "BINL-NP", False),
]


@core(1, ("stack", "deque", "left", "last", "text", "expected"), TABLE_7)
def test_the_constraints_of_table_7(stack, deque, left, last, text, expected):
    configuration = (
        Gap()
        .initial(6 + left)
        ._replace(stack=tuple(stack), deque=tuple(deque), buffer=range(6, 6 + left), last=last)
    )
    assert Gap().legal(configuration, parse_transition(text)) == expected
