"""Null elements and their antecedents, as Johnson (2002) compares them.

A null element is right if its type, the category above it, and its place among the words are right;
with antecedent, if the category and both edges of its antecedent are right, too, or if neither tree
has one. All words count for places and edges, also punctuation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from plcfrs.trees import NULL_TAG, Tree
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.tree import leftmost, null_parts


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

    Examples
    --------
    >>> text = "(S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)))))"
    >>> [*null_elements(Tree.from_string(text))]
    [(NullElement(category='NP', type='*', place=3), Antecedent(category='NP', left=0, right=1))]
    """
    if NULL_TAG not in [token.tag for token in tree.tokens]:  # as in most trees
        return
    words_before = [*accumulate((not token.is_null for token in tree.tokens), initial=0)]
    phrases, yields = antecedents(tree), tree.yields()
    for node in tree.nodes():
        for child in node.children:
            if isinstance(child, int) and tree.tokens[child].is_null:
                type_, _ = null_parts(tree.tokens[child].form)
                null = NullElement(node.category, type_, words_before[child])
                phrase = phrases.get(child)
                if phrase is None:
                    yield null, None
                    continue
                span = yields[phrase]
                edges = words_before[leftmost(span)], words_before[span.bit_length()]
                yield null, Antecedent(phrase.category, *edges)
