"""Dependency trees as arrays of heads: their scores, and whether they are trees."""

from __future__ import annotations

from plcfrs.dependency.kernel.arrays import Parts
from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel.arrays import Int32


@kernel
def score_tree(parts: Parts, heads: Int32) -> float:
    """Return the sum of the scores of all parts of a tree; -inf if it has an arc it must not have.

    Parameters
    ----------
    parts : Parts
    heads : array of int, (n + 1,)
        The first one, of the root, is not looked at.
    """
    score = 0.0
    for word in range(1, len(heads)):
        score += score_word(parts, heads, word)
    return score


@kernel
def score_word(parts: Parts, heads: Int32, word: int) -> float:
    """Return the score of the arc to a word, with its nearer sibling and its grandparent."""
    head = heads[word]
    score = float(parts.arcs[head, word])
    score += float(parts.siblings[head, nearer_sibling(heads, word), word])
    if head > 0:
        score += float(parts.grandparents[heads[head], head, word])
    return score


@inner_kernel
def nearer_sibling(heads: Int32, word: int) -> int:
    """Return the next dependent of the same head towards it, or the head if there is none."""
    head = wide(heads[word])
    step = 1 if word < head else -1
    sibling = word + step
    while sibling != head and heads[sibling] != head:
        sibling += step
    return sibling


@inner_kernel
def is_tree(heads: Int32) -> bool:
    """Return whether the root has one dependent, and all words depend on it, directly or not."""
    roots = 0
    for word in range(1, len(heads)):
        roots += heads[word] == 0
        above, steps = heads[word], 0
        while 0 < above < len(heads) and steps < len(heads):
            above = heads[above]
            steps += 1
        if above != 0:
            return False
    return roots == 1


@inner_kernel
def is_below(heads: Int32, word: int, other: int) -> bool:
    """Return whether a word is another one or depends on it, directly or not."""
    while word > 0 and word != other:
        word = heads[word]
    return word == other
