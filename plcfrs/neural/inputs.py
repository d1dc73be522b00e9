"""Further inputs of a network: vectors of words that come from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.pretrained import PretrainedEncoder
from plcfrs.neural.settings import NetworkSettings
from plcfrs.neural.vectors import WordVectors, read_word_vectors
from plcfrs.trees import Token

Float32 = NDArray[np.float32]


class WordInput(Protocol):
    """Vectors of words, such as pretrained ones, that are put beside a network's own."""

    @property
    def title(self) -> str:
        """What it is, for people."""

    @property
    def size(self) -> int:
        """The length of a vector."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""


Input = WordVectors | PretrainedEncoder
"""What a network can have been trained with."""


def read_inputs(settings: NetworkSettings, sentences: Sequence[Sequence[Token]]) -> list[Input]:
    """Return the inputs that settings name, for training.

    Parameters
    ----------
    sentences : sequence of sequence of Token
        The training set, whose words are read from a file of word vectors, among others.
    """
    inputs: list[Input] = []
    if settings.vectors is not None:
        words = {token.form for sentence in sentences for token in sentence}
        inputs.append(read_word_vectors(settings.vectors, words))
    if settings.encoder is not None:
        layers, device = settings.encoder_layers, settings.device
        inputs.append(PretrainedEncoder(settings.encoder, layers, device))
    return inputs


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
