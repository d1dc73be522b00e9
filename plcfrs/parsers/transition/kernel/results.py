"""The results of a search: the actions up to a state, and its tree.

The perceptron's update of the weights along two paths.
"""

from __future__ import annotations

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.learned import Int32, Totals, Weights, add, has_room
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions, Search, Templates
from plcfrs.parsers.transition.kernel.states import fill_keys

# Columns of a constituent or token of a tree; the last is scratch memory.
FIRST, NUMBER, SYMBOL, MOTHER, IS_HEAD, _CONSTITUENT = range(6)
COLUMNS = 6

# In place of a symbol.
A_TOKEN, A_PART = 0, -1


@kernel
def trace(search: Search, state: int, actions: Int32, scores: Totals) -> None:
    """Write the actions that led to a state, and the score of each, to arrays."""
    for step in range(len(actions) - 1, -1, -1):
        here = search.states[state]
        actions[step] = here["action"]
        scores[step] = here["score"] - search.states[here["parent"]]["score"]
        state = here["parent"]


@kernel
def collect_tree(search: Search, state: int, tree: Int32) -> int:
    """Write the constituents and tokens of the tree on top of the stack; return the number of rows.

    There is room for (3 * tokens, COLUMNS). Mothers come before their children. Parts have rows,
    too, but the children of a part get the whole constituent as their mother.
    """
    top = search.stack[search.states[state]["top"]]["constituent"]
    tree[0, _CONSTITUENT], tree[0, MOTHER] = top, -1
    rows = 1
    number = 0
    while number < rows:
        line = tree[number]
        row = search.constituents[line[_CONSTITUENT]]
        line[FIRST], line[NUMBER], line[SYMBOL] = row[arrays.FIRST], number, row[arrays.SYMBOL]
        line[IS_HEAD] = 0
        if line[MOTHER] >= 0:
            mother = tree[line[MOTHER], _CONSTITUENT]
            line[IS_HEAD] = row[arrays.HEAD] == search.constituents[mother, arrays.HEAD]
        if line[_CONSTITUENT] < len(search.words) - 1:
            line[SYMBOL] = A_TOKEN
        elif row[arrays.IS_PART]:
            line[SYMBOL] = A_PART
        for column in (arrays.ONLY_CHILD, arrays.LEFT_CHILD, arrays.RIGHT_CHILD):
            if row[column] > 0:
                tree[rows, _CONSTITUENT] = row[column]
                tree[rows, MOTHER] = line[MOTHER] if row[arrays.IS_PART] else number
                rows += 1
        number += 1
    return rows


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
