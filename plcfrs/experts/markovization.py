"""How trees are binarized for experts: experts of one treebank can judge the same forests."""

from __future__ import annotations

from dataclasses import dataclass

from plcfrs.binarization import Markovization, Order
from plcfrs.settings import check_settings, setting

MARKOVIZATION = Markovization("head-outward", horizontal=1)


@dataclass(frozen=True)
class MarkovizationSettings:
    """Settings of the grammar that makes the forests of an expert."""

    binarization: Order = setting(MARKOVIZATION.order, "Which children are split off first.")
    horizontal: float = setting(
        MARKOVIZATION.horizontal,
        "How many siblings a Markovized symbol remembers: 0 for a small treebank, whose grammar "
        "would lack parses.",
        least=0,
    )
    vertical: float = setting(
        MARKOVIZATION.vertical,
        "Number of categories in a symbol: 1 is its own.",
        least=1,
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def markovization(self) -> Markovization:
        """How the trees are binarized."""
        return Markovization(self.binarization, self.horizontal, self.vertical)
