"""Parser states: the initial one, the effects of actions, and the keys of features."""

from __future__ import annotations

import numpy as np

from plcfrs.jit import inner_kernel, kernel
from plcfrs.learning.kernel.arrays import Int32
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions, BeamSearch, TransitionTemplates


@kernel
def begin(search: BeamSearch) -> int:
    """Make the tokens of a sentence, the queue and the initial state; return the state."""
    length = len(search.words) - 2
    search.counters[:] = 0
    search.constituents[0] = 0
    search.queue[0]["constituent"] = search.queue[0]["next"] = 0
    search.stack[0]["constituent"] = search.stack[0]["previous"] = 0
    search.stack[0]["height"] = search.stack[0]["parts"] = search.stack[0]["has_axiom"] = 0
    search.stack[0]["bottom"] = 0
    for position in range(length):
        _add_token(search, position + 1)
        node = search.queue[position + 1]
        node["constituent"] = position + 1
        node["next"] = position + 2 if position + 1 < length else 0
    search.counters[arrays.CONSTITUENTS] = search.counters[arrays.QUEUED] = length + 1
    search.counters[arrays.STACKED] = 1
    first = search.states[0]
    first["score"] = 0.0
    first["parent"] = first["action"] = -1
    first["top"] = first["split"] = first["steps"] = first["is_final"] = 0
    first["queue"], first["waiting"] = 1, length
    search.counters[arrays.STATES] = 1
    return 0


@inner_kernel
def _add_token(search: BeamSearch, place: int) -> None:
    row = search.constituents[place]
    row[:] = 0
    row[arrays.SYMBOL] = search.tags[place]
    row[arrays.FIRST] = row[arrays.LAST] = row[arrays.HEAD] = place
    row[arrays.SIZE] = 1
    _fill_words(search, row, place)


@inner_kernel
def _fill_words(search: BeamSearch, row: Int32, head: int) -> None:
    """Fill in the words and tags of a constituent, and the type of its gaps."""
    words, tags = search.words, search.tags
    first, last = row[arrays.FIRST], row[arrays.LAST]
    row[arrays.WORD], row[arrays.TAG] = words[head], tags[head]
    row[arrays.LEFT_WORD], row[arrays.LEFT_TAG] = words[first], tags[first]
    row[arrays.RIGHT_WORD], row[arrays.RIGHT_TAG] = words[last], tags[last]
    row[arrays.BEFORE_WORD], row[arrays.BEFORE_TAG] = words[first - 1], tags[first - 1]
    row[arrays.AFTER_WORD], row[arrays.AFTER_TAG] = words[last + 1], tags[last + 1]
    row[arrays.GAP_LENGTH] = last - first + 1 - row[arrays.SIZE]
    row[arrays.GAP_TYPE] = arrays.HAS_GAP if row[arrays.GAP_LENGTH] > 0 else arrays.NO_GAP


@inner_kernel
def add_constituent(
    actions: Actions, search: BeamSearch, action: int, left: int, right: int, head: int
) -> int:
    """Make the constituent of an action; `right` is 0 if it has only one child."""
    new: int = search.counters[arrays.CONSTITUENTS]
    search.counters[arrays.CONSTITUENTS] += 1
    row, left_row = search.constituents[new], search.constituents[left]
    symbol = actions.symbol[action]
    row[arrays.SYMBOL] = symbol
    row[arrays.IS_PART] = actions.is_part[symbol]
    row[arrays.FIRST], row[arrays.LAST] = left_row[arrays.FIRST], left_row[arrays.LAST]
    row[arrays.SIZE] = left_row[arrays.SIZE]
    row[arrays.LEFT_CHILD], row[arrays.RIGHT_CHILD] = (left, right) if right else (0, 0)
    row[arrays.ONLY_CHILD] = 0 if right else left
    row[arrays.HEAD] = search.constituents[head, arrays.HEAD]
    had_gaps = left_row[arrays.GAP_LENGTH]
    if right:
        right_row = search.constituents[right]
        row[arrays.FIRST] = min(left_row[arrays.FIRST], right_row[arrays.FIRST])
        row[arrays.LAST] = max(left_row[arrays.LAST], right_row[arrays.LAST])
        row[arrays.SIZE] += right_row[arrays.SIZE]
        had_gaps += right_row[arrays.GAP_LENGTH]
    _fill_words(search, row, row[arrays.HEAD])
    if had_gaps > 0 and row[arrays.GAP_LENGTH] == 0:
        row[arrays.GAP_TYPE] = arrays.FILLS_GAP
    return new


