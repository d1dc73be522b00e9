"""The set-based transition system (Coavoux and Cohen 2019, section 3), and its trees.

The parser has a memory of sets of tokens instead of a stack. The newest set, the focus, can combine
with any of them, so discontinuous constituents need no extra transitions. Structure steps (SHIFT or
COMBINE) and label steps (LABEL or NO-LABEL) take turns; a sentence of n tokens has 2n - 1 of each.
Sets are ints: bit *i* stands for token *i*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from plcfrs.errors import InputError, TreebankError
from plcfrs.transformation.cleanup import collapse_chains
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.labels import ROOT, is_axiom, labels_of_chain, render_chain
from plcfrs.trees.tree import leftmost, nodes_of


@dataclass(frozen=True, slots=True)
class Shift:
    """Make the next token the focus; the old focus goes to the memory."""

    def __str__(self) -> str:
        return "SHIFT"


@dataclass(frozen=True, slots=True)
class CombineSets:
    """Move a set of the memory, named by its first token, into the focus."""

    left: int

    def __str__(self) -> str:
        return f"COMBINE-{self.left}"


@dataclass(frozen=True, slots=True)
class LabelFocus:
    """Make the focus a constituent with the label of a chain (see `render_chain`)."""

    category: str

    def __str__(self) -> str:
        return f"LABEL-{self.category}"


@dataclass(frozen=True, slots=True)
class NoLabel:
    """Leave the focus as it is: it is not a constituent."""

    def __str__(self) -> str:
        return "NO-LABEL"


Structure = Shift | CombineSets
Transition = Structure | LabelFocus | NoLabel


class Configuration(NamedTuple):
    """A configuration: disjoint sets in the memory, the focus, and the labelled sets.

    The first one has only a length. The memory lists sets as they entered, which is also the order
    of their last tokens. The focus ends in the last shifted token; 0 stands for none. After an even
    number of steps, the next one is a structure step.
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


def structure_transitions(configuration: Configuration) -> list[Structure]:
    """Return the transitions that are possible at a structure step.

    SHIFT comes first, then COMBINE with each set of the memory in order.

    >>> before = Configuration(length=4, memory=(0b101, 0b10), focus=0b1000, next=4, steps=10)
    >>> [str(transition) for transition in structure_transitions(before)]
    ['COMBINE-0', 'COMBINE-1']
    """
    shift: list[Structure] = [Shift()] if configuration.next < configuration.length else []
    return shift + [CombineSets(leftmost(part)) for part in configuration.memory]


def legal(configuration: Configuration, transition: Transition) -> bool:
    """Return whether a transition is possible. After a legal one, a tree can be completed."""
    if configuration.steps % 2 == 0:
        return transition in structure_transitions(configuration)
    if isinstance(transition, NoLabel):
        return not configuration.is_full
    return isinstance(transition, LabelFocus)


