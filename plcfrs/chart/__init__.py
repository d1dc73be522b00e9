"""Exact Viterbi parsing with a binarized PLCFRS: compile, search, trace back."""

from plcfrs.chart.parser import ChartParser, Objective, ParseResult, Strategy
from plcfrs.chart.search import Statistics

__all__ = ["ChartParser", "Objective", "ParseResult", "Statistics", "Strategy"]
