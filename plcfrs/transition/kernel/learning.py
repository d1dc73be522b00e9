"""The perceptron's update of the weights along two paths."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel.arrays import Weights
from plcfrs.linear.kernel.learned import add, has_room
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Actions, Search, Templates
from plcfrs.transition.kernel.features import fill_keys


@kernel
def update(
    actions: Actions,
    templates: Templates,
    weights: Weights,
    search: Search,
    time: float,
    importance: float,
) -> int:
    """Reward the path to the state GOLD and punish the path to BEST, from where they diverge.

    Both are equally many steps from the first state, and are moved back. Time is the number of
    sentences seen; the importance is for steps in which a path swaps or skips tokens. Return DONE
    or WEIGHTS_FULL; after WEIGHTS_FULL, another call continues.
    """
    while search.counters[arrays.GOLD] != search.counters[arrays.BEST]:
        if not has_room(weights.learned, 2 * len(search.keys)):
            return arrays.WEIGHTS_FULL
        gold = search.states[search.counters[arrays.GOLD]]
        best = search.states[search.counters[arrays.BEST]]
        change = 1.0
        if _reorders(actions, gold["action"]) or _reorders(actions, best["action"]):
            change = importance
        features = fill_keys(templates, search, wide(gold["parent"]))
        add(weights.learned, search.keys, features, gold["action"], change, time)
        features = fill_keys(templates, search, wide(best["parent"]))
        add(weights.learned, search.keys, features, best["action"], -change, time)
        search.counters[arrays.GOLD] = gold["parent"]
        search.counters[arrays.BEST] = best["parent"]
    return arrays.DONE


@inner_kernel
def _reorders(actions: Actions, action: int) -> bool:
    """Return whether an action takes a token out of order."""
    kind: int = actions.kind[action]
    return kind == arrays.SWAP or (kind == arrays.SHIFT and actions.counts[action] > 0)
