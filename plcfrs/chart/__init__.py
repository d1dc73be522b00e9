"""Exact Viterbi parsing with a binarized PLCFRS: compile, search, trace back."""

from plcfrs.chart.parser import ChartParser, ParseResult, Statistics, Strategy

__all__ = ["ChartParser", "ParseResult", "Statistics", "Strategy"]
