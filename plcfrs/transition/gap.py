"""SR-GAP (Coavoux and Crabbé 2017): a stack with a split point that gap transitions move down.

So the top can be reduced with any constituent below it. The names are those of figure 3: the stack
*S*, the deque *D* (the elements above the split point), the buffer *B*, and their first elements
s0, d0 and b0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple

from plcfrs.binarization import Order
from plcfrs.transition.system import (
    Child,
    Length,
    Shown,
    System,
    combine,
    first_tokens,
    is_intermediate,
    last_elements,
)
from plcfrs.transition.templates import GAP_TEMPLATES
from plcfrs.transition.transitions import BINARY, Kind, Transition
from plcfrs.trees import Node
from plcfrs.trees.labels import is_axiom


class GapConfiguration(NamedTuple):
    """The stack and the deque (the top at the end), the tokens to come, and the last kind."""

    stack: tuple[Child, ...]
    deque: tuple[Child, ...]
    buffer: range
    last: Kind | None = None


class Gap(System[GapConfiguration]):
    """SR-GAP, with the constraints of table 7.

    As in table 1 of the paper, a head gets its siblings on the left first.
    """

    name = "gap"
    title = "SR-GAP (Coavoux and Crabbé 2017)"
    templates = GAP_TEMPLATES
    is_split = True
    binarization: ClassVar[Order] = "head-outward"
    left, right, unary = Kind.REDUCE_LEFT, Kind.REDUCE_RIGHT, Kind.REDUCE_UNARY
    always = tuple(map(Transition, (Kind.SHIFT, Kind.GAP, Kind.IDLE)))

    @classmethod
    def lengths(cls, derivation: Sequence[Transition]) -> dict[str, Length]:
        """Return the length of the derivation, with its gaps and the most gaps in a row."""
        runs = [
            len(list(run))
            for is_gap, run in groupby(derivation, lambda each: each.kind == Kind.GAP)
            if is_gap
        ]
        found = Length(len(derivation), sum(runs), max(runs, default=0), "(n² + n)/2")
        return {"SR-GAP": found}

    def show(self, configuration: GapConfiguration, words: Sequence[str]) -> Shown:
        """Return the stack, the deque and the buffer as text, and the top of the deque."""
        stack, deque, buffer, _ = configuration
        parts = {"stack": last_elements(stack, words), "deque": last_elements(deque, words)}
        parts["buffer"] = first_tokens(buffer, words)
        return Shown(parts, deque[-1] if deque else None)

    def initial(self, length: int) -> GapConfiguration:
        """Return the configuration with all tokens in the buffer."""
        return GapConfiguration((), (), range(length))

    def legal(self, configuration: GapConfiguration, transition: Transition) -> bool:
        """Return whether the constraints of table 7 hold."""
        stack, deque, buffer, last = configuration
        match transition.kind:
            case Kind.SHIFT:
                return len(buffer) > 0 and last != Kind.GAP and not self.is_final(configuration)
            case Kind.REDUCE_UNARY:
                is_only = not buffer and not stack
                return last == Kind.SHIFT and is_axiom(transition.label) == is_only
            case Kind.GAP:
                # A temporary symbol needs a partner that is not temporary.
                return len(stack) > 1 and not all(map(is_intermediate, stack[:-1] + deque[-1:]))
            case Kind.REDUCE_LEFT | Kind.REDUCE_RIGHT:
                return can_reduce(configuration, transition)
            case Kind.IDLE:
                return self.is_final(configuration)
        return False

    def apply(self, configuration: GapConfiguration, transition: Transition) -> GapConfiguration:
        """Return the configuration after a transition (figure 3)."""
        stack, deque, buffer, _ = configuration
        kind = transition.kind
        if kind == Kind.SHIFT:
            return GapConfiguration(stack + deque, (buffer[0],), buffer[1:], kind)
        if kind == Kind.GAP:
            return GapConfiguration(stack[:-1], (stack[-1], *deque), buffer, kind)
        if kind == Kind.REDUCE_UNARY:
            node = Node(transition.label, children=[deque[-1]], head=0)
            return GapConfiguration(stack, (node,), buffer, kind)
        if kind in BINARY:
            node = combine(stack[-1], deque[-1], transition)
            return GapConfiguration(stack[:-1] + deque[:-1], (node,), buffer, kind)
        return configuration

    def root(self, configuration: GapConfiguration) -> Node | None:
        """Return the axiom if nothing else is left."""
        stack, deque, buffer, _ = configuration
        if stack or buffer or len(deque) != 1:
            return None
        root = deque[0]
        is_root = isinstance(root, Node) and not root.intermediate and is_axiom(root.category)
        return root if isinstance(root, Node) and is_root else None


def can_reduce(configuration: GapConfiguration, transition: Transition) -> bool:
    """Return whether the constraints of table 7 on binary reductions hold."""
    stack, deque, buffer, _ = configuration
    if not stack:
        return False
    others = stack[:-1] + deque[:-1]
    if transition.intermediate:
        if not buffer and all(map(is_intermediate, others)):
            return False
    elif is_axiom(transition.label) != (not buffer and not others):
        return False
    is_left = transition.kind == Kind.REDUCE_LEFT
    return not is_intermediate(deque[-1] if is_left else stack[-1])
