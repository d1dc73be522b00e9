"""Selected rules, in the notation of papers or as YAML, and the differences of two grammars.

In papers, a rule is ``SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import fsum, log2
from typing import Literal, TypeVar, get_args

from plcfrs.errors import InputError
from plcfrs.grammar.formats import yaml
from plcfrs.grammar.grammar import Grammar, Lexicon
from plcfrs.grammar.rules import (
    Nonterminal,
    Rule,
    RuleExample,
    YieldFunction,
    cost,
    in_paper_notation,
    parsing_complexity,
)
from plcfrs.wording import suggestion

Item = TypeVar("Item")

SortKey = Literal["count", "prob", "fan-out", "rank", "complexity"]
SORT_KEYS: tuple[SortKey, ...] = get_args(SortKey)


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule with its figures; its count is None if the grammar has only probabilities."""

    rule: Rule
    count: float | None
    probability: float
    examples: tuple[RuleExample, ...] = ()

    @property
    def cost(self) -> float:
        """``-log p`` (natural logarithm)."""
        return cost(self.probability)

    @property
    def complexity(self) -> int:
        """The parsing complexity of the rule, see `parsing_complexity`."""
        return parsing_complexity(self.rule)

    @property
    def clause(self) -> str:
        """The rule in the notation of the papers."""
        return in_paper_notation(self.rule)


@dataclass(frozen=True, slots=True)
class RuleQuery:
    """Conditions on rules; a condition that is left out holds for all rules.

    Names of symbols may have a ``*`` for any characters; all symbols of `rhs` must be children. The
    least count is ignored if the grammar has no counts.
    """

    lhs: str | None = None
    rhs: tuple[str, ...] = ()
    fan_out: int | None = None
    rank: int | None = None
    yield_function: YieldFunction | None = None
    min_count: float = 0


ALL_RULES = RuleQuery()


def listed_rules(grammar: Grammar) -> list[ListedRule]:
    """Return all rules with their figures, in the order of the grammar."""
    counts: Mapping[Rule, float] = grammar.rules if grammar.weights == "counts" else {}
    return [
        ListedRule(rule, counts.get(rule), probability, grammar.examples.get(rule, ()))
        for rule, probability in grammar.probabilities().items()
    ]


def select_rules(
    grammar: Grammar,
    query: RuleQuery = ALL_RULES,
    sort: SortKey | None = None,
    top: int | None = None,
) -> list[ListedRule]:
    """Return the rules of a grammar that match a query, up to `top`.

    They are sorted by a figure, the highest first, and otherwise in the order of the grammar. If
    the grammar has no counts, "count" means "prob". An InputError is raised if a name in the query
    is not that of a symbol, or `lhs` names only tags.

    >>> s, a, b = Nonterminal("S"), Nonterminal("A", kind="tag"), Nonterminal("B", kind="tag")
    >>> grammar = Grammar({Rule(s, (a,), ((0,),)): 1, Rule(s, (s, b), ((0, 1),)): 3}, start=s)
    >>> for found in select_rules(grammar, RuleQuery(rhs=("B",))):
    ...     print(found.rule, found.probability, found.clause)
    S -> S B [0 1] 0.75 S(XY) -> S(X) B(Y)
    """
    symbols = grammar.nonterminals()
    lhs = symbols if query.lhs is None else find_symbols(symbols, query.lhs)
    rhs = [find_symbols(symbols, name) for name in query.rhs]
    if all(symbol.kind == "tag" for symbol in lhs):
        raise InputError(f"{query.lhs} is a tag: it has words, not rules")
    selected = [
        listed
        for listed in listed_rules(grammar)
        if listed.rule.lhs in lhs
        and all(not wanted.isdisjoint(listed.rule.rhs) for wanted in rhs)
        and query.fan_out in (None, listed.rule.lhs.fanout)
        and query.rank in (None, listed.rule.rank)
        and query.yield_function in (None, listed.rule.yield_function)
        and (listed.count is None or listed.count >= query.min_count)
    ]
    if sort is not None:
        selected.sort(key=_KEYS[sort], reverse=True)
    return selected[:top]


def find_symbols(symbols: Iterable[Nonterminal], name: str) -> set[Nonterminal]:
    """Return the symbols of a name, in which ``*`` stands for any characters; ``NN~`` is a tag.

    If there is no such symbol, an InputError names similar ones.
    """
    by_name = [(str(symbol), symbol) for symbol in symbols]
    matches = {symbol for text, symbol in by_name if text == name}
    if not matches and name.endswith("~"):
        matches = {
            symbol for text, symbol in by_name if f"{text}~" == name and symbol.kind == "tag"
        }
    if not matches and "*" in name:
        pattern = re.compile(".*".join(map(re.escape, name.split("*"))))
        matches = {symbol for text, symbol in by_name if pattern.fullmatch(text)}
    if not matches:
        raise InputError(f"the grammar has no symbol {name}{_similar(name, by_name)}")
    return matches


def _similar(name: str, by_name: list[tuple[str, Nonterminal]]) -> str:
    names = list(dict.fromkeys(text for text, _ in by_name))
    begin = [text for text in names if text.startswith(f"{name}_") or text.startswith(f"{name}^")]
    similar = list(dict.fromkeys([*begin, *get_close_matches(name, names)]))[:6]
    return suggestion(similar) if similar else ""


_KEYS: dict[SortKey, Callable[[ListedRule], float]] = {
    "count": lambda listed: listed.probability if listed.count is None else listed.count,
    "prob": lambda listed: listed.probability,
    "fan-out": lambda listed: listed.rule.lhs.fanout,
    "rank": lambda listed: listed.rule.rank,
    "complexity": lambda listed: listed.complexity,
}


def dump(grammar: Grammar, listed: Sequence[ListedRule]) -> str:
    """Return rules as YAML, in their order; with the words if they are the whole grammar."""
    is_whole = len(listed) == len(grammar.rules)
    selected = Grammar(
        {entry.rule: grammar.rules[entry.rule] for entry in listed},
        grammar.lexicon if is_whole else Lexicon(),
        grammar.start,
        grammar.weights,
        grammar.options,
        {entry.rule: entry.examples for entry in listed if entry.examples},
    )
    # Counts give the probabilities of a symbol's rules only if all of these rules are written.
    comments = {
        entry.rule: entry.clause if is_whole else f"{entry.clause}  p = {entry.probability:.4g}"
        for entry in listed
    }
    return yaml.dumps(selected, comments)


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
    before, after = first.probabilities(), second.probabilities()
    totals = second.totals() if second.weights == "counts" else {}
    changes = [
        RuleChange(
            rule,
            before.get(rule, 0.0),
            after.get(rule, 0.0),
            _count(first, rule),
            _count(second, rule),
            totals.get(rule.lhs, 0.0),
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


def _count(grammar: Grammar, rule: Rule) -> float | None:
    return grammar.rules.get(rule, 0) if grammar.weights == "counts" else None


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
