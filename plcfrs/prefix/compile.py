"""A grammar as arrays for prefix probabilities.

First, its probabilities are changed if the derivations of a symbol do not sum to 1 (Nederhof and
Satta 2003), and chains of steps that read no word are summed up (Stolcke 1995), cycles
included.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import count, pairwise
from typing import Any

import numpy as np

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule
from plcfrs.prefix.kernel import arrays
from plcfrs.prefix.kernel.arrays import Int32, PrefixArrays, Records
from plcfrs.prefix.partial import Position, PrefixNode

_TOLERANCE = 1e-9  # of totals
_SWEEPS = 10_000
_ENDLESS = 1e9


def normalised(grammar: Grammar) -> tuple[dict[Rule, float], bool]:
    """Return rules whose derivations of each symbol sum to 1, and whether any rule has changed.

    ``p(A -> B C)`` becomes ``p(A -> B C) Z(B) Z(C) / Z(A)``, where Z is the total of a symbol, 1
    for tags; derivations keep their probability given their symbol (Nederhof and Satta 2003,
    section 4). Symbols without derivations lose their rules. If a total is infinite, a GrammarError
    is raised.

    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (s, s), ((0, 1),)): 2, Rule(s, (a,), ((0,),)): 1}
    >>> [round(p, 6) for p in normalised(Grammar(rules, start=s))[0].values()]
    [0.333333, 0.666667]
    """
    rules = grammar.probabilities()
    total = totals(rules)
    if all(abs(total[rule.lhs] - 1) < _TOLERANCE for rule in rules):
        return rules, False
    changed = {}
    for rule, probability in rules.items():
        for child in rule.rhs:
            probability *= total[child]
        if probability:
            changed[rule] = probability / total[rule.lhs]
    return changed, True


def totals(rules: dict[Rule, float]) -> dict[Nonterminal, float]:
    """Return the sum of the probabilities of all derivations of each symbol, if all are finite."""
    symbols = {symbol: number for number, symbol in enumerate({rule.lhs: 0.0 for rule in rules})}
    total = np.zeros(len(symbols) + 2)
    total[-2:] = 0.0, 1.0  # symbols without rules, and tags or no child
    children = np.array([[*_places_of_totals(rule, symbols), -1][:2] for rule in rules])
    mothers = np.array([symbols[rule.lhs] for rule in rules])
    weights = np.array(list(rules.values()))
    for _ in range(_SWEEPS):
        products = weights * total[children].prod(axis=1)
        sums = np.bincount(mothers, products, minlength=len(symbols))
        change = np.abs(sums - total[:-2]).max()
        total[:-2] = sums
        if change < _TOLERANCE / 1000 or sums.max() > _ENDLESS:
            break
    if change > _TOLERANCE:
        largest = list(symbols)[int(sums.argmax())]
        raise GrammarError(
            f"the probabilities of the derivations of {largest} have no finite sum: "
            "the probabilities of the rules of one symbol must add up to 1"
        )
    childless = {child: float(child.kind == "tag") for rule in rules for child in rule.rhs}
    return childless | dict(zip(symbols, sums.tolist(), strict=True))


def _places_of_totals(rule: Rule, symbols: dict[Nonterminal, int]) -> list[int]:
    """Return the place of the total of each child."""
    return [-1 if child.kind == "tag" else symbols.get(child, -2) for child in rule.rhs]


Steps = Mapping[PrefixNode, Mapping[PrefixNode, float]]
"""Weights from nodes to nodes: of single steps, or of chains of steps."""


def closure(steps: Steps) -> dict[PrefixNode, dict[PrefixNode, float]]:
    """Return the sum over all chains of steps between every two nodes, with the empty chain.

    The sums are finite. A system of linear equations is solved for each set of nodes that reach
    each other (Stolcke 1995, section 4.5.1).

    >>> from plcfrs.grammar import Nonterminal
    >>> a, b = PrefixNode(Nonterminal("A"), 1), PrefixNode(Nonterminal("B"), 1)
    >>> closure({a: {a: 0.5, b: 0.5}})[a] == {a: 2.0, b: 1.0}
    True
    """
    chains_from: dict[PrefixNode, dict[PrefixNode, float]] = {}
    for component in components(steps):
        inside = np.eye(len(component))
        leaving: list[dict[PrefixNode, float]] = []
        for node, row in zip(component, inside, strict=True):
            leaving.append(defaultdict(float, {node: 1.0}))
            for target, weight in steps.get(node, {}).items():
                if target in chains_from:
                    for end, chain in chains_from[target].items():
                        leaving[-1][end] += weight * chain
                else:
                    row[component.index(target)] -= weight
        for node, row in zip(component, np.linalg.inv(inside).tolist(), strict=True):
            sums: dict[PrefixNode, float] = defaultdict(float)
            for weight, ends in zip(row, leaving, strict=True):
                for end, chain in ends.items():
                    sums[end] += weight * chain
            chains_from[node] = dict(sums)
    return chains_from


def components(steps: Steps) -> list[list[PrefixNode]]:
    """Return the sets of nodes that reach each other, each after the sets that it reaches."""
    import networkx as nx  # here, because parsing does not need it

    graph: nx.DiGraph[PrefixNode] = nx.DiGraph()
    graph.add_nodes_from(steps)
    graph.add_edges_from((node, target) for node, row in steps.items() for target in row)
    condensed = nx.condensation(graph)
    order = reversed(list(nx.topological_sort(condensed)))
    return [sorted(condensed.nodes[each]["members"]) for each in order]


Bounds = tuple[int, ...]
"""Numbers of bounds: see `arrays`."""
Shape = tuple[int, int, int]
"""See `arrays.SHAPE`."""


def compile_prefixes(
    start: Nonterminal,
    positions: Mapping[PrefixNode, Sequence[Position]],
    upward: Steps,
    downward: Steps,
    first: Steps,
    besides: Mapping[PrefixNode, Sequence[tuple[PrefixNode, PrefixNode, float]]],
) -> tuple[dict[PrefixNode, int], PrefixArrays]:
    """Return the numbers of all nodes, and the arrays.

    Chains (see `closure`) go upward, from children to mothers, and downward, from partly known
    mothers to the children that come next. `first` has the steps from unknown mothers to their
    first children. `besides` has, for an awaited component of a mother, the known child, the sister
    that may begin, and the probability of the rule.
    """
    symbols = {start, *(node.symbol for node in positions)}
    symbols |= {each.mother.symbol for found in positions.values() for each in found}
    nodes = sorted(PrefixNode(each, known + 1) for each in symbols for known in range(each.fanout))
    numbers = {node: number for number, node in enumerate(nodes)}
    steps = {node: first.get(node, {}) for node in nodes if node.components == 1}
    order = [node for component in reversed(components(steps)) for node in component]
    openings = [
        [_opening(each, numbers) for each in positions.get(node, ()) if _opens(each)]
        for node in nodes
    ]
    beside_rows = [
        [(p, numbers[child], numbers[sister]) for child, sister, p in besides.get(node, ())]
        for node in nodes
    ]
    up, down = ([chains.get(node, {node: 1.0}) for node in nodes] for chains in (upward, downward))
    return numbers, PrefixArrays(
        start=numbers[PrefixNode(start, 1)],
        components=max(symbol.fanout for symbol in symbols),
        previous=np.array(
            [numbers.get(PrefixNode(symbol, known - 1), -1) for symbol, known in nodes], np.int32
        ),
        tags=np.array([numbers[node] for node in nodes if node.symbol.kind == "tag"], np.int32),
        **_weight_arrays("up", up, numbers),
        **_weight_arrays("down", down, numbers),
        order=np.array([numbers[node] for node in order], np.int32),
        **_weight_arrays("step", [steps[node] for node in order], numbers),
        opening_start=_starts(openings),
        openings=_records(openings, arrays.OPENING),
        **_join_arrays(nodes, positions, numbers),
        beside_start=_starts(beside_rows),
        besides=_records(beside_rows, arrays.BESIDE),
    )


def _join_arrays(
    nodes: Sequence[PrefixNode],
    positions: Mapping[PrefixNode, Sequence[Position]],
    numbers: Mapping[PrefixNode, int],
) -> dict[str, Any]:
    """Return the arrays for positions with a partly known sister."""
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


def _opening(position: Position, numbers: Mapping[PrefixNode, int]) -> tuple[float, int, int]:
    assert position.sister is not None  # its variable is next
    awaited = numbers[PrefixNode(position.sister.symbol, 1)]
    return position.probability, numbers[position.mother], awaited


def _join(
    node: PrefixNode,
    position: Position,
    numbers: Mapping[PrefixNode, int],
    shapes: dict[Shape, int],
    lookup: int,
) -> tuple[Any, ...]:
    assert position.sister is not None
    variables = [child for component in position.known for child in component]
    begins = [place == 0 for component in position.known for place in range(len(component))]
    following: list[int] = [-1, -1]
    if position.following >= 0:
        awaited = (node, position.sister)[position.following]
        following[position.following] = numbers[PrefixNode(awaited.symbol, awaited.components + 1)]
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
    """Return the bounds that a sister shares with a child, first the sister's, then the child's."""
    numbers = count(), count()
    ties = []
    for component in position.known:
        variables = [(child, next(numbers[child])) for child in component]
        for (left, before), (_, after) in pairwise(variables):  # of different children
            end, start = 2 * before + 1, 2 * after
            ties.append((end, start) if left == 1 else (start, end))
    ties.sort()
    return tuple(bound for bound, _ in ties), tuple(bound for _, bound in ties)


def _weight_arrays(
    name: str, rows: Sequence[Mapping[PrefixNode, float]], numbers: Mapping[PrefixNode, int]
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
    return np.cumsum([0, *map(len, rows)], dtype=np.int32)
