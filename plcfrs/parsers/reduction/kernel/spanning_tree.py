"""The best tree by the scores of its arcs, projective or not, in O(n^2).

Each word takes its best head. A cycle becomes one node, which takes its best head in turn, and so
on (Chu and Liu 1965, Edmonds 1967). The search follows the path from a word to its head, to the
head of that head, and so on, so each node takes a head once (Gabow et al. 1986).

The root must get exactly one dependent. So all its arcs get a penalty larger than the difference
between any two trees. A tree of n words has n arcs, so this difference is at most n times the
difference between the best and the worst arc. Hence the best tree has as few dependents of the root
as possible, and is the best of all such trees.
"""

from __future__ import annotations

from math import inf

from plcfrs.jit import inner_kernel, kernel
from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.reduction.kernel.arrays import Contraction, Scores

# States of a row: new, on the path, or attached to the root, directly or not.
_NEW, _ON_PATH, _ATTACHED = range(3)


@kernel
def find_spanning_tree(arcs: Scores, contraction: Contraction, heads: Int32) -> float:
    """Find the best tree whose root has one dependent.

    Of equally good heads, a node takes the leftmost one.

    Parameters
    ----------
    arcs : array of float, (n + 1, n + 1)
    contraction : Contraction
    heads : array of int, (n + 1,)
        Gets the head of each word and -1 for the root, if there is a tree; otherwise meaningless
        numbers.

    Returns
    -------
    float
        The score of the tree; -inf if there is none.
    """
    words = len(arcs) - 1
    _begin(arcs, contraction)
    nodes = words + 1
    for row in range(1, words + 1):
        if contraction.node[row] >= 0 and contraction.state[row] == _NEW:
            nodes = _attach(contraction, words, row, nodes)
            if nodes < 0:
                return -inf
    _expand(contraction, nodes, heads)
    score, roots = 0.0, 0
    for word in range(1, words + 1):
        score += arcs[heads[word], word]
        roots += heads[word] == 0
    return score if roots == 1 else -inf


@inner_kernel
def _begin(arcs: Scores, contraction: Contraction) -> None:
    words = len(arcs) - 1
    penalty = _penalty(arcs)
    for word in range(words + 1):
        contraction.node[word] = word
        contraction.state[word] = _NEW
        for head in range(words + 1):
            contraction.score[word, head] = -inf if head == word else arcs[head, word]
            contraction.head[word, head] = head
            contraction.dependent[word, head] = word
        contraction.score[word, 0] -= penalty
    contraction.state[0] = _ATTACHED


@inner_kernel
def _penalty(arcs: Scores) -> float:
    """Return a number larger than the difference between the scores of any two trees."""
    best, worst = -inf, inf
    for head in range(len(arcs)):
        for word in range(1, len(arcs)):
            if arcs[head, word] > -inf:
                best, worst = max(best, arcs[head, word]), min(worst, arcs[head, word])
    return 1.0 + len(arcs) * (best - worst) if best > -inf else 0.0


@inner_kernel
def _attach(contraction: Contraction, words: int, row: int, nodes: int) -> int:
    """Follow the best heads from a row to one that is attached, and contract cycles.

    Returns
    -------
    int
        The number of nodes now; -1 if a node has no head.
    """
    size = 0
    while contraction.state[row] != _ATTACHED:
        if contraction.state[row] == _ON_PATH:
            size = _contract(contraction, words, row, size, nodes)
            nodes += 1
        head = _take_best_head(contraction, words, row)
        if head < 0:
            return -1
        contraction.state[row] = _ON_PATH
        contraction.path[size] = row
        size += 1
        row = head
    for place in range(size):
        contraction.state[contraction.path[place]] = _ATTACHED
    return nodes


@inner_kernel
def _take_best_head(contraction: Contraction, words: int, row: int) -> int:
    """Take the best arc to a node; return the row of the head, or -1 if there is none."""
    best, best_head = -inf, -1
    for head in range(words + 1):
        is_other = contraction.node[head] >= 0 and head != row
        if is_other and contraction.score[row, head] > best:
            best, best_head = contraction.score[row, head], head
    if best_head >= 0:
        node = contraction.node[row]
        contraction.best[row] = best
        contraction.best_head[node] = contraction.head[row, best_head]
        contraction.best_dependent[node] = contraction.dependent[row, best_head]
    return best_head


@inner_kernel
def _contract(contraction: Contraction, words: int, row: int, size: int, node: int) -> int:
    """Contract the end of the path, from a row on, to a new node with this row.

    The score of an arc to the node is the loss that it brings: the cycle gives up its arc to the
    same dependent.

    Returns
    -------
    int
        The size of the path without the cycle.
    """
    start = size - 1
    while contraction.path[start] != row:
        start -= 1
    for place in range(start, size):
        member = contraction.path[place]
        contraction.above[contraction.node[member]] = node
        contraction.node[member] = -1
    for other in range(words + 1):
        if contraction.node[other] >= 0:
            contraction.score[row, other] -= contraction.best[row]
            for place in range(start + 1, size):
                _merge(contraction, row, contraction.path[place], other)
    contraction.node[row] = node
    return start


@inner_kernel
def _merge(contraction: Contraction, row: int, member: int, other: int) -> None:
    """Give a row the better arcs between a member of its cycle and another row."""
    score = contraction.score[member, other] - contraction.best[member]
    if score > contraction.score[row, other]:
        contraction.score[row, other] = score
        contraction.head[row, other] = contraction.head[member, other]
        contraction.dependent[row, other] = contraction.dependent[member, other]
    if contraction.score[other, member] > contraction.score[other, row]:
        contraction.score[other, row] = contraction.score[other, member]
        contraction.head[other, row] = contraction.head[other, member]
        contraction.dependent[other, row] = contraction.dependent[other, member]


@inner_kernel
def _expand(contraction: Contraction, nodes: int, heads: Int32) -> None:
    """Choose the arc to each node, and the remaining arcs of the cycle for the nodes inside it."""
    contraction.is_open[:nodes] = 1
    heads[0] = -1
    for node in range(nodes - 1, 0, -1):
        if contraction.is_open[node]:
            word = contraction.best_dependent[node]
            heads[word] = contraction.best_head[node]
            while word != node:
                contraction.is_open[word] = 0
                word = contraction.above[word]
