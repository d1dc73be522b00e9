"""The arrays of searches: enlarged when a kernel reports that they are full."""

from __future__ import annotations

import numpy as np

from plcfrs.linear.kernel.arrays import Int32
from plcfrs.transition.kernel import arrays
from plcfrs.transition.kernel.arrays import Actions, Search, Templates

_LONGEST_USUAL = 40  # tokens of a sentence
_STEPS_PER_TOKEN = 4
_GROWING = ("states", "stack", "constituents", "queue")


def new_search(actions: Actions, templates: Templates, beam: int) -> Search:
    """Return memory for beam search."""
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
        rows=np.zeros(features, np.uint32),
    )


def for_sentence(search: Search, templates: Templates, words: Int32, tags: Int32) -> Search:
    """Return the same memory for another sentence, enlarged for a long one."""
    search = search._replace(words=words, tags=tags)
    features = len(templates.seeds) + len(templates.queue_seeds) * len(words)
    if features > len(search.keys):
        search = search._replace(
            keys=np.zeros(features, np.uint64), rows=np.zeros(features, np.uint32)
        )
    while len(search.constituents) <= len(words) or len(search.queue) <= len(words):
        search = enlarge_search(search)
    return search


def enlarge_search(search: Search) -> Search:
    """Return a search with twice the memory, without the old contents."""
    old = {name: getattr(search, name) for name in _GROWING}
    return search._replace(
        **{n: np.zeros((2 * len(each), *each.shape[1:]), each.dtype) for n, each in old.items()}
    )
