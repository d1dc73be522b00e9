"""The arrays of searches and weights: enlarged when a kernel says that they are full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Actions, Int32, Search, Templates, Weights
from plcfrs.transition.kernel.weights import count_means, pack_means, rehash

_LONGEST_USUAL = 40  # tokens of a sentence
_STEPS_PER_TOKEN = 4
_GROWING = ("states", "stack", "constituents", "queue")
_FEATURES = 1 << 16


def new_search(actions: Actions, templates: Templates, beam: int) -> Search:
    """Return memory for beam search.

    Parameters
    ----------
    actions : Actions
    templates : Templates
    beam : int
    """
    states = (beam + 1) * _STEPS_PER_TOKEN * _LONGEST_USUAL
    features = len(templates.seeds) + len(templates.queue_seeds) * _LONGEST_USUAL
    elements = templates.stack + templates.deque + templates.queue + templates.following
    found = 2 + elements + len(templates.children)
    return Search(
        counters=np.zeros(arrays.SEARCH_COUNTERS, np.int64),
        words=np.zeros(2, np.int32),
        tags=np.zeros(2, np.int32),
        states=np.zeros(states, arrays.STATE),
        stack=np.zeros(2 * states, arrays.STACK_NODE),
        constituents=np.zeros((states + _LONGEST_USUAL, arrays.COLUMNS), np.int32),
        queue=np.zeros(states, arrays.QUEUE_NODE),
        beam=np.zeros(beam, np.int32),
        next_beam=np.zeros(beam, np.int32),
        candidates=np.zeros(beam, arrays.CANDIDATE),
        scores=np.zeros(len(actions.kind), np.float32),
        legal=np.zeros((len(actions.kind), 2), np.int32),
        found=np.zeros(found, np.int32),
        atoms=np.zeros(len(templates.atoms), np.int32),
        keys=np.zeros(features, np.uint64),
        rows=np.zeros((features, 2), np.int32),
    )


def for_sentence(search: Search, templates: Templates, words: Int32, tags: Int32) -> Search:
    """Return the same memory for another sentence, with more of it for a long one."""
    search = search._replace(words=words, tags=tags)
    features = len(templates.seeds) + len(templates.queue_seeds) * len(words)
    if features > len(search.keys):
        search = search._replace(
            keys=np.zeros(features, np.uint64), rows=np.zeros((features, 2), np.int32)
        )
    while len(search.constituents) <= len(words) or len(search.queue) <= len(words):
        search = enlarge_search(search)
    return search


def enlarge_search(search: Search) -> Search:
    """Return a search with twice the memory; what it held is lost."""
    return search._replace(
        **{
            name: np.zeros((2 * len(old), *old.shape[1:]), old.dtype)
            for name, old in zip(
                _GROWING, (getattr(search, name) for name in _GROWING), strict=True
            )
        }
    )


def new_weights(actions: int, features: int = _FEATURES, entries: int = 4 * _FEATURES) -> Weights:
    """Return memory for weights.

    Parameters
    ----------
    actions : int
        How many there are.
    features : int
        Length of the table: a power of 2.
    entries : int
    """
    counters = np.zeros(arrays.WEIGHT_COUNTERS, np.int64)
    counters[arrays.ACTIONS] = actions
    return Weights(
        np.zeros(features, arrays.FEATURE),
        np.zeros(entries, arrays.ENTRY),
        np.zeros(entries, np.float64),
        counters,
    )


def enlarge_weights(weights: Weights) -> Weights:
    """Return the same weights with room for more: twice as much of what is half full, or of all."""
    needs_slots = 4 * weights.counters[arrays.FEATURES] > len(weights.table)
    needs_entries = 2 * weights.counters[arrays.ENTRIES] > len(weights.entries)
    if needs_slots or not needs_entries:
        table = np.zeros(2 * len(weights.table), arrays.FEATURE)
        enlarged = weights._replace(table=table)
        rehash(weights, enlarged)
        weights = enlarged
    if needs_entries or not needs_slots:
        weights = weights._replace(entries=_longer(weights.entries), totals=_longer(weights.totals))
    return weights


def averaged(weights: Weights, time: float) -> Weights:
    """Return the averages over the time (w - u / c), packed; those that are 0 are left out."""
    counters = np.zeros(arrays.WEIGHT_COUNTERS, np.int64)
    count_means(weights, time, counters)
    table = 1 << (2 * int(counters[arrays.FEATURES])).bit_length()
    packed = new_weights(
        int(weights.counters[arrays.ACTIONS]), table, int(counters[arrays.ENTRIES])
    )
    pack_means(weights, time, packed)
    return packed._replace(totals=np.zeros(0, np.float64))


def _longer(array: NDArray[Any]) -> NDArray[Any]:
    longer = np.zeros(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


def to_numbers(weights: Weights) -> dict[str, NDArray[Any]]:
    """Return the arrays of weights for a file, which has no records but rows of numbers."""
    return {
        "table": weights.table.view(np.uint64).reshape(-1, 2),
        "entries": weights.entries.view(np.uint32).reshape(-1, 2),
    }


def from_numbers(numbers: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the table and the entries of a file.

    Raises
    ------
    KeyError, ValueError
        If they are missing or of another form.
    """
    table, entries = numbers["table"], numbers["entries"]
    for array, width, kind in ((table, 2, np.uint64), (entries, 2, np.uint32)):
        if array.dtype != kind or array.ndim != 2 or array.shape[1] != width:
            raise ValueError("the weights are damaged")
    return table.view(arrays.FEATURE)[:, 0], entries.view(arrays.ENTRY)[:, 0]


def check_weights(table: NDArray[Any], entries: NDArray[Any], actions: int) -> None:
    """Check that no kernel can leave the arrays of averaged weights.

    Raises
    ------
    ValueError
        If one could.
    """
    fits = (
        (table.dtype, table.ndim) == (arrays.FEATURE, 1)
        and (entries.dtype, entries.ndim) == (arrays.ENTRY, 1)
        and len(table) > 0
        and len(table) & (len(table) - 1) == 0
        and bool((table["size"] == 0).any())
        and bool((table["size"] >= 0).all() and (table["start"] >= 0).all())
        and bool((table["start"] + table["size"].astype(np.int64) <= len(entries)).all())
        and bool((entries["action"] >= 0).all() and (entries["action"] < actions).all())
        and bool(np.isfinite(entries["weight"]).all())
    )
    if not fits:
        raise ValueError("the weights are damaged")


def packed_weights(table: NDArray[Any], entries: NDArray[Any]) -> Weights:
    """Return averaged weights of a file, which cannot be changed any more."""
    totals = np.zeros(0, np.float64)
    return Weights(table, entries, totals, np.zeros(arrays.WEIGHT_COUNTERS, np.int64))
