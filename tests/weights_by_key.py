"""Weights as dictionaries, by keys and actions."""

import numpy as np

from plcfrs.learning.kernel import arrays

LOWER = 2**32
KEY = 2**24  # of the bits of a key that averages have


def learned_weights(weights):
    """Return the weights in training, by key and action."""
    slots, uppers, actions, values, _, counters = weights.learned
    found = {}
    for slot in np.flatnonzero(slots != arrays.EMPTY).tolist():
        lower, start = divmod(int(slots[slot]), LOWER)
        key = int(uppers[slot]) * LOWER + lower
        if actions[start] == arrays.DENSE:
            row = values[start : start + counters[arrays.ACTIONS]].tolist()
            found |= {(key, action): value for action, value in enumerate(row)}
            continue
        end = start + next(n for n, action in enumerate(actions[start:]) if action >= arrays.LAST)
        for place in range(start, end + 1):
            found[key, int(actions[place]) & arrays.NUMBER] = float(values[place])
    return found


def averages(weights):
    """Return the averages, by the lower bits of the key and the action."""
    buckets, cells, dense = weights.averages
    found, place = {}, 0
    while place < buckets[-1]:
        size, lower = divmod(pair(cells, place), KEY)
        place += 2
        if size > arrays.MOST_ENTRIES:
            row = dense[pair(cells, place)].tolist()
            found |= {(lower, action): value for action, value in enumerate(row)}
            place += 2
            continue
        for _ in range(size):
            value = np.array(int(cells[place + 1]) << 16, np.uint32).view(np.float32)
            found[lower, int(cells[place])] = float(value)
            place += 2
    return found


def renumbered(numbers, actions):
    """Return averages with fewer actions."""
    cells, place = numbers.cells.copy(), 0
    while place < len(cells) - 1:
        size, place = pair(cells, place) // KEY, place + 2
        if size > arrays.MOST_ENTRIES:
            place += 2
        else:
            cells[place : place + 2 * size : 2] %= actions
            place += 2 * size
    return numbers._replace(cells=cells, dense=numbers.dense[:, :actions].copy())


def pair(cells, place):
    return int(cells[place]) + 2**16 * int(cells[place + 1])
