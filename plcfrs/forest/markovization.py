"""How trees are binarized for experts: all experts of a treebank can judge the same forests."""

from __future__ import annotations

from dataclasses import dataclass

from plcfrs.grammar import Markovization
from plcfrs.settings import setting

MARKOVIZATION = Markovization("head-outward", horizontal=1)


@dataclass(frozen=True)
class MarkovizationSettings(Markovization):
    """Settings of the grammar that makes the forests of an expert."""

    horizontal: float = setting(
        MARKOVIZATION.horizontal,
        "How many siblings a Markovized symbol remembers: 0 for a small treebank, whose grammar "
        "would lack parses.",
        least=0,
    )

    @property
    def markovization(self) -> Markovization:
        """How the trees are binarized."""
        return Markovization(self.binarization, self.horizontal, self.vertical)
