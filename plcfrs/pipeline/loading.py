"""Models of any kind, from their files."""

from __future__ import annotations

from math import inf
from pathlib import Path

from plcfrs.chart import Strategy
from plcfrs.pipeline.model import Model
from plcfrs.pipeline.parse import Fallback
from plcfrs.pipeline.refined import RefinedModel
from plcfrs.pipeline.transition import TransitionModel
from plcfrs.storage.model_file import kind_of
from plcfrs.transition.registry import SYSTEMS


def load_model(
    path: str | Path,
    strategy: Strategy = "astar",
    *,
    max_items: float = inf,
    max_seconds: float = inf,
    fallback: Fallback = "none",
    beam: int | None = None,
) -> Model | RefinedModel | TransitionModel:
    """Read a saved model of any kind.

    Parameters
    ----------
    path : str or Path
    strategy : {"astar", "knuth"}
        Of a `Model`; a `RefinedModel` has but one.
    max_items, max_seconds : float
        The budget of a sentence, for grammars: a `TransitionModel` needs none.
    fallback : {"none", "flat", "partial"}
        What grammars do without a parse; see `GrammarParser`. A `TransitionModel` always has one.
    beam : int, optional
        Of a `TransitionModel`, by default as in training.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a model.
    """
    kind = kind_of(path)
    if kind in SYSTEMS:
        return TransitionModel.load(path, beam=beam)
    if kind == "refined":
        return RefinedModel.load(
            path, max_items=max_items, max_seconds=max_seconds, fallback=fallback
        )
    return Model.load(
        path, strategy, max_items=max_items, max_seconds=max_seconds, fallback=fallback
    )
