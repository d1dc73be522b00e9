"""The scores of all parts that a tree of a sentence can have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.dependency.kernel.features import (
    arc_relation,
    grandparent_relation,
    is_new,
    part_score,
    sibling_relation,
)
from plcfrs.dependency.kernel.parts import Features, Flags, Floats
from plcfrs.jit import kernel
from plcfrs.linear.kernel.arrays import Scores


@kernel
def fill_arcs(values: Scores, features: Features, kept: Flags, arcs: Floats) -> None:
    """Write the scores of the arcs that are kept, and -inf for the others."""
    size = len(kept)
    arcs[:] = -np.inf
    for head in range(size):
        for step in (-1, 1):
            modifier, found = head + step, 0
            while 1 <= modifier < size:
                if kept[head, modifier]:
                    relation = arc_relation(head, modifier)
                    score = part_score(values, features.arcs, head, modifier, 0, relation)
                    for tag in range(found):
                        place = features.firsts[tag]
                        score += part_score(
                            values, features.between, head, modifier, place, relation
                        )
                    arcs[head, modifier] = score
                if is_new(features.seen, features.tags[modifier], found):
                    features.firsts[found] = modifier
                    found += 1
                modifier += step


@kernel
def keep_best(arcs: Floats, number: int, kept: Flags) -> None:
    """Mark the best heads of each word, and the word before it: so there always is a tree."""
    size = len(arcs)
    kept[:] = False
    for modifier in range(1, size):
        for _ in range(min(number, size - 1)):
            best = -1
            for head in range(size):
                if (
                    head != modifier
                    and not kept[head, modifier]
                    and (best < 0 or arcs[head, modifier] > arcs[best, modifier])
                ):
                    best = head
            kept[best, modifier] = True
        kept[modifier - 1, modifier] = True


@kernel
def fill_second_order(
    values: Scores,
    features: Features,
    kept: Flags,
    siblings: NDArray[np.float32],
    grandparents: NDArray[np.float32],
) -> None:
    """Write the scores of the siblings and grandparents that have only arcs that are kept."""
    size = len(kept)
    none = size
    for head in range(size):
        for modifier in range(1, size):
            if not kept[head, modifier]:
                continue
            relation = sibling_relation(head, head, modifier)
            siblings[head, head, modifier] = part_score(
                values, features.siblings, head, modifier, none, relation
            )
            for sibling in range(min(head, modifier) + 1, max(head, modifier)):
                if kept[head, sibling]:
                    relation = sibling_relation(head, sibling, modifier)
                    siblings[head, sibling, modifier] = part_score(
                        values, features.siblings, head, modifier, sibling, relation
                    )
            for grandparent in range(size):
                if head > 0 and grandparent != modifier and kept[grandparent, head]:
                    relation = grandparent_relation(grandparent, head, modifier)
                    grandparents[grandparent, head, modifier] = part_score(
                        values, features.grandparents, head, modifier, grandparent, relation
                    )


@kernel
def fill_crossing(
    values: Scores, features: Features, kept: Flags, crossing: NDArray[np.float32]
) -> None:
    """Write the scores of arcs that are kept and cross others, and 0 for all other arcs."""
    size = len(kept)
    crossing[:] = 0
    for head in range(size):
        for modifier in range(1, size):
            if not kept[head, modifier]:
                continue
            relation = arc_relation(head, modifier)
            score = part_score(values, features.crossing, head, modifier, 0, relation)
            for crossed in range(min(head, modifier) + 1, max(head, modifier)):
                crossing[head, crossed, modifier] = score + part_score(
                    values, features.crossed, head, modifier, crossed, relation
                )
