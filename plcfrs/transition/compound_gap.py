"""SR-CGAP (Coavoux and Crabbé 2017, section 2.4): the same number of transitions for every tree.

A shift is followed by a reduction, unary or ghost, and a binary reduction follows one compound gap
of 0 or more gaps: 4n - 2 transitions for n tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from plcfrs.transition.gap import Gap, GapConfiguration, can_reduce
from plcfrs.transition.system import Length, counts_of, is_intermediate
from plcfrs.transition.transitions import BINARY, Kind, Transition
from plcfrs.trees import Tree


class CompoundGap(Gap):
    """SR-CGAP; `largest` is the maximal number of gaps in a compound gap, as in training."""

    name = "cgap"
    title = "SR-CGAP, SR-GAP with compound gaps (Coavoux and Crabbé 2017)"
    always = (
        Transition(Kind.SHIFT),
        Transition(Kind.GHOST_REDUCE),
        Transition(Kind.COMPOUNDGAP, count=0),
    )

    def __init__(self, largest: float = inf) -> None:
        self.largest = largest

    @classmethod
    def lengths(cls, derivation: Sequence[Transition]) -> dict[str, Length]:
        """Return the length of the derivation, with its compound gaps."""
        counts = counts_of(derivation)
        found = Length(len(derivation), len(counts), max(counts, default=0), "4n - 2")
        return {"SR-CGAP": found}

    def inventory(self, derivations: Iterable[Iterable[Transition]]) -> list[Transition]:
        """Return the transitions of a parser, with compound gaps up to the largest one seen."""
        found = super().inventory(derivations)
        largest = max(transition.count for transition in found)
        gaps = {Transition(Kind.COMPOUNDGAP, count=count) for count in range(largest + 1)}
        return sorted(gaps.union(found), key=str)

    def can_complete(self, transitions: Iterable[Transition]) -> bool:
        """Return whether these transitions are enough to complete every sentence."""
        known = frozenset(transitions)
        gaps = {each.count for each in known if each.kind == Kind.COMPOUNDGAP}
        return gaps == set(range(len(gaps))) and super().can_complete(known)

    def legal(self, configuration: GapConfiguration, transition: Transition) -> bool:
        """Return whether the transition can come next, and the constraints of table 7 hold."""
        stack, deque, buffer, last = configuration
        kind = transition.kind
        if kind == Kind.REDUCE_UNARY or kind == Kind.IDLE:
            return super().legal(configuration, transition)
        if kind == Kind.GHOST_REDUCE:
            return last == Kind.SHIFT and bool(stack or buffer)
        if kind in BINARY:
            return last == Kind.COMPOUNDGAP and self._can_reduce(configuration, transition)
        if last in (Kind.SHIFT, Kind.COMPOUNDGAP):
            return False
        if kind == Kind.SHIFT:
            return len(buffer) > 0
        if kind == Kind.COMPOUNDGAP and transition.count <= self.largest:
            gaps = transition.count
            reachable = stack[len(stack) - 1 - gaps : len(stack) - gaps]
            return gaps < len(stack) and not all(map(is_intermediate, (deque[-1], *reachable)))
        return False

    def apply(self, configuration: GapConfiguration, transition: Transition) -> GapConfiguration:
        """Return the configuration after a transition."""
        stack, deque, buffer, _ = configuration
        if transition.kind == Kind.GHOST_REDUCE:
            return configuration._replace(last=Kind.GHOST_REDUCE)
        if transition.kind == Kind.COMPOUNDGAP:
            split = len(stack) - transition.count
            return GapConfiguration(stack[:split], stack[split:] + deque, buffer, Kind.COMPOUNDGAP)
        return super().apply(configuration, transition)

    def oracle(self, tree: Tree) -> list[Transition]:
        """Return the only derivation of a lexicalised tree, with any number of gaps."""
        found: list[Transition] = []
        gaps = 0
        for transition in super().oracle(tree):
            kind = transition.kind
            if found and found[-1].kind == Kind.SHIFT and kind != Kind.REDUCE_UNARY:
                found.append(Transition(Kind.GHOST_REDUCE))
            if kind == Kind.GAP:
                gaps += 1
                continue
            if kind in BINARY:
                found.append(Transition(Kind.COMPOUNDGAP, count=gaps))
                gaps = 0
            found.append(transition)
        return found

    def _can_reduce(self, configuration: GapConfiguration, transition: Transition) -> bool:
        stack, deque, buffer, _ = configuration
        if not can_reduce(configuration, transition):
            return False
        if not transition.intermediate or buffer:
            return True
        # Nothing will be shifted: a partner to reduce this symbol with must be in reach.
        others = reversed(stack[:-1] + deque[:-1])
        return any(
            not is_intermediate(other) and gaps <= self.largest for gaps, other in enumerate(others)
        )
