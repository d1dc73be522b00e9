"""The features of a state: its constituents, their atoms, and the keys of all templates."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Search, Templates


@kernel
def fill_keys(templates: Templates, search: Search, state: int) -> int:
    """Write the keys of a state's features to the search, and return their number."""
    _find_constituents(templates, search, state)
    for atom in range(len(templates.atoms)):
        place, column = templates.atoms[atom]
        search.atoms[atom] = search.constituents[search.found[place], column]
    for template in range(len(templates.seeds)):
        key = templates.seeds[template]
        for part in range(arrays.WIDTH):
            atom = search.atoms[templates.parts[template, part]]
            key += np.uint64(atom) * templates.factors[template, part]
        search.keys[template] = _mixed(key)
    return _fill_queue_keys(templates, search, state)


@inner_kernel
def _find_constituents(templates: Templates, search: Search, state: int) -> None:
    here, found = search.states[state], search.found
    found[0] = 0
    place = 1
    node = here["split"] if templates.is_split else here["top"]
    for _ in range(templates.stack):
        found[place] = search.stack[node]["constituent"]
        node = search.stack[node]["previous"]
        place += 1
    node = here["top"]
    for _ in range(templates.deque):
        found[place] = search.stack[node]["constituent"]
        node = search.stack[node]["previous"]
        if node == here["split"]:
            node = 0
        place += 1
    node = here["queue"]
    for _ in range(templates.queue):
        found[place] = search.queue[node]["constituent"]
        node = search.queue[node]["next"]
        place += 1
    if templates.following > 0:
        node, skipped = _next(search, here)
        found[place] = skipped  # the token with this number; its FIRST is its position
        place += 1
        for _ in range(templates.following):
            found[place] = search.queue[node]["constituent"]
            node = search.queue[node]["next"]
            place += 1
    for child in range(len(templates.children)):
        mother, column = templates.children[child]
        found[place + child] = search.constituents[found[mother], column]


@inner_kernel
def _next(search: Search, here: np.void) -> tuple[int, int]:
    """Return the node of the first token in the queue after the top, and how many are before it."""
    end = search.constituents[search.stack[here["top"]]["constituent"], arrays.LAST]
    node, skipped = here["queue"], 0
    while node != 0 and search.constituents[search.queue[node]["constituent"], arrays.FIRST] < end:
        node = search.queue[node]["next"]
        skipped += 1
    return node, skipped


@inner_kernel
def _fill_queue_keys(templates: Templates, search: Search, state: int) -> int:
    """Write the keys of the templates for each token of the queue, place by place."""
    features = len(templates.seeds)
    for template in range(len(templates.queue_seeds)):
        node, place = search.states[state]["queue"], 1
        while node != 0:
            key = templates.queue_seeds[template] * np.uint64(place)
            token = search.constituents[search.queue[node]["constituent"]]
            for part in range(arrays.WIDTH):
                atom = token[templates.queue_columns[template, part]]
                key += np.uint64(atom) * templates.queue_factors[template, part]
            search.keys[features] = _mixed(key)
            features += 1
            place += 1
            node = search.queue[node]["next"]
    return features


@inner_kernel
def _mixed(key: np.uint64) -> np.uint64:
    """Return a number in which every bit depends on all bits of the key."""
    key ^= key >> np.uint64(32)
    key *= np.uint64(0xD6E8FEB86659FD93)
    return key ^ (key >> np.uint64(32))
