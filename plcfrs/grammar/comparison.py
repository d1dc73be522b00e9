"""How two grammars differ: rules that appear, disappear or change their probability."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, log2
from typing import TypeVar

from plcfrs.errors import InputError
from plcfrs.grammar.grammar import Grammar, Rule
from plcfrs.grammar.nonterminal import Nonterminal
from plcfrs.grammar.selection import ListedRule, SortKey, in_paper_notation, listed_rules

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule in two grammars, with its probability and count in each, 0 in a grammar without it.

    A count is None if the grammar has none. `total` is how often the left-hand side was seen after
    the change; 0 if unknown.
    """

    rule: Rule
    before: float
    after: float
    count_before: float | None
    count_after: float | None
    total: float = 0.0

    @property
    def change(self) -> float:
        """The difference of the probabilities."""
        return self.after - self.before

    @property
    def clause(self) -> str:
        """The rule in the notation of the papers."""
        return in_paper_notation(self.rule)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two grammars, the largest changes and the most frequent rules first.

    The divergences (Jensen and Shannon, in bits) are between the distributions over the rules of
    each left-hand side that is in both grammars, from 0 (equal, left out) to 1 (no rule shared).
    """

    appeared: list[RuleChange]
    disappeared: list[RuleChange]
    changed: list[RuleChange]
    unchanged: int
    divergences: dict[Nonterminal, float]
    new_symbols: list[Nonterminal]
    lost_symbols: list[Nonterminal]
    new_words: list[str]
    lost_words: list[str]


def compare(
    first: Grammar, second: Grammar, sort: SortKey | None = None, tolerance: float = 1e-9
) -> Comparison:
    """Return the changes from one grammar to another that are larger than `tolerance`.

    Changes are sorted by the change of the probability ("prob", the default), or by this change
    times the count of the left-hand side ("count"), so that frequent symbols come first.

    >>> s, a, b = Nonterminal("S"), Nonterminal("A", kind="tag"), Nonterminal("B", kind="tag")
    >>> one, other = Rule(s, (a,), ((0,),)), Rule(s, (b,), ((0,),))
    >>> differences = compare(Grammar({one: 1}, start=s), Grammar({one: 1, other: 3}, start=s))
    >>> [(change.clause, change.change) for change in differences.changed]
    [('S(X) -> A(X)', -0.75)]
    >>> [change.clause for change in differences.appeared]
    ['S(X) -> B(X)']
    """
    if sort not in (None, "prob", "count"):
        raise InputError(f"changes can be sorted by prob or count, not by {sort}")
    before = {listed.rule: listed for listed in listed_rules(first)}
    after = {listed.rule: listed for listed in listed_rules(second)}
    totals: dict[Nonterminal, float] = defaultdict(float)
    for listed in after.values():
        totals[listed.rule.lhs] += listed.count or 0
    changes = [
        RuleChange(
            rule,
            before[rule].probability if rule in before else 0.0,
            after[rule].probability if rule in after else 0.0,
            _count(first, before.get(rule)),
            _count(second, after.get(rule)),
            totals[rule.lhs],
        )
        for rule in {**before, **after}
    ]
    shared = [change for change in changes if change.before and change.after]
    changed = [change for change in shared if abs(change.change) > tolerance]
    appeared = [change for change in changes if not change.before]
    disappeared = [change for change in changes if not change.after]

    def size(change: RuleChange) -> float:
        return abs(change.change) * (change.total if sort == "count" else 1)

    return Comparison(
        sorted(appeared, key=lambda one: (one.count_after or 0, one.after), reverse=True),
        sorted(disappeared, key=lambda one: (one.count_before or 0, one.before), reverse=True),
        sorted(changed, key=size, reverse=True),
        len(shared) - len(changed),
        _divergences(changes, tolerance),
        _missing(second.nonterminals(), first.nonterminals()),
        _missing(first.nonterminals(), second.nonterminals()),
        _missing(second.lexicon.words, first.lexicon.words),
        _missing(first.lexicon.words, second.lexicon.words),
    )


def _count(grammar: Grammar, listed: ListedRule | None) -> float | None:
    if grammar.weights != "counts":
        return None
    return listed.count if listed else 0


def _divergences(changes: Iterable[RuleChange], tolerance: float) -> dict[Nonterminal, float]:
    of_symbol: dict[Nonterminal, list[RuleChange]] = defaultdict(list)
    for change in changes:
        of_symbol[change.rule.lhs].append(change)
    found = {
        symbol: _divergence(own)
        for symbol, own in of_symbol.items()
        if any(change.before for change in own) and any(change.after for change in own)
    }
    large = ((symbol, bits) for symbol, bits in found.items() if bits > tolerance)
    return dict(sorted(large, key=lambda pair: -pair[1]))


def _divergence(changes: list[RuleChange]) -> float:
    """Return the Jensen-Shannon divergence of two distributions, in bits (Lin 1991)."""
    terms = []
    for change in changes:
        mean = (change.before + change.after) / 2
        terms += [p / 2 * log2(p / mean) for p in (change.before, change.after) if p]
    return max(0.0, fsum(terms))


def _missing(items: Iterable[Item], others: Mapping[Item, object]) -> list[Item]:
    return [item for item in items if item not in others]
