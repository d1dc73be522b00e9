"""SR-SWAP and SKIPSHIFT: the examples of the papers, the oracle of Maier (2015), constraints."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import nested, prepared_trees, reflection
from quick import core

from plcfrs.parsers.transition.settings import find_system
from plcfrs.parsers.transition.stack_and_queue import SkipShift, Swap, tokens_needed
from plcfrs.parsers.transition.system import Kind, parse_transition, prepare, symbols
from plcfrs.transformation import transform_all
from plcfrs.trees import Node

# Maier and Lichte (2016), section 3.3, where the second list has BINL for BINR by a slip. Their S
# is the axiom here, and FINISH comes last.
SWAPPED = """SHIFT SHIFT SHIFT SWAP-1 BINR-VP SHIFT SHIFT SWAP-1 BINR-VP SHIFT BINR-ROOT+S FINISH"""
SKIPPED = """SKIPSHIFT-0 SKIPSHIFT-1 BINR-VP SKIPSHIFT-1 BINR-VP SKIPSHIFT-0 BINR-ROOT+S FINISH"""
QUESTION = """SHIFT SHIFT SWAP-1 SHIFT SHIFT BINR-VP SHIFT BINR-VP BINL-ROOT+S FINISH"""


@core(
    1,
    ("system", "expected"),
    [
        (Swap(), SWAPPED),
        (SkipShift(), SKIPPED),
        (Swap("rightd"), QUESTION),
        (
            SkipShift("rightd"),
            "SKIPSHIFT-1 SKIPSHIFT-0 SKIPSHIFT-0 BINR-VP SKIPSHIFT-0 BINR-VP BINL-ROOT+S FINISH",
        ),
        (
            SkipShift("right"),
            "SKIPSHIFT-1 SKIPSHIFT-2 SKIPSHIFT-1 SKIPSHIFT-0 BINL-VP BINL-VP BINL-ROOT+S FINISH",
        ),
    ],
)
def test_the_example_of_the_paper(system, expected):
    tree = prepare(reflection())
    derivation = system.oracle(tree)
    assert " ".join(map(str, derivation)) == expected
    assert system.build(derivation, tree.tokens) == tree


@core(1, "length", range(2, 9))
def test_the_longest_derivation_of_appendix_a_1(length):
    derivation = Swap().oracle(nested(0, *range(length - 1, 0, -1)))[:-1]
    single = [max(1, transition.count) for transition in derivation]
    assert sum(single) == length**2 - length + 1


@given(prepared_trees())
def test_the_order_left_is_the_oracle_of_maier_2015(tree):
    assert list(map(str, Swap().oracle(tree))) == maier_2015(tree)


@pytest.mark.full
def test_the_order_left_is_the_oracle_of_maier_2015_on_the_penn_treebank(penn_treebank):
    for tree in transform_all(penn_treebank):
        tree = prepare(tree, Swap.binarization)
        assert list(map(str, Swap().oracle(tree))) == maier_2015(tree)


@core(1, "order", ["left", "right"])
@given(tree=prepared_trees())
def test_lengths(order, tree):
    swaps, skips = Swap(order).oracle(tree), SkipShift(order).oracle(tree)
    unary = sum(transition.kind == Kind.UNARY for transition in skips)
    assert len(skips) == 2 * len(tree.tokens) - 1 + unary + 1
    skipped = [transition.count for transition in skips if transition.count]
    assert [transition.count for transition in swaps if transition.count] == skipped
    assert len(swaps) == len(skips) + sum(skipped) + len(skipped)


@given(prepared_trees())
def test_after_binr_to_an_intermediate_constituent_only_binr_is_legal(tree):
    for name, order in product(("swap", "skipshift"), ("left", "right")):
        system = find_system(name, order)
        derivation = system.oracle(tree)
        configuration = system.initial(len(tree.tokens))
        shift = parse_transition("SHIFT" if name == "swap" else "SKIPSHIFT-0")
        for transition, following in pairwise(derivation):
            configuration = system.apply(configuration, transition)
            if transition.kind == Kind.BINR and transition.intermediate and order == "left":
                assert following.kind == Kind.BINR
                assert not system.legal(configuration, shift)
            elif following.kind in (Kind.SHIFT, Kind.SKIPSHIFT):
                assert system.legal(configuration, shift)


@core(
    1,
    ("before", "transition", "expected"),
    [
        ("SHIFT SHIFT SHIFT", "SWAP-1", True),
        ("SHIFT SHIFT SHIFT", "SWAP-2", True),
        ("SHIFT SHIFT SHIFT", "SWAP-3", False),  # only two below
        ("SHIFT SHIFT SHIFT", "SWAP-0", False),
        ("SHIFT SHIFT SHIFT SWAP-1", "SWAP-1", False),  # not after a swap
        ("SHIFT SHIFT UNARY-NP SHIFT", "SWAP-1", False),  # no bare token
        ("SHIFT SHIFT UNARY-NP", "SWAP-1", False),  # no bare token on top
        ("SHIFT SHIFT BINL-NP SHIFT", "SWAP-1", False),
        ("SHIFT SHIFT SWAP-1 SHIFT", "SWAP-1", False),  # swapped already
        ("SHIFT SHIFT SWAP-1 SHIFT SHIFT", "SWAP-1", True),
        ("SHIFT SHIFT SWAP-1 SHIFT SHIFT", "SWAP-2", False),  # out of order
        ("SHIFT", "UNARY-NP", True),
        ("SHIFT", "UNARY-ROOT", False),
        ("SHIFT UNARY-NP", "UNARY-NP", False),
        ("SHIFT SHIFT BINL-NP", "UNARY-NP", False),
        ("SHIFT", "BINL-NP", False),
        ("SHIFT SHIFT", "BINL-ROOT", False),
        ("SHIFT SHIFT BINL-@NP SHIFT", "BINL-NP", True),
        ("SHIFT SHIFT BINL-@NP", "SHIFT", True),
        ("SHIFT SHIFT BINL-@NP SHIFT", "BINL-VP", False),
        ("SHIFT SHIFT BINL-@NP SHIFT", "BINR-NP", False),
        ("SHIFT SHIFT SHIFT BINL-@NP", "BINR-NP", True),
        ("SHIFT SHIFT SHIFT BINL-@NP", "BINL-NP", False),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP", "BINL-ROOT", True),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP", "BINL-@ROOT", False),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP", "FINISH", False),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT", "FINISH", True),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT", "IDLE", False),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT FINISH", "IDLE", True),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT FINISH IDLE", "IDLE", True),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT FINISH", "SHIFT", False),
        ("SHIFT SHIFT BINL-@ROOT SHIFT SHIFT BINL-NP BINL-ROOT FINISH", "FINISH", False),
        # No token would be left to extend the NP, which is not the axiom.
        ("SHIFT SHIFT BINL-@NP SHIFT", "BINL-@NP", False),
        ("SHIFT SHIFT BINL-@NP SHIFT", "SHIFT", True),  # this one can be swapped back
        ("SHIFT SHIFT BINL-@NP SHIFT UNARY-NN", "SHIFT", False),
        ("SHIFT SHIFT BINL-@NP SHIFT SHIFT", "BINL-NP", False),
        ("SHIFT SHIFT BINL-@NP SHIFT SHIFT", "UNARY-NN", False),
        ("SHIFT SHIFT BINL-@NP SHIFT SHIFT", "SWAP-1", True),
        ("SHIFT SHIFT", "GAP", False),
    ],
)
def test_constraints(before, transition, expected):
    system = Swap("right")  # without the constraint on transitions after BINR
    configuration = system.initial(4)
    for text in before.split():
        assert system.legal(configuration, parse_transition(text))
        configuration = system.apply(configuration, parse_transition(text))
    assert system.legal(configuration, parse_transition(transition)) == expected
    if transition == "IDLE" and expected:
        assert system.apply(configuration, parse_transition(transition)) == configuration


WHOLE, PART, AXIOM, TOKEN = "NP", "@NP", "@ROOT", "w"


@given(st.lists(st.sampled_from([TOKEN, WHOLE, PART, AXIOM]), min_size=1, max_size=5))
def test_tokens_needed(stack):
    if stack == [TOKEN]:  # it may become an axiom by a unary transition
        return
    children = [
        0 if text == TOKEN else Node(text.removeprefix("@"), intermediate=text.startswith("@"))
        for text in stack
    ]
    needed = tokens_needed(tuple(children))
    simple = tuple(WHOLE if text == TOKEN else text for text in stack)
    for tokens in range(4):
        assert can_become_a_tree(simple, tokens) == (tokens >= needed), tokens


def can_become_a_tree(stack, tokens):
    """Try everything: combine the two on top, shift a token."""
    if (stack, tokens) == (("ROOT",), 0):
        return True
    found = []
    if tokens:
        found.append(((*stack, WHOLE), tokens - 1))
    if len(stack) > 1 and "ROOT" not in stack:
        *below, left, right = stack
        parts = {left, right} & {PART, AXIOM}
        if not parts:
            results = [WHOLE, PART, AXIOM, "ROOT"]
        elif WHOLE in (left, right):
            results = [WHOLE, PART] if PART in parts else [AXIOM, "ROOT"]
        else:
            results = []
        found += [((*below, result), tokens) for result in results]
    return any(can_become_a_tree(*each) for each in found)


def maier_2015(tree):
    """The oracle of Maier (2015) as Maier and Lichte (2016), section 2.2, describe it."""
    mother_of = {child: node for node in tree.nodes() for child in node.children}
    symbol_of = symbols(tree)
    incoming, stack, result = list(range(len(tree.tokens))), [], []
    while incoming:
        mother = mother_of.get(stack[-1]) if stack else None
        terminal = leftmost(mother.children[1]) if mother else incoming[0]
        gap = incoming.index(terminal)
        result += ["SHIFT"] * (gap + 1) + [f"SWAP-{gap}"] * (gap > 0)
        stack.append(incoming.pop(gap))
        while stack[-1] in mother_of:
            mother = mother_of[stack[-1]]
            at = "@" * mother.intermediate
            if len(mother.children) == 1:
                result.append(f"UNARY-{symbol_of[mother]}")
                stack[-1:] = [mother]
            elif stack[-2:] == mother.children:
                result.append(f"BIN{'LR'[mother.head]}-{at}{symbol_of[mother]}")
                stack[-2:] = [mother]
            else:
                break
    return [*result, "FINISH"]


def leftmost(child):
    while not isinstance(child, int):
        child = child.children[0]
    return child
