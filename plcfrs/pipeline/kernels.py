"""Which kernels the families compile on their first use: how many, and how long it takes.

The numbers are those of an empty cache, as ``pytest -m full`` counts them. The seconds are those of
one core of a server.
"""

from __future__ import annotations

from typing import NamedTuple


class Kernels(NamedTuple):
    """Kernels that are compiled together.

    Parameters
    ----------
    last : str
        The last one that takes long, ``module.function``.
    number : int
    seconds : int
    modules : tuple of str
        Where they are, if they are for difficult sentences only: the first such sentence compiles
        them.
    """

    last: str
    number: int
    seconds: int
    modules: tuple[str, ...] = ()


SEARCH = Kernels("deduction.deduce", 58, 9)
TIGHTENING = Kernels("tightening.fill_forest_outside", 28, 5, ("listing", "sides", "tightening"))
SUMS = Kernels("sums.choose_edges", 27, 6)
POSTERIORS = Kernels("sums.sum_outside", 13, 3)
PREFIXES = Kernels("ending.complete", 38, 6)
SUBSTATES = Kernels("decoding.choose_edges", 11, 3)
JUDGEMENT = Kernels("sums.sum_outside", 16, 3)
FEATURES = Kernels("weights.add_up", 19, 3)
FEATURE_LEARNING = Kernels("weights.take_step", 26, 4)
SUBSTATE_EVENTS = Kernels("trees.add_merge_losses", 10, 3)
TRANSITIONS = Kernels("beam.parse", 78, 10)
TRANSITION_LEARNING = Kernels("beam.find_violation", 110, 15)
DEPENDENCIES = Kernels("scores.fill_arcs", 114, 15)
DEPENDENCY_LEARNING = Kernels("learning.learn_tree", 133, 20)
