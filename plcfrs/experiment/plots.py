"""Plots of the parsers of an experiment: parsing times and rule frequencies."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median

from plcfrs.experiment.folder import Result
from plcfrs.experiment.scores import Results
from plcfrs.experiment.tree_lines import read_lines
from plcfrs.grammar import Grammar
from plcfrs.pipeline.registry import family_of
from plcfrs.plots import Curve, CurvePlot


def parser_plots(results: Results) -> list[CurvePlot]:
    """Return the plots that have data.

    They show the median CPU time by sentence length, and the counts of binarized rules by rank.
    """
    times = [_times(name, parses) for name, parses in results.parses.items()]
    grammars = {
        name: family_of(model.path).inspect(model.path).grammar
        for name, model in results.models.items()
    }
    frequencies = [_frequencies(name, grammar) for name, grammar in grammars.items() if grammar]
    plots = [
        CurvePlot(
            "CPU time by length",
            "length (tokens)",
            "median CPU time (ms)",
            [curve for curve in times if len(curve.xs) > 1],
            fitted=True,
        ),
        CurvePlot(
            "Frequencies of binarized rules",
            "rank of the rule",
            "how often",
            [curve for curve in frequencies if len(curve.xs) > 1],
        ),
    ]
    return [plot for plot in plots if plot.curves]


def _times(name: str, parses: Result) -> Curve:
    by_length: dict[int, list[float]] = defaultdict(list)
    for line in read_lines(parses.path):
        by_length[len(line["tokens"])].append(1000 * line["cpu_seconds"])
    lengths = sorted(length for length, times in by_length.items() if length and median(times) > 0)
    return Curve(name, lengths, [median(by_length[length]) for length in lengths])


def _frequencies(name: str, grammar: Grammar) -> Curve:
    """Return the first and the last rank of each count."""
    ranks: list[float] = []
    counts: list[float] = []
    rank = 0
    rules_with = Counter(grammar.rules.values()) if grammar.weights == "counts" else Counter()
    for count, rules in sorted(rules_with.items(), reverse=True):
        ranks += [rank + 1, rank + rules]
        counts += [count, count]
        rank += rules
    return Curve(name, ranks, counts)
