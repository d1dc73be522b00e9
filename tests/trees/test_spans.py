"""Bitsets against sets of positions."""

from hypothesis import given
from hypothesis import strategies as st

from plcfrs.trees import tree as spans

position_sets = st.frozensets(st.integers(0, 12) | st.integers(0, 200))


def naive_runs(positions):
    found = []
    for position in sorted(positions):
        if found and found[-1][1] == position:
            found[-1] = (found[-1][0], position + 1)
        else:
            found.append((position, position + 1))
    return found


@given(position_sets)
def test_bitsets_hold_their_positions(positions):
    span = spans.span_of(list(positions))
    assert span == sum(2**position for position in positions)
    assert spans.positions(span) == sorted(positions)


@given(position_sets)
def test_runs_gaps_and_fan_out(positions):
    span = spans.span_of(list(positions))
    runs = naive_runs(positions)
    assert spans.runs(span) == runs
    assert spans.fan_out(span) == len(runs)
    assert spans.gaps(span) == [(runs[i][1], runs[i + 1][0]) for i in range(len(runs) - 1)]


@given(position_sets.filter(bool))
def test_leftmost(positions):
    assert spans.leftmost(spans.span_of(list(positions))) == min(positions)


def test_the_empty_span():
    assert spans.span_of([]) == 0
    assert (spans.runs(0), spans.gaps(0), spans.positions(0), spans.fan_out(0)) == ([], [], [], 0)


def test_repeated_positions_count_once():
    assert spans.span_of([3, 3, 1]) == 0b1010
