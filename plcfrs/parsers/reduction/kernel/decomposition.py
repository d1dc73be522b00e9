"""Dual decomposition: better trees than hill climbing finds, and an upper bound of all scores.

The search is relaxed to independent searches with exact solutions (Koo et al. 2010): one for the
best spanning tree by arcs, and one for each word, for its best dependents and its best head, by
siblings and grandparents. Their choices need not agree. The tree, the head and the dependent share
the score of each arc, so a tree that all choose gets the sum of its parts. Hence, however the
scores are shared, the sum of the best scores is at least the score of every tree. Steps of the
subgradient method move the shares of arcs that the choices disagree about, until the bound meets
the score of the best known tree. The steps have the length of Polyak (1969).
"""

from __future__ import annotations

from math import inf

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.reduction.kernel.arrays import Contraction, Decomposition, Parts, Scores
from plcfrs.parsers.reduction.kernel.climbing import is_tree, score_tree
from plcfrs.parsers.reduction.kernel.spanning_tree import find_spanning_tree

# Who chose an arc: the sum of these.
_TREE, _HEAD, _DEPENDENT = 1, 2, 4
_ALL = 7

# Factor of the length of steps, between 0 and 2: it proves more trees to be best than 1 does.
_STEP = 1.5

# A tree is best if the bound exceeds its score by no more than this.
TOLERANCE = 1e-6


@kernel
def decompose(
    parts: Parts, steps: int, contraction: Contraction, relaxation: Decomposition, heads: Int32
) -> float:
    """Look for a better tree, projective or not, without pruned arcs.

    Parameters
    ----------
    parts : Parts
    steps : int
        The most steps, at least 1.
    contraction : Contraction
    relaxation : Decomposition
    heads : array of int, (n + 1,)
        A good tree, if one is known. A better one replaces it if the search finds one.

    Returns
    -------
    float
        An upper bound of the scores of all trees, or -inf without any tree. The tree in `heads` is
        the best one if its score is at most TOLERANCE below the bound.
    """
    nodes = len(heads)
    tree_share = relaxation.tree_share[: nodes * nodes].reshape(nodes, nodes)
    tree = relaxation.tree[:nodes]
    _begin(parts.arcs, tree_share, relaxation)
    bound, score = inf, score_tree(parts, heads) if is_tree(heads) else -inf
    for _ in range(steps):
        relaxed = find_spanning_tree(tree_share, contraction, tree)
        if relaxed == -inf:
            return -inf
        _choose_tree(relaxation, tree)
        relaxed += _choose_dependents(parts, relaxation, nodes)
        bound = min(bound, relaxed)
        tree_score = score_tree(parts, tree)
        if tree_score > score:
            score = tree_score
            for word in range(nodes):  # a copy of slices would need more memory
                heads[word] = tree[word]
        disagreement = _disagreement(relaxation, nodes)
        if bound <= score + TOLERANCE or disagreement == 0.0:
            break
        step = _STEP * (relaxed - score) / disagreement
        _divide(parts.arcs, tree_share, relaxation, step)
    return bound


@inner_kernel
def _begin(arcs: Scores, tree_share: Scores, relaxation: Decomposition) -> None:
    """List the arcs that are not pruned, and share their scores equally."""
    nodes = len(arcs)
    relaxation.head_count[:nodes] = 0
    relaxation.dependent_count[:nodes] = 0
    relaxation.is_changed[:nodes] = 1
    tree_share[:] = -inf
    for word in range(1, nodes):
        for head in range(nodes):
            if arcs[head, word] > -inf:
                relaxation.heads[word, relaxation.head_count[word]] = head
                relaxation.head_count[word] += 1
                share = arcs[head, word] / 3.0
                relaxation.head_share[head, word] = share
                relaxation.dependent_share[head, word] = share
                tree_share[head, word] = share
                relaxation.chosen[head, word] = 0
        for head in range(word):
            _list_dependent(arcs, relaxation, head, word, 1)
    for word in range(nodes - 1, 0, -1):
        for head in range(word + 1, nodes):
            _list_dependent(arcs, relaxation, head, word, 0)


@inner_kernel
def _list_dependent(
    arcs: Scores, relaxation: Decomposition, head: int, word: int, side: int
) -> None:
    if arcs[head, word] > -inf:
        place = relaxation.dependent_count[head, side]
        relaxation.dependents[head, side, place] = word
        relaxation.dependent_count[head, side] = place + 1


@inner_kernel
def _choose_tree(relaxation: Decomposition, tree: Int32) -> None:
    """Let the spanning tree choose its arcs."""
    for word in range(1, len(tree)):
        for place in range(relaxation.head_count[word]):
            relaxation.chosen[relaxation.heads[word, place], word] &= ~_TREE
        relaxation.chosen[tree[word], word] |= _TREE


