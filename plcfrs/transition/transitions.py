"""Transitions, the steps of a parser, and their text form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from plcfrs.errors import InputError


class Kind(Enum):
    """The kinds of transitions of all systems, as the papers write them."""

    SHIFT = "SHIFT"
    SKIPSHIFT = "SKIPSHIFT"
    SWAP = "SWAP"
    GAP = "GAP"
    COMPOUNDGAP = "COMPOUNDGAP"
    REDUCE_LEFT = "REDUCE-LEFT"
    REDUCE_RIGHT = "REDUCE-RIGHT"
    REDUCE_UNARY = "REDUCE-UNARY"
    GHOST_REDUCE = "GHOST-REDUCE"
    BINL = "BINL"
    BINR = "BINR"
    UNARY = "UNARY"
    FINISH = "FINISH"
    IDLE = "IDLE"


COUNTED = frozenset({Kind.SKIPSHIFT, Kind.SWAP, Kind.COMPOUNDGAP})
BINARY = frozenset({Kind.REDUCE_LEFT, Kind.REDUCE_RIGHT, Kind.BINL, Kind.BINR})
UNARY = frozenset({Kind.REDUCE_UNARY, Kind.UNARY})
HEAD_LEFT = frozenset({Kind.REDUCE_LEFT, Kind.BINL})


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of a parser, with the label of a reduction, or the count of tokens or gaps at once.

    The label of an intermediate constituent is written with ``@``.

    >>> print(Transition(Kind.BINR, "VP", intermediate=True), Transition(Kind.SWAP, count=2))
    BINR-@VP SWAP-2
    """

    kind: Kind
    label: str = ""
    intermediate: bool = False
    count: int = 0

    def __str__(self) -> str:
        if self.kind in COUNTED:
            return f"{self.kind.value}-{self.count}"
        if self.label:
            return f"{self.kind.value}-{'@' * self.intermediate}{self.label}"
        return self.kind.value

    def stored(self) -> str:
        """Return the text form, see `plcfrs.storage.codec`."""
        return str(self)

    @staticmethod
    def restored(text: str) -> Transition:
        """Return the transition with a text form."""
        return parse_transition(text)


def parse_transition(text: str) -> Transition:
    """Return the transition with this text form, or raise an InputError if there is none.

    >>> parse_transition("REDUCE-LEFT-@S")
    Transition(kind=<Kind.REDUCE_LEFT: 'REDUCE-LEFT'>, label='S', intermediate=True, count=0)
    """
    for kind in Kind:
        rest = text.removeprefix(f"{kind.value}-")
        if kind in COUNTED and rest != text and rest.isascii() and rest.isdigit():
            return Transition(kind, count=int(rest))
        if kind in BINARY | UNARY and rest != text and rest.lstrip("@"):
            return Transition(kind, rest.removeprefix("@"), rest.startswith("@"))
        if kind not in COUNTED | BINARY | UNARY and text == kind.value:
            return Transition(kind)
    raise InputError(f"{text!r} is not a transition such as SHIFT, BINL-NP or SWAP-2")
