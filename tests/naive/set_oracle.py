"""The dynamic oracle of Coavoux and Cohen (2019): all right transitions of a configuration.

Training needs only one of them, which `SetState.right_option` finds faster.
"""

from collections.abc import Mapping

from plcfrs.parsers.neural.configuration import (
    CombineSets,
    Configuration,
    LabelFocus,
    NoLabel,
    Shift,
    Transition,
    apply,
)
from plcfrs.trees.tree import leftmost


def reachable(gold: Mapping[int, str], configuration: Configuration) -> list[int]:
    """Return the sets of a tree that can still become constituents, in the order of the paper.

    All of them can in the same derivation, so no other derivation finds more. The paper orders sets
    by their last tokens, and sets with the same one by inclusion: they are nested, so this is the
    order of the ints that stand for them.

    >>> gold = {0b11: "NP", 0b11100: "VP", 0b11000: "PP", 0b11111: "ROOT"}
    >>> before = Configuration(length=5, memory=(0b1, 0b110), focus=0b1000, next=4, steps=10)
    >>> [bin(tokens) for tokens in reachable(gold, before)]
    ['0b11000', '0b11111']
    """
    _, memory, focus, _, _, steps = configuration
    parts = (*memory, focus)
    is_past = steps % 2 == 0  # whether the focus has had its label step
    return sorted(
        tokens
        for tokens in gold
        if tokens >= focus
        and not (is_past and tokens == focus)
        and all(tokens & part in (0, part) for part in parts)
    )


def dynamic_oracle(gold: Mapping[int, str], configuration: Configuration) -> list[Transition]:
    """Return all right transitions in a configuration that is not final, the preferred one first.

    They lose no constituent that is reachable, and make none that is not in the tree. A COMBINE
    with the latest set is preferred, then other ones, then SHIFT: the static oracle on the way to
    the tree. Two sets can be combined without a loss if every reachable constituent has both or
    neither. SHIFT loses the reachable constituents that end with the focus.

    There are two changes to the paper. At a structure step the focus has had its label step, so it
    is not reachable any more: as printed, the oracle has no transition where a focus that is a
    constituent ends together with its mother. And as printed, the oracle joins only parts of the
    constituent that is due next, so it contradicts the static oracle, which joins parts of a later
    one as well (as in the paper's table 2); this one has all transitions without a loss.

    >>> gold = {0b1010: "VP", 0b1111: "ROOT"}
    >>> before = Configuration(length=4, memory=(0b1, 0b10, 0b100), focus=0b1000, next=4, steps=8)
    >>> print(*dynamic_oracle(gold, before))
    COMBINE-1
    """
    _, memory, focus, _, _, steps = configuration
    if steps % 2:
        return [LabelFocus(gold[focus]) if focus in gold else NoLabel()]
    left = reachable(gold, configuration)
    found: list[Transition] = [
        CombineSets(leftmost(part))
        for part in reversed(memory)
        if all(bool(tokens & part) == bool(tokens & focus) for tokens in left)
    ]
    return found + [Shift()] * (left[0].bit_length() > focus.bit_length())


def cost(gold: Mapping[int, str], configuration: Configuration, transition: Transition) -> int:
    """Return how many constituents of a tree a legal transition loses; wrong ones do not count.

    >>> gold = {0b1010: "VP", 0b1111: "ROOT"}
    >>> before = Configuration(length=4, memory=(0b1, 0b10, 0b100), focus=0b1000, next=4, steps=8)
    >>> cost(gold, before, CombineSets(0)), cost(gold, before, CombineSets(1))
    (1, 0)
    """
    after = apply(configuration, transition)
    return attainable(gold, configuration) - attainable(gold, after)


def attainable(gold: Mapping[int, str], configuration: Configuration) -> int:
    """Return the number of constituents of a tree that are made already or still reachable."""
    made = gold.items() & set(configuration.constituents)
    return len(made) + len(reachable(gold, configuration))
