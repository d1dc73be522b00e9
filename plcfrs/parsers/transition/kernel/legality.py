"""Legal actions of a state, as ranges of actions with a kind and a role."""

from __future__ import annotations

from plcfrs.jit import inner_kernel, kernel
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions, BeamSearch
from plcfrs.parsers.transition.kernel.states import last_kind

_IMPOSSIBLE = 1 << 30


@kernel
def find_legal(actions: Actions, search: BeamSearch, state: int) -> int:
    """Write the ranges of legal actions to the search, and return their number."""
    if search.states[state]["is_final"]:
        return _add(actions, search, 0, arrays.IDLE, arrays.ORDINARY)
    if actions.has_queue:
        return _with_queue(actions, search, state)
    if actions.has_compound_gaps:
        return _in_compound_gap(actions, search, state)
    return _in_gap(actions, search, state)


@inner_kernel
def _add(actions: Actions, search: BeamSearch, ranges: int, kind: int, role: int) -> int:
    """Add the actions of a kind and a role."""
    place = kind * arrays.ROLES + role
    return _add_range(search, ranges, actions.start[place], actions.start[place + 1])


@inner_kernel
def _add_range(search: BeamSearch, ranges: int, start: int, end: int) -> int:
    if start >= end:
        return ranges
    search.legal[ranges, 0], search.legal[ranges, 1] = start, end
    return ranges + 1


@inner_kernel
def _add_unary(actions: Actions, search: BeamSearch, ranges: int, state: int) -> int:
    here = search.states[state]
    is_only = here["waiting"] == 0 and search.stack[here["top"]]["height"] == 1
    role = arrays.AXIOM if is_only else arrays.ORDINARY
    return _add(actions, search, ranges, arrays.UNARY, role)


@inner_kernel
def _is_part(search: BeamSearch, node: int) -> bool:
    is_part: bool = search.constituents[search.stack[node]["constituent"], arrays.IS_PART] == 1
    return is_part


# SR-GAP and SR-CGAP (Coavoux and Crabbé 2017, table 7 and section 2.4).


@inner_kernel
def _in_gap(actions: Actions, search: BeamSearch, state: int) -> int:
    here = search.states[state]
    last = last_kind(actions, search, state)
    ranges = 0
    if here["waiting"] > 0 and last != arrays.GAP:
        ranges = _add(actions, search, ranges, arrays.SHIFT, arrays.ORDINARY)
    if last == arrays.SHIFT:
        ranges = _add_unary(actions, search, ranges, state)
    below = search.stack[search.stack[here["split"]]["previous"]]
    if below["height"] > below["parts"] or (
        below["height"] > 0 and not _is_part(search, here["top"])
    ):
        ranges = _add(actions, search, ranges, arrays.GAP, arrays.ORDINARY)
    return _add_reductions(actions, search, ranges, state)


@inner_kernel
def _in_compound_gap(actions: Actions, search: BeamSearch, state: int) -> int:
    here = search.states[state]
    last = last_kind(actions, search, state)
    if last == arrays.GAP:
        return _add_reductions(actions, search, 0, state)
    ranges = 0
    if last == arrays.SHIFT:
        ranges = _add_unary(actions, search, ranges, state)
        if here["waiting"] > 0 or search.stack[here["top"]]["height"] > 1:
            ranges = _add(actions, search, ranges, arrays.GHOST, arrays.ORDINARY)
        return ranges
    if here["waiting"] > 0:
        ranges = _add(actions, search, ranges, arrays.SHIFT, arrays.ORDINARY)
    return _add_compound_gaps(actions, search, ranges, state)


@inner_kernel
def _add_compound_gaps(actions: Actions, search: BeamSearch, ranges: int, state: int) -> int:
    """Add the gaps down to an element that can be reduced with the top."""
    here = search.states[state]
    node, gaps = here["split"], 0
    start = actions.start[arrays.GAP * arrays.ROLES]
    end = actions.start[arrays.GAP * arrays.ROLES + 1]
    for action in range(start, end):
        while node != 0 and gaps < actions.counts[action]:
            node = search.stack[node]["previous"]
            gaps += 1
        if node != 0 and not (_is_part(search, node) and _is_part(search, here["top"])):
            ranges = _add_range(search, ranges, action, action + 1)
    return ranges


