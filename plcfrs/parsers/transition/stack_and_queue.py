"""SR-SWAP and SKIPSHIFT: a stack and a queue, and tokens in an order that makes trees continuous.

See Maier and Lichte (2016), section 2.1. The left child of a binary transition is the second
element of the stack, the right child the first. An intermediate constituent @X, from binarization,
can only become the head child of an X or of another @X.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from math import inf
from typing import ClassVar, NamedTuple

from plcfrs.grammar import Order
from plcfrs.parsers.transition.gap import QUEUE_TEMPLATES
from plcfrs.parsers.transition.system import (
    BINARY,
    DISTANCE,
    Child,
    Kind,
    Shown,
    System,
    Transition,
    check_order,
    combine,
    counts_of,
    first_tokens,
    is_intermediate,
    last_elements,
)
from plcfrs.parsing.registry import Length
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import on_copy
from plcfrs.trees.labels import is_axiom
from plcfrs.trees.tree import fan_out, gaps

_LEFT_LABELS = ("NP", "PP")


def reorder(tree: Tree, order: str = "left") -> list[int]:
    """Return the positions of the tokens in an order that makes the tree continuous.

    In each node, all tokens of one child come before all tokens of the other (Maier and Lichte
    2016, section 3.2). The order says where the right child comes first:

    ======  ===========================================================================
    left    nowhere
    right   everywhere
    rightd  in gap creators: continuous nodes with a discontinuous child
    dist2   in gap creators, if a child has a gap of at least 2 tokens (or 4, 8, ...)
    label   in gap creators that are neither NP nor PP
    ======  ===========================================================================

    The trees of the paper are binary. In a node with more children, either all are reversed or
    none. An example is "Darüber muss nachgedacht werden":

    >>> thought = Node("VP", children=[Node("VP", children=[0, 2]), 3])
    >>> tree = Tree(Node("S", children=[thought, 1]), [])
    >>> reorder(tree, "left"), reorder(tree, "rightd")
    ([0, 2, 3, 1], [1, 0, 2, 3])
    """
    check_order(order)
    spans = tree.yields()
    positions: list[int] = []
    stack: list[Node | int] = [tree.root]
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            positions.append(node)
        else:
            stack += node.children if _is_right(node, spans, order) else reversed(node.children)
    return positions


@on_copy
def reorder_tree(tree: Tree, order: str = "left") -> Tree:
    """Make a tree continuous by reordering its tokens; heads stay marked."""
    positions = reorder(tree, order)
    place = {old: new for new, old in enumerate(positions)}
    tree.tokens = [tree.tokens[old] for old in positions]
    for edge in tree.secondary_edges:
        edge.child = place[edge.child] if isinstance(edge.child, int) else edge.child
    heads: dict[Node, Node | int] = {}
    for node in tree.nodes():
        node.children = [
            place[child] if isinstance(child, int) else child for child in node.children
        ]
        if node.head is not None:
            heads[node] = node.children[node.head]
    tree.sort_children(heads)
    return tree


def _is_right(node: Node, spans: dict[Node, int], order: str) -> bool:
    """Return whether the children come from right to left."""
    if order in ("left", "right"):
        return order == "right"
    gaps_of_children = [gap for child in node.nodes for gap in gaps(spans[child])]
    if fan_out(spans[node]) > 1 or not gaps_of_children:
        return False
    if order == "label":
        return (node.label, *node.chain)[-1].category not in _LEFT_LABELS
    distance = DISTANCE.fullmatch(order)
    if distance is None:
        return True
    return max(right - left for left, right in gaps_of_children) >= int(distance[1])


class QueueConfiguration(NamedTuple):
    """The stack (the top at the end), the other tokens in order, and the tree once it is done."""

    stack: tuple[Child, ...]
    queue: tuple[int, ...]
    last: Transition | None = None
    result: Node | None = None


class QueueSystem(System[QueueConfiguration]):
    """A system with a stack and a queue; its oracle shifts tokens in an order of `reorder`.

    A head gets its siblings on the right first. In the order left, its siblings on the left are
    then already on the stack. So only a BINR is legal after a BINR to an intermediate constituent
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
        """Return whether the transition is possible and its result can become a tree."""
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
        """Return the number of tokens that can go back to the queue."""
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
    """Return how many queue tokens a stack needs to become a tree; inf if it cannot become one.

    An intermediate constituent needs a whole one next to it, from the queue if there is none below.
    At the bottom of the stack, or with only one constituent below, it needs another token: when it
    is whole, it must not be alone, because it is not the axiom. A part of the axiom needs
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
    """Return whether the non-head is whole, and the head is whole or a part of the result."""
    head, other = (left, right) if transition.kind == Kind.BINL else (right, left)
    if is_intermediate(other):
        return False
    return not (isinstance(head, Node) and head.intermediate) or head.category == transition.label


class Swap(QueueSystem):
    """SR-SWAP (Maier 2015), with compound swaps, which move shifted tokens back to the queue.

    Two constraints are not in the paper: a swap follows a shift, and it moves bare tokens below the
    top that are in the order of the sentence. So the queue stays in order, and two tokens are
    swapped at most once. In the order left, the oracle is the oracle of the paper: the next token
    is the leftmost one of the right sister of the top of the stack.
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
        """Return how many tokens below a token that was just shifted are in order."""
        stack, _, last, _ = configuration
        if last is None or last.kind != Kind.SHIFT:
            return 0
        pairs = pairwise(reversed(stack))
        in_order = takewhile(lambda pair: _are_in_order(pair[1], pair[0]), pairs)
        return len(list(in_order))


def _are_in_order(left: Child, right: Child) -> bool:
    return isinstance(left, int) and isinstance(right, int) and left < right


class SkipShift(QueueSystem):
    """SKIPSHIFT (Maier and Lichte 2016, section 3.3): a shift takes any token of the queue.

    SKIPSHIFT-i shifts the i-th token, counted from 0.
    """

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
        """Return the transition that skips these tokens."""
        return [Transition(Kind.SKIPSHIFT, count=skipped)]

    def _is_possible(self, configuration: QueueConfiguration, transition: Transition) -> bool:
        if transition.kind == Kind.SKIPSHIFT:
            return transition.count < len(configuration.queue)
        return super()._is_possible(configuration, transition)
