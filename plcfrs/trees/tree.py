"""Tokens, nodes, trees and dependency trees, which all readers, parsers and scores share.

A child is a node or the position of a token, so that branches can cross. A *span*, the positions of
a constituent, is a Python int: bit ``i`` is token ``i``, at any length. A *run* of a span is a
maximal interval of positions, written as a half-open range ``(left, right)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import plcfrs
from plcfrs.errors import TreebankError
from plcfrs.trees.annotation import Annotation
from plcfrs.trees.labels import ROOT, Label, label_parts, render_label


def runs(span: int) -> list[tuple[int, int]]:
    """Return the maximal intervals of a span, from left to right.

    >>> runs(0b110101)
    [(0, 1), (2, 3), (4, 6)]
    """
    if span and not span & (span + (span & -span)):  # most spans have one
        return [((span & -span).bit_length() - 1, span.bit_length())]
    intervals = []
    left = 0
    while span:
        skipped = (span & -span).bit_length() - 1
        span >>= skipped
        length = (~span & (span + 1)).bit_length() - 1
        span >>= length
        intervals.append((left + skipped, left + skipped + length))
        left += skipped + length
    return intervals


def fan_out(span: int) -> int:
    """Return the number of runs of a span (its block degree).

    >>> fan_out(0b110101)
    3
    """
    return (span & ~(span << 1)).bit_count()


def gaps(span: int) -> list[tuple[int, int]]:
    """Return the intervals between the runs of a span.

    >>> gaps(0b110101)
    [(1, 2), (3, 4)]
    """
    return [(left[1], right[0]) for left, right in pairwise(runs(span))]


def leftmost(span: int) -> int:
    """Return the first position of a non-empty span.

    >>> leftmost(0b1100)
    2
    """
    return (span & -span).bit_length() - 1


def crosses(one: int, other: int) -> bool:
    """Return whether two spans overlap, and neither is inside the other.

    >>> crosses(0b011, 0b110), crosses(0b011, 0b111)
    (True, False)
    """
    return one & other not in (0, one, other)


def positions(span: int) -> list[int]:
    """Return the positions of a span in order.

    >>> positions(0b1101)
    [0, 2, 3]
    """
    return [position for left, right in runs(span) for position in range(left, right)]


def span_of_runs(ranges: Iterable[tuple[int, int]]) -> int:
    """Return the span that consists of the given half-open ranges.

    >>> bin(span_of_runs([(0, 1), (2, 4)]))
    '0b1101'
    """
    span = 0
    for left, right in ranges:
        span |= (1 << right) - (1 << left)
    return span


def render_ranges(ranges: Iterable[tuple[int, int]]) -> str:
    """Return ranges of positions as text.

    >>> render_ranges([(0, 1), (3, 5)])
    '0,3-4'
    """
    return ",".join(
        f"{left}" if right == left + 1 else f"{left}-{right - 1}" for left, right in ranges
    )


def span_of(tokens: list[int]) -> int:
    """Return the span that holds the given positions.

    >>> bin(span_of([0, 2]))
    '0b101'
    """
    span = 0
    for position in tokens:
        span |= 1 << position
    return span


NULL_TAG = "-NONE-"
NO_PARSE = "NOPARSE"
TRACE_TYPES = ("*T*", "*ICH*", "*EXP*", "*RNR*")
"""The types of null elements that stand for phrases elsewhere."""

_NULL_ELEMENT = re.compile(r"(.+?)(?:-([0-9]{1,9}))?")


def null_parts(form: str) -> tuple[str, int | None]:
    """Return the type of a null element, and its index or None.

    >>> null_parts("*T*-1"), null_parts("0")
    (('*T*', 1), ('0', None))
    """
    match = _NULL_ELEMENT.fullmatch(form)
    return (match[1], int(match[2])) if match and match[2] else (form, None)


@dataclass(slots=True)
class Token:
    """A word of the sentence, or a null element (tag ``-NONE-``).

    Parameters
    ----------
    form, tag : str
    lemma, morph : str
        Empty if the treebank has none.
    function : str
        The edge label above the token (NeGra, TIGER); empty if there is none.
    start, end : int or None
        The place of the token in its text, ``text[start:end]``; None if it is not known. Tokens
        are compared without it.
    """

    form: str
    tag: str
    lemma: str = ""
    morph: str = ""
    function: str = ""
    start: int | None = field(default=None, compare=False)
    end: int | None = field(default=None, compare=False)

    @property
    def is_null(self) -> bool:
        """Whether the token is a null element."""
        return self.tag == NULL_TAG


token_parts = attrgetter(*(part.name for part in fields(Token)))
"""Returns the arguments of `Token`."""


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A constituent: the parts of its `Label`, and its children. Nodes compare by identity.

    Parameters
    ----------
    category, functions, split, index, gap_index, ancestors, intermediate, siblings, chain
        The parts of the label.
    children : list of Node or int
        Ordered by leftmost token; an int is the position of a token.
    head : int or None
        Index of the head among the children, if heads are marked.
    moved : str or None
        The type of the trace to which the node was moved, such as ``"*T*"``.
    note : str
        What an annotator said about the node (CGELBank).
    """

    category: str
    functions: tuple[str, ...] = ()
    split: str = ""
    index: int | None = None
    gap_index: int | None = None
    ancestors: tuple[str, ...] = ()
    intermediate: bool = False
    siblings: tuple[str, ...] = ()
    chain: tuple[Label, ...] = ()
    children: list[Node | int] = field(default_factory=list)
    head: int | None = None
    moved: str | None = None
    note: str = ""

    @property
    def label(self) -> Label:
        """The label of the node, in its parts."""
        return Label._make(label_parts(self))

    @property
    def nodes(self) -> list[Node]:
        """The children that are nodes."""
        return [child for child in self.children if isinstance(child, Node)]

    def replace(self, old: Node | int, new: Node | int) -> None:
        """Put ``new`` in the place of the child ``old``."""
        self.children[self.children.index(old)] = new

    def preorder(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, mothers first."""
        nodes: list[Node] = []
        stack: list[Node | int] = [self]
        while stack:
            child = stack.pop()
            if isinstance(child, Node):
                nodes.append(child)
                stack += child.children[::-1]
        return iter(nodes)

    def leaves(self) -> Iterator[int]:
        """Yield the positions of the tokens below this node, in the order of the children."""
        stack: list[Node | int] = [self]
        while stack:
            child = stack.pop()
            if isinstance(child, int):
                yield child
            else:
                stack += child.children[::-1]

    def __repr__(self) -> str:
        return f"<Node {render_label(self)}: {len(self.children)} children>"


_node_parts = attrgetter(*(part.name for part in fields(Node)))


def nodes_of(chain: tuple[Label, ...]) -> list[Node]:
    """Return nodes with these labels; each is the only child of the one before."""
    nodes = [Node(*label) for label in chain]
    for mother, child in pairwise(nodes):
        mother.children, mother.head = [child], 0
    return nodes


@dataclass(slots=True)
class SecondaryEdge:
    """A labelled edge outside the tree, from a dependent to a second mother."""

    label: str
    child: Node | int
    parent: Node


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """A sentence with its tree. The top node has the category ROOT.

    Two trees are equal if tokens, structure, labels and indices are the same; heads, types of
    traces, notes, identifiers, secondary edges and comments do not count.

    Parameters
    ----------
    root : Node
    tokens : list of Token
    id : str
    secondary_edges : list of SecondaryEdge
    comments : list of str
        The lines before the tree in a file that begin with ``#`` (CGELBank).
    annotation : Annotation, optional
        What `plcfrs.trees.restore_traces` puts back.

    Examples
    --------
    >>> tokens = [Token("What", "WP"), Token("now", "RB")]
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), tokens)
    >>> [node.category for node in tree.nodes()]
    ['ROOT', 'NP']
    """

    root: Node
    tokens: list[Token]
    id: str = ""
    secondary_edges: list[SecondaryEdge] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    annotation: Annotation | None = None

    @staticmethod
    def from_string(text: str) -> Tree:
        """Return the tree of a text in brackets or in discbracket, or raise an InputError.

        >>> print(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))"))
        (ROOT (S (NP (PRP 0=They)) (VP (VBP 1=sing))))
        >>> Tree.from_string("(SQ (VP (WP 0=What) (VB 2=do)) (PRP 1=we))").words()
        ['What', 'we', 'do']
        """
        from plcfrs.trees.notation import parse_line

        return parse_line(text)

    def words(self) -> list[str]:
        """Return the words of the sentence, without null elements."""
        return [token.form for token in self.tokens if not token.is_null]

    def pretty(self) -> str:
        """Return a picture for the terminal; `plcfrs.draw` has more options."""
        return plcfrs.draw(self)

    def copy(self) -> Tree:
        """Return a copy with its own nodes and tokens.

        >>> tree = Tree(Node("ROOT", children=[0]), [Token("Why", "WRB")])
        >>> tree.copy() == tree, tree.copy().root is tree.root
        (True, False)
        """
        copies: dict[Node | int, Node] = {self.root: _without_mother(self.root)}
        nodes = [copies[self.root]]
        for node in nodes:
            for place, child in enumerate(node.children):
                if isinstance(child, Node):
                    copies[child] = node.children[place] = below = _without_mother(child)
                    nodes.append(below)
        new = copies.get
        edges = [
            SecondaryEdge(edge.label, new(edge.child, edge.child), new(edge.parent, edge.parent))
            for edge in self.secondary_edges
        ]
        tokens = [Token(*token_parts(token)) for token in self.tokens]
        annotation = self.annotation and self.annotation.renamed(copies)
        return Tree(nodes[0], tokens, self.id, edges, list(self.comments), annotation)

    def nodes(self) -> list[Node]:
        """Return all nodes, mothers before their children, from left to right."""
        return list(self.root.preorder())

    def bottom_up(self) -> list[Node]:
        """Return all nodes, children before their mothers."""
        return self.nodes()[::-1]

    def remove_empty_nodes(self) -> None:
        """Remove each node that has no children, or loses all of them; the root stays."""
        for node in self.bottom_up():
            node.children = [
                child for child in node.children if isinstance(child, int) or child.children
            ]

    def yields(self) -> dict[Node, int]:
        """Return the span of every node as a bitset.

        >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0, 2]), 1]), [])
        >>> [bin(span) for span in tree.yields().values()]
        ['0b101', '0b111']
        """
        spans: dict[Node, int] = {}
        for node in self.bottom_up():
            span = 0
            for child in node.children:
                span |= 1 << child if isinstance(child, int) else spans[child]
            spans[node] = span
        return spans

    def parents(self) -> dict[Node, Node]:
        """Return the mother of every node except the root."""
        return {child: node for node in self.root.preorder() for child in node.nodes}

    def mothers(self) -> dict[Node | int, Node]:
        """Return the mother of every token, by its position, and of every node except the root."""
        return {child: node for node in self.root.preorder() for child in node.children}

    def gap_degree(self) -> int:
        """Return the largest number of gaps in a constituent (Holan et al. 1998)."""
        spans = {} if self._is_in_order() else self.yields()
        return max((fan_out(span) - 1 for span in spans.values()), default=0)

    def discontinuous_nodes(self) -> list[Node]:
        """Return the nodes whose span has a gap, mothers first."""
        spans = {} if self._is_in_order() else self.yields()
        return [node for node, span in reversed(spans.items()) if fan_out(span) > 1]

    def _is_in_order(self) -> bool:
        """Whether children are ordered and branches do not cross: usual, and quick to check."""
        tokens: list[int] = []
        stack: list[Node | int] = [self.root]
        while stack:
            child = stack.pop()
            if isinstance(child, int):
                tokens.append(child)
            else:
                stack += child.children[::-1] or [-1]
        return tokens == list(range(len(tokens)))

    def sort_children(self, heads: Mapping[Node, Node | int] | None = None) -> None:
        """Order all children by their leftmost token, and keep the given head children as heads."""
        spans = {} if self._is_in_order() else self.yields()
        for node in spans:
            node.children.sort(
                key=lambda child: child if isinstance(child, int) else leftmost(spans[child])
            )
        for node, head in (heads or {}).items():
            node.head = node.children.index(head)

    def forget_splits(self) -> Tree:
        """Remove the category splits of all nodes, and return the tree."""
        for node in self.nodes():
            node.split = ""
        return self

    def __str__(self) -> str:
        from plcfrs.trees.notation import render_discbracket

        return render_discbracket(self)

    def __repr__(self) -> str:
        name = f" {self.id}" if self.id else ""
        return f"<Tree{name}: {len(self.tokens)} tokens, {len(self.nodes())} nodes>"

    def _repr_svg_(self) -> str:
        return plcfrs.draw_svg(self, gaps=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self.tokens == other.tokens and _shape(self) == _shape(other)

    __hash__ = None  # type: ignore[assignment]


def no_parse(tokens: list[Token], sentence: str = "") -> Tree:
    """Return the flat NOPARSE tree of a sentence without a parse; without words, only its root."""
    flat = Node(NO_PARSE, children=list(range(len(tokens))))
    return Tree(Node(ROOT, children=[flat] if tokens else []), tokens, sentence)


def _without_mother(node: Node) -> Node:
    copy = Node(*_node_parts(node))
    copy.children = node.children.copy()
    return copy


def _shape(tree: Tree) -> list[tuple[object, ...]]:
    return [
        (node.label, [child if isinstance(child, int) else None for child in node.children])
        for node in tree.root.preorder()
    ]


def check_tree(tree: Tree) -> None:
    """Raise a TreebankError if a tree lacks tokens, tags, labels or children, or has null elements.

    >>> check_tree(Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))"))
    """
    if not tree.tokens:
        raise TreebankError("the tree has no tokens", sentence=tree.id)
    if tree.root.category != ROOT:
        raise TreebankError(f"the top node must be {ROOT}", sentence=tree.id)
    nodes = tree.nodes()
    for node in nodes:
        if not node.children or not node.category:
            lack = "category" if node.children else "children"
            raise TreebankError(f"a node {node.category!r} has no {lack}", sentence=tree.id)
    inside = {child for node in nodes for child in node.children if isinstance(child, int)}
    if inside != set(range(len(tree.tokens))):
        raise TreebankError("the tree does not have the tokens of its sentence", sentence=tree.id)
    for token in tree.tokens:
        if token.is_null:
            raise TreebankError(
                f"null element {token.form}: transform the treebank first", sentence=tree.id
            )
        if not token.tag:
            raise TreebankError(f"token {token.form!r} has no tag", sentence=tree.id)


class Columns(NamedTuple):
    """The columns of a token in CoNLL-U besides form, tag, lemma, morphology and head."""

    coarse_tag: str = ""  # the universal part of speech (UPOS)
    enhanced: str = ""  # the heads and relations in the enhanced graph (DEPS)
    misc: str = ""  # anything else, such as ``SpaceAfter=No``


@dataclass(slots=True, repr=False)
class DependencyTree:
    """A sentence with the head and the relation of each token; trees are equal if these are.

    Parameters
    ----------
    tokens : list of Token
    heads : list of int
        The number of the head of each token, from 1; 0 stands for the root.
    relations : list of str
    id : str
    comments : list of str
        The comments of a CoNLL-U file, each with its ``#``.
    columns : list of Columns
        For each token; empty if the tree does not come from a file.
    other_lines : list of tuple of (int, str)
        Multiword ranges and empty nodes of CoNLL-U, each with the number of words before it.

    Examples
    --------
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> DependencyTree(tokens, [2, 0], ["S#1", "root"])
    <DependencyTree: 2 tokens>
    """

    tokens: list[Token]
    heads: list[int]
    relations: list[str]
    id: str = field(default="", compare=False)
    comments: list[str] = field(default_factory=list, compare=False)
    columns: list[Columns] = field(default_factory=list, compare=False)
    other_lines: list[tuple[int, str]] = field(default_factory=list, compare=False)

    def words(self) -> list[str]:
        """Return the words of the sentence."""
        return [token.form for token in self.tokens]

    def pretty(self) -> str:
        """Return a picture for the terminal; `plcfrs.draw` has more options."""
        return plcfrs.draw(self)

    def __repr__(self) -> str:
        name = f" {self.id}" if self.id else ""
        return f"<DependencyTree{name}: {len(self.tokens)} tokens>"

    def _repr_svg_(self) -> str:
        return plcfrs.draw_svg(self, gaps=True)
