"""What SR-SWAP and SKIPSHIFT share: a stack, a queue, and a test whether they can become a tree.

See Maier and Lichte (2016), section 2.1. The left child of a binary transition is the second
element of the stack, the right child the first. An intermediate constituent @X, from binarization,
can only become the head child of an X or of another @X.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import ClassVar, NamedTuple

from plcfrs.binarization import Order
from plcfrs.transition.reordering import check_order, reorder
from plcfrs.transition.system import (
    Child,
    Shown,
    System,
    combine,
    first_tokens,
    is_intermediate,
    last_elements,
)
from plcfrs.transition.transitions import BINARY, Kind, Transition
from plcfrs.trees import Node, Tree
from plcfrs.trees.labels import is_axiom


class QueueConfiguration(NamedTuple):
    """The stack (the top at the end), the other tokens in order, and the tree once it is done."""

    stack: tuple[Child, ...]
    queue: tuple[int, ...]
    last: Transition | None = None
    result: Node | None = None


class QueueSystem(System[QueueConfiguration]):
    """A system with a stack and a queue; its oracle shifts tokens in an order of `reorder`.

    A head gets its siblings on the right first. In the order left, its siblings on the left have
    been shifted by then, so after a BINR to an intermediate constituent only another BINR is legal
    (Maier and Lichte 2016, section 3.3).
    """

    reorders = True
    left_out = ("full-queue",)
    binarization: ClassVar[Order] = "head-outward-right"
    left, right, unary = Kind.BINL, Kind.BINR, Kind.UNARY
    always = tuple(map(Transition, (Kind.FINISH, Kind.IDLE)))

    def __init__(self, order: str = "left") -> None:
        self.order = check_order(order)

    def show(self, configuration: QueueConfiguration, words: Sequence[str]) -> Shown:
        """Return the stack and the queue as text, and the top of the stack."""
        stack, queue, _, result = configuration
        if result is not None:
            stack = (result,)
        parts = {"stack": last_elements(stack, words), "queue": first_tokens(queue, words)}
        return Shown(parts, stack[-1] if stack else None)

    def initial(self, length: int) -> QueueConfiguration:
        """Return the configuration with all tokens in the queue."""
        return QueueConfiguration((), tuple(range(length)))

    def root(self, configuration: QueueConfiguration) -> Node | None:
        """Return the tree once it is finished."""
        return configuration.result

    def legal(self, configuration: QueueConfiguration, transition: Transition) -> bool:
        """Return whether the transition is possible and its result can be completed."""
        if configuration.result is not None or transition.kind == Kind.IDLE:
            return configuration.result is not None and transition.kind == Kind.IDLE
        if self._must_get_left_sibling(configuration.last) and transition.kind != Kind.BINR:
            return False
        if not self._is_possible(configuration, transition):
            return False
        after = self.apply(configuration, transition)
        return after.result is not None or self._can_be_completed(after)

    def apply(
        self, configuration: QueueConfiguration, transition: Transition
    ) -> QueueConfiguration:
        """Return the configuration after a transition."""
        if transition.kind == Kind.IDLE:
            return configuration
        *below, top = configuration.stack
        queue = configuration.queue
        if transition.kind in BINARY:
            node = combine(below.pop(), top, transition)
            return QueueConfiguration((*below, node), queue, transition)
        if transition.kind == Kind.UNARY:
            node = Node(transition.label, children=[top], head=0)
            return QueueConfiguration((*below, node), queue, transition)
        result = top if isinstance(top, Node) else None  # FINISH
        return QueueConfiguration((), queue, transition, result)

    def oracle(self, tree: Tree) -> list[Transition]:
        """Return the derivation of a tree that shifts its tokens in the order of this system."""
        return [*super().oracle(tree), Transition(Kind.FINISH)]

    def token_order(self, tree: Tree) -> Sequence[int]:
        """Return the tokens in an order that makes the tree continuous."""
        return reorder(tree, self.order)

    def _swappable(self, configuration: QueueConfiguration) -> int:  # noqa: ARG002
        """Return how many tokens can go back to the queue."""
        return 0

    def _is_possible(self, configuration: QueueConfiguration, transition: Transition) -> bool:
        """Return whether the stack and the queue allow the transition."""
        stack, queue = configuration.stack, configuration.queue
        axiom_is_due = len(stack) + len(queue) == (2 if transition.kind in BINARY else 1)
        match transition.kind:
            case Kind.UNARY:
                is_token = len(stack) > 0 and isinstance(stack[-1], int)
                return is_token and is_axiom(transition.label) == axiom_is_due
            case Kind.BINL | Kind.BINR:
                if len(stack) < 2 or not _fit(stack[-2], stack[-1], transition):
                    return False
                return transition.intermediate or is_axiom(transition.label) == axiom_is_due
            case Kind.FINISH:
                return axiom_is_due and len(stack) == 1 and isinstance(stack[0], Node)
        return False

    def _must_get_left_sibling(self, last: Transition | None) -> bool:
        is_part = last is not None and last.kind == Kind.BINR and last.intermediate
        return self.order == "left" and is_part

    def _can_be_completed(self, configuration: QueueConfiguration) -> bool:
        stack, queue, last, _ = configuration
        if not self._must_get_left_sibling(last):
            return tokens_needed(stack) <= len(queue) + self._swappable(configuration)
        # The next one is BINR: to a whole constituent, or else to the axiom.
        if len(stack) == 1 or is_intermediate(stack[-2]):
            return False
        label = stack[-1].category if isinstance(stack[-1], Node) else ""
        if is_axiom(label):
            return not queue and tokens_needed(stack) == 0
        return tokens_needed((*stack[:-2], Node(label))) <= len(queue)


def tokens_needed(stack: tuple[Child, ...]) -> float:
    """Return how many queue tokens are needed to make a tree from a stack; inf if it is impossible.

    An intermediate constituent needs a whole one next to it, from the queue if there is none below.
    At the bottom of the stack, or with only one constituent below, it needs another token: when it
    is whole, it must not be alone, because it is not the axiom. One that becomes the axiom needs
    everything: nothing below it can wait for a sibling.
    """
    parts = [is_intermediate(child) for child in stack]
    axioms = [
        place
        for place, child in enumerate(stack)
        if parts[place] and isinstance(child, Node) and is_axiom(child.category)
    ]
    if axioms and any(parts[: axioms[-1]]):
        return inf
    bottom = stack[0]
    if len(stack) == 1:
        return parts[0] + (isinstance(bottom, Node) and not is_axiom(bottom.category))
    if axioms:
        return axioms[-1] < len(stack) - 1 and parts[-1] and parts[-2]
    return (parts[-1] and (len(stack) == 2 or parts[-2])) + parts[0]


def _fit(left: Child, right: Child, transition: Transition) -> bool:
    """Return whether the non-head is whole, and the head whole or a part of the new constituent."""
    head, other = (left, right) if transition.kind == Kind.BINL else (right, left)
    if is_intermediate(other):
        return False
    return not (isinstance(head, Node) and head.intermediate) or head.category == transition.label
