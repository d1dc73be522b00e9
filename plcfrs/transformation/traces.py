"""From traces to crossing branches (Evang and Kallmeyer 2011, section 3).

A phrase that belongs elsewhere, a *filler*, is linked to a null element, a *trace*, inside a
*placeholder*. `reattach_traces` moves each filler to the place of its placeholder. `pair_marks`
then gives both marks of a pair of quotes, brackets or dashes the same mother.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.fillers import SURROUNDING as SURROUNDING
from plcfrs.trees.heads import is_punctuation, on_copy
from plcfrs.trees.tree import NULL_TAG, fan_out, leftmost, null_parts
from plcfrs.trees.tree import TRACE_TYPES as TRACE_TYPES


class Anomaly(NamedTuple):
    """An oddity of the annotation that needs special treatment."""

    # ``"empty filler"``, ``"missing filler"``, ``"several fillers"``, ``"cycle without
    # PRN"``, ``"dropped sentence"``.
    kind: str
    sentence: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A null element that stands for a phrase elsewhere."""

    type: str
    index: int
    position: int  # of the null element among all tokens
    placeholder: Node

    def __str__(self) -> str:
        return f"{self.type}-{self.index}"


def find_traces(tree: Tree) -> list[Trace]:
    """Return the traces of all types that have an index, in the order of the text.

    Both styles of indices are read: ``(NP (-NONE- *T*-1))`` of the Penn Treebank, and
    ``(NP-1 (-NONE- *T*))`` of OntoNotes, where the placeholder carries the index.
    """
    found = {
        place: parts
        for place, token in enumerate(tree.tokens)
        if token.tag == NULL_TAG and (parts := null_parts(token.form))[0] in TRACE_TYPES
    }
    traces = []
    for node in tree.nodes() if found else ():
        for child in node.children:
            if isinstance(child, int) and child in found:
                type_, number = found[child]
                index = node.index if number is None else number
                if index is not None:
                    traces.append(Trace(type_, index, child, node))
    return sorted(traces, key=attrgetter("position"))


@on_copy
def reattach_traces(
    tree: Tree, types: Collection[str] = TRACE_TYPES, anomalies: list[Anomaly] | None = None
) -> Tree:
    """Move the fillers of traces to the places of their placeholders, and set `moved`.

    A filler of several traces moves to the closest one. A word moves without a node above it that
    has its tag as category. If a filler dominates its own trace, like a
    quotation around 'she said', the PRN between the two takes the place of the filler. A filler
    without words is moved only if another filler with words moves into it. Nodes that lose all
    their children are removed.

    Parameters
    ----------
    tree : Tree
        With null elements.
    types : collection of str
        The types of traces whose fillers are moved.
    anomalies : list of Anomaly, optional
        Oddities of the annotation are appended.
    """
    traces = find_traces(tree)
    by_index: dict[int, list[Trace]] = {}
    for trace in traces:
        if trace.type in types:
            by_index.setdefault(trace.index, []).append(trace)
    if by_index:
        mover = _Mover(tree, traces, [] if anomalies is None else anomalies)
        for filler, trace in mover.plan(by_index):
            mover.move(filler, trace)
        tree.remove_empty_nodes()
    return tree


