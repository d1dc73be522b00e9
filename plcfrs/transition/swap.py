"""SR-SWAP (Maier 2015): tokens are shifted and swapped back to change their order.

The constraints are not in the paper: a swap follows a shift and moves bare tokens below the top, in
the order of the sentence. So the queue stays in order, and no two tokens are swapped twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import ClassVar

from plcfrs.transition.stack_and_queue import QueueConfiguration, QueueSystem
from plcfrs.transition.system import Child, Length, counts_of
from plcfrs.transition.templates import QUEUE_TEMPLATES
from plcfrs.transition.transitions import Kind, Transition


class Swap(QueueSystem):
    """SR-SWAP, with compound swaps.

    In the order left, the oracle is that of Maier (2015): the next token is the leftmost one of the
    right sister of the top of the stack.
    """

    name = "swap"
    title = "SR-SWAP (Maier 2015)"
    templates: ClassVar = {name: text for name, text in QUEUE_TEMPLATES.items() if name != "skips"}
    update = "max-violation"  # as in the paper
    always = (Transition(Kind.SHIFT), Transition(Kind.SWAP, count=1), *QueueSystem.always)

    @classmethod
    def lengths(cls, derivation: Sequence[Transition]) -> dict[str, Length]:
        """Return the length with single swaps, and with compound swaps."""
        counts = counts_of(derivation)
        whole, most = len(derivation) - 1, max(counts, default=0)
        single = whole - len(counts) + sum(counts)
        return {
            "SR-SWAP": Length(single, sum(counts), most, "n² - n + 1"),
            "SR-CSWAP": Length(whole, len(counts), most, ""),
        }

    def apply(
        self, configuration: QueueConfiguration, transition: Transition
    ) -> QueueConfiguration:
        """Return the configuration after a transition."""
        stack, queue = configuration.stack, configuration.queue
        if transition.kind == Kind.SHIFT:
            return QueueConfiguration((*stack, queue[0]), queue[1:], transition)
        if transition.kind == Kind.SWAP:
            first = len(stack) - 1 - transition.count
            back = tuple(child for child in stack[first:-1] if isinstance(child, int))
            return QueueConfiguration((*stack[:first], stack[-1]), back + queue, transition)
        return super().apply(configuration, transition)

    def shift(self, skipped: int) -> list[Transition]:
        """Return the shifts, and the swap that moves the skipped tokens back."""
        shifts = [Transition(Kind.SHIFT)] * (skipped + 1)
        return [*shifts, Transition(Kind.SWAP, count=skipped)] if skipped else shifts

    def _is_possible(self, configuration: QueueConfiguration, transition: Transition) -> bool:
        if transition.kind == Kind.SHIFT:
            return len(configuration.queue) > 0
        if transition.kind == Kind.SWAP:
            return 0 < transition.count <= self._swappable(configuration)
        return super()._is_possible(configuration, transition)

    def _swappable(self, configuration: QueueConfiguration) -> int:
        """Return how many tokens below a token just shifted are in order."""
        stack, _, last, _ = configuration
        if last is None or last.kind != Kind.SHIFT:
            return 0
        pairs = pairwise(reversed(stack))
        in_order = takewhile(lambda pair: _are_in_order(pair[1], pair[0]), pairs)
        return len(list(in_order))


def _are_in_order(left: Child, right: Child) -> bool:
    return isinstance(left, int) and isinstance(right, int) and left < right