@inner_kernel
def push(actions: Actions, search: BeamSearch, constituent: int, previous: int) -> int:
    """Return a new node of the stack."""
    new: int = search.counters[arrays.STACKED]
    search.counters[arrays.STACKED] += 1
    node, below = search.stack[new], search.stack[previous]
    row = search.constituents[constituent]
    is_part = row[arrays.IS_PART]
    node["constituent"], node["previous"] = constituent, previous
    node["height"] = below["height"] + 1
    node["parts"] = below["parts"] + is_part
    node["has_axiom"] = below["has_axiom"]
    if is_part and actions.is_axiom[row[arrays.SYMBOL]]:
        node["has_axiom"] = 1
    node["bottom"] = below["bottom"] if previous else constituent
    return new


@inner_kernel
def enqueue(search: BeamSearch, constituent: int, following: int) -> int:
    """Return a new node of the queue."""
    new: int = search.counters[arrays.QUEUED]
    search.counters[arrays.QUEUED] += 1
    search.queue[new]["constituent"], search.queue[new]["next"] = constituent, following
    return new


@kernel
def apply(actions: Actions, search: BeamSearch, state: int, action: int, score: float) -> int:
    """Return the state after an action, with this score."""
    new: int = search.counters[arrays.STATES]
    search.counters[arrays.STATES] += 1
    old, made = search.states[state], search.states[new]
    made["score"], made["parent"], made["action"] = score, state, action
    made["steps"] = old["steps"] + 1
    made["top"], made["split"] = old["top"], old["split"]
    made["queue"], made["waiting"] = old["queue"], old["waiting"]
    made["is_final"] = old["is_final"]
    kind = actions.kind[action]
    if kind == arrays.SHIFT:
        _shift(actions, search, made, actions.counts[action])
    elif kind == arrays.UNARY:
        child = search.stack[old["top"]]["constituent"]
        constituent = add_constituent(actions, search, action, child, 0, child)
        made["top"] = push(actions, search, constituent, search.stack[old["top"]]["previous"])
    elif kind == arrays.LEFT or kind == arrays.RIGHT:
        _reduce(actions, search, made, action)
    elif kind == arrays.GAP:
        for _ in range(actions.counts[action]):
            made["split"] = search.stack[made["split"]]["previous"]
    elif kind == arrays.SWAP:
        _swap(actions, search, made, actions.counts[action])
    if kind == arrays.FINISH or _has_axiom(actions, search, made):
        made["is_final"] = 1
    return new


@inner_kernel
def _has_axiom(actions: Actions, search: BeamSearch, made: np.void) -> bool:
    """Return whether the top is an axiom, which ends a derivation in a system with gaps."""
    if actions.has_queue:
        return False
    top = search.constituents[search.stack[made["top"]]["constituent"]]
    is_root: bool = actions.is_axiom[top[arrays.SYMBOL]] == 1 and top[arrays.IS_PART] == 0
    return is_root


@inner_kernel
def _shift(actions: Actions, search: BeamSearch, made: np.void, skipped: int) -> None:
    """Shift a token of the queue past the skipped ones before it."""
    node = made["queue"]
    for _ in range(skipped):
        node = search.queue[node]["next"]
    made["split"] = made["top"]
    made["top"] = push(actions, search, search.queue[node]["constituent"], made["top"])
    rest = search.queue[node]["next"]
    made["queue"] = _copied(search, made["queue"], skipped, rest)
    made["waiting"] -= 1


@inner_kernel
def _copied(search: BeamSearch, first: int, number: int, following: int) -> int:
    """Return a copy of some nodes of the queue, followed by other nodes."""
    last = -1
    copy = following
    for _ in range(number):
        new = enqueue(search, search.queue[first]["constituent"], following)
        if last < 0:
            copy = new
        else:
            search.queue[last]["next"] = new
        last = new
        first = search.queue[first]["next"]
    return copy


