"""SR-GAP and SR-CGAP (Coavoux and Crabbé 2017): the stack has a split point, and gaps move it down.

The top can then be reduced with any constituent below it. The names come from figure 3: the stack
*S*, the deque *D* (the elements above the split point), the buffer *B*, and their first elements
s0, d0 and b0. The templates of all systems are here, too; `features` explains them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import inf
from typing import ClassVar, NamedTuple

from plcfrs.grammar import Order
from plcfrs.parsers.transition.system import (
    BINARY,
    Child,
    Kind,
    Shown,
    System,
    Transition,
    combine,
    counts_of,
    first_tokens,
    is_intermediate,
    last_elements,
)
from plcfrs.parsing.registry import Length
from plcfrs.trees import Node, Tree
from plcfrs.trees.labels import is_axiom

# Coavoux and Crabbé (2017), table 2.
GAP_TEMPLATES = {
    "baseline": """
        q0tw q1tw q2tw q3tw d0tc d0wc s0tc s0wc s1tc s1wc s2tc s2wc s0lwc s0rwc d0lwc d0rwc
        s0wd0w s0wd0c s0cd0w s0cd0c q0wd0w q0td0w q0wd0c q0td0c q0ws0w q0ts0w q0ws0c q0ts0c
        q0wq1w q0wq1t q0tq1w q0tq1t s0cs1wd0c s0cs1cd0c q0ws0cd0c q0ts0cd0c q0ws0wd0c q0ts0wd0c
        s0cs1cd0w q0ts0cd0w
    """,
    "extended": """
        s3tc s3wc s1lwc s1rwc d1tc d1wc d2tc d2wc s2cs0cs1cd0c s0cd1cd0c s0cd1cs1cd0c
    """,
    "spans": """
        d0cw_lw_r s0cw_lw_r d0cw_ls0w_r d0cw_rs0w_l d0w_lw_rq0w d0w_lw_rq1w d0cw_rs0w_lo
        d0ct_lw_r d0cw_lt_r d0ct_lt_r s0ct_lw_r s0cw_lt_r s0ct_lt_r
        d0ct_ls0w_r d0cw_ls0t_r d0ct_ls0t_r d0ct_rs0w_l d0cw_rs0t_l d0ct_rs0t_l
        d0w_lw_rq0t d0w_lw_rq1t d0cw_lo d0ct_lo s0cw_ro s0ct_ro
    """,
}

# Maier and Lichte (2016), appendix A.
QUEUE_TEMPLATES = {
    "baseline": """
        s0tc s0wc s1tc s1wc s2tc s2wc s3tc s3wc q0wt q1wt q2wt q3wt
        s0lwc s0rwc s0uwc s1lwc s1rwc s1uwc
        s0ws1w s0ws1c s0cs1w s0cs1c s0wq0w s0wq0t s0cq0w s0cq0t s1wq0w s1wq0t s1cq0w s1cq0t
        q0wq1w q0wq1t q0tq1w q0tq1t
        s0cs1cs2w s0cs1cs2c s0cs1cq0w s0cs1cq0t s0cs1wq0w s0cs1wq0t s0ws1cs2c s0ws1cq0t
    """,
    "extended": """
        s0llwc s0lrwc s0luwc s0rlwc s0rrwc s0ruwc s0ulwc s0urwc s0uuwc
        s1llwc s1lrwc s1luwc s1rlwc s1rrwc s1ruwc
    """,
    "disco": """
        s0xwc s1xwc s2xwc s3xwc s0xtc s1xtc s2xtc s3xtc s0xy s1xy s2xy s3xy
        s0xs1c s0xs1w s0xs1x s0ws1x s0cs1x s0xs2c s0xs2w s0xs2x s0ws2x s0cs2x
        s0ys1y s0ys2y s0xq0t s0xq0w
    """,
    # Not in the paper: the spans of SR-GAP, for the two elements to reduce.
    "spans": """
        s0cw_lw_r s1cw_lw_r s0cw_ls1w_r s0cw_rs1w_l s0w_lw_rq0w s0w_lw_rq1w s0cw_rs1w_lo
        s0ct_lw_r s0cw_lt_r s0ct_lt_r s1ct_lw_r s1cw_lt_r s1ct_lt_r
        s0ct_ls1w_r s0cw_ls1t_r s0ct_ls1t_r s0ct_rs1w_l s0cw_rs1t_l s0ct_rs1t_l
        s0w_lw_rq0t s0w_lw_rq1t s0cw_lo s0ct_lo s1cw_ro s1ct_ro
    """,
    # Not in the paper: the tokens that SKIPSHIFT-1 to 6 shift, and the token after the top.
    "skips": """
        s0cq1t s0cq2t s0cq3t s0cq4t s0cq5t s0cq6t
        q0tq2w q0tq3w q0tq4w q0tq5w q0tq6w
        s0cq0tq1t s0cq0tq2t s0cq0tq3t s0cq0tq4t s0cq0tq5t s0cq0tq6t
        s0cn0i s0cn0tn0i s0cn0wn0i s0cs1cn0i s0wn0tn0i n0tn1tn0i q0tn0tn0i s0cq0tn0tn0i
    """,
    "full-queue": "q*wt",
}


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
        longest = max(runs, default=0)
        return {"SR-GAP": Length(len(derivation), sum(runs), longest, "(n² + n)/2")}

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
        """Return the axiom if it is alone."""
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


class CompoundGap(Gap):
    """SR-CGAP (section 2.4): every tree of n tokens has 4n - 2 transitions.

    A unary or ghost reduction follows each shift. A compound gap of 0 to `largest` gaps precedes
    each binary reduction; `largest` is the most seen in training.
    """

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
        return {"SR-CGAP": Length(len(derivation), len(counts), max(counts, default=0), "4n - 2")}

    def inventory(self, derivations: Iterable[Iterable[Transition]]) -> list[Transition]:
        """Return the transitions of a parser, with compound gaps up to the largest one seen."""
        transitions = super().inventory(derivations)
        largest = max(transition.count for transition in transitions)
        gaps = {Transition(Kind.COMPOUNDGAP, count=count) for count in range(largest + 1)}
        return sorted(gaps.union(transitions), key=str)

    def can_complete(self, transitions: Iterable[Transition]) -> bool:
        """Return whether these transitions are enough to complete every sentence."""
        known = frozenset(transitions)
        gaps = {each.count for each in known if each.kind == Kind.COMPOUNDGAP}
        return gaps == set(range(len(gaps))) and super().can_complete(known)

    def legal(self, configuration: GapConfiguration, transition: Transition) -> bool:
        """Return whether the transition can come next and keeps the constraints of table 7."""
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
        """Return the only derivation of a tree with heads, with any number of gaps."""
        derivation: list[Transition] = []
        gaps = 0
        for transition in super().oracle(tree):
            kind = transition.kind
            if derivation and derivation[-1].kind == Kind.SHIFT and kind != Kind.REDUCE_UNARY:
                derivation.append(Transition(Kind.GHOST_REDUCE))
            if kind == Kind.GAP:
                gaps += 1
                continue
            if kind in BINARY:
                derivation.append(Transition(Kind.COMPOUNDGAP, count=gaps))
                gaps = 0
            derivation.append(transition)
        return derivation

    def _can_reduce(self, configuration: GapConfiguration, transition: Transition) -> bool:
        stack, deque, buffer, _ = configuration
        if not can_reduce(configuration, transition):
            return False
        if not transition.intermediate or buffer:
            return True
        # The buffer is empty: the symbol needs a partner in reach.
        others = reversed(stack[:-1] + deque[:-1])
        return any(
            not is_intermediate(other) and gaps <= self.largest for gaps, other in enumerate(others)
        )
