"""The features of parts of trees: the summands of their keys, and the places of their weights."""

from __future__ import annotations

import numpy as np

from plcfrs.dependency.kernel import parts
from plcfrs.dependency.kernel.parts import Features, Kind, Templates
from plcfrs.jit import inner_kernel, kernel
from plcfrs.linear.kernel.arrays import Keys, Places, Scores
from plcfrs.linear.kernel.learned import bucket_of


@kernel
def fill_summands(templates: Templates, attributes: Keys, summands: Keys) -> None:
    """Write the summands of all templates for each token at each place.

    Parameters
    ----------
    templates : Templates
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
    values: Scores, kind: Kind, head: int, modifier: int, third: int, relation: int
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
    kind: Kind,
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
    """Return the number of the order of the three."""
    is_right = head > grandparent
    order = 3 * is_right
    if (modifier > head) != is_right:
        order += 1 if (modifier > grandparent) == is_right else 2
    return order


@inner_kernel
def is_new(tags: Keys, tag: np.uint64, known: int) -> bool:
    """Return whether a tag is not among the first known ones; make it the next one of them."""
    for number in range(known):
        if tags[number] == tag:
            return False
    tags[known] = tag
    return True


@inner_kernel
def add_arc(
    size: int, features: Features, head: int, modifier: int, places: Places, end: int
) -> int:
    """Append the places of the features of an arc, and of the tags between; return the new end."""
    relation = arc_relation(head, modifier)
    end = add_part(size, features.arcs, (head, modifier, 0, relation), places, end)
    step, found = 1 if head < modifier else -1, 0
    place = head + step
    while place != modifier:
        if is_new(features.seen, features.tags[place], found):
            found += 1
            part = (head, modifier, place, relation)
            end = add_part(size, features.between, part, places, end)
        place += step
    return end
