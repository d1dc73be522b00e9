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
    """The choices in a derivation. Structure steps that leave no choice are not in it.

    Tokens are numbered from 0; -1 stands for no gap.

    Parameters
    ----------
    candidates : array of (candidates, 8)
        The slots of a set that the focus could be combined with, or for SHIFT of the next token,
        and the slots of the focus. SHIFT is the first candidate of its step.
    starts : array of (structure steps + 1,)
        Where the candidates of each step begin, and where the last ones end.
    right : array of (structure steps,)
        The number of the right candidate within its step.
    labelled : array of (label steps, 4)
        The slots of the focus. In the last row it has all tokens.
    label : array of (label steps,)
        The number of the right label; 0 for NO-LABEL.
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
    """Return what is to be learned from a tree.

    Parameters
    ----------
    gold : mapping of int to str
        The constituents of the tree, see `constituents_of`.
    length : int
        Number of tokens.
    numbers : mapping of str to int
        The numbers of all labels.
    steps : sequence of int, optional
        The structure steps of a derivation to follow, as `search.sample` returns them; at each one
        the right candidate is that of the dynamic oracle. If left out, the derivation is that of
        the oracle.

    Examples
    --------
    >>> tree = {0b111: "ROOT", 0b101: "VP"}
    >>> found = example(tree, 3, {"ROOT": 1, "VP": 2})
    >>> found.candidates.tolist()
    [[2, 2, -1, -1, 1, 1, -1, -1], [0, 0, -1, -1, 1, 1, -1, -1], \
[0, 0, -1, -1, 2, 2, -1, -1], [1, 1, -1, -1, 2, 2, -1, -1]]
    >>> found.starts.tolist(), found.right.tolist(), found.label.tolist()
    ([0, 2, 4], [0, 0], [0, 0, 0, 2, 1])
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
