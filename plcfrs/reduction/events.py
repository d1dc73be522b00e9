"""Spines as events (Fernández-González and Martins 2015): numbers of attachments to a head.

Only nodes with several children are events, so that a head has the events 1 to J without a gap;
unary nodes go with the event below.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from plcfrs.reduction.labels import split
from plcfrs.reduction.relations import Relation, render_relation, render_root
from plcfrs.reduction.spines import Spines


def event_places(spines: Spines) -> list[list[int]]:
    """Return on which places of the spine of each token others are attached, from the bottom up."""
    found: list[set[int]] = [set() for _ in spines.heads]
    for head, place in zip(spines.heads, spines.places, strict=True):
        if head:
            found[head].add(place)
    return list(map(sorted, found))


def event_orders(spines: Spines, events: Sequence[Sequence[int]]) -> list[int]:
    """Return as which event of its head each token is attached; 0 without a head."""
    return [
        events[head].index(place) + 1 if head else 0
        for head, place in zip(spines.heads, spines.places, strict=True)
    ]


def event_relations(
    spines: Spines, numbers: Sequence[int], events: Sequence[Sequence[int]], *, unaries: bool
) -> list[str]:
    """Return the relations of all tokens with their numbers, and an empty one as entry 0."""
    names: dict[tuple[int, int], str] = {}
    above = []
    for token, places in enumerate(events):
        labels = spines.labels[token]
        ends = [*(place - 1 for place in places), len(labels)]
        for place, end in zip(places, ends[1:], strict=True):
            names[token, place] = _chain(labels[place - 1 : end if unaries else place])
        above.append(_chain(labels[: ends[0]]) if unaries else "")
    return [
        render_relation(names[head, place], numbers[token], above[token])
        if head
        else render_root(above[token])
        for token, (head, place) in enumerate(zip(spines.heads, spines.places, strict=True))
    ]


def spines_of_events(
    heads: Sequence[int], relations: Sequence[Relation], orders: Sequence[int]
) -> Spines:
    """Return the spines that relations describe; of different labels, the nearest counts."""
    spines = Spines(list(heads), [0] * len(heads), [_nodes(part.above) for part in relations])
    events: dict[tuple[int, int], list[int]] = defaultdict(list)
    for token, head in enumerate(heads):
        if head:
            events[head, orders[token]].append(token)
    for (head, _), tokens in sorted(events.items()):
        nearest = sorted(tokens, key=lambda token: abs(token - head))
        named = (relations[token].labels for token in nearest if relations[token].labels)
        for token in tokens:
            spines.places[token] = len(spines.labels[head]) + 1
        spines.labels[head] += _nodes(next(named, "")) or [""]
    return spines


def _chain(labels: Sequence[str]) -> str:
    return "+".join(reversed(labels))


def _nodes(chain: str) -> list[str]:
    return list(reversed(split(chain, "+")))
