"""The arrays of one sentence at a time: scores, and searches for the best tree."""

from __future__ import annotations

import numpy as np

from plcfrs.dependency.kernel.arrays import (
    Chart,
    Contraction,
    Links,
    Parts,
    PartScores,
    Relaxation,
)
from plcfrs.dependency.kernel.bound import find_bound
from plcfrs.dependency.kernel.climbing import climb, fill_candidates
from plcfrs.dependency.kernel.crossing import reattach
from plcfrs.dependency.kernel.eisner import find_projective_tree
from plcfrs.dependency.kernel.parts import Features, Flags, Floats
from plcfrs.dependency.kernel.scores import (
    fill_arcs,
    fill_crossing,
    fill_second_order,
    keep_best,
)
from plcfrs.dependency.kernel.siblings import find_sibling_tree
from plcfrs.dependency.kernel.spanning_tree import find_spanning_tree
from plcfrs.dependency.kernel.trees import score_tree
from plcfrs.linear.kernel.arrays import Int32, Scores

_LONGEST_USUAL = 40  # tokens of a sentence


class Workspace:
    """Arrays for sentences, one after another; they grow with the longest one.

    Attributes
    ----------
    arcs : array of float, (n + 1, n + 1)
        The scores of the arcs that are kept, -inf for the others.
    kept : array of bool, (n + 1, n + 1)
    heads : array of int, (n + 1,)
        The tree that was found last.
    """

    arcs: Floats
    kept: Flags
    heads: Int32
    _siblings: PartScores
    _grandparents: PartScores
    _crossing: PartScores

    def __init__(self, words: int = _LONGEST_USUAL) -> None:
        self._reserve(words)
        self._reserve_parts(0)

    def begin(self, words: int) -> None:
        """Make room for a sentence, and keep all arcs."""
        nodes = words + 1
        if nodes > len(self._heads):
            self._reserve(max(words, 2 * (len(self._heads) - 1)))
        self.arcs = self._arcs[: nodes**2].reshape(nodes, nodes)
        self.kept = self._kept[: nodes**2].reshape(nodes, nodes)
        self.heads = self._heads[:nodes]
        self.kept[:] = True

    def score_arcs(self, weights: Scores, features: Features) -> None:
        """Score the arcs that are kept."""
        fill_arcs(weights, features, self.kept, self.arcs)

    def keep(self, candidates: int) -> None:
        """Keep only the best heads of each word."""
        keep_best(self.arcs, candidates, self.kept)

    def score_parts(self, weights: Scores, features: Features) -> Parts:
        """Score the arcs that are kept, their siblings and grandparents, and crossing arcs."""
        nodes = len(self.arcs)
        if nodes**3 > len(self._siblings):
            self._reserve_parts(nodes**3)
        siblings, grandparents, crossing = (
            array[: nodes**3].reshape(nodes, nodes, nodes)
            for array in (self._siblings, self._grandparents, self._crossing)
        )
        self.score_arcs(weights, features)
        fill_second_order(weights, features, self.kept, siblings, grandparents)
        fill_crossing(weights, features, self.kept, crossing)
        return Parts(self.arcs, siblings, grandparents, crossing)

    def find_projective(self) -> float:
        """Find the best projective tree by the scores of arcs, and return its score."""
        return find_projective_tree(self.arcs, self.chart, self.heads)

    def find_spanning(self) -> float:
        """Find the best tree by the scores of arcs, and return its score."""
        return find_spanning_tree(self.arcs, self.contraction, self.heads)

    def climb(self, parts: Parts, candidates: int) -> float:
        """Find a tree that no single change improves, and return its score.

        Parameters
        ----------
        candidates : int
            The most heads of a word that are kept.
        """
        find_sibling_tree(parts.arcs, parts.siblings, self.chart, self.heads)
        self._best = np.empty((len(self.heads), candidates), np.int32)
        fill_candidates(parts.arcs, self._best)
        return climb(parts, self._best, self.links, self.heads)

    def bound(self, parts: Parts, steps: int) -> float:
        """Improve the tree that `climb` has found, if possible.

        Returns
        -------
        float
            An upper bound of the scores of all trees of the arcs that are kept, crossing or not.
        """
        before = self.heads.copy()
        # As if each arc that may score more by crossing others did.
        most = parts._replace(arcs=parts.arcs + parts.crossing.max(axis=1))
        bound = find_bound(most, steps, self.contraction, self.relaxation, self.heads)
        if climb(parts, self._best, self.links, self.heads) < score_tree(parts, before):
            self.heads[:] = before
        return bound

    def reattach(self, parts: Parts) -> float:
        """Improve the tree that was found by the scores of crossing arcs, and return its score."""
        return reattach(parts, self.heads)

    def _reserve(self, words: int) -> None:
        nodes = words + 1
        self._arcs = np.zeros(nodes**2)
        self._kept = np.zeros(nodes**2, np.bool_)
        self._heads = np.zeros(nodes, np.int32)
        square = (nodes, nodes)
        self.chart = Chart._make([*np.zeros((3, *square)), *_ints(3, *square), _ints(nodes, 2)])
        self.contraction = Contraction._make(
            [
                *(np.zeros(square), *_ints(2, *square), *_ints(3, nodes)),
                *(np.zeros(nodes), *_ints(4, 2 * nodes)),
            ]
        )
        self.links = Links(_ints(nodes, 2), _ints(nodes))
        self.relaxation = Relaxation(
            tree_share=np.zeros(nodes**2),
            head_share=np.zeros(square),
            dependent_share=np.zeros(square),
            chosen=_ints(*square),
            heads=_ints(*square),
            head_count=_ints(nodes),
            dependents=_ints(nodes, 2, nodes),
            dependent_count=_ints(nodes, 2),
            best=np.zeros(nodes),
            before=_ints(nodes),
            score=np.zeros(nodes),
            is_changed=_ints(nodes),
            tree=_ints(nodes),
        )

    def _reserve_parts(self, size: int) -> None:
        self._siblings, self._grandparents, self._crossing = np.zeros((3, size), np.float32)


def _ints(*shape: int) -> Int32:
    return np.zeros(shape, np.int32)
