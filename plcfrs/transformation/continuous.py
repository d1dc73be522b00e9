"""Making trees continuous by raising or splitting nodes (Boyd 2007), and merging split nodes.

Both work bottom-up on *parts*, blocks of adjacent children. Raising keeps the part with the head,
and gives the other children to the mother. Splitting makes a node of each part: ``VP*1`` and
``VP*2`` are one VP, and the next VP of the mother begins with ``VP*4``, so that `merge_nodes` needs
only the labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from plcfrs.errors import TreebankError
from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.heads import HeadRules, head_of, on_copy

Child = Node | int

_PART = re.compile(r"(.+)\*([0-9]{0,9})")


@on_copy
def raise_nodes(tree: Tree) -> Tree:
    """Make a tree continuous: raise the children that are not in one block with the head.

    Heads stay marked. A TreebankError is raised if a discontinuous node has none.

    Examples
    --------
    >>> phrase = Node("VP", children=[0, 2], head=1)
    >>> tree = raise_nodes(Tree(Node("ROOT", children=[phrase, 1], head=0), []))
    >>> tree.root.children[:2], tree.root.nodes[0].children
    ([0, 1], [2])
    """

    def keep_head(node: Node, parts: list[list[Child]], kept: int) -> list[Child]:
        node.children = parts.pop(kept)
        return [node, *(child for part in parts for child in part)]

    _make_continuous(tree, keep_head)
    return tree


@on_copy
def split_nodes(tree: Tree, rules: HeadRules | None = None) -> Tree:
    """Make a tree continuous: split each discontinuous node into its parts.

    A TreebankError is raised if a discontinuous node has no head, or is already split.

    Parameters
    ----------
    tree : Tree
        With heads marked. The node itself becomes the part that has its head.
    rules : HeadRules, optional
        Rules for the heads of the other parts; those of Collins (1999) if left out.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token("What", "WP"), Token("to", "TO"), Token("sing", "VB")]
    >>> phrase = Node("VP", children=[0, 2], head=1)
    >>> tree = split_nodes(Tree(Node("ROOT", children=[phrase, 1], head=0), tokens))
    >>> [(node.category, node.children) for node in tree.nodes()[1:]]
    [('VP*1', [0]), ('VP*2', [2])]
    """
    for node in tree.nodes():
        if _PART.fullmatch(node.category):
            raise TreebankError(
                f"{node.category} is a part: merge split nodes first", sentence=tree.id
            )

    nodes, mothers = tree.nodes(), tree.parents()
    parts_of: dict[Node, list[Node]] = {}

    def split(node: Node, parts: list[list[Child]], kept: int) -> list[Node]:
        parts_of[node] = [node if number == kept else replace(node) for number in range(len(parts))]
        for part, children in zip(parts_of[node], parts, strict=True):
            part.children = children
            part.head = head_of(tree, part, rules)
        return parts_of[node]

    _make_continuous(tree, split)
    last: dict[tuple[Node, str], int] = {}
    for node in nodes:
        if node in parts_of:
            category, place = node.category, (mothers[node], render_label(node))
            first = last[place] + 2 if place in last else 1
            last[place] = first + len(parts_of[node]) - 1
            for number, part in enumerate(parts_of[node], start=first):
                part.category = f"{category}*{number}"
    return tree


@on_copy
def merge_nodes(tree: Tree) -> Tree:
    """Merge the parts of split nodes, also in the output of a parser trained on such trees.

    Mothers come first. Among the children of a node, from left to right, a part numbered *n* joins
    the leftmost node with the same label whose last part has the number *n* - 1; in files with
    asterisks and no numbers, it joins the leftmost node with the same label. Otherwise, it begins a
    new node. No heads are marked afterwards.

    Examples
    --------
    >>> parts = [Node("VP*1", children=[0]), 1, Node("VP*2", children=[2])]
    >>> tree = merge_nodes(Tree(Node("ROOT", children=parts), []))
    >>> [(node.category, node.children) for node in tree.nodes()[1:]]
    [('VP', [0, 2])]
    """
    merged: dict[Node | int, Node] = {}
    stack = [tree.root]
    while stack:
        node = stack.pop()
        node.head = None
        node.children = list(_merge(node.children, merged))
        stack.extend(node.nodes)
    for edge in tree.secondary_edges:
        edge.child = merged.get(edge.child, edge.child)
        edge.parent = merged.get(edge.parent, edge.parent)
    tree.sort_children()
    return tree


def _merge(children: list[Child], merged: dict[Node | int, Node]) -> Iterator[Child]:
    """Yield the children with parts merged; record the node that each part joins."""
    last: dict[Node, int | None] = {}
    for child in children:
        match = _PART.fullmatch(child.category) if isinstance(child, Node) else None
        if not isinstance(child, Node) or match is None:
            yield child
            continue
        child.category = match[1]
        number = int(match[2]) if match[2] else None
        before = None if number is None else number - 1
        label = render_label(child)
        same = [node for node in last if last[node] == before and render_label(node) == label]
        whole = same[0] if same else child
        last[whole] = number
        if whole is child:
            yield child
        else:
            whole.children += child.children
            merged[child] = whole


def _make_continuous(
    tree: Tree, divide: Callable[[Node, list[list[Child]], int], Sequence[Child]]
) -> None:
    """Replace each discontinuous node by the children that `divide` makes of its parts."""
    ends: dict[Child, tuple[int, int]] = {}
    replacements: dict[Child, Sequence[Child]] = {}
    for node in tree.bottom_up():
        head = None if node.head is None else node.children[node.head]
        ends.update(
            (child, (child, child + 1)) for child in node.children if isinstance(child, int)
        )
        children = [new for child in node.children for new in replacements.get(child, [child])]
        parts = _adjacent(sorted(children, key=ends.__getitem__), ends)
        if len(parts) > 1:
            holders = [number for number, part in enumerate(parts) if head in part]
            if not holders:
                raise TreebankError(
                    f"{render_label(node)} has no head: use plcfrs.trees.mark_heads",
                    sentence=tree.id,
                )
            replacements[node] = divide(node, parts, holders[0])
        else:
            node.children = [child for part in parts for child in part]
        for new in replacements.get(node, [node]):
            if isinstance(new, Node) and new.children:
                ends[new] = ends[new.children[0]][0], ends[new.children[-1]][1]
        if head is not None:
            node.head = node.children.index(head)


def _adjacent(children: list[Child], ends: dict[Child, tuple[int, int]]) -> list[list[Child]]:
    blocks: list[list[Child]] = []
    for child in children:
        if blocks and ends[blocks[-1][-1]][1] == ends[child][0]:
            blocks[-1].append(child)
        else:
            blocks.append([child])
    return blocks
