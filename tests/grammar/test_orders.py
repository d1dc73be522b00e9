"""Optimal orders: against all bracketings, beyond the exact search, and by hand."""

from itertools import pairwise, permutations
from math import prod

from hypothesis import given
from hypothesis import strategies as st
from naive import binarization as naive
from quick import core, examples

from plcfrs.grammar import binarization as orders
from plcfrs.grammar.binarization import complexity, fan_out, left_to_right, optimal
from plcfrs.grammar.rules import child_fan_outs


@st.composite
def yield_functions(draw, min_rank=3, max_rank=6):
    """Any order of the ranges of children with fan-outs up to 3, cut anywhere."""
    fan_outs = draw(st.lists(st.sampled_from([1, 1, 2, 3]), min_size=min_rank, max_size=max_rank))
    ranges = [child for child, fan_out in enumerate(fan_outs) for _ in range(fan_out)]
    order = draw(st.permutations(ranges))
    cuts = draw(st.sets(st.integers(1, len(order) - 1), max_size=3))
    return tuple(tuple(order[i:j]) for i, j in pairwise([0, *sorted(cuts), len(order)]))


def nested(bracketing, children):
    if children not in bracketing:
        return children.bit_length() - 1
    return tuple(nested(bracketing, part) for part in bracketing[children])


def whole(yield_function):
    return (1 << len(child_fan_outs(yield_function))) - 1


@core(1, "rank", [2, 3, 4, 5, 6])
def test_the_naive_search_sees_all_bracketings(rank):
    found = set(naive.bracketings(tuple(range(rank))))
    assert len(found) == prod(range(1, 2 * rank - 2, 2))  # (2n - 3)!! binary trees


@examples(500)
@given(yield_functions())
def test_no_bracketing_is_better(yield_function):
    children = tuple(range(len(child_fan_outs(yield_function))))
    least = min(naive.complexity(yield_function, every) for every in naive.bracketings(children))
    best = optimal(yield_function)
    assert naive.complexity(yield_function, nested(best, whole(yield_function))) == least
    assert complexity(yield_function, best) == least
    simple = left_to_right(len(children))
    if complexity(yield_function, simple) == least:
        assert best == simple


@given(yield_functions(max_rank=9))
def test_bracketings_are_whole_and_mothers_come_first(yield_function):
    for best in (optimal(yield_function), orders._greedy(yield_function)):
        known = {whole(yield_function)}
        for mother, (left, right) in best.items():
            assert mother in known
            assert left | right == mother
            assert left & right == 0
            assert left & mother & -mother  # the first child is in the first part
            known |= {left, right}
        assert len(best) == len(child_fan_outs(yield_function)) - 1


def test_left_to_right():
    assert nested(left_to_right(4), 0b1111) == (0, (1, (2, 3)))
    assert left_to_right(2) == {0b11: (0b01, 0b10)}
    assert left_to_right(1) == {}


@core(
    1,
    ("yield_function", "children", "expected"),
    [
        (((0, 1, 2, 0),), 0b110, 1),
        (((0, 1, 2, 0),), 0b011, 2),
        (((0, 1), (2, 0)), 0b011, 2),
        (((0, 1), (2, 0)), 0b110, 2),
        (((0, 1), (0,)), 0b011, 2),  # a component ends every run
        (((0, 0, 1),), 0b001, 2),  # two ranges of a child are two even if they touch
        (((0, 0, 1),), 0b011, 1),
    ],
)
def test_fan_outs_of_sets_of_children(yield_function, children, expected):
    assert fan_out(yield_function, children) == expected


@core(
    1,
    ("yield_function", "expected", "numbers"),
    [
        # Nothing to gain: one range after another.
        (((0, 1, 2, 3),), (0, (1, (2, 3))), (1, 3, 9)),
        # Left to right, 1 and 2 would be two ranges around 0.
        (((1, 0, 2),), ((0, 1), 2), (1, 3, 6)),
        # 0 around 2 first: one range; from left to right, 1 and 2 have three ranges.
        (((1, 0, 2, 0, 1),), ((0, 2), 1), (2, 4, 8)),
        # Crossing pairs: 0 and 2, 1 and 3 belong to each other.
        (((0, 2, 0), (1, 3, 1)), ((0, 2), (1, 3)), (2, 4, 12)),
    ],
)
def test_by_hand(yield_function, expected, numbers):
    best = optimal(yield_function)
    assert nested(best, whole(yield_function)) == expected
    assert complexity(yield_function, best) == numbers


@core(1, "order", list(permutations(range(4))))
def test_synchronous_rules_of_rank_4(order):
    # Wu (1997): of 24 permutations, only 2413 and 3142 cannot be combined in pairs.
    permutation = "".join(str(child + 1) for child in order)
    assert optimal_fan_out(((0, 1, 2, 3), order)) == (3 if permutation in ("2413", "3142") else 2)


def optimal_fan_out(yield_function):
    return complexity(yield_function, optimal(yield_function)).fan_out


@given(yield_functions(min_rank=13, max_rank=16))
def test_beyond_the_exact_search_it_is_never_worse_than_left_to_right(yield_function):
    simple = left_to_right(len(child_fan_outs(yield_function)))
    assert complexity(yield_function, optimal(yield_function)) <= complexity(yield_function, simple)


def test_the_greedy_search_joins_what_interleaves():
    # Twenty pairs of children, each one inside the other: every pair is one range.
    yield_function = (tuple(n for first in range(0, 40, 2) for n in (first, first + 1, first)),)
    assert complexity(yield_function, left_to_right(40)).fan_out == 2
    assert complexity(yield_function, optimal(yield_function)) == (2, 4, 20 * 4 + 19 * 3)
    # Left to right each of them gets a gap.
    assert complexity(yield_function, left_to_right(40)).largest == 5
