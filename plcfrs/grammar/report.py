"""Grammars as text for people: overviews, tables of rules, differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from plcfrs.grammar.comparison import Comparison, RuleChange
from plcfrs.grammar.grammar import Grammar
from plcfrs.grammar.selection import ListedRule, listed_rules
from plcfrs.grammar.statistics import Overview, hardest_rules, overview
from plcfrs.grammar.summary import oddity_lines, some
from plcfrs.text import aligned, counts

_SHOWN = 5
_BANDS = (1, 2, 3, 6, 11, 101, 1001)
"""The lowest count of each band of rules."""


def overview_lines(title: str, grammar: Grammar, restored: Grammar) -> list[str]:
    """Return the statistics of the grammar of a file, and of the grammar before binarization.

    The two are the same object if the second one is not known.
    """
    found = overview(restored, _SHOWN)
    rules = listed_rules(grammar)
    complexities = Counter(listed.complexity for listed in rules)
    lines = [f"{title}: {grammar}", f"  by parsing complexity: {counts(complexities)}"]
    lines += [f"  {name}: {value}" for name, value in grammar.options.items()]
    if restored is not grammar:
        lines += [
            f"before binarization: {found.rules} rules",
            f"  by fan-out: {counts(found.by_fan_out)}",
            f"  by rank: {counts(found.by_rank)}",
        ]
    if found.by_frequency:
        lines.append(f"  by count: {_bands(found.by_frequency)}")
    lines += [
        *oddity_lines(grammar, found.useless, found.unary_cycles),
        *_recursion(found),
        *_entropies(found),
        "",
    ]
    if found.discontinuous:
        lines += ["most frequent discontinuous rules:", *rule_table(found.discontinuous), ""]
    lines += ["rules of the highest parsing complexity:", *rule_table(hardest_rules(rules, _SHOWN))]
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


def comparison_lines(before: str, after: str, found: Comparison, top: int) -> list[str]:
    """Return the changes from one grammar to another."""
    lines = [
        f"from {before} to {after}",
        f"  rules: {len(found.appeared)} appear, {len(found.disappeared)} disappear, "
        f"{len(found.changed)} change their probability, {found.unchanged} stay the same",
        f"  symbols: {len(found.new_symbols)} appear{_listed(found.new_symbols)}, "
        f"{len(found.lost_symbols)} disappear{_listed(found.lost_symbols)}",
        f"  words: {len(found.new_words)} appear, {len(found.lost_words)} disappear",
    ]
    if found.divergences:
        lines += ["", "left-hand sides that change most (Jensen-Shannon divergence in bits):"]
        largest = list(found.divergences.items())[:top]
        lines += aligned([[f"  {symbol}", f"{bits:.4f}"] for symbol, bits in largest]).split("\n")
    for title, changes in (
        ("probabilities that change most", found.changed),
        ("rules that appear", found.appeared),
        ("rules that disappear", found.disappeared),
    ):
        if changes:
            lines += ["", f"{title}{_of(top, changes)}:", *_change_table(changes[:top])]
    return lines


def _change_table(changes: Sequence[RuleChange]) -> list[str]:
    lines = ["     from        to    change  counts         rule"]
    for one in changes:
        known = (one.count_before, one.count_after)
        numbers = " -> ".join("?" if count is None else f"{count:g}" for count in known)
        lines.append(
            f"{one.before:9.4g} {one.after:9.4g}  {one.change:+8.4f}  {numbers:<13}  {one.clause}"
        )
    return lines


def _of(top: int, changes: Sequence[object]) -> str:
    return f" ({top} of {len(changes)})" if len(changes) > top else ""


def _listed(symbols: Sequence[object]) -> str:
    return f" ({some(symbols)})" if symbols else ""


def _bands(by_frequency: Mapping[float, int]) -> str:
    """Return the number of rules with counts in each band."""
    found = []
    for low, high in pairwise((*_BANDS, float("inf"))):
        rules = sum(number for count, number in by_frequency.items() if low <= count < high)
        last = high - 1
        name = f"{low}" if last == low else f"{low}-{last:g}" if last < float("inf") else f"{low}-"
        if rules:
            found.append(f"{name}: {rules}")
    return ", ".join(found)


def _recursion(found: Overview) -> list[str]:
    if not found.components:
        return ["  recursion: none"]
    largest, *others = found.components
    rest = f"; other sets: {', '.join(str(len(one)) for one in others)}" if others else ""
    nonterminals = found.symbols["category"] + found.symbols["intermediate"]
    lower = f"{len(largest)} of {nonterminals} nonterminals can all dominate each other"
    return [f"  recursion: {lower}{rest}"]


def _entropies(found: Overview) -> list[str]:
    highest = ", ".join(
        f"{one.symbol} {one.entropy:.2f} ({one.rules} rules)"
        for one in found.uncertain
        if one.entropy
    )
    weighted = "weighted mean" if found.by_frequency else "mean"
    line = f"  entropy of left-hand sides: {weighted} {found.entropy:.2f} bits"
    return [f"{line}; highest: {highest}" if highest else line]
