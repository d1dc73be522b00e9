"""Beam search, for parsing and for learning, where it stops at a violation; and its results.

All states of all beams are kept with their parents, so the features of an earlier state can be
computed again.
"""

from __future__ import annotations

from math import inf

import numpy as np

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.arrays import Int32, Totals, Weights
from plcfrs.learning.kernel.averages import sum_scores
from plcfrs.learning.kernel.weights import add, has_room
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions, BeamSearch, TransitionTemplates
from plcfrs.parsers.transition.kernel.legality import find_legal
from plcfrs.parsers.transition.kernel.states import apply, begin, fill_keys

# Columns of a constituent or token of a tree; the last is scratch memory.
FIRST, NUMBER, SYMBOL, MOTHER, IS_HEAD, _CONSTITUENT = range(6)
COLUMNS = 6

# In place of a symbol.
A_TOKEN, A_PART = 0, -1


@kernel
def parse(
    actions: Actions, templates: TransitionTemplates, weights: Weights, search: BeamSearch
) -> int:
    """Search for the best derivation; return DONE or SEARCH_FULL.

    The final states are left in the beam, the best first.
    """
    search.beam[0] = begin(search)
    size = wide(1)
    while not _is_over(actions, search, size):
        if not _has_room(search):
            return arrays.SEARCH_FULL
        size = _find_candidates(actions, templates, weights, search, size)
        _advance(actions, search, size)
    search.counters[arrays.BEAM] = size
    search.counters[arrays.BEST] = search.beam[0]
    return arrays.DONE


@kernel
def find_violation(
    actions: Actions,
    templates: TransitionTemplates,
    weights: Weights,
    search: BeamSearch,
    gold: Int32,
    is_early: bool,
) -> int:
    """Search until the gold derivation is lost; return DONE or SEARCH_FULL.

    The counters BEST and GOLD hold the two states to compare; they are equal if the search finds
    the gold derivation. With early update, they are at the step where the gold state falls off the
    beam (Collins and Roark 2004); with max-violation, at the step where the best state is ahead by
    most (Huang et al. 2012).
    """
    search.beam[0] = begin(search)
    size, gold_state, gold_rank, most = wide(1), wide(0), wide(0), -inf
    while not _is_over(actions, search, size):
        if not _has_room(search):
            return arrays.SEARCH_FULL
        step = search.states[gold_state]["steps"]
        action = gold[min(step, len(gold) - 1)]
        size = _find_candidates(actions, templates, weights, search, size)
        gold_rank = _rank(search, size, gold_rank, action)
        if gold_rank < 0:
            gold_score = _score(templates, weights, search, gold_state, action)
            gold_state = apply(actions, search, gold_state, action, gold_score)
        _advance(actions, search, size)
        if gold_rank >= 0:
            gold_state = wide(search.beam[gold_rank])
        best = search.beam[0]
        ahead = search.states[best]["score"] - search.states[gold_state]["score"]
        if is_early or ahead >= most:
            most = ahead
            search.counters[arrays.BEST], search.counters[arrays.GOLD] = best, gold_state
        if is_early and gold_rank < 0:
            break
    if search.beam[0] == gold_state:
        search.counters[arrays.BEST] = search.counters[arrays.GOLD] = gold_state
    return arrays.DONE


@inner_kernel
def _is_over(actions: Actions, search: BeamSearch, size: int) -> bool:
    """Return whether all states of the beam are final or, with a queue, the best one is."""
    if actions.has_queue:
        size = 1
    rank = 0
    while rank < size and search.states[search.beam[rank]]["is_final"]:
        rank += 1
    return rank == size


@inner_kernel
def _has_room(search: BeamSearch) -> bool:
    """Return whether there is room for one more step with any actions."""
    states, tokens = len(search.beam) + 1, len(search.words)
    used = search.counters
    has_room: bool = (
        used[arrays.STATES] + states <= len(search.states)
        and used[arrays.CONSTITUENTS] + states <= len(search.constituents)
        and used[arrays.STACKED] + states * tokens <= len(search.stack)
        and used[arrays.QUEUED] + states * tokens <= len(search.queue)
    )
    return has_room


