"""Settings of training the weights of features."""

from __future__ import annotations

from dataclasses import dataclass

from plcfrs.experts import MarkovizationSettings
from plcfrs.settings import setting


@dataclass(frozen=True)
class Settings(MarkovizationSettings):
    """Settings of training the weights of features; the defaults did best on a development set.

    Parameters
    ----------
    binarization, horizontal, vertical
        Of the binarization, see `plcfrs.binarization.Markovization`.
    epochs : int
    folds : int
    seed : int

    Raises
    ------
    InputError
        If a value is not possible.
    """

    epochs: int = setting(4, "Number of passes over all trees.", least=0)
    folds: int = setting(
        8,
        "Number of parts of the trees: the forests of each part come from a grammar of the others.",
        least=2,
    )
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
