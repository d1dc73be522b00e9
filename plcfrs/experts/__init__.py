"""Judges of a forest: their scores of its edges and items, and the best derivation by them."""

from plcfrs.experts.decoding import Best, best_derivation
from plcfrs.experts.judgement import (
    LOG_RATIO,
    MOST_ITEMS,
    Judgement,
    scores_of_edges,
    unjudged,
)
from plcfrs.experts.markovization import MARKOVIZATION, MarkovizationSettings
from plcfrs.experts.sums import score_sums

__all__ = [
    "LOG_RATIO",
    "MARKOVIZATION",
    "MOST_ITEMS",
    "Best",
    "Judgement",
    "MarkovizationSettings",
    "best_derivation",
    "score_sums",
    "scores_of_edges",
    "unjudged",
]
