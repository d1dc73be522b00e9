"""Reports on grammars: figures, useless symbols, recursion, tables of rules, differences.

The figures are those at the bottom of table 2 of Evang and Kallmeyer (2011), and more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, log2
from typing import TYPE_CHECKING

from plcfrs.grammar.grammar import Grammar, improper_sums, tags_without_words
from plcfrs.grammar.rules import Kind, Nonterminal
from plcfrs.grammar.selection import Comparison, ListedRule, RuleChange, listed_rules
from plcfrs.wording import MOST_SHOWN, aligned, counts, some

if TYPE_CHECKING:
    import networkx as nx


def useless_symbols(grammar: Grammar) -> list[Nonterminal]:
    """Return the unproductive and unreachable nonterminals, in the order of the grammar.

    A symbol without rules is a tag. All tags are assumed to have words.

    >>> from plcfrs.grammar import Rule
    >>> s, a, b, x = (Nonterminal(name) for name in "SABX")
    >>> rules = {Rule(s, (x,), ((0,),)): 1, Rule(a, (a,), ((0,),)): 1, Rule(b, (x,), ((0,),)): 1}
    >>> [str(symbol) for symbol in useless_symbols(Grammar(rules, start=s))]
    ['A', 'B']
    """
    import networkx as nx

    productive = _productive(grammar)
    useful: nx.DiGraph[Nonterminal] = nx.DiGraph()
    useful.add_node(grammar.start)
    for rule in grammar.rules:
        if productive.issuperset(rule.rhs):
            useful.add_edges_from((rule.lhs, child) for child in rule.rhs)
    used = nx.descendants(useful, grammar.start) | ({grammar.start} & productive)
    return [symbol for symbol in grammar.nonterminals() if symbol not in used]


def unary_cycles(grammar: Grammar) -> list[list[Nonterminal]]:
    """Return the sets of nonterminals that derive each other by unary rules."""
    import networkx as nx

    unary: nx.DiGraph[Nonterminal] = nx.DiGraph()
    unary.add_edges_from((rule.lhs, rule.rhs[0]) for rule in grammar.rules if rule.rank == 1)
    return _cyclic(unary)


def recursive_components(grammar: Grammar) -> list[list[Nonterminal]]:
    """Return the sets of nonterminals that can dominate each other, the largest first.

    >>> from plcfrs.grammar import Rule
    >>> s, a, b, x = (Nonterminal(name) for name in "SABX")
    >>> rules = [Rule(s, (x, a), ((0, 1),)), Rule(a, (b,), ((0,),)), Rule(b, (a, x), ((0, 1),))]
    >>> [list(map(str, found)) for found in recursive_components(Grammar(dict.fromkeys(rules, 1)))]
    [['A', 'B']]
    """
    import networkx as nx

    graph: nx.DiGraph[Nonterminal] = nx.DiGraph()
    graph.add_edges_from((rule.lhs, child) for rule in grammar.rules for child in rule.rhs)
    return sorted(_cyclic(graph), key=len, reverse=True)


def _cyclic(graph: nx.DiGraph[Nonterminal]) -> list[list[Nonterminal]]:
    """Return the strongly connected components with a cycle."""
    import networkx as nx

    return [
        sorted(component)
        for component in nx.strongly_connected_components(graph)
        if len(component) > 1 or graph.has_edge(*(2 * list(component)))
    ]


def _productive(grammar: Grammar) -> set[Nonterminal]:
    productive = grammar.nonterminals().keys() - {rule.lhs for rule in grammar.rules}
    others = list(grammar.rules)
    while found := {rule.lhs for rule in others if productive.issuperset(rule.rhs)}:
        productive |= found
        others = [rule for rule in others if rule.lhs not in productive]
    return productive


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """The entropy in bits of the distribution over the rules of a symbol.

    `frequency` is how often the symbol is rewritten in the treebank; None without counts.
    """

    symbol: Nonterminal
    entropy: float
    rules: int
    frequency: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of a grammar: numbers, distributions of its rules, and lists of the first ones.

    The entropy is the mean over all left-hand sides, in bits, weighted by their frequencies
    (unweighted if the grammar has only probabilities). `by_frequency` is empty without counts.
    """

    rules: int
    symbols: Counter[Kind]
    by_fan_out: Counter[int]
    by_rank: Counter[int]
    by_frequency: Counter[float]
    discontinuous: list[ListedRule]
    entropy: float
    uncertain: list[Uncertainty]
    useless: list[Nonterminal]
    unary_cycles: list[list[Nonterminal]]
    components: list[list[Nonterminal]]


