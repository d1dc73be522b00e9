"""A grammar with a trained span scorer, and what the scorer says of a forest, without PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.chart import Forest
from plcfrs.chart.kernel.arrays import Costs
from plcfrs.forest.markovization import MarkovizationSettings
from plcfrs.forest.votes import constituents_in
from plcfrs.grammar import Grammar
from plcfrs.networks.encoding import (
    Float32,
    Int32,
    NetworkSettings,
    Schedule,
    Shapes,
    Vocabulary,
    encoder_shapes,
    linear_shapes,
)
from plcfrs.networks.inputs import TrainedNetwork, further_vectors
from plcfrs.parsers.spans.parts import Forward, Gaps, Part
from plcfrs.settings import setting
from plcfrs.trees import Token


@dataclass(frozen=True)
class SpanSettings(NetworkSettings, MarkovizationSettings):
    """Settings of a span scorer and its training; `plcfrs.parsers.spans.parts` explains `gaps`."""

    usual: ClassVar[Schedule] = Schedule(18, 24)

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
    epochs: int | None = usual.epochs_setting()
    batch: int | None = usual.batch_setting()
    dropout: float = setting(
        0.35, "The part of the network that is left out.", least=0, most=0.9, fraction=True
    )
    word_size: int = 100
    character_size: int = 40
    tag_size: int = 50
    recurrent_size: int = 200
    hidden_size: int = 250


# No part may count more, for or against: networks are surer than they should be.
_HIGHEST = 6.0

# The score of a label that no tree of the training set has.
_UNSEEN = -5.0


class SpanScorer(TrainedNetwork[SpanSettings]):
    """Networks that score constituents by the words at their ends.

    See `TrainedNetwork`; the name of each array begins with the number of its network.
    """

    settings: SpanSettings

    def scores(self, tokens: list[Token], forest: Forest) -> Costs:
        """Return the scores of the items of a forest, float64 array (I,).

        The score of a constituent is the sum over its parts; that of a part the mean log-odds by
        all networks, from -6 to 6. Tags and intermediate symbols score nothing. The tokens have
        tags if these are input.
        """
        numbers = self.vocabulary.numbers([tokens])
        further = further_vectors(self.inputs, [tokens])
        vectors = [forward.borders(numbers, further) for forward in self._forward]

        def log_odds(borders: Int32, labels: Int32) -> list[Float32]:
            pairs = zip(self._forward, vectors, strict=True)
            return [forward.log_odds(each, borders, labels) for forward, each in pairs]

        parts = list(forest_parts(forest, self.settings.gaps))
        return scores_of_parts(len(forest.label), parts, self._numbers, log_odds)

    @cached_property
    def _forward(self) -> list[Forward]:
        parts: list[dict[str, NDArray[np.float32]]] = [{} for _ in range(self.settings.networks)]
        for name, array in self.arrays.items():
            number, _, rest = name.partition(".")
            parts[int(number)][rest] = array
        return list(map(Forward, parts))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.vocabulary.labels)}

    def _shapes(self, further_size: int) -> Shapes:
        return span_shapes(self.settings, self.vocabulary, further_size)


def scores_of_parts(
    size: int,
    parts: Sequence[tuple[int, Part]],
    numbers: Mapping[str, int],
    log_odds: Callable[[Int32, Int32], Sequence[Float32]],
) -> Costs:
    """Return the sums of the scores of parts for so many items, see `SpanScorer.scores`.

    Each part has the number of its item. Labels have numbers; `log_odds` gets borders (parts, 2 or
    4) and labels (parts,), and returns the log-odds of the parts by each network.
    """
    scores = np.zeros(size)
    for length in {len(part.borders) for _, part in parts}:
        chosen = [(item, part) for item, part in parts if len(part.borders) == length]
        labels = np.array([numbers.get(part.label, -1) for _, part in chosen], np.int32)
        borders = np.array([part.borders for _, part in chosen], np.int32)
        mean = np.clip(log_odds(borders, labels), -_HIGHEST, _HIGHEST).mean(0)
        np.add.at(scores, [item for item, _ in chosen], np.where(labels < 0, _UNSEEN, mean))
    return scores


def forest_parts(forest: Forest, gaps: Gaps) -> Iterator[tuple[int, Part]]:
    """Yield the parts of all constituents of a forest, each with its item."""
    for item, found in enumerate(constituents_in(forest)):
        for constituent in found:
            for part in Part.all_of(*constituent, gaps):
                yield item, part


def span_shapes(settings: SpanSettings, vocabulary: Vocabulary, further_size: int = 0) -> Shapes:
    """Return the shapes of the arrays of all networks."""
    units, hidden = 2 * settings.recurrent_size, settings.hidden_size
    shapes = encoder_shapes(settings, vocabulary, further_size)
    for name, spans in (("spans", 1), ("gaps", 3))[: 1 + (settings.gaps == "joint")]:
        shapes |= {f"{name}.borders.weight": (spans * hidden, units), f"{name}.bias": (hidden,)}
        shapes |= linear_shapes(f"{name}.output", hidden, len(vocabulary.labels))
    return {
        f"{number}.{name}": shape
        for number in range(settings.networks)
        for name, shape in shapes.items()
    }


class SpanGrammar(NamedTuple):
    """A grammar of rank 2 at most with a span scorer.

    The shares, float64 (components,), are the cost of each component of each rule, for the search
    (see `ChartParser`).
    """

    grammar: Grammar
    scorer: SpanScorer
    shares: Costs | None = None
