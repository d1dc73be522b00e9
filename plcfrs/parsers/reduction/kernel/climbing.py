"""Hill climbing: change a tree step by step while its score rises (McDonald and Pereira 2006).

There are two kinds of steps. Either a word is attached to its best head. Or a word takes the place
of one above it, which is then attached to it or below it: without this, the root would keep its
dependent, and all arcs their directions. The words take turns. A step changes few parts of the
tree, and only these are scored.

A second search, `reattach`, also scores arcs that cross others. An arc is projective if all words
between its ends depend on its head. Each other arc adds a learned score to its tree.

A tree is an array of the heads of all words.
"""

from __future__ import annotations

from math import inf

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.reduction.kernel.arrays import Links, Parts, Scores


@kernel
def score_tree(parts: Parts, heads: Int32) -> float:
    """Return the sum of the scores of all parts of a tree; -inf if it has an arc it must not have.

    Parameters
    ----------
    parts : Parts
    heads : array of int, (n + 1,)
        The first one, of the root, is ignored.
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
    """Return the next dependent towards the head, or the head if there is none."""
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
def is_below(heads: Int32, word: int, top: int) -> bool:
    """Return whether a word is `top` or depends on it, directly or not."""
    while word > 0 and word != top:
        word = heads[word]
    return word == top


# A step must gain more than a rounding error, or steps go round in circles.
_LEAST_GAIN = 1e-7


@kernel
def climb(parts: Parts, candidates: Int32, links: Links, heads: Int32) -> float:
    """Improve a tree until no step improves it.

    Of equally good heads, a word keeps its present one, or gets the first candidate.

    Parameters
    ----------
    parts : Parts
    candidates : array of int, (n + 1, K)
        Heads that a word may get, all or some that are not pruned, then -1.
    links : Links
    heads : array of int, (n + 1,)
        The tree to begin with. It changes.

    Returns
    -------
    float
        The score of the tree; -inf if there is no tree to begin with.
    """
    if not is_tree(heads):
        return -inf
    _link_all(links, heads)
    improves = True
    while improves:
        improves = False
        for word in range(1, len(heads)):
            if heads[word] > 0 and _attach_better(parts, candidates, links, heads, word):
                improves = True
        for word in range(1, len(heads)):
            if _rise(parts, candidates, links, heads, word):
                improves = True
    return score_tree(parts, heads)


@kernel
def fill_candidates(arcs: Scores, candidates: Int32) -> None:
    """Fill in the best heads of each word, the best first, without pruned ones.

    Of equally good ones the leftmost is first.

    Parameters
    ----------
    arcs : array of float, (n + 1, n + 1)
    candidates : array of int, (n + 1, K)
        Gets up to K heads of each word, then -1.
    """
    most = candidates.shape[1]
    candidates[: len(arcs)] = -1
    for word in range(1, len(arcs)):
        for head in range(len(arcs)):
            place = most
            while place > 0 and _is_better(arcs, head, candidates[word, place - 1], word):
                place -= 1
                if place + 1 < most:
                    candidates[word, place + 1] = candidates[word, place]
            if place < most:
                candidates[word, place] = head


@inner_kernel
def _is_better(arcs: Scores, head: int, other: int, word: int) -> bool:
    """Return whether a head is better than another one; -1 stands for none."""
    score = arcs[other, word] if other >= 0 else -inf
    return bool(arcs[head, word] > score)


@inner_kernel
def _attach_better(parts: Parts, candidates: Int32, links: Links, heads: Int32, word: int) -> bool:
    """Attach a word to its best head; return whether this is a new one."""
    old = best_head = wide(heads[word])
    _unlink(links, old, word)
    best = _gain(parts, links, heads, old, word) + _LEAST_GAIN
    for place in range(candidates.shape[1]):
        head = wide(candidates[word, place])
        if head < 0:
            break
        if head > 0 and head != old and not is_below(heads, head, word):
            gain = _gain(parts, links, heads, head, word)
            if gain > best:
                best, best_head = gain, head
    heads[word] = best_head
    _link(links, best_head, word)
    return best_head != old


@inner_kernel
def _rise(parts: Parts, candidates: Int32, links: Links, heads: Int32, word: int) -> bool:
    """Let a word take the place of the first word above it where this is better; return whether."""
    above = heads[word]
    while above > 0:
        may_take = parts.arcs[heads[above], word] > -inf
        if may_take and _take_place(parts, candidates, links, heads, word, above):
            return True
        above = heads[above]
    return False


@inner_kernel
def _take_place(
    parts: Parts, candidates: Int32, links: Links, heads: Int32, word: int, above: int
) -> bool:
    """Let a word take the place of one above it if this is better; return whether it is.

    The word above is attached to the best head in the new subtree.
    """
    old, top = heads[word], heads[above]
    _unlink(links, old, word)
    before = _gain(parts, links, heads, old, word)
    _unlink(links, top, above)
    before += _gain(parts, links, heads, top, above)
    after = _gain(parts, links, heads, top, word)
    heads[word] = top
    _link(links, top, word)
    best, best_head = before - after + _LEAST_GAIN, wide(-1)
    for place in range(candidates.shape[1]):
        head = wide(candidates[above, place])
        if head < 0:
            break
        if head > 0 and is_below(heads, head, word):
            gain = _gain(parts, links, heads, head, above)
            if gain > best:
                best, best_head = gain, head
    if best_head > 0:
        heads[above] = best_head
        _link(links, best_head, above)
        return True
    _unlink(links, top, word)
    heads[word] = old
    _link(links, top, above)
    _link(links, old, word)
    return False


@inner_kernel
def _gain(parts: Parts, links: Links, heads: Int32, head: int, word: int) -> float:
    """Return what a tree gains if it attaches a word without a head, and all words below it."""
    nearer = _nearer(links, head, word)
    farther = _after(links, head, nearer, word)
    sibling = nearer if nearer > 0 else head
    gain = float(parts.arcs[head, word]) + float(parts.siblings[head, sibling, word])
    if farther > 0:
        gain += float(parts.siblings[head, word, farther])
        gain -= float(parts.siblings[head, sibling, farther])
    if head > 0:
        gain += float(parts.grandparents[heads[head], head, word])
    for side in range(2):
        dependent = links.nearest[word, side]
        while dependent > 0:
            gain += float(parts.grandparents[head, word, dependent])
            dependent = links.farther[dependent]
    return gain


@inner_kernel
def _link_all(links: Links, heads: Int32) -> None:
    links.nearest[: len(heads)] = 0
    for word in range(1, len(heads)):
        _link(links, heads[word], word)


@inner_kernel
def _link(links: Links, head: int, word: int) -> None:
    """Insert a word into the dependents of its head."""
    nearer = _nearer(links, head, word)
    links.farther[word] = _after(links, head, nearer, word)
    _set_after(links, head, nearer, word, word)


@inner_kernel
def _unlink(links: Links, head: int, word: int) -> None:
    """Remove a word from the dependents of its head."""
    nearer = _nearer(links, head, word)
    _set_after(links, head, nearer, word, links.farther[word])


@inner_kernel
def _nearer(links: Links, head: int, word: int) -> int:
    """Return the next dependent of a head between it and a word, or 0."""
    nearer = wide(0)
    dependent = wide(links.nearest[head, int(word > head)])
    while dependent > 0 and abs(dependent - head) < abs(word - head):
        nearer, dependent = dependent, wide(links.farther[dependent])
    return nearer


@inner_kernel
def _after(links: Links, head: int, nearer: int, word: int) -> int:
    """Return the dependent after `nearer` on the side of a word; after 0 comes the first one."""
    if nearer > 0:
        return wide(links.farther[nearer])
    return wide(links.nearest[head, int(word > head)])


@inner_kernel
def _set_after(links: Links, head: int, nearer: int, word: int, dependent: int) -> None:
    if nearer > 0:
        links.farther[nearer] = dependent
    else:
        links.nearest[head, int(word > head)] = dependent


@kernel
def reattach(parts: Parts, heads: Int32) -> float:
    """Attach words to other heads while the score of the tree rises, and return the score.

    Each step takes the word and the head that gain most, the first ones if several gain as much.

    Parameters
    ----------
    parts : Parts
    heads : array of int, (n + 1,)
        The tree to improve.
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
    """Return the score of a tree, with the scores of arcs that cross others."""
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
    """Return the nearest word between a word and its head that is not below the head.

    Return 0 if there is none: the arc is projective.
    """
    head = wide(heads[word])
    step = 1 if word < head else -1
    between = word + step
    while between != head:
        if not is_below(heads, between, head):
            return between
        between += step
    return wide(0)
