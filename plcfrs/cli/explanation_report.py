"""What ``plcfrs explain`` says: derivations as tables, and what a constituent would cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import exp, fsum, inf

from plcfrs.grammar.positions import render_ranges
from plcfrs.pipeline.explanation import Explanation, Step
from plcfrs.pipeline.steps import TransitionStep
from plcfrs.pipeline.wanted import WantedConstituent
from plcfrs.trees import Token

_LONGEST = 6  # words of a range that are all shown
_WIDEST = 120  # of two tables side by side


def explanation_lines(
    tokens: list[Token], best: Explanation | None, *, binarized: bool
) -> list[str]:
    """Return the rules of the best parse with their costs, and the sum."""
    sentence = " ".join(f"{position}={token.form}" for position, token in enumerate(tokens))
    if best is None:
        return [sentence, "no parse"]
    steps = best.binarized if binarized else best.steps
    clauses = [f"{2 * step.depth * ' '}{_clause(step, best.words)}" for step in steps]
    places = [render_ranges(step.ranges) for step in steps]
    width, wide = max(map(len, places)), max(map(len, clauses))
    lines = [sentence, "", f"     cost  {'at':<{width}}  {'rule':<{wide}}  words"]
    for step, place, clause in zip(steps, places, clauses, strict=True):
        words = _shortened(step, best.words) if step.rule else ""
        lines.append(f"{step.cost:9.4f}  {place:<{width}}  {clause:<{wide}}  {words}".rstrip())
    lines.append(
        f"{best.cost:9.4f}  the sum: ln p = {0 - best.cost:.4f}, p = {exp(-best.cost):.4g}"
    )
    return lines


def step_lines(tokens: list[Token], steps: list[TransitionStep]) -> list[str]:
    """Return the transitions of a parse with their scores, and the sum."""
    sentence = " ".join(f"{position}={token.form}" for position, token in enumerate(tokens))
    rows = [["transition", *steps[0].configuration]] if steps else []
    rows += [[str(step.transition), *step.configuration.values()] for step in steps]
    scores = ["    score", *(f"{step.score:9.2f}" for step in steps)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([score, *map(str.ljust, row, widths)]).rstrip()
        for score, row in zip(scores, rows, strict=True)
    ]
    total = fsum(step.score for step in steps)
    return [sentence, "", *lines, f"{total:9.2f}  the sum"]


def want_lines(found: WantedConstituent, *, binarized: bool) -> list[str]:
    """Return whether a parse has a wanted constituent, what it costs, and which rules differ."""
    title = f"{found.want}: "
    if found.verdict == "no constituent":
        return [f"{title}in no parse, because no such constituent can be made of these words"]
    inside = f"the constituent itself costs {found.inside_cost:.4f}"
    if found.verdict == "in no parse":
        return [f"{title}in no parse: {inside}, but no rules lead from there to the whole sentence"]
    if found.verdict == "in the best parse":
        return [f"{title}in the best parse: {inside}"]
    return [
        f"{title}not in the best parse",
        f"{_cost(found.best)}  the best parse",
        f"{_cost(found.wanted)}  the best parse with {found.want}; {inside}",
        f"{found.loss:9.4f}  what that loses: it is {found.ratio:.4g} times less probable",
        *_difference_lines(found, binarized=binarized),
    ]


def _cost(explanation: Explanation | None) -> str:
    return f"{explanation.cost if explanation else inf:9.4f}"


def _difference_lines(found: WantedConstituent, *, binarized: bool) -> list[str]:
    """Return the rules that only one of two parses has, side by side if there is room."""
    best, wanted, shared = found.differences(binarized=binarized)
    words = found.best.words if found.best else []
    left = [f"  only the best parse: {_sum(best):.4f}", *_rows(best, words)]
    right = [f"  only with {found.want}: {_sum(wanted):.4f}", *_rows(wanted, words)]
    lines = ["", f"{shared:9.4f}  the rules and words of both"]
    width = max(map(len, left)) + 2
    if width + max(map(len, right)) > _WIDEST:
        return [*lines, *left, *right]
    pairs = zip_longest(left, right, fillvalue="")
    return [*lines, *(f"{one:<{width}}{other}".rstrip() for one, other in pairs)]


def _sum(steps: Sequence[Step]) -> float:
    return fsum(step.cost for step in steps)


def _rows(steps: Sequence[Step], words: list[str]) -> list[str]:
    return [
        f"{step.cost:9.4f}  {_clause(step, words)}  {render_ranges(step.ranges)}" for step in steps
    ]


def _clause(step: Step, words: list[str]) -> str:
    """Return a rule in the notation of the papers, or a tag with its word."""
    return step.clause or f"{step.symbol} -> {words[step.ranges[0][0]]}"


def _shortened(step: Step, words: list[str]) -> str:
    """Return the words of a step, long ranges by their ends, with dots for the gaps."""
    ranges = []
    for left, right in step.ranges:
        inner = words[left:right]
        ranges.append(" ".join(inner) if len(inner) <= _LONGEST else f"{inner[0]} .. {inner[-1]}")
    return " ... ".join(ranges)
