"""Updates of the weights: 1-best MIRA (Crammer and Singer 2003; McDonald et al. 2005)."""

from __future__ import annotations

from plcfrs.dependency.kernel.crossing import crossed_by
from plcfrs.dependency.kernel.features import (
    add_arc,
    add_part,
    arc_relation,
    grandparent_relation,
    sibling_relation,
)
from plcfrs.dependency.kernel.parts import Features, Floats
from plcfrs.dependency.kernel.trees import nearer_sibling
from plcfrs.jit import inner_kernel, kernel, wide
from plcfrs.linear.kernel.arrays import Int32, Places
from plcfrs.linear.kernel.hashed import HashedWeights, change, margin, squared_norm


@kernel
def learn_heads(
    weights: HashedWeights,
    features: Features,
    arcs: Floats,
    gold: Int32,
    most: float,
    time: float,
    places: Places,
) -> None:
    """Let the right head of each word score more than the best wrong one, by 1 at least."""
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
    features: Features,
    gold: Int32,
    found: Int32,
    is_second_order: bool,
    most: float,
    time: float,
    places: Places,
) -> int:
    """Let the gold tree score more than another, by the number of wrong heads at least."""
    mistakes = 0
    for modifier in range(1, len(gold)):
        mistakes += gold[modifier] != found[modifier]
    if mistakes > 0:
        size = len(weights.values)
        good = _add_parts(size, features, gold, found, is_second_order, places, 0)
        end = _add_parts(size, features, found, gold, is_second_order, places, good)
        _learn(weights, places, good, end, mistakes, most, time)
    return mistakes


@inner_kernel
def _add_parts(
    size: int,
    features: Features,
    heads: Int32,
    others: Int32,
    is_second_order: bool,
    places: Places,
    end: int,
) -> int:
    """Append the places of the features of a tree's parts that another tree does not have."""
    none = len(heads)
    for modifier in range(1, len(heads)):
        head, other = wide(heads[modifier]), wide(others[modifier])
        if head != other:
            end = add_arc(size, features, head, modifier, places, end)
        if not is_second_order:
            continue
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
    """Make the smallest change by which good features score more than bad ones by the cost."""
    loss = cost - margin(weights, places, good, end)
    norm = squared_norm(weights, places, good, end)
    if loss > 0 and norm > 0:
        change(weights, places, good, end, min(most, loss / norm), time)
