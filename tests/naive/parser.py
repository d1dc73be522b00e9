"""Figure 2 of Evang and Kallmeyer (2011), unchanged: items with tuples of ranges.

Differences from the paper: rules may have any rank, so that binarization is not needed; and the
ranges of an item must be in the order of the sentence and must not overlap (they may touch),
because no item that breaks this is in a complete parse of a monotone grammar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import inf

from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule

Range = tuple[int, int]
Item = tuple[Nonterminal, tuple[Range, ...]]
Candidates = Sequence[Mapping[Nonterminal, float]]


def best_cost(grammar: Grammar, candidates: Candidates) -> float:
    """Return the cost of the best parse of a sentence, infinite if there is none."""
    return best_costs(grammar, candidates).get(goal(grammar, candidates), inf)


def goal(grammar: Grammar, candidates: Candidates) -> Item:
    return grammar.start, ((0, len(candidates)),)


def best_costs(grammar: Grammar, candidates: Candidates) -> dict[Item, float]:
    """Return the lowest cost of every item, found by applying all rules until nothing changes."""
    costs = grammar.costs()
    best = scan(candidates)
    changed = True
    while changed:
        changed = False
        for rule in grammar.rules:
            for item, children in list(instances(rule, best)):
                cost = costs[rule] + sum(best[child] for child in children)
                if cost < best.get(item, inf):
                    best[item] = cost
                    changed = True
    return best


def best_outside_costs(
    grammar: Grammar, candidates: Candidates, inside: Mapping[Item, float]
) -> dict[Item, float]:
    """Return the lowest cost of a complete parse around every item that is in one."""
    costs = grammar.costs()
    applied = [
        (item, children, costs[rule])
        for rule in grammar.rules
        for item, children in instances(rule, inside)
    ]
    best = {goal(grammar, candidates): 0.0}
    changed = True
    while changed:
        changed = False
        for item, children, rule_cost in applied:
            total = best.get(item, inf) + rule_cost + sum(inside[child] for child in children)
            for child in children:
                if total - inside[child] < best.get(child, inf) - 1e-12:
                    best[child] = total - inside[child]
                    changed = True
    return best


def scan(candidates: Candidates) -> dict[Item, float]:
    return {
        (tag, ((position, position + 1),)): cost
        for position, tags in enumerate(candidates)
        for tag, cost in tags.items()
    }


def instances(rule: Rule, items: Mapping[Item, float]) -> Iterator[tuple[Item, tuple[Item, ...]]]:
    """Yield the instantiated rules of a rule: the item of the mother and those of the children."""
    spans_of = defaultdict(list)
    for symbol, ranges in items:
        spans_of[symbol].append(ranges)
    chosen: list[tuple[Range, ...]] = []

    def choose() -> Iterator[tuple[Item, tuple[Item, ...]]]:
        if len(chosen) == len(rule.rhs):
            mother = compose(rule, chosen)
            if mother is not None:
                children = zip(rule.rhs, chosen, strict=True)
                yield (rule.lhs, mother), tuple(children)
            return
        taken = [span for ranges in chosen for span in ranges]
        for ranges in spans_of[rule.rhs[len(chosen)]]:
            if not any(overlap(left, right) for left in taken for right in ranges):
                chosen.append(ranges)
                yield from choose()
                chosen.pop()

    return choose()


def compose(rule: Rule, children: Sequence[tuple[Range, ...]]) -> tuple[Range, ...] | None:
    """Return the ranges of the mother (section 2.2), None if they are not defined."""
    following = [iter(ranges) for ranges in children]
    composed: list[Range] = []
    for component in rule.yield_function:
        left, right = next(following[component[0]])
        for child in component[1:]:
            next_left, next_right = next(following[child])
            if right != next_left:
                return None
            right = next_right
        if composed and composed[-1][1] > left:
            return None
        composed.append((left, right))
    return tuple(composed)


def overlap(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def enumerate_derivations(
    grammar: Grammar, candidates: Candidates
) -> Iterator[tuple[float, Derivation]]:
    """Yield all complete parses in which no item is its own descendant, with their costs."""
    costs = grammar.costs()
    scanned = scan(candidates)
    items = best_costs(grammar, candidates)
    ways = defaultdict(list)
    for rule in grammar.rules:
        for item, children in instances(rule, items):
            ways[item].append((rule, children))

    def parses(item: Item, above: frozenset[Item]) -> Iterator[tuple[float, Derivation]]:
        if item in above:
            return
        if item in scanned:
            yield scanned[item], Derivation(item[0])
        for rule, children in ways[item]:
            parses_of_children = [list(parses(child, above | {item})) for child in children]
            for combination in product(*parses_of_children):
                cost = costs[rule] + sum(cost for cost, _ in combination)
                derivations = tuple(derivation for _, derivation in combination)
                yield cost, Derivation(item[0], rule.yield_function, derivations)

    return parses(goal(grammar, candidates), frozenset())
