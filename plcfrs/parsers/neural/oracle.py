"""The oracles of the set-based system (Coavoux and Cohen 2019, section 2.2), and their examples.

The static oracle knows one derivation of a tree. The dynamic one, `SetState.right_option`, knows a
right step in any state. A network learns from the choices in a derivation, as arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.parsers.neural.configuration import (
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    SetState,
    Shift,
    Transition,
    apply,
    constituents_of,
    narrowed,
    run,
    slots,
)
from plcfrs.parsing.registry import Length
from plcfrs.trees import Tree
from plcfrs.trees.tree import leftmost

Int32 = NDArray[np.int32]


def static_oracle(gold: Mapping[int, str], length: int) -> list[Transition]:
    """Return the derivation of a tree that joins sisters as soon as possible.

    >>> print(*static_oracle({0b111: "ROOT", 0b101: "VP"}, 3))
    SHIFT NO-LABEL SHIFT NO-LABEL SHIFT NO-LABEL COMBINE-0 LABEL-VP COMBINE-1 LABEL-ROOT
    """
    from_small_to_large = sorted(gold, key=int.bit_count)

    @cache
    def mother(part: int) -> int:
        larger = (tokens for tokens in from_small_to_large if part & tokens == part != tokens)
        return next(larger, 0)

    derivation: list[Transition] = []
    configuration = Configuration(length)
    while not configuration.is_final:
        focus = configuration.focus
        transition: Transition = Shift()
        if configuration.steps % 2:
            transition = LabelFocus(gold[focus]) if focus in gold else NoLabel()
        elif focus:
            # There is at most one: other sisters have been combined already.
            sisters = [part for part in configuration.memory if mother(part) == mother(focus)]
            transition = CombineSets(leftmost(sisters[0])) if sisters else Shift()
        derivation.append(transition)
        configuration = apply(configuration, transition)
    return derivation


def lengths_of(tree: Tree) -> dict[str, Length]:
    """Return the length of the derivation of a tree.

    A COMBINE that passes over newer sets counts as a gap of other transition systems; it passes
    over all of them at once.
    """
    size = len(tree.tokens)
    derivation = static_oracle(constituents_of(tree), size)
    passed = []
    for before, transition in zip(run(derivation, size), derivation, strict=False):
        if isinstance(transition, CombineSets):
            newer = [leftmost(part) for part in reversed(before.memory)].index(transition.left)
            passed += [newer] if newer else []
    return {"set-based": Length(len(derivation), len(passed), max(passed, default=0), "4n - 2")}


class SetExample(NamedTuple):
    """The choices in a derivation, as int32 arrays, without structure steps that have no choice.

    Each row of `candidates` (candidates, 8) has the slots of a set, then the slots of the focus.
    The set is the next token for SHIFT, which comes first, or a set to combine with the focus.
    `starts` (steps + 1,) says where the candidates of each step begin, and `right` (steps,) which
    one is right. `labelled` (label steps, 4) has the slots of the focus; the last row has all
    tokens. `label` (label steps,) is the number of the right label, 0 for NO-LABEL. Tokens count
    from 0; -1 stands for no gap.
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
) -> SetExample:
    """Return the choices to learn from the constituents of a tree.

    The derivation follows the structure steps, such as those of `sample`, or by default the oracle.
    The dynamic oracle says which candidates are right.
    """
    candidates: list[int] = []
    counts, right = [0], []
    labelled: list[int] = []
    label = []
    state, reachable = SetState(), sorted(gold)
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
    return SetExample(
        np.array(candidates, np.int32).reshape(-1, 8),
        np.cumsum(counts, dtype=np.int32),
        np.array(right, np.int32),
        np.array(labelled, np.int32).reshape(-1, 4),
        np.array(label, np.int32),
    )
