"""Dependency trees, one after the other, and their scores."""

from itertools import product
from math import inf


def trees(words):
    """All heads of so many words in which one word depends on the root, 0; heads[0] is -1."""
    for heads in product(range(words + 1), repeat=words):
        if heads.count(0) == 1 and all(reaches_root(heads, word) for word in range(1, words + 1)):
            yield (-1, *heads)


def reaches_root(heads, word):
    for _ in heads:
        if word > 0:
            word = heads[word - 1]
    return word == 0


def is_tree(heads):
    return list(heads).count(0) == 1 and all(
        reaches_root(heads[1:], word) for word in range(1, len(heads))
    )


def is_projective(heads):
    """Whether all words between a word and its head depend on this head, directly or not."""
    return all(
        head in ancestors(heads, word)
        for dependent, head in enumerate(heads)
        for word in range(min(head, dependent) + 1, max(head, dependent))
        if head >= 0
    )


def crossed_by(heads, word):
    """The word nearest to another one, between it and its head, that is not below this head."""
    head = heads[word]
    between = [
        each
        for each in range(min(head, word) + 1, max(head, word))
        if head not in ancestors(heads, each)
    ]
    return min(between, key=lambda each: abs(each - word), default=None)


def crossing(heads):
    """The arcs that are not projective, each with the word that it crosses."""
    return [
        (head, crossed_by(heads, word), word)
        for word, head in enumerate(heads)
        if head >= 0 and crossed_by(heads, word) is not None
    ]


def ancestors(heads, word):
    found = []
    while word > 0:
        word = heads[word]
        found.append(word)
    return found


def parts(heads):
    """The arcs, consecutive siblings and grandparents of a tree."""
    arcs = [(head, word) for word, head in enumerate(heads) if head >= 0]
    siblings = [(head, nearer(heads, head, word), word) for head, word in arcs]
    grandparents = [(heads[head], head, word) for head, word in arcs if head > 0]
    return arcs, siblings, grandparents


def nearer(heads, head, word):
    """The next dependent of the head between the head and a word, or the head."""
    between = range(head + 1, word) if head < word else range(word + 1, head)
    dependents = [each for each in between if heads[each] == head]
    return min(dependents, key=lambda each: abs(each - word), default=head)


def score(heads, arcs, siblings=None, grandparents=None):
    """The sum of the scores of all parts."""
    total = 0.0
    for scores, found in zip((arcs, siblings, grandparents), parts(heads), strict=True):
        if scores is not None:
            total += sum(float(scores[part]) for part in found)
    return total


def best(trees, *scores):
    """The best score of some trees."""
    return max((score(heads, *scores) for heads in trees), default=-inf)


def climb(heads, scores, candidates, least=1e-7):
    """Hill climbing with all trees that a step leads to scored anew."""
    heads, improves = list(heads), True

    def better(steps):
        """The best of these trees, if it is better than the present one."""
        best, most = None, score(heads, *scores) + least
        for changes in steps:
            after = [changes.get(word, head) for word, head in enumerate(heads)]
            if is_tree(after) and score(after, *scores) > most:
                best, most = after, score(after, *scores)
        return best

    while improves:
        improves = False
        for word in range(1, len(heads)):
            found = better({word: head} for head in candidates[word])
            if found:
                heads, improves = found, True
        for word in range(1, len(heads)):
            for above in ancestors(heads, word)[:-1]:
                below = [head for head in candidates[above] if depends(heads, head, word)]
                found = better({word: heads[above], above: head} for head in below)
                if found:
                    heads, improves = found, True
                    break
    return heads


def depends(heads, word, other):
    """Whether a word is another one or depends on it, directly or not."""
    return word == other or other in ancestors(heads, word)
