"""Models of any kind, from their files."""

from __future__ import annotations

from math import inf
from pathlib import Path

from plcfrs.chart import Strategy
from plcfrs.grammar.formats.kinds import is_refined
from plcfrs.pipeline.model import Model
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.refined import RefinedModel


def load_model(
    path: str | Path,
    strategy: Strategy = "astar",
    *,
    max_items: float = inf,
    max_seconds: float = inf,
    fallback: Fallback = "none",
) -> Model | RefinedModel:
    """Read a saved grammar of either kind.

    Parameters
    ----------
    path : str or Path
    strategy : {"astar", "knuth"}
        Of a `Model`; a `RefinedModel` has but one.
    max_items, max_seconds : float
        The budget of a sentence.
    fallback : {"none", "flat", "partial"}
        What to do without a parse; see `SentenceParser`.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a grammar.
    """
    if is_refined(path):
        return RefinedModel.load(
            path, max_items=max_items, max_seconds=max_seconds, fallback=fallback
        )
    return Model.load(
        path, strategy, max_items=max_items, max_seconds=max_seconds, fallback=fallback
    )
