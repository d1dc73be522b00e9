"""A grammar as arrays for prefix probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from plcfrs.grammar import Nonterminal
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Int32, PrefixArrays, Records
from plcfrs.prefix.positions import Node, Position

Chains = Mapping[Node, Mapping[Node, float]]
Tie = tuple[int, int]
"""A bound of a child that is one of its sister: the number of each."""
Shape = tuple[int, int, int]
"""See `arrays.SHAPE`."""


def compile_prefixes(
    start: Nonterminal,
    positions: Mapping[Node, Sequence[Position]],
    upward: Chains,
    downward: Chains,
    besides: Mapping[Node, Sequence[tuple[Node, Node, float]]],
) -> tuple[dict[Node, int], PrefixArrays]:
    """Return the numbers of all nodes, and the arrays.

    Parameters
    ----------
    start : Nonterminal
    positions : mapping of Node to sequence of Position
        See `plcfrs.prefix.positions`.
    upward, downward : mapping of Node to mapping of Node to float
        See `plcfrs.prefix.closures`: from children to mothers, and from mothers to first children.
    besides : mapping of Node to sequence of (Node, Node, float)
        Of an awaited component of a mother: the known child, the sister that may begin, and the
        probability of the rule.
    """
    symbols = {start, *(node.symbol for node in positions)}
    symbols |= {each.mother.symbol for found in positions.values() for each in found}
    nodes = sorted(Node(each, known + 1) for each in symbols for known in range(each.fanout))
    numbers = {node: number for number, node in enumerate(nodes)}
    indexes: dict[tuple[Node, tuple[int, ...]], int] = {}
    for found in positions.values():
        for each in found:
            if each.sister is not None and not each.is_alone:
                indexes[each.sister, tuple(bound for bound, _ in _ties(each))] = 0
    indexes = {key: number for number, key in enumerate(sorted(indexes))}
    openings: list[list[tuple[float, int, int]]] = []
    joins: list[list[tuple[Any, ...]]] = []
    shapes: dict[Shape, int] = {}
    lookups: dict[tuple[int, tuple[int, ...]], int] = {}
    for node in nodes:
        openings.append(
            [_opening(each, numbers) for each in positions.get(node, ()) if _opens(each)]
        )
        joins.append([])
        for each in positions.get(node, ()):
            if each.sister is not None and not each.is_alone:
                tied = _ties(each)
                index = indexes[each.sister, tuple(bound for bound, _ in tied)]
                lookup = index, tuple(bound for _, bound in tied)
                number = lookups.setdefault(lookup, len(lookups))
                joins[-1].append(_join(node, each, numbers, shapes, number))
    per_node = Counter(node for node, _ in indexes)
    index_start = _starts([per_node[node] for node in nodes])
    up, down = (_chains(chains, numbers) for chains in (upward, downward))
    opening_start, opening_records = _records(openings, arrays.OPENING)
    join_start, join_records = _records(joins, arrays.JOIN)
    beside_start, beside_records = _records(
        [[(p, numbers[a], numbers[b]) for a, b, p in besides.get(node, ())] for node in nodes],
        arrays.BESIDE,
    )
    return numbers, PrefixArrays(
        start=numbers[Node(start, 1)],
        components=max(symbol.fanout for symbol in symbols),
        previous=np.array(
            [numbers.get(Node(symbol, known - 1), -1) for symbol, known in nodes], np.int32
        ),
        tags=np.array(
            [number for node, number in numbers.items() if node.symbol.kind == "tag"], np.int32
        ),
        up_start=up[0],
        up_node=up[1],
        up_weight=up[2],
        down_start=down[0],
        down_node=down[1],
        down_weight=down[2],
        opening_start=opening_start,
        openings=opening_records,
        join_start=join_start,
        joins=join_records,
        shapes=np.array(list(shapes), arrays.SHAPE),
        lookups=_lookups(lookups),
        ties=np.array([bound for _, tied in lookups for bound in tied], np.int32),
        beside_start=beside_start,
        besides=beside_records,
        index_start=index_start,
        bound_start=_starts([len(bounds) for _, bounds in indexes]),
        bounds=np.array([bound for _, bounds in indexes for bound in bounds], np.int32),
    )


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


def _lookups(lookups: Iterable[tuple[int, tuple[int, ...]]]) -> Records:
    starts = _starts([len(tied) for _, tied in lookups])
    rows = zip((index for index, _ in lookups), starts, starts[1:], strict=False)
    return np.array(list(rows), arrays.LOOKUP)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def _ties(position: Position) -> list[Tie]:
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
    return sorted(found)


def _chains(chains: Chains, numbers: Mapping[Node, int]) -> tuple[Int32, Int32, arrays.Floats]:
    rows = [chains.get(node, {node: 1.0}) for node in numbers]
    return (
        _starts(list(map(len, rows))),
        np.array([numbers[target] for row in rows for target in row], np.int32),
        np.array([weight for row in rows for weight in row.values()], np.float64),
    )


def _records(
    rows: Sequence[Sequence[tuple[Any, ...]]], kind: np.dtype[Any]
) -> tuple[Int32, Records]:
    flat = [record for row in rows for record in row]
    return _starts(list(map(len, rows))), np.array(flat, kind)


def _starts(lengths: Sequence[int]) -> Int32:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int32)