@inner_kernel
def _add_reductions(actions: Actions, search: BeamSearch, ranges: int, state: int) -> int:
    here = search.states[state]
    if here["split"] == 0:
        return ranges
    is_last = here["waiting"] == 0 and search.stack[here["top"]]["height"] == 2
    is_part_possible = here["waiting"] > 0 or _has_partner(actions, search, state)
    for kind in (arrays.LEFT, arrays.RIGHT):
        if _is_part(search, here["top"] if kind == arrays.LEFT else here["split"]):
            continue  # the non-head
        ranges = _add(actions, search, ranges, kind, arrays.AXIOM if is_last else arrays.ORDINARY)
        if is_part_possible:
            ranges = _add(actions, search, ranges, kind, arrays.PART)
            ranges = _add(actions, search, ranges, kind, arrays.AXIOM_PART)
    return ranges


@inner_kernel
def _has_partner(actions: Actions, search: BeamSearch, state: int) -> bool:
    """Return whether a new part has a whole partner in reach."""
    here = search.states[state]
    if not actions.has_compound_gaps:
        top = search.stack[here["top"]]
        parts: int = top["parts"] - _is_part(search, here["top"]) - _is_part(search, here["split"])
        others: int = top["height"] - 2
        return others > parts
    gaps = actions.counts[actions.start[arrays.GAP * arrays.ROLES + 1] - 1]
    node = search.stack[here["top"]]["previous"]
    while node != 0 and gaps >= 0:
        if node != here["split"]:
            if not _is_part(search, node):
                return True
            gaps -= 1
        node = search.stack[node]["previous"]
    return False


# SR-SWAP and SKIPSHIFT: the state after an action must not need more tokens than there are.


@inner_kernel
def _with_queue(actions: Actions, search: BeamSearch, state: int) -> int:
    here = search.states[state]
    is_right = last_kind(actions, search, state) == arrays.RIGHT
    if actions.is_left and is_right and _is_part(search, here["top"]):
        return _add_binary(actions, search, 0, state, arrays.RIGHT)
    ranges = _add_shifts(actions, search, 0, state)
    top = search.stack[here["top"]]
    is_last = here["waiting"] == 0 and top["height"] == 1
    if here["top"] > 0 and _is_token(search, here["top"]):
        if _needed(search, top["previous"], False, False, is_last) <= here["waiting"]:
            ranges = _add_unary(actions, search, ranges, state)
        if last_kind(actions, search, state) == arrays.SHIFT:
            ranges = _add_swaps(actions, search, ranges, state)
    elif is_last:
        ranges = _add(actions, search, ranges, arrays.FINISH, arrays.ORDINARY)
    if top["height"] > 1:
        ranges = _add_binary(actions, search, ranges, state, arrays.LEFT)
        ranges = _add_binary(actions, search, ranges, state, arrays.RIGHT)
    return ranges


@inner_kernel
def _needed(search: BeamSearch, below: int, is_token: bool, is_part: bool, is_axiom: bool) -> int:
    """Return how many queue tokens a stack with a new top needs to become a tree.

    A part needs a whole constituent next to it, from the queue if there is nothing below. At the
    bottom of the stack, or with only one element below, it needs another token: when it is whole,
    it must not be alone, because it is not the axiom. A part of the axiom needs everything: nothing
    below it can wait for a sibling.
    """
    under = search.stack[below]
    if below == 0:
        return is_part + (not is_token and not is_axiom)
    if is_part and is_axiom:
        return _IMPOSSIBLE if under["parts"] > 0 else 0
    if under["has_axiom"]:
        return is_part and _is_part(search, below)
    waits: int = search.constituents[under["bottom"], arrays.IS_PART]
    return waits + (is_part and (under["height"] == 1 or _is_part(search, below)))


