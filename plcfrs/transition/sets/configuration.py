"""The set-based transition system of Coavoux and Cohen (2019), section 3.

The parser has a memory of sets of tokens instead of a stack. The newest set, the focus, can be
combined with any set of the memory, so discontinuous constituents need no extra transitions.
A structure step (SHIFT or COMBINE) and a label step (LABEL or NO-LABEL) take turns; a sentence of n
tokens has 2n - 1 of each.

Sets are ints: bit *i* stands for token *i*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees.spans import leftmost


@dataclass(frozen=True, slots=True)
class Shift:
    """Make the next token the focus; the focus before goes to the memory."""

    def __str__(self) -> str:
        return "SHIFT"


@dataclass(frozen=True, slots=True)
class Combine:
    """Put a set of the memory, named by its first token, into the focus."""

    left: int

    def __str__(self) -> str:
        return f"COMBINE-{self.left}"


@dataclass(frozen=True, slots=True)
class Label:
    """Make the focus a constituent; the label is that of a chain (see `render_chain`)."""

    category: str

    def __str__(self) -> str:
        return f"LABEL-{self.category}"


@dataclass(frozen=True, slots=True)
class NoLabel:
    """Leave the focus as it is: it is no constituent."""

    def __str__(self) -> str:
        return "NO-LABEL"


Structure = Shift | Combine
Transition = Structure | Label | NoLabel


class Configuration(NamedTuple):
    """A configuration: disjoint sets in the memory, the focus, and the labelled sets.

    The memory is in the order in which sets entered, which is also that of their last tokens. The
    focus ends in the last token shifted; 0 stands for none. If the number of steps is even, the
    next one is a structure step.
    """

    length: int
    memory: tuple[int, ...] = ()
    focus: int = 0
    next: int = 0
    constituents: tuple[tuple[int, str], ...] = ()
    steps: int = 0

    @property
    def is_final(self) -> bool:
        """Whether the tree is complete."""
        return self.steps == max(0, 4 * self.length - 2)

    @property
    def is_full(self) -> bool:
        """Whether the focus has all tokens."""
        return self.next == self.length and not self.memory


def start(length: int) -> Configuration:
    """Return the configuration before a sentence of this length is read."""
    return Configuration(length)


def structure_transitions(configuration: Configuration) -> list[Structure]:
    """Return the transitions that can be next at a structure step.

    SHIFT comes first, then COMBINE with the sets of the memory in the order of the memory.

    >>> before = Configuration(length=4, memory=(0b101, 0b10), focus=0b1000, next=4, steps=10)
    >>> [str(transition) for transition in structure_transitions(before)]
    ['COMBINE-0', 'COMBINE-1']
    """
    found: list[Structure] = [Shift()] if configuration.next < configuration.length else []
    return found + [Combine(leftmost(part)) for part in configuration.memory]


def legal(configuration: Configuration, transition: Transition) -> bool:
    """Return whether a transition can be next. A tree can be completed after any that can."""
    if configuration.steps % 2 == 0:
        return transition in structure_transitions(configuration)
    if isinstance(transition, NoLabel):
        return not configuration.is_full
    return isinstance(transition, Label)


def apply(configuration: Configuration, transition: Transition) -> Configuration:
    """Return the configuration after a transition; raise an InputError if it is not legal.

    >>> after = start(2)
    >>> for transition in (Shift(), NoLabel(), Shift(), Label("NP"), Combine(0), Label("ROOT")):
    ...     after = apply(after, transition)
    >>> after.constituents, after.is_final
    (((2, 'NP'), (3, 'ROOT')), True)
    """
    if not legal(configuration, transition):
        number = configuration.steps + 1
        raise InputError(f"transition {number}, {transition}, is not legal here")
    length, memory, focus, following, constituents, steps = configuration
    match transition:
        case Shift():
            memory = (*memory, focus) if focus else memory
            focus, following = 1 << following, following + 1
        case Combine(left):
            other = next(part for part in memory if leftmost(part) == left)
            memory = tuple(part for part in memory if part != other)
            focus |= other
        case Label(category):
            constituents = (*constituents, (focus, category))
    return Configuration(length, memory, focus, following, constituents, steps + 1)


def run(transitions: Iterable[Transition], length: int) -> list[Configuration]:
    """Return the first configuration and those after each transition; all must be legal."""
    return list(accumulate(transitions, apply, initial=start(length)))
