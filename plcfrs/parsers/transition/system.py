"""What all transition systems share: transitions, the trees that they build, and their interface.

The trees are binary, with heads and without unary chains. `prepare` makes them, and `printed_tree`
undoes this.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Generic, Literal, NamedTuple, TypeVar

from plcfrs.errors import InputError, TreebankError
from plcfrs.grammar import Markovization, Order, binarize_tree, unbinarize_tree
from plcfrs.parsing.registry import Length
from plcfrs.transformation.cleanup import collapse_chains, restore_chains
from plcfrs.trees import NO_PARSE, ROOT, Node, Token, Tree
from plcfrs.trees.heads import on_copy, unmarked_head
from plcfrs.trees.labels import is_axiom, parse_chain, render_chain


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
    """A step of a parser, with the label of a reduction or the number of tokens or gaps.

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
        """Return the text form, see `plcfrs.storage.model_file`."""
        return str(self)

    @staticmethod
    def restored(text: str) -> Transition:
        """Return the transition with a text form."""
        return parse_transition(text)


def parse_transition(text: str) -> Transition:
    """Return the transition with this text form; raise an InputError if it is not a transition.

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


DISTANCE = re.compile(r"dist([1-9][0-9]{0,8})")
ORDERS = "left, right, rightd, label, or dist and a number, such as dist2"


def check_order(order: str) -> str:
    """Return the name of an order, or raise an InputError if it is unknown."""
    if order not in ("left", "right", "rightd", "label") and not DISTANCE.fullmatch(order):
        raise InputError(f"{order!r} is not an order of tokens: choose from {ORDERS}")
    return order


@on_copy
def prepare(tree: Tree, order: Order = "head-outward") -> Tree:
    """Collapse the unary chains of a tree with marked heads, then binarize it.

    Each node of the result has two children or a single token. Function tags, indices and
    secondary edges are lost. Raise a TreebankError if a head is not marked, or a node has no
    children.

    >>> from plcfrs.trees import Token
    >>> clause = Node("S", children=[0, 1, 2], head=1)
    >>> tokens = [Token(tag, tag) for tag in ("NN", "VB", "NN")]
    >>> tree = prepare(Tree(Node("ROOT", children=[clause], head=0), tokens))
    >>> [(symbol, node.intermediate, node.head) for node, symbol in symbols(tree).items()]
    [('ROOT+S', False, 0), ('ROOT+S', True, 1)]
    """
    for node in tree.nodes():
        if not node.children:
            raise TreebankError(f"a node {node.category} is empty", sentence=tree.id)
        if node.head is None:
            raise unmarked_head(node, tree)
    collapse_chains.in_place(tree)
    return binarize_tree.in_place(tree, Markovization(order, horizontal=0))


@on_copy
def printed_tree(tree: Tree) -> Tree:
    """Undo `prepare`."""
    return restore_chains.in_place(unbinarize_tree.in_place(tree))


def symbols(tree: Tree) -> dict[Node, str]:
    """Return the symbol of each node of a prepared tree."""
    found: dict[Node, str] = {}
    tops = {tree.root}
    for node in tree.nodes():
        if node in tops:
            tops.update(child for child in node.nodes if child.intermediate)
        found[node] = render_chain(node.label._replace(intermediate=False), is_top=node in tops)
    return found


Child = Node | int
Update = Literal["early", "max-violation"]
Configuration = TypeVar("Configuration")


class Shown(NamedTuple):
    """The next elements of each part of a configuration as text, and the top of the stack.

    The head word of a constituent is in brackets.
    """

    parts: dict[str, str]
    top: Child | None


class System(ABC, Generic[Configuration]):
    """A transition system: the readable reference of what the kernels do.

    Configurations are immutable. A constituent is a node with a symbol as its category, and a bare
    token is its position.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # its full name, with the source
    templates: ClassVar[Mapping[str, str]]  # its sets of feature templates
    left_out: ClassVar[tuple[str, ...]] = ()  # sets that the default leaves out
    update: ClassVar[Update] = "early"  # by default
    is_split: ClassVar[bool] = False  # whether s0 is the element at the split instead of the top
    reorders: ClassVar[bool] = False  # whether users can choose the order of tokens
    binarization: ClassVar[Order]  # the order of binarization of its trees
    left: ClassVar[Kind]  # the kinds of its reductions
    right: ClassVar[Kind]
    unary: ClassVar[Kind]
    always: ClassVar[tuple[Transition, ...]]  # transitions that every parser needs

    @abstractmethod
    def show(self, configuration: Configuration, words: Sequence[str]) -> Shown:
        """Return the parts of a configuration as text, and the element on top."""

    @classmethod
    @abstractmethod
    def lengths(cls, derivation: Sequence[Transition]) -> dict[str, Length]:
        """Return the length of a derivation, for each column of the system in table 6."""

    @abstractmethod
    def initial(self, length: int) -> Configuration:
        """Return the initial configuration for a sentence of this length."""

    @abstractmethod
    def legal(self, configuration: Configuration, transition: Transition) -> bool:
        """Return whether a transition is legal; after legal transitions a tree can be completed."""

    @abstractmethod
    def apply(self, configuration: Configuration, transition: Transition) -> Configuration:
        """Return the configuration after a legal transition."""

    @abstractmethod
    def root(self, configuration: Configuration) -> Node | None:
        """Return the root of the tree if the configuration is final, otherwise None."""

    def is_final(self, configuration: Configuration) -> bool:
        """Return whether the tree is complete; then only IDLE is legal, any number of times."""
        return self.root(configuration) is not None

    def oracle(self, tree: Tree) -> list[Transition]:
        """Return the derivation of a tree from `prepare`, binarized in the order of this system."""
        mother_of, symbol_of = mothers(tree), symbols(tree)
        derivation: list[Transition] = []
        stack: list[Child] = []  # without a split point
        queue = list(range(len(tree.tokens)))
        for token in self.token_order(tree):
            derivation += self.shift(queue.index(token))
            queue.remove(token)
            top: Child = token
            if len(mother_of[token].children) == 1:
                top = mother_of[token]
                derivation.append(Transition(self.unary, symbol_of[top]))
            while top in mother_of:
                mother = mother_of[top]
                sister = mother.children[mother.children[0] == top]
                if sister not in stack:
                    break
                derivation += [Transition(Kind.GAP)] * (len(stack) - 1 - stack.index(sister))
                stack.remove(sister)
                is_left = mother.children[mother.head or 0] == sister
                kind = self.left if is_left else self.right
                derivation.append(Transition(kind, symbol_of[mother], mother.intermediate))
                top = mother
            stack.append(top)
        return derivation

    def token_order(self, tree: Tree) -> Sequence[int]:
        """Return the tokens in the order that the oracle shifts them in."""
        return range(len(tree.tokens))

    def shift(self, skipped: int) -> list[Transition]:  # noqa: ARG002 (used by subclasses)
        """Return the transitions that shift a token past the skipped ones before it."""
        return [Transition(Kind.SHIFT)]

    def build(self, transitions: Iterable[Transition], tokens: list[Token]) -> Tree:
        """Return the tree of a derivation, still binary (see `printed_tree`).

        Raise an InputError if a transition is not legal, or the derivation is incomplete.
        """
        configuration = self.initial(len(tokens))
        for number, transition in enumerate(transitions, start=1):
            if not self.legal(configuration, transition):
                raise InputError(f"transition {number}, {transition}, is not legal here")
            configuration = self.apply(configuration, transition)
        root = self.root(configuration)
        if root is None:
            raise InputError("the derivation ends before the tree is complete")
        tree = Tree(root, tokens)
        for node in tree.nodes():
            label = parse_chain(node.category)
            node.category, node.split, node.chain = label.category, label.split, label.chain
        tree.sort_children({node: node.children[node.head or 0] for node in tree.nodes()})
        return tree

    def inventory(self, derivations: Iterable[Iterable[Transition]]) -> list[Transition]:
        """Return the transitions of a parser, enough to complete every sentence.

        They are all transitions in the derivations of the training set, all transitions without a
        label, all reductions to labels of intermediate constituents, and reductions to the most
        frequent label of a root and of another constituent.
        """
        seen = Counter(transition for derivation in derivations for transition in derivation)
        labels: Counter[str] = Counter()
        for transition in sorted(seen, key=str):
            if transition.label and not transition.intermediate:
                labels[transition.label] += seen[transition]
        frequent = [label for label, _ in labels.most_common()]
        axiom = next(filter(is_axiom, frequent), ROOT)
        inner = next((label for label in frequent if not is_axiom(label)), NO_PARSE)
        transitions = {*seen, *self.always, *self._needed_for_top(axiom), *self._reductions(inner)}
        return sorted(transitions | self._needed_for_intermediate(seen), key=str)

    def can_complete(self, transitions: Iterable[Transition]) -> bool:
        """Return whether these transitions are enough to complete every sentence."""
        known = frozenset(transitions)
        labels = {transition.label for transition in known if transition.label}
        axioms = set(filter(is_axiom, labels))
        return (
            known >= {*self.always, *self._needed_for_intermediate(known)}
            and any(known >= self._needed_for_top(axiom) for axiom in axioms)
            and any(known >= self._reductions(label) for label in labels - axioms)
        )

    def _reductions(self, label: str, intermediate: bool = False) -> set[Transition]:
        return {Transition(kind, label, intermediate) for kind in (self.left, self.right)}

    def _needed_for_top(self, axiom: str) -> set[Transition]:
        return {Transition(self.unary, axiom), *self._reductions(axiom)}

    def _needed_for_intermediate(self, seen: Iterable[Transition]) -> set[Transition]:
        """Return the reductions to the labels of intermediate constituents."""
        labels = {transition.label for transition in seen if transition.intermediate}
        return {
            transition
            for label in labels
            for intermediate in (False, True)
            for transition in self._reductions(label, intermediate)
        }