def overview(grammar: Grammar, top: int = 10) -> Overview:
    """Return the figures of a grammar, with lists of this length.

    >>> from plcfrs.grammar import Rule, tag
    >>> s, a = Nonterminal("S"), tag("A")
    >>> rules = {Rule(s, (a,), ((0,),)): 1, Rule(s, (s, s), ((0, 1),)): 1}
    >>> figures = overview(Grammar(rules, start=s))
    >>> figures.rules, figures.entropy, figures.by_rank[2]
    (2, 1.0, 1)
    """
    rules = listed_rules(grammar)
    discontinuous = [listed for listed in rules if listed.rule.lhs.fanout > 1]
    uncertain = uncertainties(rules)
    return Overview(
        len(rules),
        Counter(symbol.kind for symbol in grammar.nonterminals()),
        grammar.count_by_fan_out(),
        grammar.count_by_rank(),
        Counter(listed.count for listed in rules if listed.count is not None),
        sorted(discontinuous, key=_frequency, reverse=True)[:top],
        mean_entropy(uncertain),
        uncertain[:top],
        useless_symbols(grammar),
        unary_cycles(grammar),
        recursive_components(grammar),
    )


def hardest_rules(rules: Iterable[ListedRule], top: int) -> list[ListedRule]:
    """Return the rules with the highest parsing complexity, frequent ones first among equals."""
    return sorted(rules, key=lambda listed: (-listed.complexity, -_frequency(listed)))[:top]


def uncertainties(rules: Iterable[ListedRule]) -> list[Uncertainty]:
    """Return the entropies of all left-hand sides, the highest first."""
    rules_of: dict[Nonterminal, list[ListedRule]] = defaultdict(list)
    for listed in rules:
        rules_of[listed.rule.lhs].append(listed)
    found = [
        Uncertainty(symbol, _entropy(own), len(own), _total(own))
        for symbol, own in rules_of.items()
    ]
    return sorted(found, key=lambda uncertainty: -uncertainty.entropy)


def mean_entropy(uncertain: Sequence[Uncertainty]) -> float:
    """Return the mean of entropies, weighted by frequencies if they are known."""
    weights = [1 if one.frequency is None else one.frequency for one in uncertain]
    total = fsum(weights)
    weighted = fsum(w * one.entropy for w, one in zip(weights, uncertain, strict=True))
    return weighted / total if total else 0.0


def _entropy(rules: list[ListedRule]) -> float:
    return max(0.0, -fsum(listed.probability * log2(listed.probability) for listed in rules))


def _total(rules: list[ListedRule]) -> float | None:
    counts = [listed.count for listed in rules if listed.count is not None]
    return fsum(counts) if counts else None


def _frequency(listed: ListedRule) -> float:
    return listed.probability if listed.count is None else listed.count


def oddities(grammar: Grammar) -> list[str]:
    """Return lines about improper sums, useless symbols, tags without words and unary cycles."""
    return oddity_lines(grammar, useless_symbols(grammar), unary_cycles(grammar))


def oddity_lines(
    grammar: Grammar, useless: list[Nonterminal], cycles: list[list[Nonterminal]]
) -> list[str]:
    """Return the lines of `oddities`, given the useless symbols and unary cycles."""
    lines = [f"  {improper}"] if (improper := improper_sums(grammar)) else []
    if useless:
        lines.append(f"  useless symbols: {len(useless)} ({some(useless)})")
    if wordless := tags_without_words(grammar):
        lines.append(f"  tags without words: {len(wordless)} ({some(wordless)})")
    if cycles:
        sets = "; ".join(some(cycle) for cycle in cycles[:MOST_SHOWN])
        lines.append(f"  cycles of unary rules: {len(cycles)} ({sets})")
    return lines


_SHOWN_RULES = 5
_BANDS = (1, 2, 3, 6, 11, 101, 1001)
"""The lowest count of each band of rules."""


def overview_lines(title: str, grammar: Grammar, restored: Grammar) -> list[str]:
    """Return the statistics of the grammar of a file, and of the grammar before binarization.

    The two are the same object if the second one is not known.
    """
    figures = overview(restored, _SHOWN_RULES)
    rules = listed_rules(grammar)
    complexities = Counter(listed.complexity for listed in rules)
    lines = [f"{title}: {grammar}", f"  by parsing complexity: {counts(complexities)}"]
    lines += [f"  {name}: {value}" for name, value in grammar.options.items()]
    if restored is not grammar:
        lines += [
            f"before binarization: {figures.rules} rules",
            f"  by fan-out: {counts(figures.by_fan_out)}",
            f"  by rank: {counts(figures.by_rank)}",
        ]
    if figures.by_frequency:
        lines.append(f"  by count: {_bands(figures.by_frequency)}")
    lines += [
        *oddity_lines(grammar, figures.useless, figures.unary_cycles),
        *_recursion(figures),
        *_entropies(figures),
        "",
    ]
    if figures.discontinuous:
        lines += ["most frequent discontinuous rules:", *rule_table(figures.discontinuous), ""]
    lines += [
        "rules of the highest parsing complexity:",
        *rule_table(hardest_rules(rules, _SHOWN_RULES)),
    ]
    return lines