@inner_kernel
def _reduce(actions: Actions, search: BeamSearch, made: np.void, action: int) -> None:
    """Reduce the element at the split and the top; elements between them move below them."""
    top, split = search.stack[made["top"]], search.stack[made["split"]]
    right, left = top["constituent"], split["constituent"]
    head = left if actions.kind[action] == arrays.LEFT else right
    constituent = add_constituent(actions, search, action, left, right, head)
    gapped = top["height"] - split["height"] - 1
    below = split["previous"]
    # The gapped elements are visited from the top and pushed from the bottom.
    first = search.counters[arrays.STACKED]
    node = made["top"]
    for place in range(first + gapped - 1, first - 1, -1):
        node = search.stack[node]["previous"]
        search.stack[place]["constituent"] = search.stack[node]["constituent"]
    for place in range(first, first + gapped):
        below = push(actions, search, search.stack[place]["constituent"], below)
    made["top"] = push(actions, search, constituent, below)
    made["split"] = below


@inner_kernel
def _swap(actions: Actions, search: BeamSearch, made: np.void, number: int) -> None:
    """Move some tokens below the top of the stack back to the queue."""
    below = search.stack[made["top"]]["previous"]
    for _ in range(number):
        made["queue"] = enqueue(search, search.stack[below]["constituent"], made["queue"])
        below = search.stack[below]["previous"]
    made["waiting"] += number
    made["top"] = push(actions, search, search.stack[made["top"]]["constituent"], below)
    made["split"] = below


@inner_kernel
def last_kind(actions: Actions, search: BeamSearch, state: int) -> int:
    """Return the kind of the last action, -1 for none."""
    action: int = search.states[state]["action"]
    kind: int = actions.kind[action]
    return kind if action >= 0 else -1


@kernel
def fill_keys(templates: TransitionTemplates, search: BeamSearch, state: int) -> int:
    """Write the keys of a state's features to the search, and return their number."""
    _find_elements(templates, search, state)
    for atom in range(len(templates.atoms)):
        place, column = templates.atoms[atom]
        search.atoms[atom] = search.constituents[search.elements[place], column]
    for template in range(len(templates.seeds)):
        key = templates.seeds[template]
        for part in range(arrays.WIDTH):
            atom = search.atoms[templates.parts[template, part]]
            key += np.uint64(atom) * templates.factors[template, part]
        search.keys[template] = _mixed(key)
    return _fill_queue_keys(templates, search, state)


@inner_kernel
def _find_elements(templates: TransitionTemplates, search: BeamSearch, state: int) -> None:
    here, elements = search.states[state], search.elements
    elements[0] = 0
    place = 1
    node = here["split"] if templates.is_split else here["top"]
    for _ in range(templates.stack):
        elements[place] = search.stack[node]["constituent"]
        node = search.stack[node]["previous"]
        place += 1
    node = here["top"]
    for _ in range(templates.deque):
        elements[place] = search.stack[node]["constituent"]
        node = search.stack[node]["previous"]
        if node == here["split"]:
            node = 0
        place += 1
    node = here["queue"]
    for _ in range(templates.queue):
        elements[place] = search.queue[node]["constituent"]
        node = search.queue[node]["next"]
        place += 1
    if templates.following > 0:
        node, skipped = _next(search, here)
        elements[place] = skipped  # the token with this number; its FIRST is its position
        place += 1
        for _ in range(templates.following):
            elements[place] = search.queue[node]["constituent"]
            node = search.queue[node]["next"]
            place += 1
    for child in range(len(templates.children)):
        mother, column = templates.children[child]
        elements[place + child] = search.constituents[elements[mother], column]


@inner_kernel
def _next(search: BeamSearch, here: np.void) -> tuple[int, int]:
    """Return the node of the first queue token after the top, and how many precede it."""
    end = search.constituents[search.stack[here["top"]]["constituent"], arrays.LAST]
    node, skipped = here["queue"], 0
    while node != 0 and search.constituents[search.queue[node]["constituent"], arrays.FIRST] < end:
        node = search.queue[node]["next"]
        skipped += 1
    return node, skipped


@inner_kernel
def _fill_queue_keys(templates: TransitionTemplates, search: BeamSearch, state: int) -> int:
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
