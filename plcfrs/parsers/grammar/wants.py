"""Why a constituent is not in the best parse: the cost of the best parse with it.

That parse inserts the best derivation of the constituent into the best derivation of the sentence
with a hole there. The parser itself finds both exactly, with a slightly larger grammar. First it
parses the words of the constituent, with a mark in each gap. Then it parses the sentence with a
token for each range of the constituent; only the constituent can derive this token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import exp, fsum, inf
from typing import Literal, NamedTuple

from plcfrs.budget import DEFAULT, Budget
from plcfrs.chart import ChartParser, ParseResult
from plcfrs.chart.compile import Candidates
from plcfrs.errors import InputError
from plcfrs.forest.derivations import (
    DERIVATION_COLUMNS,
    DerivationStep,
    ExplainedDerivation,
    explain,
)
from plcfrs.grammar import Derivation, Grammar, Nonterminal, Rule, binarize, proper_gaps
from plcfrs.grammar.rules import Range, Want
from plcfrs.grammar.selection import find_symbols
from plcfrs.parsing.explanation import Explanation
from plcfrs.parsing.parse import Parse, describe_gap
from plcfrs.trees.tree import render_ranges, runs, span_of_runs

OUT_OF_BUDGET = (
    "the budget was used up before the best parse was found: "
    "allow more (--max-seconds, --max-items, --max-memory)"
)
"""The error message of functions that need the best parse."""

_WIDEST = 120  # of two tables side by side

Verdict = Literal["in the best parse", "in another parse", "in no parse", "no constituent"]


class Differences(NamedTuple):
    """The steps that only the best parse has, the steps that only the wanted one has.

    The shared cost is the sum of the costs of all other steps.
    """

    best: list[DerivationStep]
    wanted: list[DerivationStep]
    shared_cost: float


@dataclass(frozen=True, slots=True)
class WantedConstituent:
    """The best parse with a wanted constituent, compared with the best parse.

    Parameters
    ----------
    verdict : str
        "in the best parse"; "in another parse"; "in no parse", although it can be derived; "no
        constituent": it cannot be derived from these words.
    inside_cost : float
        The cost of the best derivation of the constituent; infinite if there is none.
    best, wanted : ExplainedDerivation or None
        The best parse, and the best parse with the constituent; None if there is none.
    """

    want: Want
    verdict: Verdict
    inside_cost: float
    best: ExplainedDerivation | None
    wanted: ExplainedDerivation | None

    @property
    def loss(self) -> float:
        """The difference of the costs of the two parses; infinite without a parse."""
        if self.best is None or self.wanted is None:
            return inf
        return max(0.0, self.wanted.cost - self.best.cost)

    @property
    def ratio(self) -> float:
        """The probability of the best parse, divided by the wanted one's; infinite without one."""
        return exp(self.loss) if self.loss < 700 else inf

    def differences(self, *, binarized: bool = False) -> Differences:
        """Return the steps that only one of the parses has, and the cost of the shared ones."""
        if self.best is None or self.wanted is None:
            return Differences([], [], 0.0)
        first = self.best.binarized if binarized else self.best.steps
        second = self.wanted.binarized if binarized else self.wanted.steps
        common = Counter(map(_identity, first)) & Counter(map(_identity, second))
        rest = Counter(map(_identity, first)) - common
        shared = fsum(step.cost for step in _without(first, rest))
        return Differences(_without(first, common), _without(second, common), shared)

    def lines(self, *, binarized: bool) -> list[str]:
        """Return the verdict, the costs and the rules that differ, as text."""
        title = f"{self.want}: "
        if self.verdict == "no constituent":
            return [f"{title}in no parse, because it cannot be derived from these words"]
        inside = f"the constituent itself costs {self.inside_cost:.4f}"
        if self.verdict == "in no parse":
            return [
                f"{title}in no parse: {inside}, but no rules lead from there to the whole sentence"
            ]
        if self.verdict == "in the best parse":
            return [f"{title}in the best parse: {inside}"]
        return [
            f"{title}not in the best parse",
            f"{_cost(self.best)}  the best parse",
            f"{_cost(self.wanted)}  the best parse with {self.want}; {inside}",
            f"{self.loss:9.4f}  the difference: this parse is {self.ratio:.4g} times less probable",
            *self._difference_lines(binarized=binarized),
        ]

    def _difference_lines(self, *, binarized: bool) -> list[str]:
        """Return the rules that only one of the parses has, side by side if there is room."""
        best, wanted, shared = self.differences(binarized=binarized)
        words = self.best.words if self.best else []
        left = [f"  only in the best parse: {_sum(best):.4f}", *_rows(best, words)]
        right = [f"  only with {self.want}: {_sum(wanted):.4f}", *_rows(wanted, words)]
        lines = ["", f"{shared:9.4f}  the rules and words of both"]
        width = max(map(len, left)) + 2
        if width + max(map(len, right)) > _WIDEST:
            return [*lines, *left, *right]
        pairs = zip_longest(left, right, fillvalue="")
        return [*lines, *(f"{first:<{width}}{second}".rstrip() for first, second in pairs)]


