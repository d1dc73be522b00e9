"""Configurations without labels, quick enough for the search and for learning.

An option is the set that a structure step adds to the sets of the parser: that of the next token,
for SHIFT, or a set of the memory, for COMBINE.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plcfrs.trees.spans import leftmost

# A structure step is this, or the first token of the set that is combined with the focus.
SHIFT = -1


class State(NamedTuple):
    """A configuration at a structure step; its parts are those of `Configuration`."""

    memory: tuple[int, ...] = ()
    focus: int = 0
    next: int = 0

    def options(self, length: int) -> tuple[int, ...]:
        """Return the options in a sentence of this length, in the order of `Example`."""
        return (1 << self.next, *self.memory) if self.next < length else self.memory

    def after(self, option: int) -> State:
        """Return the state after a structure step."""
        memory, focus, following = self
        if option > focus:  # only the next token is right of the focus
            return State((*memory, focus) if focus else memory, option, following + 1)
        rest = tuple([part for part in memory if part != option])
        return State(rest, focus | option, following)

    def step(self, option: int) -> int:
        """Return the structure step of an option."""
        return SHIFT if option > self.focus else leftmost(option)

    def option(self, step: int) -> int:
        """Return the option of a structure step, the inverse of `step`."""
        if step == SHIFT:
            return 1 << self.next
        return next(part for part in self.memory if part & -part == 1 << step)

    def right_option(self, reachable: Sequence[int]) -> int:
        """Return the option that the dynamic oracle prefers, given the sets from `narrowed`."""
        mother = _mother(self.focus, reachable)
        for part in reversed(self.memory):
            if part & mother and _mother(part, reachable) == mother:
                return part
        return 1 << self.next


def _mother(part: int, reachable: Sequence[int]) -> int:
    """Return the smallest set that has all of a part; no set has only some of it."""
    for tokens in reachable:
        if tokens & part:
            return tokens
    return 0


def narrowed(reachable: Sequence[int], focus: int) -> list[int]:
    """Return which sets are still reachable after a structure step and its label step.

    Before the first step these are all sets of the tree, sorted. Only the new focus can break any.
    """
    return [tokens for tokens in reachable if tokens > focus and tokens & focus in (0, focus)]
