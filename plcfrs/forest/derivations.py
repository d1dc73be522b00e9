"""Derivations rule by rule, with costs that add up or with posterior probabilities."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from math import exp, fsum, log
from typing import NamedTuple

from plcfrs.chart.compile import Candidates
from plcfrs.chart.forest import SymbolPosteriors
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, unbinarize
from plcfrs.grammar.rules import Range, in_paper_notation
from plcfrs.parsing.explanation import Cell, Column, Explanation, Row
from plcfrs.trees.tree import render_ranges, span_of_runs

DERIVATION_COLUMNS = (
    Column("     cost", is_number=True, decimals=4),
    Column("at"),
    Column("rule"),
    Column("words"),
)

_LONGEST = 6  # words of a range that is shown in full


class DerivationStep(NamedTuple):
    """A rule in a derivation, or a word with its tag.

    Parameters
    ----------
    symbol : Nonterminal
    rule : Rule or None
        None for a tag.
    ranges : tuple of (int, int)
        Positions of the tokens, from 0, half open.
    cost : float
        ``-log p`` (natural logarithm) of the rule or of the word; 0 for a given tag.
    depth : int
        Number of steps above this one.
    """

    symbol: Nonterminal
    rule: Rule | None
    ranges: tuple[Range, ...]
    cost: float
    depth: int

    @property
    def text(self) -> str:
        """The rule in the notation of grammar files; the tag."""
        return str(self.rule or self.symbol)

    @property
    def clause(self) -> str:
        """The rule in the notation of the papers; the tag."""
        return in_paper_notation(self.rule) if self.rule else str(self.symbol)

    @property
    def positions(self) -> list[int]:
        """Positions of the tokens that it spans."""
        return [position for left, right in self.ranges for position in range(left, right)]

    def row(self, *cells: Cell) -> Row:
        """Return the row of an explanation with these cells."""
        categories = (self.symbol.category,) if self.rule else ()
        return Row(self.text, self.clause, 0 - self.cost, self.positions, cells, categories)

    def with_word(self, words: Sequence[str]) -> str:
        """Return the rule in the notation of the papers, or the tag with its word."""
        return self.clause if self.rule else f"{self.symbol} -> {words[self.ranges[0][0]]}"

    def indented(self, words: Sequence[str]) -> str:
        """Return the same, indented by the depth."""
        return f"{2 * self.depth * ' '}{self.with_word(words)}"


@dataclass(frozen=True, slots=True)
class ExplainedDerivation:
    """A derivation with its costs.

    Parameters
    ----------
    cost : float
        The cost of the parse, which is the sum of the costs of the steps.
    steps : list of DerivationStep
        Rules of the grammar before binarization, mothers before their children. The cost of a step
        is the sum of the costs of the binarized rules that it became.
    binarized : list of DerivationStep
        The same derivation with the rules that the parser used.
    derivation : Derivation
        Of the binarized grammar.
    """

    words: list[str]
    cost: float
    steps: list[DerivationStep]
    binarized: list[DerivationStep]
    derivation: Derivation

    def rows(self, *, binarized: bool) -> list[Row]:
        """Return the rows of an explanation, see `DERIVATION_COLUMNS`."""
        return [
            step.row(
                step.cost,
                render_ranges(step.ranges),
                step.indented(self.words),
                _shortened(step, self.words) if step.rule else "",
            )
            for step in (self.binarized if binarized else self.steps)
        ]

    @property
    def total(self) -> str:
        """The sum of the costs, as a line below the rows."""
        probability = f"ln p = {0 - self.cost:.4f}, p = {exp(-self.cost):.4g}"
        return f"{self.cost:9.4f}  the sum: {probability}"


def explain(
    grammar: Grammar, words: list[str], candidates: Candidates, derivation: Derivation
) -> ExplainedDerivation:
    """Return the steps of a derivation with their costs.

    The grammar has a rank up to 2; the candidates are the possible tags of each token with their
    costs.
    """
    costs = grammar.costs()

    def cost_of(part: Derivation, ranges: tuple[Range, ...]) -> float:
        return costs[part.rule] if part.children else candidates[ranges[0][0]][part.nonterminal]

    binarized = steps_of(derivation, cost_of)
    # Steps with the same symbol and span are above each other; their order tells them apart.
    summed: dict[tuple[Nonterminal, tuple[Range, ...]], deque[float]] = defaultdict(deque)
    for step, cost in _summed(binarized):
        summed[step.symbol, step.ranges].append(cost)
    steps = steps_of(
        unbinarize(derivation), lambda part, ranges: summed[part.nonterminal, ranges].popleft()
    )
    return ExplainedDerivation(
        words, fsum(step.cost for step in binarized), steps, binarized, derivation
    )


def steps_of(
    derivation: Derivation, cost_of: Callable[[Derivation, tuple[Range, ...]], float]
) -> list[DerivationStep]:
    """Return the steps of a derivation, mothers before children, left before right.

    `cost_of` gets a part of the derivation and its ranges, and returns the cost.
    """
    parts, ranges = derivation.bottom_up(), derivation.ranges()
    below: list[list[int]] = []
    numbers = count()

    def number(_part: Derivation, children: list[int]) -> int:
        below.append(children)
        return next(numbers)

    steps = []
    stack = [(derivation.fold(number), 0)]
    while stack:
        place, depth = stack.pop()
        part, span = parts[place], ranges[place]
        rule = part.rule if part.children else None
        steps.append(DerivationStep(part.nonterminal, rule, span, cost_of(part, span), depth))
        children = sorted(below[place], key=lambda child: ranges[child], reverse=True)
        stack.extend((child, depth + 1) for child in children)
    return steps


def _summed(binarized: list[DerivationStep]) -> list[tuple[DerivationStep, float]]:
    """Return the steps without intermediate ones, whose costs go to the steps above."""
    costs: list[list[float]] = []
    kept: list[DerivationStep] = []
    owner: list[int] = []  # at each depth, the place of the last step that is kept
    for step in binarized:
        del owner[step.depth :]
        if step.symbol.kind == "intermediate":
            owner.append(owner[-1])
        else:
            owner.append(len(kept))
            kept.append(step)
            costs.append([])
        costs[owner[-1]].append(step.cost)
    return list(zip(kept, map(fsum, costs), strict=True))


def explain_posteriors(
    words: list[str], derivation: Derivation, posteriors: SymbolPosteriors
) -> Explanation:
    """Return the constituents of a derivation, each with its posterior probability.

    The derivation has intermediate symbols. Posteriors belong to symbols and spans (bitsets).
    """

    def cost(part: Derivation, ranges: tuple[Range, ...]) -> float:
        posterior = posteriors.get((part.nonterminal, span_of_runs(ranges)), 0.0)
        return -log(max(posterior, 1e-300))

    rows = [
        step.row(exp(-step.cost), render_ranges(step.ranges), step.indented(words))
        for step in steps_of(unbinarize(derivation), cost)
    ]
    columns = (Column("posterior", is_number=True, decimals=4), Column("at"), Column("rule"))
    return Explanation(words, "rule", "ln posterior", columns, rows)


def _shortened(step: DerivationStep, words: list[str]) -> str:
    """Return the words of a step; long ranges are shortened, and dots stand for gaps."""
    ranges = []
    for left, right in step.ranges:
        inner = words[left:right]
        ranges.append(" ".join(inner) if len(inner) <= _LONGEST else f"{inner[0]} .. {inner[-1]}")
    return " ... ".join(ranges)