class _Mover:
    """One tree while its fillers are moved; nodes and yields are those of the original tree."""

    def __init__(self, tree: Tree, traces: list[Trace], anomalies: list[Anomaly]) -> None:
        self.tree = tree
        self.anomalies = anomalies
        self.nodes = tree.nodes()
        self.placeholders = {trace.placeholder for trace in traces}
        # The index of a node with only null elements *... (but *0* is 0) is that of another node.
        nulls = {
            place
            for place, token in enumerate(tree.tokens)
            if token.is_null and token.form.startswith("*") and token.form != "*0*"
        }
        self.placeholders.update(node for node in self.nodes if nulls.issuperset(node.children))
        self.yields = tree.yields()
        self.parents = tree.parents()
        self.overt = sum(1 << i for i, token in enumerate(tree.tokens) if not token.is_null)

    def plan(self, by_index: dict[int, list[Trace]]) -> list[tuple[Node, Trace]]:
        """Return pairs of a filler and the trace to which it moves, if the filler gets words."""
        fillers: dict[int, Node] = {}
        for index, traces in by_index.items():
            filler = self.choose_filler(traces)
            if filler is None:
                self.report("missing filler", traces[0])
            else:
                fillers[index] = filler
        goals: dict[int, Trace] = {}
        arriving: dict[int, int] = {}  # the words that move to the position of a trace
        waiting = dict(fillers)
        while ready := {i: words for i in waiting if (words := self.words(waiting[i], arriving))}:
            for index, words in ready.items():
                del waiting[index]
                goals[index] = self.closest(words, by_index[index])
                arriving[goals[index].position] = words
        for index in waiting:
            self.report("empty filler", by_index[index][0])
        return [(fillers[index], goals[index]) for index in by_index if index in goals]

    def words(self, filler: Node, arriving: dict[int, int]) -> int:
        """Return the overt tokens of a filler, or else the tokens that will move into it."""
        words = self.yields[filler] & self.overt
        if not words:
            for position in arriving:
                if self.yields[filler] >> position & 1:
                    words |= arriving[position]
        return words

    def choose_filler(self, traces: list[Trace]) -> Node | None:
        """Return the node with the index of the traces; of several nodes, the most likely one."""
        index = traces[0].index
        fillers = [
            node for node in self.nodes if node.index == index and node not in self.placeholders
        ]
        if len(fillers) > 1:
            self.report("several fillers", traces[0])
            positions = sum(1 << trace.position for trace in traces)
            outside = [node for node in fillers if not self.yields[node] & positions]
            categories = {trace.placeholder.category for trace in traces}
            fitting = [node for node in outside if node.category.removeprefix("WH") in categories]
            fillers = fitting or outside or fillers
        return fillers[0] if fillers else None

    def closest(self, words: int, traces: list[Trace]) -> Trace:
        """Return the trace with the fewest overt tokens between it and the filler's nearer edge."""
        left = self.overt_before(leftmost(words))
        right = self.overt_before(words.bit_length())

        def distance(trace: Trace) -> int:
            place = self.overt_before(trace.position)
            return min(abs(place - left), abs(place - right))

        return min(traces, key=distance)

    def overt_before(self, position: int) -> int:
        return (self.overt & ((1 << position) - 1)).bit_count()

    def move(self, filler: Node, trace: Trace) -> None:
        """Move the filler to the place of the placeholder."""
        path = self.path(filler, trace.placeholder)
        type_ = trace.type
        if path:
            parentheses = [node for node in path if node.category == "PRN"]
            if not parentheses:
                self.report("cycle without PRN", trace)
                return
            self.put(parentheses[0], filler)
            type_ = SURROUNDING
        filler.moved = type_
        if len(trace.placeholder.children) == 1:
            self.put(filler, trace.placeholder)
        else:  # the placeholder has other children, so it stays and gets the filler
            self.take(filler)
            self.parents[filler] = trace.placeholder
            trace.placeholder.replace(trace.position, filler)
        match filler.children:
            case [int(word)] if self.tree.tokens[word].tag == filler.category:
                # The node is there for an index: `plcfrs.trees.fillers` puts it above a word.
                self.parents[filler].replace(filler, word)

    def path(self, top: Node, node: Node) -> list[Node]:
        """Return the nodes from below `top` to `node`, or nothing if `top` does not dominate it."""
        path: list[Node] = []
        while node is not top:
            if node not in self.parents:
                return []
            path.insert(0, node)
            node = self.parents[node]
        return path

    def take(self, node: Node) -> None:
        """Remove a node from its mother, if it has one."""
        mother = self.parents.pop(node, None)
        if mother is not None:
            mother.children.remove(node)

    def put(self, node: Node, old: Node) -> None:
        """Move a node to the place of an old one."""
        self.take(node)
        mother = self.parents.pop(old)
        mother.replace(old, node)
        self.parents[node] = mother

    def report(self, kind: str, trace: Trace) -> None:
        self.anomalies.append(Anomaly(kind, self.tree.id, str(trace)))


