"""The features of parts of trees, their scores, and updates of their weights.

A key adds up summands, and says where the weight of a feature is. The updates are 1-best MIRA
(Crammer and Singer 2003; McDonald et al. 2005).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.learning.kernel.arrays import Int32, Keys, Places, Scores
from plcfrs.learning.kernel.weights import HashedWeights, bucket_of, change, margin, squared_norm
from plcfrs.parsers.reduction.kernel import arrays as parts
from plcfrs.parsers.reduction.kernel.arrays import (
    Flags,
    Floats,
    PartFeatures,
    PartSummands,
    PartTemplates,
)
from plcfrs.parsers.reduction.kernel.climbing import crossed_by, nearer_sibling


@kernel
def fill_summands(templates: PartTemplates, attributes: Keys, summands: Keys) -> None:
    """Write the summands of all templates for each token at each place.

    Parameters
    ----------
    templates : PartTemplates
    attributes : Keys
        (n + 2, attributes)
    summands : Keys
        (3, n + 2, T)
    """
    for place in range(3):
        for row in range(len(attributes)):
            for template in range(summands.shape[2]):
                key = np.uint64(0)
                for atom in range(parts.WIDTH):
                    factor = templates.factors[place, template, atom]
                    if factor == 0:
                        break
                    key += attributes[row, templates.columns[place, template, atom]] * factor
                summands[place, row, template] = key


@inner_kernel
def part_score(
    values: Scores, kind: PartSummands, head: int, modifier: int, third: int, relation: int
) -> float:
    """Return the sum of the weights of a part."""
    size = len(values)
    total = 0.0
    for template in range(kind.relations.shape[1]):
        key = kind.summands[0, head, template] + kind.summands[1, modifier, template]
        key += kind.summands[2, third, template] + kind.relations[relation, template]
        total += values[bucket_of(key, size)]
    return total


@inner_kernel
def add_part(
    size: int,
    kind: PartSummands,
    part: tuple[int, int, int, int],
    places: Places,
    end: int,
) -> int:
    """Append the places of the features of a part among `size` weights; return the new end."""
    head, modifier, third, relation = part
    for template in range(kind.relations.shape[1]):
        key = kind.summands[0, head, template] + kind.summands[1, modifier, template]
        key += kind.summands[2, third, template] + kind.relations[relation, template]
        places[end] = bucket_of(key, size)
        end += 1
    return end


@inner_kernel
def bin_of(distance: int) -> int:
    """Return the bin of a distance of at least 1."""
    if distance <= 5:
        return distance - 1
    if distance <= 7:
        return 5
    if distance <= 10:
        return 6
    if distance <= 15:
        return 7
    return 8 if distance <= 25 else 9


@inner_kernel
def arc_relation(head: int, modifier: int) -> int:
    """Return the number of the direction and the distance of an arc."""
    if modifier > head:
        return parts.BINS + bin_of(modifier - head)
    return bin_of(head - modifier)


@inner_kernel
def sibling_relation(head: int, sibling: int, modifier: int) -> int:
    """Return the number of the direction, whether there is a sibling, and the distance to it."""
    relation = 2 * (modifier > head) + (sibling != head)
    return relation * parts.BINS + bin_of(abs(modifier - sibling))


@inner_kernel
def grandparent_relation(grandparent: int, head: int, modifier: int) -> int:
    """Return the number of the order of the three tokens."""
    is_right = head > grandparent
    order = 3 * is_right
    if (modifier > head) != is_right:
        order += 1 if (modifier > grandparent) == is_right else 2
    return order


@inner_kernel
def is_new(tags: Keys, tag: np.uint64, known: int) -> bool:
    """Return whether a tag is not among the known ones; if so, add it to them."""
    for number in range(known):
        if tags[number] == tag:
            return False
    tags[known] = tag
    return True


@inner_kernel
def add_arc(
    size: int, features: PartFeatures, head: int, modifier: int, places: Places, end: int
) -> int:
    """Append the places of the features of an arc, and of the tags between; return the new end."""
    relation = arc_relation(head, modifier)
    end = add_part(size, features.arcs, (head, modifier, 0, relation), places, end)
    step, tags = 1 if head < modifier else -1, 0
    place = head + step
    while place != modifier:
        if is_new(features.seen, features.tags[place], tags):
            tags += 1
            part = (head, modifier, place, relation)
            end = add_part(size, features.between, part, places, end)
        place += step
    return end


@kernel
def learn_heads(
    weights: HashedWeights,
    features: PartFeatures,
    arcs: Floats,
    gold: Int32,
    most: float,
    time: float,
    places: Places,
) -> None:
    """Let the right head of each word score at least 1 more than the best wrong one."""
    size = len(arcs)
    for modifier in range(1, size):
        right = wide(gold[modifier])
        wrong = -1
        for head in range(size):
            if head not in (right, modifier) and (
                wrong < 0 or arcs[head, modifier] > arcs[wrong, modifier]
            ):
                wrong = head
        if wrong >= 0 and arcs[right, modifier] - arcs[wrong, modifier] < 1:
            good = add_arc(len(weights.values), features, right, modifier, places, 0)
            end = add_arc(len(weights.values), features, wrong, modifier, places, good)
            _learn(weights, places, good, end, 1.0, most, time)


@kernel
def learn_tree(
    weights: HashedWeights,
    features: PartFeatures,
    gold: Int32,
    predicted: Int32,
    most: float,
    time: float,
    places: Places,
) -> int:
    """Let the gold tree score more than a predicted one, at least by the number of wrong heads."""
    mistakes = 0
    for modifier in range(1, len(gold)):
        mistakes += gold[modifier] != predicted[modifier]
    if mistakes > 0:
        size = len(weights.values)
        good = _add_parts(size, features, gold, predicted, places, 0)
        end = _add_parts(size, features, predicted, gold, places, good)
        _learn(weights, places, good, end, mistakes, most, time)
    return mistakes


@inner_kernel
def _add_parts(
    size: int,
    features: PartFeatures,
    heads: Int32,
    others: Int32,
    places: Places,
    end: int,
) -> int:
    """Append the places of the features of a tree's parts that another tree does not have."""
    none = len(heads)
    for modifier in range(1, len(heads)):
        head, other = wide(heads[modifier]), wide(others[modifier])
        if head != other:
            end = add_arc(size, features, head, modifier, places, end)
        sibling = nearer_sibling(heads, modifier)
        if head != other or sibling != nearer_sibling(others, modifier):
            relation = sibling_relation(head, sibling, modifier)
            third = none if sibling == head else sibling
            part = (head, modifier, third, relation)
            end = add_part(size, features.siblings, part, places, end)
        if head > 0 and (head != other or heads[head] != others[other]):
            grandparent = wide(heads[head])
            relation = grandparent_relation(grandparent, head, modifier)
            part = (head, modifier, grandparent, relation)
            end = add_part(size, features.grandparents, part, places, end)
        crossed = crossed_by(heads, modifier)
        if crossed > 0 and (head != other or crossed != crossed_by(others, modifier)):
            part = (head, modifier, crossed, arc_relation(head, modifier))
            end = add_part(size, features.crossing, part, places, end)
            end = add_part(size, features.crossed, part, places, end)
    return end


