"""Arcs that cross others, and a search that knows what they score.

An arc is projective if all words between its ends depend on its head. How rare the other ones are,
and where they are, is learned: each adds a score of its own to that of its tree.
"""

from __future__ import annotations

from math import inf

from plcfrs.dependency.kernel.arrays import Parts
from plcfrs.dependency.kernel.trees import is_below, score_tree
from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel.arrays import Int32


@kernel
def reattach(parts: Parts, heads: Int32) -> float:
    """Attach words anew as long as the score of the tree rises, and return it.

    Each time, it is the word and the head with which it rises most; of equally good ones the first.

    Parameters
    ----------
    parts : Parts
    heads : array of int, (n + 1,)
        A tree, which is improved.
    """
    score = score_with_crossing(parts, heads)
    while True:
        best, best_word, best_head = score, 0, 0
        for word in range(1, len(heads)):
            old = heads[word]
            if old == 0:
                continue
            for head in range(1, len(heads)):
                if parts.arcs[head, word] == -inf or head == old or is_below(heads, head, word):
                    continue
                heads[word] = head
                changed = score_with_crossing(parts, heads)
                if changed > best:
                    best, best_word, best_head = changed, word, head
            heads[word] = old
        if best_word == 0:
            return score
        heads[best_word] = best_head
        score = best


@kernel
def score_with_crossing(parts: Parts, heads: Int32) -> float:
    """Return the score of a tree, with those of the arcs that cross others."""
    score = score_tree(parts, heads)
    for word in range(1, len(heads)):
        score += score_crossing(parts, heads, word)
    return score


@kernel
def score_crossing(parts: Parts, heads: Int32, word: int) -> float:
    """Return what the arc to a word scores for crossing others, 0 if it does not."""
    crossed = crossed_by(heads, word)
    return float(parts.crossing[heads[word], crossed, word]) if crossed > 0 else 0.0


@inner_kernel
def crossed_by(heads: Int32, word: int) -> int:
    """Return the word nearest to another one, between it and its head, that is not below the head.

    Returns
    -------
    int
        0 if there is none: the arc is projective.
    """
    head = wide(heads[word])
    step = 1 if word < head else -1
    between = word + step
    while between != head:
        if not is_below(heads, between, head):
            return between
        between += step
    return wide(0)
