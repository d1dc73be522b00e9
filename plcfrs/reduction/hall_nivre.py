"""Spines in the encoding of Hall and Nivre (2008): a relation has the whole spine of its token."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.reduction.labels import split
from plcfrs.reduction.relations import Relation, render_relation, render_root
from plcfrs.reduction.spines import Spines


def spine_relations(spines: Spines) -> list[str]:
    """Return the relations of all tokens, and an empty one as entry 0."""
    texts = map("|".join, spines.labels)
    return [
        render_relation(text, place) if head else render_root(text)
        for text, head, place in zip(texts, spines.heads, spines.places, strict=True)
    ]


def spines_of_spines(
    heads: Sequence[int], relations: Sequence[Relation], orders: Sequence[int]
) -> Spines:
    """Return the spines that relations describe, with each place at the nearest node there is."""
    labels = [list(split(relation.labels or relation.above, "|")) for relation in relations]
    places = [0] * len(heads)
    for token, head in enumerate(heads):
        if head:
            labels[head] = labels[head] or [""]
            places[token] = min(max(orders[token], 1), len(labels[head]))
    return Spines(list(heads), places, labels)