@inner_kernel
def _learn(
    weights: HashedWeights,
    places: Places,
    good: int,
    end: int,
    cost: float,
    most: float,
    time: float,
) -> None:
    """Make the smallest change that lets good features score more than bad ones by the cost."""
    loss = cost - margin(weights, places, good, end)
    norm = squared_norm(weights, places, good, end)
    if loss > 0 and norm > 0:
        change(weights, places, good, end, min(most, loss / norm), time)


@kernel
def fill_arcs(values: Scores, features: PartFeatures, kept: Flags, arcs: Floats) -> None:
    """Write the scores of the arcs that are kept, and -inf for the others."""
    size = len(kept)
    arcs[:] = -np.inf
    for head in range(size):
        for step in (-1, 1):
            modifier, tags = head + step, 0
            while 1 <= modifier < size:
                if kept[head, modifier]:
                    relation = arc_relation(head, modifier)
                    score = part_score(values, features.arcs, head, modifier, 0, relation)
                    for tag in range(tags):
                        place = features.firsts[tag]
                        score += part_score(
                            values, features.between, head, modifier, place, relation
                        )
                    arcs[head, modifier] = score
                if is_new(features.seen, features.tags[modifier], tags):
                    features.firsts[tags] = modifier
                    tags += 1
                modifier += step


@kernel
def keep_best(arcs: Floats, number: int, kept: Flags) -> None:
    """Mark the best heads of each word, and the word before it, so that there is always a tree."""
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
    features: PartFeatures,
    kept: Flags,
    siblings: NDArray[np.float32],
    grandparents: NDArray[np.float32],
) -> None:
    """Write the scores of siblings and grandparents whose arcs are all kept."""
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
    values: Scores, features: PartFeatures, kept: Flags, crossing: NDArray[np.float32]
) -> None:
    """Write the scores for crossing of the arcs that are kept, and 0 for all other arcs."""
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