def combine(left: Child, right: Child, transition: Transition) -> Node:
    """Return the new constituent of a binary reduction."""
    head, is_part = int(transition.kind not in HEAD_LEFT), transition.intermediate
    return Node(transition.label, children=[left, right], head=head, intermediate=is_part)


def is_intermediate(child: Child) -> bool:
    """Return whether this is an intermediate constituent of a binarization."""
    return isinstance(child, Node) and child.intermediate


def mothers(tree: Tree) -> dict[Child, Node]:
    """Return the mother of every node and token of a binary tree.

    Raise a TreebankError if the tree does not come from `prepare`.
    """
    mother_of: dict[Child, Node] = {}
    for node in tree.nodes():
        is_binary = len(node.children) == 2 and node.head is not None
        if not is_binary and not (len(node.children) == 1 and not node.nodes):
            raise TreebankError(
                f"{node.category} is not binarized around its head: use prepare", sentence=tree.id
            )
        mother_of.update((child, node) for child in node.children)
    return mother_of


def counts_of(derivation: Iterable[Transition]) -> list[int]:
    """Return the counts above 0 of the transitions."""
    return [transition.count for transition in derivation if transition.count]


# How many elements of a stack or a queue are shown.
_SHOWN = 4


def last_elements(elements: Sequence[Child], words: Sequence[str]) -> str:
    """Return the elements on top of a stack as text, the top at the end."""
    dots = [".."] * (len(elements) > _SHOWN)
    return " ".join([*dots, *(_text(element, words) for element in elements[-_SHOWN:])])


def first_tokens(tokens: Sequence[int], words: Sequence[str]) -> str:
    """Return the first tokens of a queue as text."""
    dots = [".."] * (len(tokens) > _SHOWN)
    return " ".join([*(words[token] for token in tokens[:_SHOWN]), *dots])


def _text(element: Child, words: Sequence[str]) -> str:
    if isinstance(element, int):
        return words[element]
    head: Child = element
    while isinstance(head, Node):
        head = head.children[head.head or 0]
    return f"{'@' * element.intermediate}{element.category}[{words[head]}]"