class Paths:
    """Finds the nodes above the tokens of a tree, which must not change meanwhile."""

    def __init__(self, tree: Tree) -> None:
        self._parents = tree.parents()
        self.mothers = {
            child: node
            for node in tree.nodes()
            for child in node.children
            if isinstance(child, int)
        }

    def above(self, position: int) -> list[Node]:
        """Return the nodes above a token, from below the root down to its mother."""
        node, path = self.mothers[position], []
        while node in self._parents:
            path.append(node)
            node = self._parents[node]
        return path[::-1]

    def above_both(self, left: int, right: int) -> list[Node]:
        """Return the nodes above two tokens, from below the root to the lowest that covers both."""
        pairs = zip(self.above(left), self.above(right), strict=False)
        return [one for one, other in pairs if one is other]


_PAIRS = """`` ''  ` '  „ “  „ ”  „ "  “ ”  ‚ ‘  ‚ ’  ‘ ’  » «  « »  › ‹  ‹ ›  " "  ' '
    ( )  [ ]  { }  -LRB- -RRB-  -LSB- -RSB-  -LCB- -RCB-  - -  -- --  --- ---  – –  — —
"""  # noqa: RUF001 (quotes and dashes of all kinds)
_CLOSED_BY: dict[str, set[str]] = {}
for _left, _right in zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True):
    _CLOSED_BY.setdefault(_left, set()).add(_right)


@on_copy
def pair_marks(tree: Tree) -> Tree:
    """Give both marks of each pair the same mother; inner pairs come first.

    The mother is the lowest node that covers the tokens between the marks and to which both can be
    attached without a new gap in any constituent. Marks stay where they are if there is no such
    node, if they already have the same mother below the root, or if nothing is between them. The
    tree must not have null elements. Mark heads afterwards.
    """
    for left, right in find_pairs(tree.tokens):
        paths = Paths(tree)
        apart = paths.mothers[left] is not paths.mothers[right]
        if right - left > 1 and (apart or paths.mothers[left] is tree.root):
            _join_marks(tree, left, right, paths)
    return tree


def find_pairs(tokens: list[Token]) -> list[tuple[int, int]]:
    """Return the positions of paired marks, inner pairs first.

    A mark closes the nearest open mark before it that matches. Marks that look the same on both
    sides, such as dashes, do not pair across an open bracket or quote.

    Examples
    --------
    >>> find_pairs([Token(form, "$(") for form in '" ( - ) - "'.split()])
    [(1, 3), (0, 5)]
    """
    pairs = []
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if not is_punctuation(token):
            continue
        place = _opener(token.form, [tokens[mark].form for mark in opened])
        if place is not None:
            pairs.append((opened[place], position))
            del opened[place:]
        elif token.form in _CLOSED_BY:
            opened.append(position)
    return pairs


def _opener(form: str, opened: list[str]) -> int | None:
    for place in reversed(range(len(opened))):
        closing = _CLOSED_BY[opened[place]]
        if form in closing:
            return place
        if form in _CLOSED_BY.get(form, ()) and opened[place] not in closing:
            return None
    return None


def _join_marks(tree: Tree, left: int, right: int, paths: Paths) -> None:
    spans = tree.yields()
    path = [tree.root, *paths.above_both(left + 1, right - 1)]
    while path and _makes_gaps(spans, 1 << left | 1 << right, set(path)):
        path.pop()
    if path:
        for mark in (left, right):
            paths.mothers[mark].children.remove(mark)
            path[-1].children.append(mark)
        tree.sort_children()


def _makes_gaps(spans: dict[Node, int], marks: int, above: set[Node]) -> bool:
    """Return whether moving marks below some nodes makes a gap or leaves a node empty."""
    for node, span in spans.items():
        after = span | marks if node in above else span & ~marks
        if not after or fan_out(after) > fan_out(span):
            return True
    return False
