"""A grammar with a span scorer."""

from __future__ import annotations

from typing import NamedTuple

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.grammar import Grammar
from plcfrs.neural.spans.scorer import SpanScorer


class SpanGrammar(NamedTuple):
    """A grammar with a span scorer.

    Parameters
    ----------
    grammar : Grammar
        Of rank 2 at most.
    scorer : SpanScorer
    shares : float64 array (components,), optional
        The cost of each component of each rule, for the search (see `ChartParser`).
    """

    grammar: Grammar
    scorer: SpanScorer
    shares: Costs | None = None
