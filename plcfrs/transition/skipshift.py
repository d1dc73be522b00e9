"""SKIPSHIFT (Maier and Lichte 2016, section 3.3): a shift takes any token of the queue."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.transition.stack_and_queue import QueueConfiguration, QueueSystem
from plcfrs.transition.system import Length, counts_of
from plcfrs.transition.templates import QUEUE_TEMPLATES
from plcfrs.transition.transitions import Kind, Transition


class SkipShift(QueueSystem):
    """SKIPSHIFT-i, which shifts the i-th token of the queue, counted from 0."""

    name = "skipshift"
    title = "SKIPSHIFT (Maier and Lichte 2016)"
    templates = QUEUE_TEMPLATES
    always = (Transition(Kind.SKIPSHIFT, count=0), *QueueSystem.always)

    @classmethod
    def lengths(cls, derivation: Sequence[Transition]) -> dict[str, Length]:
        """Return the length of the derivation, with its skips."""
        counts = counts_of(derivation)
        found = Length(len(derivation) - 1, len(counts), max(counts, default=0), "2n - 1")
        return {"SKIPSHIFT": found}

    def apply(
        self, configuration: QueueConfiguration, transition: Transition
    ) -> QueueConfiguration:
        """Return the configuration after a transition."""
        if transition.kind != Kind.SKIPSHIFT:
            return super().apply(configuration, transition)
        stack, queue, skipped = configuration.stack, configuration.queue, transition.count
        rest = queue[:skipped] + queue[skipped + 1 :]
        return QueueConfiguration((*stack, queue[skipped]), rest, transition)

    def shift(self, skipped: int) -> list[Transition]:
        """Return the one transition that skips these tokens."""
        return [Transition(Kind.SKIPSHIFT, count=skipped)]

    def _is_possible(self, configuration: QueueConfiguration, transition: Transition) -> bool:
        if transition.kind == Kind.SKIPSHIFT:
            return transition.count < len(configuration.queue)
        return super()._is_possible(configuration, transition)