# As in the tutorial for grammar engineers.
_NEXT_STEPS = (
    "",
    "the parts of a parse: plcfrs parse --fallback partial",
    "a constituent that you expect, by its tokens: plcfrs explain --want 'NP 0-1'",
    "symbols that are never used or have no words: plcfrs inspect",
)


def explain_parse(
    grammar: Grammar,
    words: list[str],
    tags: Candidates,
    result: ParseResult,
    wants: Sequence[Want] = (),
    budget: Budget = DEFAULT,
    *,
    binarized: bool = False,
) -> Explanation:
    """Return the best parse rule by rule, and the costs of parses with wanted constituents.

    If `binarized`, the explanation shows the binarized rules that the parser used.
    """
    best = None
    if result.derivation is not None:
        best = explain(grammar, words, tags, result.derivation)
    text = [best.total] if best else ["no parse", *([] if wants else _NEXT_STEPS)]
    if result.gap:
        text.append(describe_gap(result.gap))
    for want in wants:
        wanted = explain_want(grammar, words, tags, want, best, budget)
        text += ["", *wanted.lines(binarized=binarized)]
    rows = best.rows(binarized=binarized) if best else []
    return Explanation(words, "rule", "ln p", DERIVATION_COLUMNS, rows, text)


def explain_want(
    grammar: Grammar,
    words: list[str],
    candidates: Candidates,
    want: Want,
    best: ExplainedDerivation | None,
    budget: Budget = DEFAULT,
) -> WantedConstituent:
    """Compare the best parse, if there is one, with the best parse that has a wanted constituent.

    Adjacent ranges are merged, unless the grammar has rules with adjacent ranges. Each search has
    the whole budget: there is a search for each symbol of the category, and one for all.
    """
    if want.ranges[-1][1] > len(words):
        raise InputError(f"{want}: the tokens of the sentence have numbers 0 to {len(words) - 1}")
    if not proper_gaps(grammar).originals:
        want = want._replace(ranges=tuple(runs(span_of_runs(want.ranges))))
    symbols = _symbols_of(grammar, want)
    if best is not None:
        for place, step in enumerate(best.binarized):
            if step.symbol in symbols and step.ranges == want.ranges:
                inside = fsum(below.cost for below in _subtree(best.binarized, place))
                return WantedConstituent(want, "in the best parse", inside, best, best)
    search = _Search(grammar, candidates, want.ranges, budget)
    inside_of = {symbol: result for symbol in symbols if (result := search.inside(symbol))}
    if not inside_of:
        return WantedConstituent(want, "no constituent", inf, best, None)
    lowest = min(cost for cost, _ in inside_of.values())
    derivation = search.around(inside_of)
    if derivation is None:
        return WantedConstituent(want, "in no parse", lowest, best, None)
    wanted = explain(grammar, words, candidates, derivation)
    return WantedConstituent(want, "in another parse", lowest, best, wanted)


def problem(failed: Parse) -> str:
    """Return why a sentence cannot be explained, and what to do about it."""
    if failed.status == "unknown word":
        return f"the grammar does not know the word {failed.reason}: tag all words (--tagged)"
    return f"the grammar has no tag {failed.reason}"


