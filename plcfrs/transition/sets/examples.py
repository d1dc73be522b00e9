"""What a network learns from: the choices in the derivation of a tree, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.transition.sets.slots import slots
from plcfrs.transition.sets.state import State, narrowed

Int32 = NDArray[np.int32]


class Example(NamedTuple):
    """The choices in a derivation, as int32 arrays; structure steps without a choice are left out.

    Row by row, `candidates` (candidates, 8) has the slots of a set that could be combined with the
    focus, or for SHIFT, which comes first, of the next token; then the slots of the focus. `starts`
    (steps + 1,) says where the candidates of each step begin, `right` (steps,) which is the right
    one. `labelled` (label steps, 4) has the slots of the focus, in the last row all tokens; `label`
    (label steps,) the number of the right label, 0 for NO-LABEL. Tokens count from 0; -1 stands for
    no gap.
    """

    candidates: Int32
    starts: Int32
    right: Int32
    labelled: Int32
    label: Int32


def example(
    gold: Mapping[int, str],
    length: int,
    numbers: Mapping[str, int],
    steps: Sequence[int] | None = None,
) -> Example:
    """Return what is to be learned from the constituents of a tree.

    With `steps`, structure steps as `search.sample` returns them, the derivation follows these, and
    the right candidates are those of the dynamic oracle; otherwise it is that of the oracle.
    """
    candidates: list[int] = []
    counts, right = [0], []
    labelled: list[int] = []
    label = []
    state, reachable = State(), sorted(gold)
    for number in range(2 * length - 1):
        options = state.options(length)
        right_option = state.right_option(reachable)
        if len(options) > 1:
            focus = slots(state.focus)
            for option in options:
                candidates += slots(option)
                candidates += focus
            counts.append(len(options))
            right.append(options.index(right_option))
        state = state.after(right_option if steps is None else state.option(steps[number]))
        reachable = narrowed(reachable, state.focus)
        labelled += slots(state.focus)
        label.append(numbers[gold[state.focus]] if state.focus in gold else 0)
    return Example(
        np.array(candidates, np.int32).reshape(-1, 8),
        np.cumsum(counts, dtype=np.int32),
        np.array(right, np.int32),
        np.array(labelled, np.int32).reshape(-1, 4),
        np.array(label, np.int32),
    )
