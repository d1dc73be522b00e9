"""Explanations of dependency parses: what each arc scores, and what another head would cost."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np

from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.reduction.kernel.arrays import Floats


class HeadChoice(NamedTuple):
    """The head of a token, and the best other one.

    Parameters
    ----------
    head : int
        From 1; 0 stands for the root.
    score : float
        The score of the arc with its siblings and grandparents. The scores of all tokens add up to
        that of the tree.
    second : int or None
        The head that would cost the least if nothing else were changed; None if no other one makes
        a tree.
    cost : float
        By how much the score of the tree would be lower; negative if the other arc would score
        more, but cross others.
    """

    head: int
    score: float
    second: int | None
    cost: float


def find_attachments(
    heads: Int32,
    arcs: Floats,
    scores_of: Callable[[Int32], list[float]],
) -> list[HeadChoice]:
    """Return the head of each token, and the best other one.

    Parameters
    ----------
    heads : array of int, (n + 1,)
        After -1 for the root.
    arcs : array of float, (n + 1, n + 1)
        The scores of arcs; an arc of -inf must not be in a tree.
    scores_of : callable
        Returns the scores of the arcs of a tree.
    """
    scores = scores_of(heads)
    found = []
    for token, score in enumerate(scores, start=1):
        changed, second, second_score = heads.copy(), None, -inf
        for head in np.flatnonzero(arcs[:, token] > -inf).tolist():
            if _makes_tree(heads, head, token):
                changed[token] = head
                if (other := sum(scores_of(changed))) > second_score:
                    second, second_score = head, other
        found.append(HeadChoice(int(heads[token]), score, second, sum(scores) - second_score))
    return found


def _makes_tree(heads: Int32, head: int, token: int) -> bool:
    """Return whether a token can be attached to another head; the root keeps its only dependent."""
    if 0 in (head, heads[token]) or head == heads[token]:
        return False
    while head not in (0, token):
        head = int(heads[head])
    return head == 0
