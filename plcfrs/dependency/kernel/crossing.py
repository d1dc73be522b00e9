"""Arcs that cross others: a word with such an arc gets another head if that is nearly as good.

An arc is projective if all words between its ends depend on its head. Arcs are scored without
regard to the others, so nothing else tells the search how rare it is that they cross.
"""

from __future__ import annotations

from math import inf

from plcfrs.dependency.kernel.arrays import Parts
from plcfrs.dependency.kernel.trees import is_below, score_tree
from plcfrs.jit import inner_kernel, kernel
from plcfrs.linear.kernel.arrays import Int32


@kernel
def avoid_crossing(parts: Parts, penalty: float, heads: Int32) -> None:
    """Attach words anew as long as the score less the penalties rises, and fewer arcs cross.

    Each time, it is the word and the head with which it rises most; of equally good ones the first.

    Parameters
    ----------
    parts : Parts
    penalty : float
        Of each arc that is not projective.
    heads : array of int, (n + 1,)
        A tree, which is improved.
    """
    crossing = count_crossing(heads)
    while crossing > 0:
        score, best = score_tree(parts, heads), 0.0
        best_word = best_head = best_crossing = 0
        for word in range(1, len(heads)):
            old = heads[word]
            if old == 0 or not _is_crossing(heads, word):
                continue
            for head in range(1, len(heads)):
                if parts.arcs[head, word] == -inf or head == old or is_below(heads, head, word):
                    continue
                heads[word] = head
                fewer = crossing - count_crossing(heads)
                if fewer > 0:
                    gain = score_tree(parts, heads) - score + penalty * fewer
                    if gain > best:
                        best, best_word, best_head = gain, word, head
                        best_crossing = crossing - fewer
                heads[word] = old
        if best_word == 0:
            return
        heads[best_word] = best_head
        crossing = best_crossing


@kernel
def count_crossing(heads: Int32) -> int:
    """Return the number of arcs that are not projective."""
    found = 0
    for word in range(1, len(heads)):
        found += _is_crossing(heads, word)
    return found


@inner_kernel
def _is_crossing(heads: Int32, word: int) -> bool:
    head = heads[word]
    for between in range(min(head, word) + 1, max(head, word)):
        if not is_below(heads, between, head):
            return True
    return False
