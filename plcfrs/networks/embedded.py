"""Pretrained encoders like BERT inside a model file, run with NumPy.

The results equal those of `plcfrs.networks.pretrained.PretrainedEncoder`, which runs with PyTorch,
up to 1e-4. With fewer bits, layers multiply whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plcfrs.networks.encoding import Float32, Shapes, check_shapes, linear_shapes
from plcfrs.networks.kernel import gelu
from plcfrs.networks.quantization import Matrix, Quantized, quantized, rows_of
from plcfrs.networks.rounded import Linear, linear_layer
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import in_running_text
from plcfrs.threads import one_thread

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LAYERS = 4
"""How many of the last layers are averaged."""

_MOST_PIECES = 512  # in a batch: more do not fit into the processor's cache
_EMBEDDINGS = "embeddings."
_WORDS = f"{_EMBEDDINGS}word_embeddings.weight"
_POSITIONS = f"{_EMBEDDINGS}position_embeddings.weight"
_TYPES = f"{_EMBEDDINGS}token_type_embeddings.weight"


class _Window(NamedTuple):
    """Pieces that are encoded together: a sentence, or a part of a long one.

    Parameters
    ----------
    pieces : list of int
    words : list of int or None
        The word of each piece, in a batch of sentences; None for pieces that mark a window's ends.
    """

    pieces: list[int]
    words: list[int | None]


@dataclass(eq=False, repr=False)
class EmbeddedEncoder:
    """An encoder with its tokenizer and all its weights.

    Parameters
    ----------
    name : str
        The name of the pretrained encoder.
    heads : int
        Attention heads in each layer.
    epsilon : float
        Added to variances.
    longest : int
        The most pieces that it can read at once.
    tokenizer : bytes
        A JSON file of the library tokenizers.
    weights : mapping of str to array or Quantized
        By the names of PyTorch.

    See Also
    --------
    plcfrs.networks.pretrained.PretrainedEncoder
        How the vectors of words are made.
    """

    name: str
    heads: int
    epsilon: float
    longest: int
    tokenizer: bytes
    weights: Mapping[str, Matrix]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out caches when an encoder is pickled."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def title(self) -> str:
        """A line about the encoder, for people."""
        words = self.weights[_WORDS]
        bits = words.bits if isinstance(words, Quantized) else 32
        return f"encoder in this file: {self.name}, {self.size} units, {bits} bits"

    @property
    def size(self) -> int:
        """The length of a vector."""
        return int(self.weights[_WORDS].shape[1])

    @one_thread
    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of sentences, one after the other: (words, size)."""
        windows = sorted(self._windows(sentences), key=lambda window: len(window.pieces))
        total = sum(map(len, sentences))
        sums, counts = np.zeros((total, self.size), np.float32), np.zeros(total, np.int64)
        for batch in until_stopped(_batches(windows)):
            vectors = self._run(batch)
            words = [word for window in batch for word in window.words]
            places = [place for place, word in enumerate(words) if word is not None]
            numbers = [word for word in words if word is not None]
            np.add.at(sums, numbers, vectors[places])
            np.add.at(counts, numbers, 1)
        sums /= np.maximum(counts, 1)[:, None]
        return sums

    def quantized(self, bits: int) -> EmbeddedEncoder:
        """Return the same encoder with fewer bits, see `plcfrs.networks.quantization`."""
        return replace(self, weights=quantized(self.weights, bits))

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        words, positions, types = (self.weights[name] for name in (_WORDS, _POSITIONS, _TYPES))
        inner = self.weights[f"{_layer(0)}intermediate.dense.bias"].shape[0]
        shapes = {
            _POSITIONS: (positions.shape[0], self.size),
            _TYPES: (types.shape[0], self.size),
            **_norm_shapes(f"{_EMBEDDINGS}LayerNorm", self.size),
        }
        for number in range(self._depth):
            shapes |= _layer_shapes(_layer(number), self.size, inner)
        shapes[_WORDS] = (words.shape[0], self.size)
        rounded = {
            name: each.shape for name, each in self.weights.items() if isinstance(each, Quantized)
        }
        check_shapes(
            {name: each for name, each in self.weights.items() if not isinstance(each, Quantized)},
            {name: shape for name, shape in shapes.items() if name not in rounded},
        )
        if (
            any(shapes.get(name) != shape for name, shape in rounded.items())
            or self.heads < 1
            or self.size % self.heads
            or not 0 < self.epsilon < 1
            or not 3 < self.longest <= positions.shape[0]
            or self._tokenizer.get_vocab_size() > words.shape[0]
        ):
            raise ValueError("the encoder is damaged")

    @property
    def _depth(self) -> int:
        return sum(name.endswith("intermediate.dense.bias") for name in self.weights)

    @cached_property
    def _positions(self) -> Float32:
        """What the place of a piece adds, and its only type."""
        added: Float32 = rows_of(self.weights[_POSITIONS]) + rows_of(self.weights[_TYPES])[0]
        return added

    @cached_property
    def _layers(self) -> list[_Layer]:
        settings = self.heads, self.epsilon
        return [_Layer(self.weights, _layer(number), *settings) for number in range(self._depth)]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer  # here, since grammars do not need it

        try:
            tokenizer = Tokenizer.from_str(self.tokenizer.decode())
        except Exception as error:  # the library has no class for damaged files
            raise ValueError("the tokenizer is damaged") from error
        overlap = (self.longest - tokenizer.num_special_tokens_to_add(is_pair=False)) // 2
        tokenizer.enable_truncation(self.longest, stride=overlap)
        tokenizer.no_padding()
        return tokenizer

    def _windows(self, sentences: Sequence[Sequence[str]]) -> Iterator[_Window]:
        """Yield the windows of all sentences; the numbers of words run through all sentences."""
        start = 0
        for sentence in sentences:
            words = list(map(in_running_text, sentence))
            # One by one: a batch would start threads, which worker processes cannot have.
            first = self._tokenizer.encode(words, is_pretokenized=True)
            for each in (first, *first.overflowing):
                numbers = [None if word is None else start + word for word in each.word_ids]
                yield _Window(each.ids, numbers)
            start += len(words)

    def _run(self, windows: Sequence[_Window]) -> Float32:
        """Return the vectors of the pieces of windows, the shortest first: (pieces, size)."""
        lengths = [len(window.pieces) for window in windows]
        rows = rows_of(self.weights[_WORDS], np.concatenate([each.pieces for each in windows]))
        rows += self._positions[np.concatenate(list(map(np.arange, lengths)))]
        _normalize(rows, self.weights, f"{_EMBEDDINGS}LayerNorm.", self.epsilon)
        blocks = [(length, len(list(same))) for length, same in groupby(lengths)]
        total = np.zeros_like(rows)
        for number, layer in enumerate(self._layers):
            rows = layer.run(rows, blocks)
            if number >= self._depth - LAYERS:
                total += rows
        total /= min(self._depth, LAYERS)
        return total