class _Search(NamedTuple):
    """The two searches for the best parse with a constituent."""

    grammar: Grammar
    candidates: Candidates
    ranges: tuple[Range, ...]
    budget: Budget

    def inside(self, symbol: Nonterminal) -> tuple[float, Derivation] | None:
        """Return the cost of the best derivation of a constituent, and the derivation."""
        gaps = [_mark("gap", number) for number in range(1, len(self.ranges))]
        order = [0, *(child for gap in range(len(gaps)) for child in (gap + 1, 0))]
        top = _mark("top")
        candidates = list(self.candidates[slice(*self.ranges[0])])
        for gap, span in zip(gaps, self.ranges[1:], strict=True):
            candidates += [{gap: 0.0}, *self.candidates[slice(*span)]]
        result = self._best(top, [Rule(top, (symbol, *gaps), (tuple(order),))], candidates)
        return None if result is None else (result[0], result[1].children[0])

    def around(self, inside: Mapping[Nonterminal, tuple[float, Derivation]]) -> Derivation | None:
        """Return the best derivation of the sentence with one of these constituents."""
        rules = []
        holes: list[dict[Nonterminal, float]] = [{} for _ in self.ranges]
        symbol_of = {}
        for symbol, (cost, _) in inside.items():
            marks = [_mark(f"hole in {symbol.kind} {symbol}", n) for n in range(len(holes))]
            rules.append(Rule(symbol, tuple(marks), tuple((n,) for n in range(len(holes)))))
            symbol_of[marks[0]] = symbol
            for hole, mark in zip(holes, marks, strict=True):
                hole[mark] = cost if mark == marks[0] else 0.0
        candidates: list[Mapping[Nonterminal, float]] = []
        end = 0
        for hole, (left, right) in zip(holes, self.ranges, strict=True):
            candidates += [*self.candidates[end:left], hole]
            end = right
        result = self._best(self.grammar.start, rules, [*candidates, *self.candidates[end:]])
        if result is None:
            return None

        def filled(part: Derivation, children: list[Derivation]) -> Derivation:
            if children and children[0].nonterminal in symbol_of:
                return inside[symbol_of[children[0].nonterminal]][1]
            return part._replace(children=tuple(children))

        return result[1].fold(filled)

    def _best(
        self, start: Nonterminal, rules: Iterable[Rule], candidates: Candidates
    ) -> tuple[float, Derivation] | None:
        """Return the best parse with the rules of the grammar and additional free rules."""
        probabilities = {**self.grammar.probabilities(), **dict.fromkeys(rules, 1.0)}
        grammar = binarize(Grammar(probabilities, start=start, weights="probabilities"))
        result = ChartParser(grammar, budget=self.budget).parse(candidates)
        if result.status.startswith("out of") or result.gap:
            raise InputError(OUT_OF_BUDGET)
        return None if result.derivation is None else (result.cost, result.derivation)


def _mark(name: str, number: int = 0) -> Nonterminal:
    """Return a symbol that no grammar has: no other tag has siblings in its name."""
    return Nonterminal(name, kind="tag", siblings=(str(number),))


def _symbols_of(grammar: Grammar, want: Want) -> list[Nonterminal]:
    """Return the symbols that a wanted constituent may have."""
    symbols = list(grammar.nonterminals())
    name, fan_out = want.category, len(want.ranges)
    named = [
        symbol for symbol in symbols if symbol.category == name and symbol.kind != "intermediate"
    ]
    exact = [symbol for symbol in symbols if name in (str(symbol), str(symbol._replace(fanout=1)))]
    if not named and not exact:
        find_symbols(symbols, name)
    if exact and all(str(symbol) == name and symbol.fanout != fan_out for symbol in exact):
        raise InputError(
            f"{want}: {name} has {exact[0].fanout} ranges, not {fan_out}; adjacent ranges are "
            "merged"
        )
    return [symbol for symbol in dict.fromkeys(named + exact) if symbol.fanout == fan_out]


def _subtree(steps: list[DerivationStep], place: int) -> list[DerivationStep]:
    """Return a step and the steps below it."""
    depth = steps[place].depth
    end = next((n for n in range(place + 1, len(steps)) if steps[n].depth <= depth), len(steps))
    return steps[place:end]


def _cost(explained: ExplainedDerivation | None) -> str:
    return f"{explained.cost if explained else inf:9.4f}"


def _sum(steps: Sequence[DerivationStep]) -> float:
    return fsum(step.cost for step in steps)


def _rows(steps: Sequence[DerivationStep], words: list[str]) -> list[str]:
    return [
        f"{step.cost:9.4f}  {step.with_word(words)}  {render_ranges(step.ranges)}" for step in steps
    ]


def _identity(step: DerivationStep) -> tuple[object, ...]:
    return step.symbol, step.rule, step.ranges


def _without(
    steps: list[DerivationStep], others: Counter[tuple[object, ...]]
) -> list[DerivationStep]:
    """Return the steps without as many equal ones as `others` counts."""
    left = Counter(others)
    kept = []
    for step in steps:
        key = _identity(step)
        if left[key]:
            left[key] -= 1
        else:
            kept.append(step)
    return kept
