"""Settings of span scorers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plcfrs.networks.settings import NetworkSettings
from plcfrs.parsing.markovization import MarkovizationSettings
from plcfrs.settings import setting


@dataclass(frozen=True)
class SpanSettings(NetworkSettings, MarkovizationSettings):
    """Settings of a span scorer and its training; `plcfrs.parsers.spans.parts` explains `gaps`."""

    gaps: Literal["factored", "joint"] = setting(
        "factored",
        "How constituents with gaps are scored: each component alone, or all together.",
    )
    networks: int = setting(1, "How many networks judge together.", least=1, most=100)
    folds: int = setting(
        8,
        "With joint gaps, the number of parts of the trees: what could be a constituent with a gap "
        "in one part is found by a grammar of the others.",
        least=2,
    )
    tags: Literal["given", "own"] = setting(
        "given",
        "The tags that the network sees: given, as in the trees; or own, so that it sees words "
        "alone.",
    )
    epochs: int = setting(18, "Number of passes over all trees.", least=1, stored=False)
    batch: int = setting(24, "Number of sentences that are learned from at once.", least=1)
    dropout: float = setting(
        0.35, "The part of the network that is left out.", least=0, most=0.9, fraction=True
    )
    word_size: int = 100
    character_size: int = 40
    tag_size: int = 50
    recurrent_size: int = 200
    hidden_size: int = 250
