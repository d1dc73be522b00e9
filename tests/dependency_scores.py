"""Random scores of the parts of dependency trees, and all trees to compare with."""

from functools import cache
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from naive.dependency import is_projective, trees

from plcfrs.parsers.reduction.features import TreeWorkspace
from plcfrs.parsers.reduction.kernel.arrays import Parts

all_trees = cache(lambda words: list(trees(words)))
projective_trees = cache(lambda words: [heads for heads in trees(words) if is_projective(heads)])


class Scores(NamedTuple):
    arcs: np.ndarray
    siblings: np.ndarray
    grandparents: np.ndarray


def random_scores(words, seed, size=0.5, pruned=0.0, has_ties=False):
    """Scores of a sentence; the size is that of second-order parts compared to arcs."""
    random = np.random.default_rng(seed)
    nodes = words + 1

    def draw(*shape):
        return random.integers(-2, 3, shape) if has_ties else random.normal(size=shape)

    arcs = draw(nodes, nodes).astype(float)
    arcs[random.random(arcs.shape) < pruned] = -np.inf
    arcs[:, 0] = -np.inf
    np.fill_diagonal(arcs, -np.inf)
    siblings, grandparents = (size * draw(nodes, nodes, nodes) for _ in range(2))
    return Scores(arcs, siblings.astype(np.float32), grandparents.astype(np.float32))


def all_scores(most=5):
    """Scores with and without ties and pruned arcs; sometimes no tree is left."""
    return st.builds(
        random_scores,
        words=st.integers(1, most),
        seed=st.integers(0, 10**6),
        size=st.sampled_from([0.25, 1.0, 4.0]),
        pruned=st.sampled_from([0.0, 0.3, 0.6]),
        has_ties=st.booleans(),
    )


def parts_of(scores, crossing=None):
    """The scores as kernels get them; only one search reads those of crossing arcs."""
    if crossing is None:
        crossing = np.full_like(scores.siblings, np.nan)
    return Parts(*scores, crossing)


def dirty_memory(words=7):
    """Memory for a few more words than needed, with what would do harm if it were read."""
    space = TreeWorkspace(words)
    for arrays in (space.chart, space.contraction, space.links, space.relaxation):
        for array in arrays:
            array.fill(np.nan if array.dtype == float else 10**6)
    return space


def new_heads(words):
    return np.full(words + 1, 10**6, np.int32)