@inner_kernel
def _find_candidates(
    actions: Actions,
    templates: TransitionTemplates,
    weights: Weights,
    search: BeamSearch,
    size: int,
) -> int:
    """Collect the best successors of the states in the beam; return their number."""
    candidates = wide(0)
    for rank in range(size):
        state = wide(search.beam[rank])
        features = fill_keys(templates, search, state)
        _sum_scores(weights, search, features)
        score = search.states[state]["score"]
        for part in range(find_legal(actions, search, state)):
            for action in range(search.legal[part, 0], search.legal[part, 1]):
                total = score + search.scores[action]
                candidates = _insert(search, candidates, total, rank, action)
    return candidates


@inner_kernel
def _sum_scores(weights: Weights, search: BeamSearch, features: int) -> None:
    touched = sum_scores(weights, search.keys, features, search.rows, search.scores)
    search.counters[arrays.TOUCHED] = np.int64(touched)


@inner_kernel
def _insert(search: BeamSearch, size: int, score: float, rank: int, action: int) -> int:
    """Insert a candidate after equally good ones if it is among the best; return the new size."""
    candidates = search.candidates
    if size == len(candidates):
        if score <= candidates[size - 1]["score"]:
            return size
        size -= 1
    place = size
    while place > 0 and candidates[place - 1]["score"] < score:
        candidates[place]["score"] = candidates[place - 1]["score"]
        candidates[place]["rank"] = candidates[place - 1]["rank"]
        candidates[place]["action"] = candidates[place - 1]["action"]
        place -= 1
    candidates[place]["score"] = score
    candidates[place]["rank"] = rank
    candidates[place]["action"] = action
    return size + 1


@inner_kernel
def _advance(actions: Actions, search: BeamSearch, size: int) -> None:
    """Make the new beam from the candidates."""
    for place in range(size):
        candidate = search.candidates[place]
        state = wide(search.beam[candidate["rank"]])
        search.next_beam[place] = apply(
            actions, search, state, candidate["action"], candidate["score"]
        )
    for place in range(size):
        search.beam[place] = search.next_beam[place]


@inner_kernel
def _rank(search: BeamSearch, size: int, rank: int, action: int) -> int:
    """Return the place of the candidate with an action in a state of the beam, or -1."""
    for place in range(size):
        candidate = search.candidates[place]
        if candidate["rank"] == rank and candidate["action"] == action:
            return place
    return -1


@inner_kernel
def _score(
    templates: TransitionTemplates, weights: Weights, search: BeamSearch, state: int, action: int
) -> float:
    """Return the score of the state that an action leads to."""
    _sum_scores(weights, search, fill_keys(templates, search, state))
    score: float = search.states[state]["score"] + search.scores[action]
    return score


@kernel
def trace(search: BeamSearch, state: int, actions: Int32, scores: Totals) -> None:
    """Write the actions that led to a state, and the score of each, to arrays."""
    for step in range(len(actions) - 1, -1, -1):
        here = search.states[state]
        actions[step] = here["action"]
        scores[step] = here["score"] - search.states[here["parent"]]["score"]
        state = here["parent"]


@kernel
def collect_tree(search: BeamSearch, state: int, tree: Int32) -> int:
    """Write the constituents and tokens of the tree on top of the stack; return the number of rows.

    The tree has the shape (3 * tokens, COLUMNS). Mothers come before their children. Parts have
    rows, too, but the mother of a part's children is the whole constituent.
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
    templates: TransitionTemplates,
    weights: Weights,
    search: BeamSearch,
    time: float,
    importance: float,
) -> int:
    """Reward the path to the state GOLD and punish the path to BEST, from where they diverge.

    Both states are equally far from the first one, and the update moves both back. Time is the
    number of sentences seen; the importance multiplies steps where a path swaps or skips tokens.
    Return DONE or WEIGHTS_FULL; after WEIGHTS_FULL, another call continues.
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
