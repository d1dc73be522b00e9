"""Null elements and their antecedents, as Johnson (2002) compares them.

A null element is right if its type, the category above it, and its place among the words are right;
with antecedent, if the category and both edges of its antecedent are right, too, or if neither tree
has one. All words count for places and edges, also punctuation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from plcfrs.trees import NULL_TAG, Node, Tree
from plcfrs.trees.tree import leftmost, null_parts

_EMPTY_FILLERS = ("0", "*0*")  # an empty relative pronoun is the antecedent of its trace


class NullElement(NamedTuple):
    """A null element without its index: ``category`` is above it, ``place`` words are before it."""

    category: str
    type: str
    place: int


class Antecedent(NamedTuple):
    """A phrase from word ``left`` up to word ``right``, which does not belong to it."""

    category: str
    left: int
    right: int


Nulls = Counter[tuple[NullElement, Antecedent | None]]


def detected(nulls: Nulls) -> Counter[NullElement]:
    """Return null elements without their antecedents."""
    return Counter([null for null, _ in nulls.elements()])


def null_elements(tree: Tree) -> Iterator[tuple[NullElement, Antecedent | None]]:
    """Yield the null elements of a tree, each with its antecedent or None.

    The index is that of the null element, ``(NP (-NONE- *T*-1))``, as in the Penn Treebank; or of
    the node above it, ``(NP-1 (-NONE- *T*))``, as in OntoNotes and CRAFT, where all nulls of a
    chain have the index of the first phrase. If several phrases have an index, the first one is
    the antecedent.

    Examples
    --------
    >>> text = "(S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)))))"
    >>> [*null_elements(Tree.from_string(text))]
    [(NullElement(category='NP', type='*', place=3), Antecedent(category='NP', left=0, right=1))]
    """
    if NULL_TAG not in [token.tag for token in tree.tokens]:  # as in most trees
        return
    words_before = [*accumulate((not token.is_null for token in tree.tokens), initial=0)]
    phrases = _phrases_by_index(tree, words_before)
    for node in tree.nodes():
        for child in node.children:
            if isinstance(child, int) and tree.tokens[child].is_null:
                type_, number = null_parts(tree.tokens[child].form)
                others = (
                    antecedent
                    for other, antecedent in phrases[node.index if number is None else number]
                    if other is not node
                    and (number is not None or not _is_placeholder(tree, other))
                )
                yield NullElement(node.category, type_, words_before[child]), next(others, None)


def _phrases_by_index(
    tree: Tree, words_before: list[int]
) -> dict[int | None, list[tuple[Node, Antecedent]]]:
    """Return the nodes with each index, and their edges."""
    phrases: dict[int | None, list[tuple[Node, Antecedent]]] = defaultdict(list)
    for node, span in reversed(tree.yields().items()):  # mothers before their children
        if node.index is not None and span:
            edges = words_before[leftmost(span)], words_before[span.bit_length()]
            phrases[node.index].append((node, Antecedent(node.category, *edges)))
    return phrases


def _is_placeholder(tree: Tree, node: Node) -> bool:
    """Whether a node has only null elements without indices, so that its own links it."""
    for child in node.children:
        if isinstance(child, Node) or not tree.tokens[child].is_null:
            return False
        type_, number = null_parts(tree.tokens[child].form)
        if number is not None or type_ in _EMPTY_FILLERS:
            return False
    return True
