"""Exact parsing with a binarized PLCFRS: search, derivations, forests and sums over derivations."""

from plcfrs.budget import OutOfBudgetError, Statistics
from plcfrs.chart.estimates import lost_mass
from plcfrs.chart.forest import (
    Forest,
    Sums,
    constituent_posteriors,
    expected_rule_counts,
    inside_outside,
    most_constituents,
)
from plcfrs.chart.nbest import best_derivations
from plcfrs.chart.parser import ChartParser, Objective, Strategy
from plcfrs.chart.partial import PartialParser, cover_by_tags, piece_costs
from plcfrs.chart.results import Expectations, ParseResult

__all__ = [
    "ChartParser",
    "Expectations",
    "Forest",
    "Objective",
    "OutOfBudgetError",
    "ParseResult",
    "PartialParser",
    "Statistics",
    "Strategy",
    "Sums",
    "best_derivations",
    "constituent_posteriors",
    "cover_by_tags",
    "expected_rule_counts",
    "inside_outside",
    "lost_mass",
    "most_constituents",
    "piece_costs",
]