def rule_table(rules: Iterable[ListedRule]) -> list[str]:
    """Return a row for each rule, with its examples below."""
    lines = ["   count  probability    cost  complexity  rule"]
    for listed in rules:
        count = "" if listed.count is None else f"{listed.count:g}"
        lines.append(
            f"{count:>8}  {listed.probability:11.4g}  {listed.cost:6.2f}  {listed.complexity:10}  "
            f"{listed.clause}"
        )
        for example in listed.examples:
            name = f"  ({example.sentence})" if example.sentence else ""
            lines.append(f"{'':8}  {example}{name}")
    return lines


def comparison_lines(before: str, after: str, comparison: Comparison, top: int) -> list[str]:
    """Return the changes from one grammar to another."""
    lines = [
        f"from {before} to {after}",
        f"  rules: {len(comparison.appeared)} appear, {len(comparison.disappeared)} disappear, "
        f"{len(comparison.changed)} change their probability, {comparison.unchanged} stay the same",
        f"  symbols: {len(comparison.new_symbols)} appear{_listed(comparison.new_symbols)}, "
        f"{len(comparison.lost_symbols)} disappear{_listed(comparison.lost_symbols)}",
        f"  words: {len(comparison.new_words)} appear, {len(comparison.lost_words)} disappear",
    ]
    if comparison.divergences:
        lines += ["", "left-hand sides that change most (Jensen-Shannon divergence in bits):"]
        largest = list(comparison.divergences.items())[:top]
        lines += aligned([[f"  {symbol}", f"{bits:.4f}"] for symbol, bits in largest]).split("\n")
    for title, changes in (
        ("probabilities that change most", comparison.changed),
        ("rules that appear", comparison.appeared),
        ("rules that disappear", comparison.disappeared),
    ):
        if changes:
            shown = f" ({top} of {len(changes)})" if len(changes) > top else ""
            lines += ["", f"{title}{shown}:", *_change_table(changes[:top])]
    return lines


def _change_table(changes: Sequence[RuleChange]) -> list[str]:
    lines = ["     from        to    change  counts         rule"]
    for change in changes:
        pair = (change.count_before, change.count_after)
        numbers = " -> ".join("?" if count is None else f"{count:g}" for count in pair)
        lines.append(
            f"{change.before:9.4g} {change.after:9.4g}  {change.change:+8.4f}  {numbers:<13}  "
            f"{change.clause}"
        )
    return lines


def _listed(symbols: Sequence[object]) -> str:
    return f" ({some(symbols)})" if symbols else ""


def _bands(by_frequency: Mapping[float, int]) -> str:
    """Return the number of rules with counts in each band."""
    bands = []
    for low, high in pairwise((*_BANDS, float("inf"))):
        rules = sum(number for count, number in by_frequency.items() if low <= count < high)
        last = high - 1
        name = f"{low}" if last == low else f"{low}-{last:g}" if last < float("inf") else f"{low}-"
        if rules:
            bands.append(f"{name}: {rules}")
    return ", ".join(bands)


def _recursion(figures: Overview) -> list[str]:
    if not figures.components:
        return ["  recursion: none"]
    largest, *others = figures.components
    sizes = ", ".join(str(len(component)) for component in others)
    rest = f"; other sets: {sizes}" if others else ""
    nonterminals = figures.symbols["category"] + figures.symbols["intermediate"]
    lower = f"{len(largest)} of {nonterminals} nonterminals can all dominate each other"
    return [f"  recursion: {lower}{rest}"]


def _entropies(figures: Overview) -> list[str]:
    highest = ", ".join(
        f"{uncertain.symbol} {uncertain.entropy:.2f} ({uncertain.rules} rules)"
        for uncertain in figures.uncertain
        if uncertain.entropy
    )
    weighted = "weighted mean" if figures.by_frequency else "mean"
    line = f"  entropy of left-hand sides: {weighted} {figures.entropy:.2f} bits"
    return [f"{line}; highest: {highest}" if highest else line]
