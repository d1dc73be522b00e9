"""The grammar of all beginnings of sentences: its derivations are the known parts of derivations.

If only the first words of a sentence are known, some of its constituents contain known words. Their
rules, without the children that contain none, form a derivation of another grammar: the grammar of
the prefixes (Bar-Hillel, Perles and Shamir 1961 for context-free grammars; Nederhof and Satta 2003
for weighted ones). The weight of this derivation is the sum over all derivations with just this
known part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction


class Known(NamedTuple):
    """A constituent with known words in its first components.

    It is open if the last of these components continues after the known words.
    """

    symbol: Nonterminal
    components: int
    is_open: bool

    @property
    def is_whole(self) -> bool:
        """Whether all of its words are known."""
        return not self.is_open and self.components == self.symbol.fanout


class PartialGrammar(NamedTuple):
    """A grammar of prefixes; its weights are not probabilities: they sum to more than 1.

    `known` says what its symbols stand for. All other symbols stand for themselves, known as a
    whole; the start symbol stands for all sentences.
    """

    grammar: Grammar
    known: dict[Nonterminal, Known]


def partial_grammar(rules: Mapping[Rule, float], start: Nonterminal) -> PartialGrammar:
    """Return the grammar of all prefixes of a grammar without touching ranges.

    >>> from plcfrs.grammar import tag
    >>> s, a = Nonterminal("S"), tag("a")
    >>> rules = {Rule(s, (a, s), ((0, 1),)): 0.5, Rule(s, (a,), ((0,),)): 0.5}
    >>> for rule, weight in partial_grammar(rules, s).grammar.rules.items():
    ...     print(weight, rule)
    0.5 S… -> a [0]
    0.5 S… -> a S… [0 1]
    0.5 S -> a S [0 1]
    0.5 S -> a [0]
    1.0 S* -> S… [0]
    1.0 S* -> S [0]
    """
    names = _Names({symbol for rule in rules for symbol in (rule.lhs, *rule.rhs)})
    weights: dict[Rule, float] = defaultdict(float)
    for rule, probability in rules.items():
        for partial in _partial_rules(rule, names):
            weights[partial] += probability
    top = names.new(start, "*", 1)
    for whole in (names.of(Known(start, 1, True)), start):
        weights[Rule(top, (whole,), ((0,),))] = 1.0
    return PartialGrammar(
        Grammar(dict(weights), start=top, weights="probabilities"),
        {symbol: known for known, symbol in names.symbols.items()},
    )


class _Names:
    """The symbols for partly known constituents."""

    def __init__(self, taken: set[Nonterminal]) -> None:
        self._taken = taken
        self.symbols: dict[Known, Nonterminal] = {}

    def of(self, known: Known) -> Nonterminal:
        """Return the symbol for what is known."""
        if known.is_whole:
            return known.symbol
        if known not in self.symbols:
            gaps = "_" * (known.symbol.fanout - known.components)
            mark = ("…" if known.is_open else "") + gaps
            self.symbols[known] = self.new(known.symbol, mark, known.components)
        return self.symbols[known]

    def new(self, symbol: Nonterminal, mark: str, fan_out: int) -> Nonterminal:
        """Return a new symbol with a mark after the category."""
        new = symbol._replace(category=symbol.category + mark, fanout=fan_out)
        while new in self._taken:
            new = new._replace(category=new.category + "'")
        self._taken.add(new)
        return new


def _partial_rules(rule: Rule, names: _Names) -> Iterator[Rule]:
    """Yield the rule for each place of the frontier: in a variable, or after it."""
    for number, component in enumerate(rule.yield_function):
        for length, child in enumerate(component, start=1):
            yield_function = (*rule.yield_function[:number], component[:length])
            if rule.rhs[child].kind != "tag":
                yield _partial_rule(rule, yield_function, child, names, is_open=True)
            is_open = length < len(component)
            yield _partial_rule(rule, yield_function, None, names, is_open=is_open)


def _partial_rule(
    rule: Rule, yield_function: YieldFunction, open_: int | None, names: _Names, *, is_open: bool
) -> Rule:
    """Return a rule without unknown variables; `open_` is the child that goes on."""
    variables = [child for component in yield_function for child in component]
    kept = sorted(set(variables))
    mother = Known(rule.lhs, len(yield_function), is_open)
    children = [Known(rule.rhs[child], variables.count(child), child == open_) for child in kept]
    return Rule(
        names.of(mother),
        tuple(map(names.of, children)),
        tuple(tuple(map(kept.index, component)) for component in yield_function),
    )


class PrefixNode(NamedTuple):
    """A symbol and a number of its components, counted from the left."""

    symbol: Nonterminal
    components: int


class Position(NamedTuple):
    """A place in a rule, after a variable of a child.

    `mother` counts the components up to the place, `sister` (None in unary rules) those before it.
    `known` has all variables before the place: 0 is the child, 1 its sister. `is_end` is true at
    the end of a component. The next variable belongs to `following`: 0, 1, or -1 for none.
    """

    probability: float
    mother: PrefixNode
    sister: PrefixNode | None
    known: YieldFunction
    is_end: bool
    following: int

    @property
    def is_alone(self) -> bool:
        """Whether nothing of the sister is known."""
        return self.sister is None or not self.sister.components


def positions(rules: Mapping[Rule, float]) -> dict[PrefixNode, list[Position]]:
    """Return the positions in all rules after each node: where the frontier of known words can be.

    If the first variables of a rule are known and the others not, a child and its sister each have
    some known components. The rules have at most 2 children, and variables of one child never touch
    (see `plcfrs.grammar.proper_gaps`).
    """
    found: dict[PrefixNode, list[Position]] = defaultdict(list)
    for rule, probability in rules.items():
        for node, position in _positions_of_rule(rule, probability):
            found[node].append(position)
    return found


def _positions_of_rule(rule: Rule, probability: float) -> Iterator[tuple[PrefixNode, Position]]:
    counts = [0] * rule.rank
    for number, component in enumerate(rule.yield_function, start=1):
        for length, child in enumerate(component, start=1):
            counts[child] += 1
            known = (*rule.yield_function[: number - 1], component[:length])
            is_end = length == len(component)
            rest = [*component[length:], *sum(rule.yield_function[number:], ())]
            swap = {child: 0, 1 - child: 1, -1: -1}
            yield (
                PrefixNode(rule.rhs[child], counts[child]),
                Position(
                    probability,
                    PrefixNode(rule.lhs, number),
                    PrefixNode(rule.rhs[1 - child], counts[1 - child]) if rule.rank == 2 else None,
                    tuple(tuple(swap[each] for each in part) for part in known),
                    is_end,
                    swap[rest[0] if rest else -1],
                ),
            )
