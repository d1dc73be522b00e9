"""The scores of a sentence in memory, and the search for its best tree."""

from __future__ import annotations

import numpy as np

from plcfrs.dependency.kernel.arrays import Parts
from plcfrs.dependency.kernel.climbing import climb, fill_candidates
from plcfrs.dependency.kernel.eisner import find_projective_tree
from plcfrs.dependency.kernel.parts import Features, Flags, Floats
from plcfrs.dependency.kernel.scores import fill_arcs, fill_second_order, keep_best
from plcfrs.dependency.kernel.siblings import find_sibling_tree
from plcfrs.dependency.kernel.spanning_tree import find_spanning_tree
from plcfrs.dependency.memory import for_sentence, new_memory
from plcfrs.dependency.settings import BackboneName
from plcfrs.linear.kernel.arrays import Int32, Scores

# The arrays of siblings and grandparents grow with the third power of the length.
LONGEST = 150


class Workspace:
    """Memory for one sentence at a time."""

    def __init__(self) -> None:
        self._memory = new_memory()
        self._reserve(40)

    def begin(self, words: int) -> None:
        """Make room for a sentence."""
        self._memory = for_sentence(self._memory, words)
        nodes = words + 1
        if nodes**2 > len(self._arcs):
            self._reserve(max(words, 2 * self._words))
        self.arcs: Floats = self._arcs[: nodes**2].reshape(nodes, nodes)
        self.kept: Flags = self._kept[: nodes**2].reshape(nodes, nodes)
        self.heads: Int32 = self._heads[:nodes]

    def score_arcs(self, values: Scores, features: Features) -> None:
        """Score all arcs."""
        self.kept[:] = True
        np.fill_diagonal(self.kept, False)
        fill_arcs(values, features, self.kept, self.arcs)

    def prune(self, candidates: int) -> None:
        """Keep the best heads of each word."""
        keep_best(self.arcs, candidates, self.kept)

    def score_parts(self, values: Scores, features: Features) -> Parts:
        """Score all parts of the arcs that are kept."""
        nodes = len(self.arcs)
        if nodes**3 > len(self._siblings):
            self._siblings = np.zeros(nodes**3, np.float32)
            self._grandparents = np.zeros(nodes**3, np.float32)
        siblings, grandparents = (
            array[: nodes**3].reshape(nodes, nodes, nodes)
            for array in (self._siblings, self._grandparents)
        )
        fill_arcs(values, features, self.kept, self.arcs)
        fill_second_order(values, features, self.kept, siblings, grandparents)
        return Parts(self.arcs, siblings, grandparents)

    def find_by_arcs(self, backbone: BackboneName) -> float:
        """Find the best tree by the scores of arcs, and return its score."""
        if backbone == "projective":
            return find_projective_tree(self.arcs, self._memory.chart, self.heads)
        return find_spanning_tree(self.arcs, self._memory.contraction, self.heads)

    def find_by_parts(self, parts: Parts, candidates: int) -> float:
        """Find a tree that is good by the scores of all parts, and return its score."""
        find_sibling_tree(parts.arcs, parts.siblings, self._memory.chart, self.heads)
        best = np.empty((len(self.heads), candidates + 2), np.int32)
        fill_candidates(parts.arcs, best)
        return climb(parts, best, self._memory.links, self.heads)

    def _reserve(self, words: int) -> None:
        self._words = words
        nodes = words + 1
        self._arcs = np.zeros(nodes**2)
        self._kept = np.zeros(nodes**2, np.bool_)
        self._heads = np.zeros(nodes, np.int32)
        self._siblings = np.zeros(0, np.float32)
        self._grandparents = np.zeros(0, np.float32)