def _batches(windows: Sequence[_Window]) -> Iterator[list[_Window]]:
    """Yield batches of windows with few pieces; they need no padding."""
    batch: list[_Window] = []
    pieces = 0
    for window in windows:
        if batch and pieces + len(window.pieces) > _MOST_PIECES:
            yield batch
            batch, pieces = [], 0
        batch.append(window)
        pieces += len(window.pieces)
    if batch:
        yield batch


class _Layer:
    """A layer of attention and a feed-forward network, each followed by a sum and a norm.

    One matrix product gives the queries, keys and values of attention.
    """

    def __init__(
        self, weights: Mapping[str, Matrix], name: str, heads: int, epsilon: float
    ) -> None:
        self._weights, self._name, self._heads, self._epsilon = weights, name, heads, epsilon
        attention = [f"attention.self.{part}" for part in ("query", "key", "value")]
        self._attention = self._linear(*attention)
        self._mixing = self._linear("attention.output.dense")
        self._inner, self._output = self._linear("intermediate.dense"), self._linear("output.dense")

    def run(self, rows: Float32, blocks: Sequence[tuple[int, int]]) -> Float32:
        """Return the vectors of pieces after this layer, given those before it: (pieces, size).

        Each block is a length, and the number of windows of this length that come next.
        """
        mixed = self._mixing(self._attend(rows, blocks))
        mixed += rows
        self._normalize(mixed, "attention.output.LayerNorm.")
        hidden = self._inner(mixed)
        gelu(hidden)
        output = self._output(hidden)
        output += mixed
        self._normalize(output, "output.LayerNorm.")
        return output

    def _attend(self, rows: Float32, blocks: Sequence[tuple[int, int]]) -> Float32:
        """Return the sums of values, weighted by the attention of each head: (pieces, size)."""
        projected = self._attention(rows)
        projected[:, : rows.shape[1]] *= np.float32((rows.shape[1] / self._heads) ** -0.5)
        sums = np.empty_like(rows)
        start = 0
        for length, number in blocks:
            block = slice(start, start := start + length * number)
            heads = projected[block].reshape(number, length, 3, self._heads, -1)
            queries, keys, values = heads.transpose(2, 0, 3, 1, 4)
            scores = keys @ queries.swapaxes(2, 3)  # NumPy adds rows faster than columns
            scores -= scores.max(2, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(2, keepdims=True)
            out = sums[block].reshape(number, length, self._heads, -1)
            np.matmul(scores.swapaxes(2, 3), values, out=out.swapaxes(1, 2))
        return sums

    def _linear(self, *names: str) -> Linear:
        weights, biases = (
            [self._weights[f"{self._name}{name}.{kind}"] for name in names]
            for kind in ("weight", "bias")
        )
        return linear_layer(weights, list(map(rows_of, biases)))

    def _normalize(self, rows: Float32, name: str) -> None:
        _normalize(rows, self._weights, f"{self._name}{name}", self._epsilon)


def _normalize(rows: Float32, weights: Mapping[str, Matrix], name: str, epsilon: float) -> None:
    """Give rows the mean 0 and the variance 1, then the learned mean and variance, in place."""
    rows -= rows.mean(1, keepdims=True)
    variances = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (1 / np.sqrt(variances + np.float32(epsilon)))[:, None]
    rows *= rows_of(weights[f"{name}weight"])
    rows += rows_of(weights[f"{name}bias"])


def _layer(number: int) -> str:
    """Return the prefix of the names of a layer's weights."""
    return f"encoder.layer.{number}."


def _layer_shapes(name: str, size: int, inner: int) -> Shapes:
    """Return the shapes of the weights of a layer."""
    return {
        **linear_shapes(f"{name}attention.self.query", size, size),
        **linear_shapes(f"{name}attention.self.key", size, size),
        **linear_shapes(f"{name}attention.self.value", size, size),
        **linear_shapes(f"{name}attention.output.dense", size, size),
        **_norm_shapes(f"{name}attention.output.LayerNorm", size),
        **linear_shapes(f"{name}intermediate.dense", size, inner),
        **linear_shapes(f"{name}output.dense", inner, size),
        **_norm_shapes(f"{name}output.LayerNorm", size),
    }


def _norm_shapes(name: str, size: int) -> Shapes:
    return {f"{name}.weight": (size,), f"{name}.bias": (size,)}
