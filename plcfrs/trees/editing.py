"""Editing a tree by hand: moving and relabelling its parts, adding and deleting nodes.

A part is a constituent, or a token (its position). Every function returns a changed copy without
marked heads, and the edited parts of the copy. The root stays, nodes that lose all their children
are removed, and tokens keep their order, so that a move may make branches cross.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.trees.labels import parse_label, render_label
from plcfrs.trees.tree import Node, Tree

Part = Node | int


class Edited(NamedTuple):
    """A tree after an edit, and the parts that moved, changed, are new, or lost their mother."""

    tree: Tree
    parts: list[Part]


def attach(tree: Tree, parts: Iterable[Part], mother: Node) -> Edited:
    """Move parts of a tree to another mother; remove nodes that lose all their children.

    >>> tree = Tree.from_string("(S (NP (WP What)) (VP (MD should) (PRP we) (VB do)))")
    >>> _, s, np, vp = tree.nodes()
    >>> print(attach(tree, [1, 2], s).tree)
    (ROOT (S (NP (WP 0=What)) (MD 1=should) (PRP 2=we) (VP (VB 3=do))))
    >>> print(attach(tree, [0], vp).tree)
    (ROOT (S (VP (WP 0=What) (MD 1=should) (PRP 2=we) (VB 3=do))))
    """
    copy, (target, *moved) = _copy(tree, [mother, *dict.fromkeys(parts)])
    assert isinstance(target, Node)
    mothers = copy.mothers()
    for part in moved:
        if part is copy.root:
            raise InputError("the root cannot be moved")
        if isinstance(part, Node) and target in part.preorder():
            where = "itself" if part is target else f"{render_label(target)}, which is below it"
            raise InputError(f"{_name(copy, part)} cannot be attached to {where}")
        mothers[part].children.remove(part)
        target.children.append(part)
    for node in copy.bottom_up():
        node.children = [part for part in node.children if isinstance(part, int) or part.children]
    return _finished(copy, [part for part in moved if isinstance(part, int) or part.children])


def relabel(tree: Tree, part: Part, label: str, word: str = "") -> Edited:
    """Give a node another label, or a token another tag, and perhaps another word.

    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> print(relabel(tree, tree.nodes()[2], "NP-SBJ").tree)
    (ROOT (S (NP-SBJ (PRP 0=They)) (VP (VBP 1=sing))))
    >>> print(relabel(tree, 1, "VBD", "sang").tree)
    (ROOT (S (NP (PRP 0=They)) (VP (VBD 1=sang))))
    """
    copy, (changed,) = _copy(tree, [part])
    if changed is copy.root:
        raise InputError("the root keeps its label")
    if isinstance(changed, int):
        old = copy.tokens[changed]
        copy.tokens[changed] = replace(old, tag=_nonempty(label), form=word or old.form)
        return Edited(copy, [changed])
    for name, value in parse_label(_nonempty(label))._asdict().items():
        setattr(changed, name, value)
    return Edited(copy, [changed])


def add_node(tree: Tree, parts: Iterable[Part], label: str) -> Edited:
    """Put a new node above a part of a tree, or above several sisters.

    >>> tree = Tree.from_string("(S (DT The) (NN ship) (VBD sank))")
    >>> print(add_node(tree, [0, 1], "NP").tree)
    (ROOT (S (NP (DT 0=The) (NN 1=ship)) (VBD 2=sank)))
    """
    copy, chosen = _copy(tree, dict.fromkeys(parts))
    if copy.root in chosen:
        raise InputError("no node can be above the root")
    mothers = copy.mothers()
    above = {mothers[part] for part in chosen}
    if len(above) != 1:
        raise InputError("a node can only be put above sisters, which have the same mother")
    (mother,) = above
    node = Node(*parse_label(_nonempty(label)), children=chosen)
    mother.children = [*(child for child in mother.children if child not in chosen), node]
    return _finished(copy, [node])


def delete_nodes(tree: Tree, parts: Iterable[Part]) -> Edited:
    """Delete nodes; their children go to their mothers.

    >>> tree = Tree.from_string("(S (NP (DT The) (NN ship)) (VBD sank))")
    >>> print(delete_nodes(tree, [tree.nodes()[2]]).tree)
    (ROOT (S (DT 0=The) (NN 1=ship) (VBD 2=sank)))
    """
    copy, chosen = _copy(tree, dict.fromkeys(parts))
    freed: list[Part] = []
    for node in chosen:
        if isinstance(node, int):
            raise InputError(f"{_name(copy, node)} is a word: choose a constituent to delete")
        if node is copy.root:
            raise InputError("the root cannot be deleted")
        mother = copy.mothers()[node]
        mother.children.remove(node)
        mother.children += node.children
        freed += node.children
    return _finished(copy, [part for part in freed if part not in chosen])


def _copy(tree: Tree, parts: Iterable[Part]) -> tuple[Tree, list[Part]]:
    """Return a copy without marked heads, and the given parts of the copy."""
    copy = tree.copy()
    new: dict[Part, Part] = dict(zip(tree.nodes(), copy.nodes(), strict=True))
    new |= {position: position for position in range(len(tree.tokens))}
    for node in copy.nodes():
        node.head = None
    try:
        return copy, [new[part] for part in parts]
    except KeyError:
        raise InputError("expected constituents and positions of tokens of the tree") from None


def _nonempty(label: str) -> str:
    if not label:
        raise InputError("a label is missing")
    return label


def _name(tree: Tree, part: Part) -> str:
    return tree.tokens[part].form if isinstance(part, int) else render_label(part)


def _finished(tree: Tree, parts: list[Part]) -> Edited:
    """Return a tree with its children in order, without secondary edges of removed nodes."""
    tree.sort_children()
    kept: set[Part] = {*tree.nodes(), *range(len(tree.tokens))}
    tree.secondary_edges = [
        edge for edge in tree.secondary_edges if edge.child in kept and edge.parent in kept
    ]
    return Edited(tree, parts)