@inner_kernel
def _choose_dependents(parts: Parts, relaxation: Decomposition, nodes: int) -> float:
    """Let each word choose its dependents and its head; return the sum of the scores.

    A word whose shares have not changed repeats its choice.
    """
    total = 0.0
    for word in range(nodes):
        if relaxation.is_changed[word]:
            relaxation.is_changed[word] = 0
            _forget(relaxation, word)
            if word == 0:
                relaxation.score[word] = _choose_first(parts, relaxation)
            else:
                relaxation.score[word] = _choose(parts, relaxation, word)
        total += relaxation.score[word]
    return total


@inner_kernel
def _forget(relaxation: Decomposition, word: int) -> None:
    """Forget what a word chose."""
    for place in range(relaxation.head_count[word]):
        relaxation.chosen[relaxation.heads[word, place], word] &= ~_DEPENDENT
    for side in range(2):
        for place in range(relaxation.dependent_count[word, side]):
            relaxation.chosen[word, relaxation.dependents[word, side, place]] &= ~_HEAD


@inner_kernel
def _choose(parts: Parts, relaxation: Decomposition, word: int) -> float:
    """Let a word choose its dependents and its head; return the score."""
    best, best_head = -inf, wide(0)
    for place in range(relaxation.head_count[word]):
        head = wide(relaxation.heads[word, place])
        score = relaxation.dependent_share[head, word]
        for side in range(2):
            last = _find_chain(parts, relaxation, head, word, side)
            if last >= 0:
                score += relaxation.best[last]
        if score > best:
            best, best_head = score, head
    relaxation.chosen[best_head, word] |= _DEPENDENT
    for side in range(2):
        last = _find_chain(parts, relaxation, best_head, word, side)
        while last >= 0:
            relaxation.chosen[word, relaxation.dependents[word, side, last]] |= _HEAD
            last = relaxation.before[last]
    return best


@inner_kernel
def _choose_first(parts: Parts, relaxation: Decomposition) -> float:
    """Let the root choose its dependent; return the score."""
    best, first = -inf, 0
    for place in range(relaxation.dependent_count[0, 1]):
        word = relaxation.dependents[0, 1, place]
        score = relaxation.head_share[0, word] + float(parts.siblings[0, 0, word])
        if score > best:
            best, first = score, word
    relaxation.chosen[0, first] |= _HEAD
    return best


@inner_kernel
def _find_chain(parts: Parts, relaxation: Decomposition, above: int, head: int, side: int) -> int:
    """Find the best dependents on one side of a word, given the word's head.

    Returns
    -------
    int
        The place of the last one; -1 if it is best to have none.
    """
    most, last = 0.0, wide(-1)
    dependents = relaxation.dependents[head, side]
    for place in range(relaxation.dependent_count[head, side]):
        word = dependents[place]
        best, before = float(parts.siblings[head, head, word]), wide(-1)
        for nearer in range(place):
            score = relaxation.best[nearer] + float(parts.siblings[head, dependents[nearer], word])
            if score > best:
                best, before = score, nearer
        best += relaxation.head_share[head, word] + float(parts.grandparents[above, head, word])
        if word == above:
            best = -inf
        relaxation.best[place], relaxation.before[place] = best, before
        if best > most:
            most, last = best, place
    return last


@inner_kernel
def _disagreement(relaxation: Decomposition, nodes: int) -> float:
    """Return the squared length of the subgradient; the sum of each arc's shares is fixed.

    If one or two of the three choose an arc, they differ from the mean by 1/3, 1/3 and 2/3.
    """
    disputed = 0
    for word in range(1, nodes):
        for place in range(relaxation.head_count[word]):
            chosen = relaxation.chosen[relaxation.heads[word, place], word]
            disputed += 0 < chosen < _ALL
    return disputed * (2.0 / 3.0)


@inner_kernel
def _divide(arcs: Scores, tree_share: Scores, relaxation: Decomposition, step: float) -> None:
    """Lower the shares of those who choose a disputed arc, and raise the shares of the others."""
    for word in range(1, len(arcs)):
        for place in range(relaxation.head_count[word]):
            head = relaxation.heads[word, place]
            chosen = relaxation.chosen[head, word]
            if 0 < chosen < _ALL:
                by_head, by_dependent = (chosen & _HEAD) // _HEAD, chosen // _DEPENDENT
                mean = ((chosen & _TREE) + by_head + by_dependent) / 3.0
                relaxation.head_share[head, word] -= step * (by_head - mean)
                relaxation.dependent_share[head, word] -= step * (by_dependent - mean)
                shares = relaxation.head_share[head, word] + relaxation.dependent_share[head, word]
                tree_share[head, word] = arcs[head, word] - shares
                relaxation.is_changed[head] = relaxation.is_changed[word] = 1
