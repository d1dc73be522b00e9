"""The best projective tree by the scores of its arcs and of consecutive siblings, in O(n^3).

The words to the left and to the right of a head are two *halves*, found separately from shorter
ones (Eisner 1996). The words between two siblings are a half of each (McDonald and Pereira 2006).
The root comes last, so that it gets exactly one dependent.
"""

from __future__ import annotations

from math import inf

from plcfrs.jit import inner_kernel, kernel
from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.reduction.kernel.arrays import EisnerChart, PartScores, Scores


@kernel
def find_sibling_tree(
    arcs: Scores, siblings: PartScores, chart: EisnerChart, heads: Int32
) -> float:
    """Find the best projective tree whose root has one dependent.

    Of equally good trees, the first one has the leftmost dependent of the root, and then the
    leftmost ends of halves. It prefers a first dependent on a side to a sibling, and then the
    sibling that is nearest to the head.

    Parameters
    ----------
    arcs : array of float, (n + 1, n + 1)
    siblings : array of float, (n + 1, n + 1, n + 1)
    chart : EisnerChart
    heads : array of int, (n + 1,)
        Gets the head of each word if there is a tree, and -1 for the root.

    Returns
    -------
    float
        The score of the tree; -inf if there is none.
    """
    words = len(arcs) - 1
    for word in range(1, words + 1):
        chart.half[word, word] = 0.0
    for length in range(1, words):
        for left in range(1, words - length + 1):
            right = left + length
            _join_halves(chart, left, right)
            _attach(arcs, siblings, chart, left, right, 1)
            _attach(arcs, siblings, chart, right, left, -1)
            _find_half(chart, left, right, 1)
            _find_half(chart, right, left, -1)
    best, first = -inf, 0
    for word in range(1, words + 1):
        score = arcs[0, word] + siblings[0, 0, word]
        score += chart.half[word, 1] + chart.half[word, words]
        if score > best:
            best, first = score, word
    if first > 0:
        _trace(chart, words, first, heads)
    return best


@inner_kernel
def _join_halves(chart: EisnerChart, left: int, right: int) -> None:
    """Find the best right half of a word and left half of another that meet between them."""
    best = -inf
    for end in range(left, right):
        score = chart.half[left, end] + chart.half[right, end + 1]
        if score > best:
            best = score
            chart.split[left, right] = end
    chart.pair[left, right] = best


@inner_kernel
def _find_half(chart: EisnerChart, head: int, end: int, step: int) -> None:
    """Find the best half, by its last dependent."""
    best = -inf
    for dependent in range(head + step, end + step, step):
        score = chart.arc[head, dependent] + chart.half[dependent, end]
        if score > best:
            best = score
            chart.last[head, end] = dependent
    chart.half[head, end] = best


@inner_kernel
def _attach(
    arcs: Scores, siblings: PartScores, chart: EisnerChart, head: int, word: int, step: int
) -> None:
    """Attach a word to a head, with the best next dependent that is nearer to the head."""
    if arcs[head, word] == -inf:
        chart.arc[head, word] = -inf
        return
    best = chart.half[word, head + step] + siblings[head, head, word]
    nearer = head
    for sibling in range(head + step, word, step):
        pair = chart.pair[min(sibling, word), max(sibling, word)]
        score = chart.arc[head, sibling] + pair + siblings[head, sibling, word]
        if score > best:
            best, nearer = score, sibling
    chart.arc[head, word] = best + arcs[head, word]
    chart.nearer[head, word] = nearer


@inner_kernel
def _trace(chart: EisnerChart, words: int, first: int, heads: Int32) -> None:
    """Attach the root's dependent, and then all dependents in halves."""
    heads[0], heads[first] = -1, 0
    size = _push(chart, _push(chart, 0, first, 1), first, words)
    while size > 0:
        size -= 1
        head, end = chart.stack[size, 0], chart.stack[size, 1]
        word = chart.last[head, end]
        size = _push(chart, size, word, end)
        while word != head:
            heads[word] = head
            nearer = chart.nearer[head, word]
            if nearer == head:
                size = _push(chart, size, word, head + 1 if head < word else head - 1)
            else:
                size = _push_pair(chart, size, nearer, word)
            word = nearer


@inner_kernel
def _push(chart: EisnerChart, size: int, word: int, end: int) -> int:
    """Put a half on the stack if it has dependents; return the size of the stack."""
    if word == end:
        return size
    chart.stack[size, 0], chart.stack[size, 1] = word, end
    return size + 1


@inner_kernel
def _push_pair(chart: EisnerChart, size: int, word: int, other: int) -> int:
    """Put the halves between two words on the stack; return the size of the stack."""
    left, right = min(word, other), max(word, other)
    end = chart.split[left, right]
    return _push(chart, _push(chart, size, left, end), right, end + 1)