@inner_kernel
def _is_token(search: BeamSearch, node: int) -> bool:
    constituent: int = search.stack[node]["constituent"]
    return 0 < constituent < len(search.words) - 1


@inner_kernel
def _add_shifts(actions: Actions, search: BeamSearch, ranges: int, state: int) -> int:
    here = search.states[state]
    can_come_back = 0
    if actions.can_swap and _is_token(search, here["top"]):
        following = search.queue[here["queue"]]["constituent"]
        can_come_back = int(search.stack[here["top"]]["constituent"] < following)
    if _needed(search, here["top"], True, False, False) > here["waiting"] - 1 + can_come_back:
        return ranges
    start = end = actions.start[arrays.SHIFT * arrays.ROLES]
    last = actions.start[arrays.SHIFT * arrays.ROLES + 1]
    while end < last and actions.counts[end] < here["waiting"]:
        end += 1
    return _add_range(search, ranges, start, end)


@inner_kernel
def _add_swaps(actions: Actions, search: BeamSearch, ranges: int, state: int) -> int:
    """Add the swaps of bare tokens below the top that are in order."""
    here = search.states[state]
    node, below = here["top"], search.stack[here["top"]]["previous"]
    number = 0
    start = actions.start[arrays.SWAP * arrays.ROLES]
    end = actions.start[arrays.SWAP * arrays.ROLES + 1]
    for action in range(start, end):
        while number < actions.counts[action]:
            is_in_order = search.stack[below]["constituent"] < search.stack[node]["constituent"]
            if not (_is_token(search, below) and is_in_order):
                return ranges
            node, below = below, search.stack[below]["previous"]
            number += 1
        if _needed(search, below, True, False, False) <= here["waiting"] + number:
            ranges = _add_range(search, ranges, action, action + 1)
    return ranges


@inner_kernel
def _add_binary(actions: Actions, search: BeamSearch, ranges: int, state: int, kind: int) -> int:
    here = search.states[state]
    head, other = here["split"], here["top"]
    if kind == arrays.RIGHT:
        head, other = other, head
    if _is_part(search, other):
        return ranges
    below = search.stack[here["split"]]["previous"]
    is_last = here["waiting"] == 0 and below == 0
    becomes_whole = _needed(search, below, False, False, is_last) <= here["waiting"]
    if _is_part(search, head):
        symbol = search.constituents[search.stack[head]["constituent"], arrays.SYMBOL]
        side, is_axiom = kind - arrays.LEFT, actions.is_axiom[symbol] == 1
        if becomes_whole and is_axiom == is_last:
            ranges = _add_action(search, ranges, actions.whole_action[side, symbol])
        if _can_be_part(actions, search, state, kind, is_axiom):
            ranges = _add_action(search, ranges, actions.part_action[side, symbol])
        return ranges
    if becomes_whole:
        ranges = _add(actions, search, ranges, kind, arrays.AXIOM if is_last else arrays.ORDINARY)
    for is_axiom in (False, True):
        if _can_be_part(actions, search, state, kind, is_axiom):
            role = arrays.AXIOM_PART if is_axiom else arrays.PART
            ranges = _add(actions, search, ranges, kind, role)
    return ranges


@inner_kernel
def _add_action(search: BeamSearch, ranges: int, action: int) -> int:
    """Add an action, -1 for none."""
    return _add_range(search, ranges, action, action + 1) if action >= 0 else ranges


@inner_kernel
def _can_be_part(
    actions: Actions, search: BeamSearch, state: int, kind: int, is_axiom: bool
) -> bool:
    """Return whether the top and the element below it can become a part of a constituent."""
    here = search.states[state]
    below = search.stack[here["split"]]["previous"]
    waiting: int = here["waiting"]
    needed = _needed(search, below, False, True, is_axiom)
    if not (actions.is_left and kind == arrays.RIGHT):
        return needed <= waiting
    if below == 0 or _is_part(search, below):
        return False
    if is_axiom:
        return waiting == 0 and needed == 0
    further = search.stack[below]["previous"]
    return _needed(search, further, False, False, False) <= waiting
