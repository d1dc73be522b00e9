"""Further inputs of a network in training: a frozen encoder runs once, another one is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plcfrs.neural.inputs import Float32, Input, WordInput, further_vectors, words_of
from plcfrs.neural.pretrained import PretrainedEncoder
from plcfrs.trees import Token

_PREFIX = "encoder."  # of the names of the weights of an encoder


class TrainingInputs:
    """The further inputs of a training.

    Parameters
    ----------
    inputs : sequence of Input
        An encoder whose weights are learned is the last one.
    sentences : sequence of sequence of Token
        The training set.

    Attributes
    ----------
    weights : dict of str to Tensor
        Those of an encoder that are learned, by name.
    """

    def __init__(self, inputs: Sequence[Input], sentences: Sequence[Sequence[Token]]) -> None:
        self.inputs = inputs
        learned = [each for each in inputs if isinstance(each, PretrainedEncoder) and each.weights]
        self._learned = learned[0] if learned else None
        self._fixed: list[WordInput] = [
            _Remembered(each, sentences) if isinstance(each, PretrainedEncoder) else each
            for each in inputs
            if each is not self._learned
        ]
        self.weights = {
            f"{_PREFIX}{name}": weight for each in learned for name, weight in each.weights.items()
        }

    def encode(self, sentences: Sequence[Sequence[Token]]) -> Float32 | None:
        """Return the vectors of training sentences side by side, None without inputs."""
        learned = [] if self._learned is None else [self._learned]
        return further_vectors([*self._fixed, *learned], sentences)

    def encode_tensor(
        self, sentences: Sequence[Sequence[Token]], device: torch.device
    ) -> Tensor | None:
        """Return them as a tensor with the gradients of what is learned."""
        fixed = further_vectors(self._fixed, sentences)
        parts = [] if fixed is None else [torch.from_numpy(fixed).to(device)]
        if self._learned is not None:
            parts.append(self._learned.encode_tensor(words_of(sentences)))
        return torch.cat(parts, 1) if parts else None

    def with_weights(self, weights: Mapping[str, NDArray[Any]]) -> list[Input]:
        """Return the inputs for a parser, with other weights than those that are learned.

        Parameters
        ----------
        weights : mapping of str to array
            By the names of `weights`.
        """
        return [self._changed(each, weights) for each in self.inputs]

    def _changed(self, each: Input, weights: Mapping[str, NDArray[Any]]) -> Input:
        if self._learned is None or each is not self._learned:
            return each
        return self._learned.with_weights(
            {name: weights[f"{_PREFIX}{name}"] for name in self._learned.weights}
        )


class _Remembered:
    """A frozen encoder and its vectors of the training sentences.

    They are computed at once, so that they do not depend on where a training is resumed, and are
    kept with half the usual precision, since they are most of the memory of a training.
    """

    def __init__(self, encoder: PretrainedEncoder, sentences: Sequence[Sequence[Token]]) -> None:
        self.size, self.title = encoder.size, encoder.title
        # Sentences of about the same length go well together.
        words = sorted(set(map(tuple, words_of(sentences))), key=lambda each: (len(each), each))
        self._vectors = encoder.encode(words).astype(np.float16)
        starts = np.cumsum([0, *map(len, words)]).tolist()
        self._places = dict(zip(words, map(slice, starts, starts[1:]), strict=True))

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of training sentences."""
        rows = [self._vectors[self._places[tuple(sentence)]] for sentence in sentences]
        return np.concatenate(rows, dtype=np.float32)
