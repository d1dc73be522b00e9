"""Where in the rules the frontier between known words and all others can be.

A *node* is a symbol with a number of its components, counted from the left. If the first variables
of a rule are known and the others not, a child and its sister each have some known components.
Variables of one child never touch (see `plcfrs.grammar.proper_gaps`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plcfrs.grammar import Nonterminal, Rule, YieldFunction


class Node(NamedTuple):
    """A symbol and the number of its components up to one of them."""

    symbol: Nonterminal
    components: int


class Position(NamedTuple):
    """A place after a variable of a child in a rule of some probability.

    The mother has the component in which the place is; the sister (None in unary rules) has the
    components before it, and `known` all variables before it, 0 of the child and 1 of its sister.
    At the end of a component `is_end`. The next variable is of `following`: 0, 1, or -1 for none.
    """

    probability: float
    mother: Node
    sister: Node | None
    known: YieldFunction
    is_end: bool
    following: int

    @property
    def is_alone(self) -> bool:
        """Whether nothing of the sister is known."""
        return self.sister is None or not self.sister.components


def positions(rules: Mapping[Rule, float]) -> dict[Node, list[Position]]:
    """Return the positions in all rules (of rank 2 at most, no touching ranges) after each node."""
    found: dict[Node, list[Position]] = defaultdict(list)
    for rule, probability in rules.items():
        for node, position in _of_rule(rule, probability):
            found[node].append(position)
    return found


def _of_rule(rule: Rule, probability: float) -> Iterator[tuple[Node, Position]]:
    counts = [0] * rule.rank
    before: YieldFunction = ()
    for number, component in enumerate(rule.yield_function, start=1):
        for length, child in enumerate(component, start=1):
            counts[child] += 1
            known = (*before, component[:length])
            is_end = length == len(component)
            rest = [*component[length:], *sum(rule.yield_function[number:], ())]
            swap = {child: 0, 1 - child: 1, -1: -1}
            yield (
                Node(rule.rhs[child], counts[child]),
                Position(
                    probability,
                    Node(rule.lhs, number),
                    Node(rule.rhs[1 - child], counts[1 - child]) if rule.rank == 2 else None,
                    tuple(tuple(swap[each] for each in part) for part in known),
                    is_end,
                    swap[rest[0] if rest else -1],
                ),
            )
        before = (*before, component)
