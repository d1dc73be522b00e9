"""Section 4.1 of Evang and Kallmeyer (2011) backwards: binarized rules by substitution.

And every way to binarize a rule, with the fan-outs that Gómez-Rodríguez et al. (2009) count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from plcfrs.grammar import Derivation, Grammar, Rule, YieldFunction

# A child, or two bracketings.
Nested = int | tuple["Nested", "Nested"]


def chains(binarized: Grammar) -> dict[Rule, list[Rule]]:
    """Return for each rule before binarization the rules that it was cut into, mothers first."""
    below = {}
    for rule in binarized.rules:
        if rule.lhs.kind == "intermediate":
            assert rule.lhs not in below
            below[rule.lhs] = rule
    found = {}
    for rule in binarized.rules:
        if rule.lhs.kind != "intermediate":
            chain, waiting = [], [rule]
            while waiting:
                chain.append(waiting.pop())
                waiting += [below[child] for child in reversed(chain[-1].rhs) if child in below]
            found[put_together(chain)] = chain
    return found


def put_together(chain: list[Rule]) -> Rule:
    """Return the rule that was cut into these, mothers first."""
    whole, *others = chain
    for lower in others:
        whole = substitute(whole, whole.rhs.index(lower.lhs), lower)
    return whole


def substitute(upper: Rule, place: int, lower: Rule) -> Rule:
    """Replace a child of a rule by the right-hand side of its own rule."""
    arguments = iter(lower.yield_function)
    components = []
    for component in upper.yield_function:
        variables: list[int] = []
        for child in component:
            if child == place:
                variables += [place + inner for inner in next(arguments)]
            else:
                variables.append(child + (lower.rank - 1 if child > place else 0))
        components.append(tuple(variables))
    rhs = (*upper.rhs[:place], *lower.rhs, *upper.rhs[place + 1 :])
    return Rule(upper.lhs, rhs, tuple(components))


def binarize_derivation(derivation: Derivation, cut: dict[Rule, list[Rule]]) -> Derivation:
    """Return the derivation of the binarized grammar for one of the grammar before.

    The children may be in the order of cutting, or in the order in which they begin.
    """

    def binarized(derivation: Derivation, children: list[Derivation]) -> Derivation:
        if not children:
            return derivation
        whole = put_together(cut[derivation.rule])
        if whole != derivation.rule:
            begin = beginnings(whole)
            children = [children[begin.index(child)] for child in range(whole.rank)]
        chain, left_over = iter(cut[derivation.rule]), iter(children)

        def build(rule: Rule) -> Derivation:
            parts = [
                build(next(chain)) if child.kind == "intermediate" else next(left_over)
                for child in rule.rhs
            ]
            return Derivation(rule.lhs, rule.yield_function, tuple(parts))

        return build(next(chain))

    return derivation.fold(binarized)


def in_order(rule: Rule) -> Rule:
    """Return the same rule with its children in the order in which they begin."""
    order = beginnings(rule)
    yield_function = tuple(tuple(map(order.index, part)) for part in rule.yield_function)
    return Rule(rule.lhs, tuple(rule.rhs[child] for child in order), yield_function)


def beginnings(rule: Rule) -> list[int]:
    """Return the children in the order in which they begin."""
    return list(dict.fromkeys(child for part in rule.yield_function for child in part))


def bracketings(children: tuple[int, ...]) -> Iterator[Nested]:
    """Yield every way to combine children two by two."""
    if len(children) == 1:
        yield children[0]
    first, *others = children
    for size in range(len(others)):
        for chosen in combinations(others, size):
            rest = tuple(child for child in others if child not in chosen)
            for left in bracketings((first, *chosen)):
                for right in bracketings(rest):
                    yield left, right


def complexity(yield_function: YieldFunction, nested: Nested) -> tuple[int, int, int]:
    """Return the largest fan-out of all binary rules, their largest and summed complexity."""
    triples = [
        [fan_out(yield_function, part) for part in (mother, *mother)] for mother in pairs(nested)
    ]
    sums = [sum(triple) for triple in triples]
    return max(max(triple) for triple in triples), max(sums), sum(sums)


def pairs(nested: Nested) -> list[tuple[Nested, Nested]]:
    if isinstance(nested, int):
        return []
    left, right = nested
    return [nested, *pairs(left), *pairs(right)]


def fan_out(yield_function: YieldFunction, nested: Nested) -> int:
    """Count the variables of a child, or the runs of those of a new symbol."""
    if isinstance(nested, int):
        return sum(component.count(nested) for component in yield_function)
    inside = leaves(nested)
    marks = ["".join("x" if child in inside else " " for child in part) for part in yield_function]
    return len(" ".join(marks).split())


def leaves(nested: Nested) -> set[int]:
    return {nested} if isinstance(nested, int) else leaves(nested[0]) | leaves(nested[1])
