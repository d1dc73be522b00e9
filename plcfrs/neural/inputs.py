"""Further inputs of a network: vectors of words that come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plcfrs.neural.pretrained import PretrainedEncoder
from plcfrs.neural.settings import NetworkSettings
from plcfrs.neural.vectors import WordVectors, read_word_vectors
from plcfrs.storage.model_file import ModelFile
from plcfrs.trees import Token

Float32 = NDArray[np.float32]


class WordInput(Protocol):
    """Vectors of words, such as pretrained ones, that are put beside a network's own.

    Attributes
    ----------
    prefix : str
        Of the names of its texts and arrays in a file.
    """

    prefix: str

    @property
    def title(self) -> str:
        """What it is, for people."""

    @property
    def size(self) -> int:
        """The length of a vector."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""

    def header(self) -> Mapping[str, str]:
        """Return the texts by name."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the arrays by name."""


def read_inputs(settings: NetworkSettings, sentences: Sequence[Sequence[Token]]) -> list[WordInput]:
    """Return the inputs that settings name, for training.

    Parameters
    ----------
    settings : NetworkSettings
    sentences : sequence of sequence of Token
        The training set, whose words are read from a file of word vectors, among others.

    Raises
    ------
    InputError
        If the word vectors or the pretrained encoder cannot be read.
    """
    inputs: list[WordInput] = []
    if settings.vectors is not None:
        words = {token.form for sentence in sentences for token in sentence}
        inputs.append(read_word_vectors(settings.vectors, words))
    if settings.encoder is not None:
        layers, device = settings.encoder_layers, settings.device
        inputs.append(PretrainedEncoder(settings.encoder, layers, device))
    return inputs


def contents_of(inputs: Sequence[WordInput]) -> ModelFile:
    """Return the texts and arrays of inputs, with their prefixes."""
    return ModelFile.of("", {}, {each.prefix: each for each in inputs})


def split_inputs(
    header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]
) -> tuple[list[WordInput], dict[str, NDArray[Any]]]:
    """Return the inputs among the texts and arrays of a parser, and the other arrays.

    Raises
    ------
    InputError
        If a pretrained encoder cannot be loaded.
    KeyError, ValueError
        If something is missing or damaged.
    """
    contents = ModelFile("", dict(header), dict(arrays))
    inputs = list(_inputs_of(contents))
    prefixes = tuple(each.prefix for each in inputs)
    others = {name: each for name, each in arrays.items() if not name.startswith(prefixes)}
    return inputs, others


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


def _inputs_of(contents: ModelFile) -> Iterator[WordInput]:
    for kind in (WordVectors, PretrainedEncoder):
        part = contents.part(kind.prefix)
        if part.arrays:
            yield kind.from_arrays(part.header, part.arrays)
