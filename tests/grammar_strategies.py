"""Hypothesis strategies for random grammars and sentences."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from plcfrs.grammar import Grammar, Nonterminal, Rule, YieldFunction, tag
from plcfrs.grammar.rules import apply

TAGS = tuple(map(tag, "abc"))
START = Nonterminal("S")

MAXIMAL_RULES = 12
# Equal and very unequal weights: ties, and costs near zero.
COUNTS = st.sampled_from([1, 1, 1, 2, 3, 7, 0.5, 1e12])


@cache
def one_of(*options: Any) -> st.SearchStrategy[Any]:
    """One of some options; kept, since Hypothesis checks each new strategy."""
    return st.sampled_from(options)


@st.composite
def grammars(
    draw: st.DrawFn, max_rank: int = 3, max_fan_out: int = 4, touching: bool = True
) -> Grammar:
    """Random grammars in which every symbol has words, with unary rules, chains and cycles.

    Parameters
    ----------
    max_rank, max_fan_out : int
    touching : bool
        Whether neighbouring variables may belong to one child, as in ``S(XY) -> A(X, Y)``.
    """
    rules: dict[Rule, float] = {}
    symbols = list(TAGS)
    for name in draw(one_of("AB", "ABC", "ABCD", "A")):
        rule = draw(_rules(name, None, symbols, max_rank, max_fan_out, touching))
        rules[rule] = draw(COUNTS)
        symbols.append(rule.lhs)
    first = draw(_rules("S", 1, symbols, max_rank, max_fan_out, touching))
    rules[first] = draw(COUNTS)
    if draw(st.integers(0, 2)):  # most grammars have a parse for many sentences
        rules.update({Rule(START, (word,), ((0,),)): draw(COUNTS) for word in TAGS})
        for sister in [START, *(child for child in symbols if child.fanout == 2)][:3]:
            around = ((0, 1),) if sister.fanout == 1 else ((1, 0, 1),)
            rules[Rule(START, (START, sister), around)] = draw(COUNTS)
    symbols.append(START)
    for _ in range(draw(one_of(*range(MAXIMAL_RULES + 1 - len(rules))))):
        lhs = draw(one_of(*symbols[len(TAGS) :]))
        rule = draw(_rules(lhs.category, lhs.fanout, symbols, max_rank, max_fan_out, touching))
        rules[rule] = draw(COUNTS)
    return Grammar(rules, start=START)


@cache
def sentences() -> st.SearchStrategy[list[dict[Nonterminal, float]]]:
    """Sentences of 1 to 6 tokens: given tags of cost 0, or several tags with costs for a token."""
    given = st.sampled_from(TAGS).map(lambda tag: {tag: 0.0})
    costs = st.sampled_from([0.0, 0.5, 1.0, 3.25])
    several = st.dictionaries(st.sampled_from(TAGS), costs, min_size=1)
    lengths = st.sampled_from(range(1, 7))
    return lengths.flatmap(
        lambda length: (
            st.lists(given, min_size=length, max_size=length)
            | st.lists(several, min_size=length, max_size=length)
        )
    )


@st.composite
def sentences_of(
    draw: st.DrawFn, grammar: Grammar, longest: int = 8
) -> list[dict[Nonterminal, float]]:
    """Sentences that the grammar has a parse for, as given tags."""
    shortest = _shortest(grammar)

    def words(symbol: Nonterminal, room: int, depth: int) -> list[list[Nonterminal]]:
        if symbol in TAGS:
            return [[symbol]]
        rules = [rule for rule in grammar.rules if rule.lhs == symbol]
        lengths = {rule: sum(shortest[child][0] for child in rule.rhs) for rule in rules}
        fitting = [rule for rule in rules if depth < 8 and lengths[rule] <= room]
        rule = draw(one_of(*(fitting or [shortest[symbol][1]])))
        spare = max(0, room - lengths[rule])
        children = [words(child, shortest[child][0] + spare, depth + 1) for child in rule.rhs]
        return apply(rule.yield_function, children)

    (sentence,) = words(grammar.start, longest, 0)
    assume(len(sentence) <= longest)
    return [{word: 0.0} for word in sentence]


def _shortest(grammar: Grammar) -> dict[Nonterminal, tuple[int, Rule | None]]:
    """The fewest tokens that each symbol can span, and the first rule for them."""
    shortest: dict[Nonterminal, tuple[int, Rule | None]] = dict.fromkeys(TAGS, (1, None))
    for _ in grammar.rules:
        for rule in grammar.rules:
            if all(child in shortest for child in rule.rhs):
                length = sum(shortest[child][0] for child in rule.rhs)
                if rule.lhs not in shortest or length < shortest[rule.lhs][0]:
                    shortest[rule.lhs] = length, rule
    return shortest


@st.composite
def _rules(
    draw: st.DrawFn,
    category: str,
    fan_out: int | None,
    symbols: list[Nonterminal],
    max_rank: int,
    max_fan_out: int,
    touching: bool,
) -> Rule:
    """Rules over the given symbols; the fan-out of the mother is drawn unless it is given."""
    rank = draw(one_of(2, *range(1, max_rank + 1)))
    rhs = draw(st.lists(one_of(*symbols), min_size=rank, max_size=rank))
    if sum(child.fanout for child in rhs) < (fan_out or 1):
        rhs[0] = max(symbols, key=lambda child: child.fanout)
    variables = [number for number, child in enumerate(rhs) for _ in range(child.fanout)]
    order = draw(st.permutations(variables))
    places = range(1, len(order))
    needed = [] if touching else [place for place in places if order[place - 1] == order[place]]
    possible = fan_out or draw(one_of(*range(1, 1 + min(max_fan_out, len(order)))))
    if len(needed) >= possible:
        same = [child for child in symbols if fan_out in (None, child.fanout)]
        rhs = [draw(one_of(*same))]
        return Rule(Nonterminal(category, rhs[0].fanout), tuple(rhs), ((0,),) * rhs[0].fanout)
    others = [place for place in draw(st.permutations(places)) if place not in needed]
    cuts = [0, *sorted(needed + others[: possible - 1 - len(needed)]), len(order)]
    yield_function: YieldFunction = tuple(tuple(order[i:j]) for i, j in pairwise(cuts))
    return Rule(Nonterminal(category, possible), tuple(rhs), yield_function)
