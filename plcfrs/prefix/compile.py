"""A grammar as arrays for prefix probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import pairwise
from typing import Any

import numpy as np

from plcfrs.grammar import Nonterminal
from plcfrs.prefix.closures import components
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Int32, PrefixArrays, Records
from plcfrs.prefix.positions import Node, Position

Chains = Mapping[Node, Mapping[Node, float]]
Bounds = tuple[int, ...]
"""Numbers of bounds: see `arrays`."""
Shape = tuple[int, int, int]
"""See `arrays.SHAPE`."""


def compile_prefixes(
    start: Nonterminal,
    positions: Mapping[Node, Sequence[Position]],
    upward: Chains,
    downward: Chains,
    first: Chains,
    besides: Mapping[Node, Sequence[tuple[Node, Node, float]]],
) -> tuple[dict[Node, int], PrefixArrays]:
    """Return the numbers of all nodes, and the arrays.

    Chains go upward, from children to mothers, and downward, from mothers of which something is
    known to the children that come next (see `plcfrs.prefix.closures`). `first` has the steps from
    mothers of which nothing is known to their first children. `besides` has, for an awaited
    component of a mother, the known child, the sister that may begin, and the probability of the
    rule.
    """
    symbols = {start, *(node.symbol for node in positions)}
    symbols |= {each.mother.symbol for found in positions.values() for each in found}
    nodes = sorted(Node(each, known + 1) for each in symbols for known in range(each.fanout))
    numbers = {node: number for number, node in enumerate(nodes)}
    steps = {node: first.get(node, {}) for node in nodes if node.components == 1}
    order = [node for component in reversed(components(steps)) for node in component]
    openings = [
        [_opening(each, numbers) for each in positions.get(node, ()) if _opens(each)]
        for node in nodes
    ]
    found = [
        [(p, numbers[child], numbers[sister]) for child, sister, p in besides.get(node, ())]
        for node in nodes
    ]
    up, down = ([chains.get(node, {node: 1.0}) for node in nodes] for chains in (upward, downward))
    return numbers, PrefixArrays(
        start=numbers[Node(start, 1)],
        components=max(symbol.fanout for symbol in symbols),
        previous=np.array(
            [numbers.get(Node(symbol, known - 1), -1) for symbol, known in nodes], np.int32
        ),
        tags=np.array([numbers[node] for node in nodes if node.symbol.kind == "tag"], np.int32),
        **_weights("up", up, numbers),
        **_weights("down", down, numbers),
        order=np.array([numbers[node] for node in order], np.int32),
        **_weights("step", [steps[node] for node in order], numbers),
        opening_start=_starts(openings),
        openings=_records(openings, arrays.OPENING),
        **_joins(nodes, positions, numbers),
        beside_start=_starts(found),
        besides=_records(found, arrays.BESIDE),
    )


def _joins(
    nodes: Sequence[Node], positions: Mapping[Node, Sequence[Position]], numbers: Mapping[Node, int]
) -> dict[str, Any]:
    """Return the arrays for the places after which something of the sister is known."""
    places = {
        node: [each for each in positions.get(node, ()) if each.sister and not each.is_alone]
        for node in nodes
    }
    of_sisters = {(each.sister, _ties(each)[0]) for found in places.values() for each in found}
    indexes = {key: number for number, key in enumerate(sorted(of_sisters))}
    shapes: dict[Shape, int] = {}
    lookups: dict[tuple[int, Bounds], int] = {}
    joins: list[list[tuple[Any, ...]]] = []
    for node, found in places.items():
        joins.append([])
        for each in found:
            of_sister, of_child = _ties(each)
            lookup = indexes[each.sister, of_sister], of_child
            number = lookups.setdefault(lookup, len(lookups))
            joins[-1].append(_join(node, each, numbers, shapes, number))
    per_node = Counter(node for node, _ in indexes)
    tie_start = _starts([tied for _, tied in lookups])
    found_lookups = zip((index for index, _ in lookups), tie_start, tie_start[1:], strict=False)
    return {
        "join_start": _starts(joins),
        "joins": _records(joins, arrays.JOIN),
        "shapes": np.array(list(shapes), arrays.SHAPE),
        "lookups": np.array(list(found_lookups), arrays.LOOKUP),
        "ties": np.array([bound for _, tied in lookups for bound in tied], np.int32),
        "index_start": _starts([range(per_node[node]) for node in nodes]),
        "bound_start": _starts([bounds for _, bounds in indexes]),
        "bounds": np.array([bound for _, bounds in indexes for bound in bounds], np.int32),
    }


def _opens(position: Position) -> bool:
    return position.is_alone and not position.is_end


def _opening(position: Position, numbers: Mapping[Node, int]) -> tuple[float, int, int]:
    assert position.sister is not None  # its variable is next
    awaited = numbers[Node(position.sister.symbol, 1)]
    return position.probability, numbers[position.mother], awaited


def _join(
    node: Node,
    position: Position,
    numbers: Mapping[Node, int],
    shapes: dict[Shape, int],
    lookup: int,
) -> tuple[Any, ...]:
    assert position.sister is not None
    variables = [child for component in position.known for child in component]
    begins = [place == 0 for component in position.known for place in range(len(component))]
    following: list[int] = [-1, -1]
    if position.following >= 0:
        awaited = (node, position.sister)[position.following]
        following[position.following] = numbers[Node(awaited.symbol, awaited.components + 1)]
    shape = _bits(map(bool, variables)), _bits(begins), len(variables)
    return (
        position.probability,
        shapes.setdefault(shape, len(shapes)),
        numbers[position.mother],
        lookup,
        *following,
        position.is_end,
    )


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def _ties(position: Position) -> tuple[Bounds, Bounds]:
    """Return the bounds that a sister shares with a child: of the sister, and of the child."""
    seen = [0, 0]
    found = []
    for component in position.known:
        variables = []
        for child in component:
            variables.append((child, seen[child]))
            seen[child] += 1
        for (left, before), (_, after) in pairwise(variables):  # of different children
            end, start = 2 * before + 1, 2 * after
            found.append((end, start) if left == 1 else (start, end))
    found.sort()
    return tuple(bound for bound, _ in found), tuple(bound for _, bound in found)


def _weights(
    name: str, rows: Sequence[Mapping[Node, float]], numbers: Mapping[Node, int]
) -> dict[str, Any]:
    """Return the arrays of weights from nodes to nodes."""
    return {
        f"{name}_start": _starts(rows),
        f"{name}_node": np.array([numbers[target] for row in rows for target in row], np.int32),
        f"{name}_weight": np.array([weight for row in rows for weight in row.values()], np.float64),
    }


def _records(rows: Sequence[Sequence[tuple[Any, ...]]], kind: np.dtype[Any]) -> Records:
    return np.array([record for row in rows for record in row], kind)


def _starts(rows: Sequence[Sized]) -> Int32:
    lengths = [len(row) for row in rows]
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int32)
