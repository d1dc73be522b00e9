"""Settings of the parsers of dependencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plcfrs.settings import check_settings, setting

BackboneName = Literal["second-order", "first-order", "projective", "udpipe"]

MOST_CANDIDATES = 100


@dataclass(frozen=True)
class Settings:
    """Settings of a parser of dependencies.

    >>> Settings("projective", epochs=5).epochs
    5
    """

    backbone: BackboneName = setting(
        "second-order",
        "How dependencies are found: with siblings and grandparents, by arcs alone, the best "
        "projective ones by arcs alone, or by UDPipe.",
    )
    candidates: int = setting(
        10,
        "Number of heads among which the second order chooses, for each word.",
        least=1,
        most=MOST_CANDIDATES,
    )
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
    epochs: int = setting(10, "Number of passes over all trees.", least=1, stored=False)

    def __post_init__(self) -> None:
        check_settings(self)
