"""Smaller changes of trees: removing parts, correcting annotation, attaching children of the root.

In NeGra, TIGER and the Potsdam Commentary Corpus, punctuation, parentheses, vocatives and comments
are children of the root and interrupt constituents. For punctuation, *high* is ``root_attach`` of
treetools (which leaves some marks at the root, as at the end of a sentence), and *low* is
``punctuation_verylow``.

Chains of unary nodes, such as ``S`` over ``VP``, are collapsed into one node, restored or removed.
With collapsed chains, transition systems that build unary nodes only above single tokens can parse
trees with unary nodes anywhere, as in the Penn Treebank. Dependencies with order labels cannot
express unary nodes at all.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from plcfrs.errors import InputError, check_choice
from plcfrs.storage.files import read_utf8
from plcfrs.transformation.traces import Paths
from plcfrs.trees import Label, Node, Token, Tree, parse_label, render_label
from plcfrs.trees.antecedents import stands
from plcfrs.trees.heads import is_punctuation, on_copy
from plcfrs.trees.tree import fan_out, leftmost, nodes_of, null_parts, positions, span_of


@on_copy
def remove_null_elements(tree: Tree) -> Tree:
    """Remove null elements, constituents without tokens, and indices."""
    nodes = tree.bottom_up()
    for node in nodes:
        node.index = node.gap_index = None
    return _remove(tree, nodes, attrgetter("is_null"))


@on_copy
def join_nulls(tree: Tree) -> Tree:
    """Write null elements and their indices as the Penn Treebank does.

    ``*PRO*`` of MASC and CRAFT is ``*``, and ``*0*`` of CRAFT is ``0``. If several phrases
    share an index, a phrase that stands for another one passes it to its null element.

    >>> tree = Tree.from_string("(S (NP-1 (PRP We)) (VP (VBP try) (S-1 (-NONE- *PRO*))))")
    >>> print(join_nulls(tree))
    (ROOT (S (NP-1 (PRP 0=We)) (VP (VBP 1=try) (S (-NONE- 2=*-1)))))
    """
    phrases: dict[int, list[Node]] = defaultdict(list)
    for node in tree.nodes():
        if node.index is not None and node.children:
            phrases[node.index].append(node)
    for index, nodes in phrases.items():
        standing = [node for node in nodes if stands(tree, node)]
        for node in standing[len(standing) == len(nodes) :]:  # one remains, if all are empty
            tree.tokens[next(node.leaves())].form += f"-{index}"
            node.index = None
    for token in tree.tokens:
        type_, number = null_parts(token.form)
        if token.is_null and type_ in _PENN_NULLS:
            token.form = _PENN_NULLS[type_] + (f"-{number}" if number is not None else "")
    return tree


_PENN_NULLS = {"*PRO*": "*", "*0*": "0"}


def _remove(tree: Tree, nodes: list[Node], unwanted: Callable[[Token], bool]) -> Tree:
    """Remove unwanted tokens, and constituents without other tokens, but not the root."""
    wanted = [position for position, token in enumerate(tree.tokens) if not unwanted(token)]
    new: dict[Node | int, Node | int] = dict(zip(wanted, range(len(wanted)), strict=True))
    for node in nodes:
        node.children = [new[child] for child in node.children if child in new]
        if node.children:
            new[node] = node
    tree.tokens = [tree.tokens[position] for position in wanted]
    for edge in tree.secondary_edges:
        edge.child = new.get(edge.child, -1)
    tree.secondary_edges = [
        edge for edge in tree.secondary_edges if edge.parent in new and edge.child != -1
    ]
    tree.sort_children()
    return tree


@on_copy
def remove_constituents(tree: Tree, unwanted: Callable[[Node], bool]) -> Tree:
    """Remove some constituents, but not the root; their children and heads go to their mothers.

    >>> tree = Tree.from_string("(S (VP (WP 0=What) (VP (VB 2=do))) (PRP 1=we))")
    >>> print(remove_constituents(tree, lambda node: node.category == "VP"))
    (ROOT (S (WP 0=What) (PRP 1=we) (VB 2=do)))
    """
    removed = {node for node in tree.nodes() if node is not tree.root and unwanted(node)}
    heads: dict[Node, Node | int | None] = {}
    for node in tree.bottom_up():
        head = None if node.head is None else node.children[node.head]
        heads[node] = heads[head] if isinstance(head, Node) and head in removed else head
        node.head = None
        node.children = [
            below
            for child in node.children
            for below in (
                child.children if isinstance(child, Node) and child in removed else [child]
            )
        ]
    tree.secondary_edges = [
        edge for edge in tree.secondary_edges if removed.isdisjoint((edge.child, edge.parent))
    ]
    tree.sort_children({node: head for node, head in heads.items() if head is not None})
    if removed:
        tree.annotation = None  # it may have null elements below them
    return tree


@on_copy
def remove_unary_sbar(tree: Tree) -> Tree:
    """Replace each SBAR over a single constituent by that one (Evang and Kallmeyer 2011, 4.2).

    The tree must have no null elements. The constituent inherits `moved`.
    """
    nodes = tree.bottom_up()
    for node in nodes if any(node.category == "SBAR" for node in nodes) else ():
        node.children = [_without_unary_sbar(child) for child in node.children]
    return tree


def _without_unary_sbar(child: Node | int) -> Node | int:
    if isinstance(child, Node) and child.category == "SBAR" and len(child.children) == 1:
        only = child.children[0]
        if isinstance(only, Node):
            only.moved = only.moved or child.moved
            return only
    return child


class Correction(NamedTuple):
    """The correction of a label or null element, and the file and line that state it."""

    old: str
    occurrence: int | None
    new: str
    place: str


Corrections = dict[str, list[Correction]]  # by the identifier of the sentence


def read_corrections(path: str | Path) -> Corrections:
    """Read a file of corrections; an InputError names a line that is not one."""
    corrections: Corrections = {}
    for number, line in enumerate(read_utf8(path, "corrections").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 4:
            raise InputError(f"{path}:{number}: expected FILE, SENTENCE, OLD and NEW between tabs")
        file, sentence, old, new = (field.strip() for field in fields)
        match = re.fullmatch(r"(.+?)(?:#([0-9]{1,9}))?", old)
        if match is None or not new:
            raise InputError(f"{path}:{number}: neither OLD nor NEW may be empty")
        occurrence = int(match[2]) if match[2] else None
        correction = Correction(match[1], occurrence, new, f"{path}:{number}")
        corrections.setdefault(f"{Path(file).stem}:{sentence}", []).append(correction)
    return corrections


@on_copy
def correct(tree: Tree, corrections: Corrections) -> Tree:
    """Apply the corrections for a sentence to a tree as read.

    An InputError is raised if the tree lacks an old text, or has it several times and no number
    says which one is meant.
    """
    for correction in corrections.get(tree.id, []):
        target = _find_target(tree, correction)
        if isinstance(target, Token):
            target.form = correction.new
        else:
            label = parse_label(correction.new)
            target.category, target.functions = label.category, label.functions
            target.index, target.gap_index = label.index, label.gap_index
    return tree


def _find_target(tree: Tree, correction: Correction) -> Node | Token:
    label = render_label(parse_label(correction.old))
    nodes = [node for node in tree.nodes() if render_label(node) == label]
    nulls = [token for token in tree.tokens if token.is_null and token.form == correction.old]
    targets: list[Node | Token] = [*nodes, *nulls]
    number = correction.occurrence
    if number is None and len(targets) > 1:
        raise InputError(
            f"{correction.place}: sentence {tree.id} has {correction.old} {len(targets)} times: "
            f"write {correction.old}#1 for the first"
        )
    number = 1 if number is None else number
    if not 0 < number <= len(targets):
        raise InputError(
            f"{correction.place}: sentence {tree.id} has {correction.old} {len(targets)} times"
        )
    return targets[number - 1]


Place = Literal["low", "high"]


@on_copy
def attach_punctuation(tree: Tree, place: Place) -> Tree:
    """Attach the punctuation at the root to constituents below it, so that it makes no gaps.

    *High* is the lowest node that covers the nearest other tokens on both sides; if that is the
    root, it is the largest constituent with one of them. *Low* is the mother of the left token, or
    else of the right one. Marks without a constituent beside them stay. The tree must not have null
    elements. Mark heads afterwards.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("Gut", "ADJD"), Token(",", "$,"), Token("so", "ADV")]
    >>> phrase = Node("AP", children=[Node("AVP", children=[0]), 2])
    >>> tree = Tree(Node("ROOT", children=[phrase, 1]), tokens)
    >>> tree.gap_degree()
    1
    >>> attach_punctuation(tree, "high").root.nodes[0].children[1:]
    [1, 2]
    """
    check_choice("place", place, Place)
    marks = root_punctuation(tree)
    tree.root.children = [child for child in tree.root.children if child not in marks]
    paths = Paths(tree)
    words = sorted(paths.mothers)
    for mark in marks:
        number = bisect(words, mark)
        neighbours = words[max(number - 1, 0) : number + 1]
        _find_place(tree.root, paths, neighbours, place).children.append(mark)
    tree.sort_children()
    return tree


@on_copy
def remove_punctuation(tree: Tree) -> Tree:
    """Remove all punctuation, and constituents with only punctuation."""
    return _remove(tree, tree.bottom_up(), is_punctuation)


def root_punctuation(tree: Tree) -> list[int]:
    """Return the positions of the punctuation marks at the root."""
    return [
        child
        for child in tree.root.children
        if isinstance(child, int) and is_punctuation(tree.tokens[child])
    ]


def _find_place(root: Node, paths: Paths, neighbours: list[int], place: Place) -> Node:
    covering = paths.above_both(neighbours[0], neighbours[-1]) if neighbours[1:] else []
    if covering and place == "high":
        return covering[-1]
    for neighbour in neighbours:
        path = paths.above(neighbour)
        if path:
            return path[-1] if place == "low" else path[0]
    return root


@on_copy
def attach_low(tree: Tree) -> Tree:
    """Attach children of the root inside constituents that they interrupt, until nothing changes.

    A child of the root interrupts a constituent if it lies between its tokens. It moves to the
    lowest node that covers the nearest of these tokens on both sides and where it makes no new gap;
    without such a node below the root, it stays. If it interrupts several constituents, it moves
    into the one with the nearest tokens. Punctuation at the root is not moved, and gaps are counted
    without it. The tree must not have null elements. Mark heads afterwards.
    """
    while _attach_one(tree):
        pass
    return tree


def _attach_one(tree: Tree) -> bool:
    marks = root_punctuation(tree)
    places = _Places(tree, marks)
    for child in tree.root.children:
        place = None if child in marks else places.find(child)
        if place is not None:
            tree.root.children.remove(child)
            place.children.append(child)
            tree.sort_children()
            return True
    return False


class _Places:
    def __init__(self, tree: Tree, marks: list[int]) -> None:
        self.root = tree.root
        self.paths = Paths(tree)
        self.spans = tree.yields()
        words = sorted(self.paths.mothers.keys() - set(marks))
        self.number_of = {position: number for number, position in enumerate(words)}

    def find(self, child: Node | int) -> Node | None:
        """Return the node to which a child of the root can be attached, or None."""
        span = self.spans[child] if isinstance(child, Node) else 1 << child

        def makes_no_gap(node: Node) -> bool:
            return self.gaps(self.spans[node] | span) <= self.gaps(self.spans[node])

        for left, right in sorted(self.neighbours(span), key=lambda pair: pair[1] - pair[0]):
            path = list(takewhile(makes_no_gap, self.paths.above_both(left, right)))
            if path:
                return path[-1]
        return None

    def neighbours(self, span: int) -> Iterator[tuple[int, int]]:
        """Yield the nearest tokens on both sides of a span, for each constituent at the root."""
        for node in self.root.nodes:
            before = self.spans[node] & ((1 << leftmost(span)) - 1)
            behind = self.spans[node] >> span.bit_length()
            if before and behind:
                yield before.bit_length() - 1, leftmost(behind) + span.bit_length()

    def gaps(self, span: int) -> int:
        """Return the number of gaps that contain more than punctuation at the root."""
        return fan_out(span_of([self.number_of[position] for position in positions(span)])) - 1


@on_copy
def collapse_chains(tree: Tree) -> Tree:
    """Make one node of every unary chain; function tags, indices and secondary edges are lost.

    The node has the label of the topmost node, and the labels of the others as its `chain`.

    >>> clause = Node("S", split="WH", children=[Node("VP", children=[0, 1])])
    >>> collapse_chains(Tree(Node("ROOT", children=[clause]), [])).root
    <Node ROOT+S^WH+VP: 2 children>
    """
    tree.secondary_edges = []
    stack = [tree.root]
    while stack:
        top = stack.pop()
        chain = [top]
        while len(chain[-1].children) == 1 and (below := chain[-1].nodes):
            chain += below
        top.chain = tuple([Label(node.category, split=node.split) for node in chain[1:]])
        top.children, top.head = chain[-1].children, chain[-1].head
        top.functions, top.index, top.gap_index = (), None, None
        stack += top.nodes
    return tree


@on_copy
def restore_chains(tree: Tree) -> Tree:
    """Undo `collapse_chains`; an only child becomes the head."""
    for node in tree.nodes():
        if node.chain:
            below = nodes_of(node.chain)
            below[-1].children, below[-1].head = node.children, node.head
            node.children, node.head, node.chain = [below[0]], 0, ()
    return tree


@on_copy
def without_unaries(tree: Tree) -> Tree:
    """Remove the nodes that have one child, except for the top node, and all secondary edges.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VP (VBP sing) (NP (NNS songs)))))")
    >>> print(without_unaries(tree))
    (ROOT (S (PRP 0=They) (VP (VBP 1=sing) (NNS 2=songs))))
    """
    tree.secondary_edges = []
    for node in tree.nodes():
        node.children = [_below_unaries(child) for child in node.children]
    return tree


def _below_unaries(child: Node | int) -> Node | int:
    while isinstance(child, Node) and len(child.children) == 1:
        child = child.children[0]
    return child