def apply(configuration: Configuration, transition: Transition) -> Configuration:
    """Return the configuration after a transition; raise an InputError if it is not legal.

    >>> after = Configuration(2)
    >>> both = CombineSets(0)
    >>> for transition in (Shift(), NoLabel(), Shift(), LabelFocus("NP"), both, LabelFocus("ROOT")):
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
        case CombineSets(left):
            combined = next(part for part in memory if leftmost(part) == left)
            memory = tuple(part for part in memory if part != combined)
            focus |= combined
        case LabelFocus(category):
            constituents = (*constituents, (focus, category))
    return Configuration(length, memory, focus, following, constituents, steps + 1)


def run(transitions: Iterable[Transition], length: int) -> list[Configuration]:
    """Return the first configuration and the one after each transition; all must be legal."""
    return list(accumulate(transitions, apply, initial=Configuration(length)))


# A structure step is this, or the first token of the set to combine with the focus.
SHIFT = -1


class SetState(NamedTuple):
    """A configuration without labels at a structure step, fast enough for search and learning.

    An option is the set that a structure step uses: the next token for SHIFT, or a set of the
    memory for COMBINE.
    """

    memory: tuple[int, ...] = ()
    focus: int = 0
    next: int = 0

    def options(self, length: int) -> tuple[int, ...]:
        """Return the options in a sentence of this length; the option of SHIFT comes first."""
        return (1 << self.next, *self.memory) if self.next < length else self.memory

    def after(self, option: int) -> SetState:
        """Return the state after a structure step."""
        memory, focus, following = self
        if option > focus:  # only the next token is to the right of the focus
            return SetState((*memory, focus) if focus else memory, option, following + 1)
        rest = tuple([part for part in memory if part != option])
        return SetState(rest, focus | option, following)

    def step(self, option: int) -> int:
        """Return the structure step of an option."""
        return SHIFT if option > self.focus else leftmost(option)

    def option(self, step: int) -> int:
        """Return the option of a structure step, the inverse of `step`."""
        if step == SHIFT:
            return 1 << self.next
        return next(part for part in self.memory if part & -part == 1 << step)

    def right_option(self, reachable: Sequence[int]) -> int:
        """Return the option that the dynamic oracle prefers, given the sets of `narrowed`."""
        mother = _mother(self.focus, reachable)
        for part in reversed(self.memory):
            if part & mother and _mother(part, reachable) == mother:
                return part
        return 1 << self.next


def _mother(part: int, reachable: Sequence[int]) -> int:
    """Return the smallest set that contains a part; no set contains only some of it."""
    for tokens in reachable:
        if tokens & part:
            return tokens
    return 0


def narrowed(reachable: Sequence[int], focus: int) -> list[int]:
    """Return the sets that are still reachable after a structure step and its label step.

    Before the first step these are all sets of the tree, sorted. Only the new focus can break one.
    """
    return [tokens for tokens in reachable if tokens > focus and tokens & focus in (0, focus)]


def constituents_of(tree: Tree) -> dict[int, str]:
    """Return the label of each set of tokens; raise a TreebankError if a node has no children.

    A unary chain is one set, with a label such as ``ROOT+S``. Heads, function tags and intermediate
    nodes are lost.

    >>> tree = Tree.from_string("(SQ (VP (WP 0=What) (VB 2=do)) (NP (PRP 1=we)))")
    >>> {bin(tokens): label for tokens, label in constituents_of(tree).items()}
    {'0b111': 'ROOT+SQ', '0b101': 'VP', '0b10': 'NP'}
    """
    for node in tree.root.preorder():
        if not node.children:
            raise TreebankError(f"a node {node.category} is empty", sentence=tree.id)
    collapsed = collapse_chains(tree)
    spans = collapsed.yields()
    return {
        spans[node]: render_chain(node.label, is_top=node is collapsed.root)
        for node in collapsed.nodes()
    }


def tree_of(constituents: Mapping[int, str], tokens: list[Token]) -> Tree:
    """Return the tree of disjoint or nested sets, the inverse of `constituents_of`.

    Raise an InputError if the label of the set of all tokens does not begin with ROOT.

    >>> tokens = [Token("What", "WP"), Token("we", "PRP"), Token("do", "VB")]
    >>> print(tree_of({0b111: "ROOT+SQ", 0b101: "VP", 0b10: "NP"}, tokens))
    (ROOT (SQ (VP (WP 0=What) (VB 2=do)) (NP (PRP 1=we))))
    """
    top = constituents.get((1 << len(tokens)) - 1, "")
    if not is_axiom(top):
        raise InputError(f"the label of all tokens is {top!r}: it must begin with {ROOT}")

    def node_of(mask: int, children: list[Node | int]) -> Node:
        chain = nodes_of(labels_of_chain(constituents[mask]))
        chain[-1].children = children
        return chain[0]

    return Tree(nested(len(tokens), constituents, node_of), tokens)


def nested(
    length: int,
    sets: Iterable[int],
    node_of: Callable[[int, list[Node | int]], Node | int],
) -> Node:
    """Return the root over disjoint or nested sets; each set gets a node over the sets in it."""
    # The outermost sets so far with their nodes, by their first token.
    outermost: dict[int, tuple[int, Node | int]] = {
        token: (1 << token, token) for token in range(length)
    }
    for mask in sorted(sets, key=int.bit_count):
        children, rest = [], mask
        while rest:
            part, node = outermost.pop(leftmost(rest))
            children.append(node)
            rest ^= part
        outermost[leftmost(mask)] = mask, node_of(mask, children)
    ((_, root),) = outermost.values()
    assert isinstance(root, Node)
    return root


def inventory(treebank: Iterable[Mapping[int, str]]) -> tuple[str, ...]:
    """Return the labels of a parser: the empty label for NO-LABEL, and the labels of all trees.

    >>> inventory([{0b11: "ROOT+S", 0b1: "NP"}, {0b1: "ROOT+NP"}])
    ('', 'NP', 'ROOT+NP', 'ROOT+S')
    """
    return ("", *sorted({label for constituents in treebank for label in constituents.values()}))


Slots = tuple[int, int, int, int]


@lru_cache(maxsize=1 << 15)
def slots(tokens: int) -> Slots:
    """Return what a network sees of a set: the first and last tokens of the set and of its gap.

    The set is not empty. The gap is from the first missing token to the last one; without a gap,
    both are -1.

    >>> slots(0b1100)
    (2, 3, -1, -1)
    >>> slots(0b10110001)
    (0, 7, 1, 6)
    """
    first, last = leftmost(tokens), tokens.bit_length() - 1
    gap = tokens ^ ((2 << last) - (1 << first))
    return (first, last, leftmost(gap), gap.bit_length() - 1) if gap else (first, last, -1, -1)
