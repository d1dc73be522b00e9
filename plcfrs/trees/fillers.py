"""Fillers by rule: which parts of a tree with crossing branches have moved, and where they belong.

A *filler* stands in a tree with crossing branches below its *host*, where its trace will be, and in
a tree without crossing branches below its *origin*. Every tree with crossing branches has one
without: it is enough to raise each part of a constituent that is apart from its head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from plcfrs.trees.heads import collins, is_punctuation, mark_heads, negra
from plcfrs.trees.tree import TRACE_TYPES, Node, Tree, fan_out, runs

SURROUNDING = "*T*-PRN"
"""The type of a phrase that stands around the parenthesis in which its trace is."""

_MOVED, _EXTRAPOSED, _EXPLETIVE, _SHARED = TRACE_TYPES
_CONJUNCTIONS = frozenset(["CC", "CONJP", "KON"])
_EXPLETIVES = ("it", "es")
_STTS = frozenset(["$.", "$,", "$(", "$["])

Part = Node | int


class Filler(NamedTuple):
    """A phrase that has moved, its host, and the node below which it stood."""

    node: Node
    type: str
    host: Node
    origin: Node

    @property
    def trace(self) -> str:
        """The form of its trace, without an index."""
        return _MOVED if self.type == SURROUNDING else self.type

    def __str__(self) -> str:
        return f"{self.node.category} {self.type}"


def undo(tree: Tree, fillers: list[Filler]) -> dict[Node, list[Filler]]:
    """Move fillers back below their origins; return the fillers of each remaining host.

    Nodes that lose all their words are removed, and the node above them counts as the host.
    """
    mothers = tree.parents()
    for filler in fillers:
        mothers[filler.node].children.remove(filler.node)
        if filler.type == SURROUNDING:
            parenthesis = filler.origin
            mothers[parenthesis].replace(parenthesis, filler.node)
            mothers[filler.node] = mothers[parenthesis]
            inner = _interrupted(filler.node, parenthesis)
            inner.children.append(parenthesis)
            mothers[parenthesis] = inner
        else:
            filler.origin.children.append(filler.node)
            mothers[filler.node] = filler.origin
    hosts: dict[Node, list[Filler]] = {}
    for filler in fillers:
        host = filler.host
        while not host.children and host in mothers:
            mothers[host].children = [c for c in mothers[host].children if c is not host]
            host = mothers[host]
        hosts.setdefault(host, []).append(filler)
    tree.sort_children()
    return hosts


def _interrupted(filler: Node, parenthesis: Node) -> Node:
    """Return the lowest node in a filler that has words on both sides of a parenthesis."""
    place = min(parenthesis.leaves())
    node = filler
    while True:
        around = [
            child
            for child in node.nodes
            if min(child.leaves(), default=place) < place < max(child.leaves(), default=place)
        ]
        if not around:
            return node
        node = around[0]


def undo_by_rule(tree: Tree) -> list[Filler]:
    """Move parts of a tree until no branches cross; return these fillers, with types by rule.

    Wh-phrases go to the SBAR; an S without one gets one. What is extraposed to the right goes into
    the lowest VP before it. All others go to the lowest place where they make no gap. A word gets a
    node above it, with its tag as category. Punctuation at the root goes into constituents that it
    interrupts, and is not a filler.
    """
    fillers = list(_surround(tree))
    moves = _Moves(tree)
    moves.lower()
    moves.untangle()
    if not any(token.is_null for token in tree.tokens):
        moves.move_to_sbar()
    fillers += moves.fillers()
    tree.sort_children()
    return fillers


def _surround(tree: Tree) -> Iterator[Filler]:
    """Put phrases around the parentheses inside which they are, and yield them."""
    for parenthesis in tree.nodes():
        spans = tree.yields() if parenthesis.category == "PRN" else {}
        for node in parenthesis.preorder() if spans else ():
            rest = spans[parenthesis] & ~spans[node]
            if _is_around(spans[node], rest):
                filler = Filler(node, SURROUNDING, tree.parents()[node], parenthesis)
                (host,) = undo(tree, [filler])
                yield filler._replace(host=host)
                break


def _is_around(span: int, rest: int) -> bool:
    """Whether all other words are in one gap of a span."""
    hull = (1 << rest.bit_length()) - (rest & -rest)
    return bool(rest and span & ((rest & -rest) - 1) and span > hull and not span & hull)


class _Moves:
    """Moves parts of a tree, and knows where they were at first."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.hosts = tree.mothers()

    def lower(self) -> None:
        """Move children of the root into the constituents that they interrupt."""
        root, spans = self.tree.root, self.tree.yields()
        for child in root.children.copy():
            *_, goal = path = [root, *_interrupted_by(_span(child, spans), root, spans)]
            root.children.remove(child)
            goal.children.append(child)
            for node in path:
                spans[node] |= _span(child, spans)

    def untangle(self) -> None:
        """Move what is apart from the head of its mother, first what leaves the fewest gaps."""
        is_german = any(token.function or token.tag in _STTS for token in self.tree.tokens)
        mark_heads.in_place(self.tree, negra() if is_german else collins())
        nodes = [node for node in self.tree.nodes() if node.children]  # ROOT may have none
        heads = {node: node.children[node.head or 0] for node in nodes}
        while moves := [*self.moves(heads)]:
            _, parts, host, goal = max(moves, key=itemgetter(0))
            host.children = [part for part in host.children if part not in parts]
            goal.children += parts

    def moves(self, heads: Mapping[Node, Part]) -> Iterator[tuple[int, list[Part], Node, Node]]:
        """Yield how many gaps disappear if some parts move from their host to another node."""
        spans, mothers = self.tree.yields(), self.tree.parents()
        for host, span in spans.items():
            if fan_out(span) == 1 or any(fan_out(spans[node]) > 1 for node in host.nodes):
                continue
            for left, right in runs(span):
                words = (1 << right) - (1 << left)
                parts = [part for part in host.children if _span(part, spans) & words]
                if heads[host] not in parts:
                    path = [host]
                    while fan_out(spans[path[-1]] & ~words) < fan_out(spans[path[-1]]):
                        path.append(mothers[path[-1]])
                    path += _interrupted_by(words, path[-1], spans)
                    yield len(path), parts, host, path[-1]

    def move_to_sbar(self) -> None:
        """Move the wh-phrases at the beginning of clauses to SBARs."""
        mothers = self.tree.parents()
        for node in self.tree.nodes()[1:]:
            mother, clause = mothers[node], self.begun(node, mothers)
            if clause is None or mother.category.startswith("SBAR") or len(mother.children) == 1:
                continue
            above = mothers[clause]
            if clause.category == "S" and not above.category.startswith("SBAR"):
                sbar = Node("SBAR", children=[clause])
                above.replace(clause, sbar)
                mothers[sbar], mothers[clause] = above, sbar
                self.hosts[sbar], self.hosts[clause] = self.hosts[clause], sbar
            goal = mothers[clause] if mothers[clause].category.startswith("SBAR") else clause
            mother.children.remove(node)
            goal.children.append(node)
            mothers[node] = goal

    def begun(self, node: Node, mothers: Mapping[Node, Node]) -> Node | None:
        """Return the clause that begins with a wh-phrase, if there is one."""
        clause = mothers[node]
        if not node.category.startswith("WH") or clause.category.startswith("WH"):
            return None
        while clause in mothers and clause.category not in ("S", "SQ"):
            clause = mothers[clause]
        is_first = min(clause.leaves()) == min(node.leaves())
        return clause if is_first and clause in mothers else None

    def fillers(self) -> Iterator[Filler]:
        """Yield the parts with another mother than at first; what is extraposed moves into VPs."""
        for part, origin in self.tree.mothers().items():
            host = self.hosts[part]
            is_mark = isinstance(part, int) and is_punctuation(self.tree.tokens[part])
            if origin is host or (is_mark and host is self.tree.root):
                continue
            origin.children.remove(part)
            node = part if isinstance(part, Node) else Node(self.tag(part), children=[part])
            type_ = node.moved or self.type_of(node, host, origin)
            if type_ != _MOVED:
                origin = _lowest_vp(origin, min(node.leaves()))
            origin.children.append(node)
            yield Filler(node, type_, host, origin)

    def type_of(self, node: Node, host: Node, origin: Node) -> str:
        """Return the type of the trace of a node that is taken out of the tree."""
        tokens = self.tree.tokens
        rest, first = sorted(host.leaves()), min(node.leaves())
        if node.category.startswith("WH") or first < rest[0]:
            return _MOVED
        if len(rest) == 1 and tokens[rest[0]].form.lower() in _EXPLETIVES:
            return _EXPLETIVE
        mothers, path = self.tree.parents(), [host]
        while path[-1] is not origin and path[-1] in mothers:
            path.append(mothers[path[-1]])
        names = {self.tag(child) for node in path for child in node.children}
        if names & _CONJUNCTIONS and all(map(is_punctuation, tokens[rest[-1] + 1 : first])):
            return _SHARED
        return _EXTRAPOSED

    def tag(self, part: Part) -> str:
        """Return the tag of a word or the category of a node."""
        return part.category if isinstance(part, Node) else self.tree.tokens[part].tag


def _lowest_vp(node: Node, end: int) -> Node:
    """Return the lowest VP below a node that ends at a position, or the node."""
    while vps := [n for n in node.nodes if n.category == "VP" and max(n.leaves()) + 1 == end]:
        node = vps[0]
    return node


def _span(part: Part, spans: Mapping[Node, int]) -> int:
    return spans[part] if isinstance(part, Node) else 1 << part


def _interrupted_by(words: int, node: Node, spans: Mapping[Node, int]) -> Iterator[Node]:
    """Yield a constituent below a node in whose gap some words are, one below it, and so on."""
    while below := [n for n in node.nodes if fan_out(spans[n] | words) < fan_out(spans[n])]:
        node = below[0]
        yield node
