"""Pretrained encoders as inputs of a network, and a trained network that may use them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol

import numpy as np

from plcfrs.networks.embedded import EmbeddedEncoder
from plcfrs.networks.encoding import (
    AnySettings,
    Float32,
    NetworkSettings,
    NetworkVocabulary,
    Shapes,
    check_shapes,
)
from plcfrs.networks.pretrained import PretrainedEncoder
from plcfrs.networks.quantization import Quantized, quantized
from plcfrs.trees import Token

if TYPE_CHECKING:
    from typing_extensions import Self


class WordInput(Protocol):
    """Vectors of words that a network gets beside its own."""

    @property
    def size(self) -> int:
        """The length of a vector."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""


Input = PretrainedEncoder | EmbeddedEncoder
"""An additional input of a network."""


def read_encoders(settings: NetworkSettings) -> list[PretrainedEncoder]:
    """Return the encoder that settings name, if any, for training."""
    if settings.encoder is None:
        return []
    encoder = PretrainedEncoder(settings.encoder, settings.encoder_layers, settings.device)
    if settings.embed:
        encoder.check_embeddable()
    return [encoder]


def embedded(inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs with encoders that need no PyTorch.

    Raises
    ------
    InputError
        If only PyTorch can run an encoder.
    """
    return [each.embedded() if isinstance(each, PretrainedEncoder) else each for each in inputs]


def further_size(inputs: Sequence[WordInput]) -> int:
    """Return the length of the vectors of all inputs together."""
    return sum(each.size for each in inputs)


def further_vectors(
    inputs: Sequence[WordInput], sentences: Sequence[Sequence[Token]]
) -> Float32 | None:
    """Return the vectors of all inputs side by side, None without inputs."""
    if not inputs:
        return None
    words = words_of(sentences)
    return np.hstack([each.encode(words) for each in inputs])


def words_of(sentences: Sequence[Sequence[Token]]) -> list[list[str]]:
    """Return the words of sentences."""
    return [[token.form for token in sentence] for sentence in sentences]


@dataclass(eq=False, repr=False)
class TrainedNetwork(ABC, Generic[AnySettings]):
    """A trained network, without PyTorch: its weights by name, and the inputs of its training.

    Parameters
    ----------
    settings : NetworkSettings
    vocabulary : NetworkVocabulary
    network : mapping of str to array
        The weights of 32 bits.
    inputs : sequence of Input
    rounded : mapping of str to Quantized
        The weights with fewer bits.
    """

    settings: AnySettings
    vocabulary: NetworkVocabulary
    network: Mapping[str, Float32]
    inputs: Sequence[Input] = ()
    rounded: Mapping[str, Quantized] = field(default_factory=dict, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out caches when a network is pickled."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def arrays(self) -> dict[str, Float32]:
        """All weights of the network."""
        return {**self.network, **{name: each.rows() for name, each in self.rounded.items()}}

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        check_shapes(self.arrays, self._shapes(further_size(self.inputs)))

    def quantized(self, bits: int) -> Self:
        """Return the same network and its encoder with fewer bits; the encoder needs no PyTorch.

        Raises
        ------
        InputError
            If the number of bits is not possible, or only PyTorch can run the encoder.
        """
        arrays = quantized(self.arrays, bits)
        inputs = [
            each.quantized(bits) if isinstance(each, EmbeddedEncoder) else each
            for each in embedded(self.inputs)
        ]
        rounded = {name: each for name, each in arrays.items() if isinstance(each, Quantized)}
        network = {name: each for name, each in arrays.items() if not isinstance(each, Quantized)}
        settings = self.settings
        if settings.encoder is not None:  # its folder is not needed any more
            settings = replace(settings, encoder=Path(settings.encoder).name)
        return replace(self, settings=settings, network=network, inputs=inputs, rounded=rounded)

    def lines(self, about: Mapping[str, str], *labels: str) -> list[str]:
        """Return lines for `plcfrs inspect`: how it was made, its words, labels and inputs."""
        weights = sum(array.size for array in self.arrays.values())
        rounded = sorted({each.bits for each in self.rounded.values()})
        bits = "".join(f", rounded to {number} bits" for number in rounded)
        needs = [each for each in self.inputs if isinstance(each, PretrainedEncoder)]
        return [
            *(f"  {key}: {value}" for key, value in about.items()),
            f"  words: {len(self.vocabulary.words)} seen at least twice",
            *(f"  {each}" for each in labels),
            f"  weights: {weights:,}{bits}",
            *(f"  {each.title}" for each in self.inputs),
            f"  needs to parse: {'PyTorch, and the encoder' if needs else 'this file alone'}",
        ]

    @abstractmethod
    def _shapes(self, further_size: int) -> Shapes:
        """Return the shapes of all arrays of the network."""
