"""Binarization of trees, with horizontal and vertical Markovization.

A node with more than two children keeps one; an intermediate node takes the others, and so on. Its
label is that of the constituent with the last *h* siblings that were split off, so that rules of
different lengths share statistics (Klein and Manning 2003; for PLCFRS, Kallmeyer and Maier 2010,
2013). Labels may also have the categories above them, *v* categories in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from operator import attrgetter
from typing import Literal

from plcfrs.grammar.rules import YieldFunction, from_runs
from plcfrs.settings import Checked, setting, show_changes
from plcfrs.transformation.cleanup import remove_constituents
from plcfrs.trees import Node, Tree, render_category
from plcfrs.trees.heads import on_copy, unmarked_head
from plcfrs.trees.tree import leftmost, runs

Order = Literal["head-outward", "head-outward-right", "left-to-right", "right-to-left"]

# The default place of a sibling: left or right of all remaining ones.
_LEFT, _RIGHT = ((0, 1),), ((1, 0),)
_EXPECTED: dict[Order, YieldFunction] = {
    "left-to-right": _LEFT,
    "right-to-left": _RIGHT,
    "head-outward": _RIGHT,
    "head-outward-right": _LEFT,
}


def horizontal_setting() -> float:
    """Return the field of the number of siblings."""
    help = "How many siblings a Markovized symbol remembers (disco-dop: h; rparse: hMarkov)."
    return setting(inf, help, least=0, metavar="H")


def vertical_setting() -> float:
    """Return the field of the number of categories."""
    help = "Number of categories in a symbol: 1 is its own (disco-dop: v; rparse: vMarkov)."
    return setting(1, help, least=1, metavar="V")


@dataclass(frozen=True)
class Markovization(Checked):
    """How trees are binarized.

    Parameters
    ----------
    binarization : {"head-outward", "head-outward-right", "left-to-right", "right-to-left"}
        Which children are split off first. Head-outward: children right of the head, from the
        right, then children left of it, from the left; the head is lowest. Head-outward-right:
        children left of the head first; bottom-up, the head gets its siblings on the right first.
    horizontal : int or inf
        How many siblings the label of an intermediate node remembers. A category and a tag with the
        same name count as the same sibling.
    vertical : int or inf
        The number of categories in a label: 1 is its own, 2 adds that of the mother.

    Raises
    ------
    InputError
        If a value is not allowed.
    """

    binarization: Order = setting("head-outward", "Which children are split off first.")
    horizontal: float = horizontal_setting()
    vertical: float = vertical_setting()

    __repr__ = show_changes


@on_copy
def annotate_ancestors(tree: Tree, vertical: float) -> Tree:
    """Add the categories above to the label of every node (Johnson 1998).

    Parameters
    ----------
    tree : Tree
    vertical : int or inf
        The number of categories in a label: 1 is its own, 2 adds that of the mother.
    """
    for node in tree.nodes():  # mothers come before their children
        above = (node.category, *node.ancestors)
        for child in node.nodes:
            child.ancestors = above[: _at_most(len(above), vertical - 1)]
    return tree


@on_copy
def binarize_tree(tree: Tree, markovization: Markovization) -> Tree:
    """Binarize a tree.

    A sibling is remembered by category and split. A sibling that is not on the expected side also
    shows its place among the remaining children (1): ``VP:010`` is a VP around them. With
    ``horizontal=inf`` the labels remember everything, so rules have the same probabilities as
    without binarization, except that function tags are ignored.

    Parameters
    ----------
    tree : Tree
        With heads marked if the order is head-outward; then intermediate nodes have them, too.
    markovization : Markovization

    Raises
    ------
    TreebankError
        If the order needs a head that is not marked.

    Examples
    --------
    >>> from plcfrs.trees import Token, render_label
    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0, 1, 2, 3])]), [])
    >>> tree.tokens = [Token(tag.lower(), tag) for tag in ("DT", "JJ", "JJ", "NN")]
    >>> binarized = binarize_tree(tree, Markovization("left-to-right", horizontal=1, vertical=2))
    >>> [render_label(node) for node in binarized.nodes()]
    ['ROOT', 'NP>ROOT', '@NP>ROOT+DT', '@NP>ROOT+JJ']
    """
    annotate_ancestors.in_place(tree, markovization.vertical)
    spans = tree.yields()
    for node in tree.nodes():
        if len(node.children) > 2:
            _binarize_node(node, tree, spans, markovization)
    return tree


@on_copy
def unbinarize_tree(tree: Tree) -> Tree:
    """Undo `binarize_tree`: remove intermediate nodes, and the categories above from labels.

    Parameters
    ----------
    tree : Tree
    """
    for node in tree.nodes():
        node.ancestors = ()
    return remove_constituents.in_place(tree, attrgetter("intermediate"))


def _binarize_node(
    node: Node, tree: Tree, spans: dict[Node, int], markovization: Markovization
) -> None:
    head = None if node.head is None else node.children[node.head]
    if head is None and markovization.binarization.startswith("head-outward"):
        raise unmarked_head(node, tree)
    order = _in_order(node, markovization.binarization)
    label = node.label._replace(index=None, gap_index=None, intermediate=True)
    siblings: list[str] = []
    mother, rest = node, spans[node]
    for child in order[:-2]:
        rest &= ~_span(child, spans)
        siblings.append(_describe(child, rest, tree, spans, markovization.binarization))
        first = len(siblings) - _at_most(len(siblings), markovization.horizontal)
        below = Node(*label._replace(siblings=tuple(siblings[first:])))
        spans[below] = rest
        lower = None if head is None else below
        _hang(mother, [child, below], child if child == head else lower, spans)
        mother = below
    _hang(mother, order[-2:], head, spans)


def _in_order(node: Node, order: Order) -> list[Node | int]:
    """Return the children in the order in which they are split off."""
    children = node.children
    if order == "left-to-right":
        return children
    if order == "right-to-left":
        return children[::-1]
    head = node.head or 0
    left, right = children[:head], children[:head:-1]
    siblings = right + left if order == "head-outward" else left + right
    return [*siblings, children[head]]


def _describe(
    child: Node | int, rest: int, tree: Tree, spans: dict[Node, int], order: Order
) -> str:
    """Return the text for a sibling in a label."""
    name = tree.tokens[child].tag if isinstance(child, int) else render_category(child)
    ranges = [(*run, 0) for run in runs(_span(child, spans))] + [(*run, 1) for run in runs(rest)]
    place = from_runs(ranges)
    if place == _EXPECTED[order]:
        return name
    return f"{name}:{','.join(''.join(map(str, component)) for component in place)}"


def _hang(
    mother: Node, children: list[Node | int], head: Node | int | None, spans: dict[Node, int]
) -> None:
    mother.children = sorted(children, key=lambda child: leftmost(_span(child, spans)))
    mother.head = mother.children.index(head) if head in mother.children else None


def _span(child: Node | int, spans: dict[Node, int]) -> int:
    return 1 << child if isinstance(child, int) else spans[child]


def _at_most(length: int, bound: float) -> int:
    return int(min(length, bound))
