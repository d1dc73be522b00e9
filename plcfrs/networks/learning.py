"""Networks with PyTorch: from words to vectors, and training, with Adam and a moving average.

`plcfrs.networks.encoding` turns words into the same vectors with NumPy. A pretrained encoder may be
an additional input. A frozen one runs once; other ones are trained with the network.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.compiling import working_cpu_time
from plcfrs.learning.runner import AnyModel, Step, Trainer
from plcfrs.networks.encoding import (
    UNKNOWN,
    AnySettings,
    Float32,
    Int32,
    NetworkSettings,
    NetworkVocabulary,
    Numbers,
    check_shapes,
)
from plcfrs.networks.inputs import (
    Input,
    embedded,
    further_size,
    further_vectors,
    read_encoders,
    words_of,
)
from plcfrs.networks.pretrained import PretrainedEncoder
from plcfrs.trees import Token, Tree

# PyTorch keeps the compiled code of LSTMs of the last 1024 sizes. This can take gigabytes, because
# each batch has its own size. PyTorch reads this variable when it compiles the first one.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "32")

_MASKS = 256  # of dropout in the scorers; each row gets one
_PREFIX = "encoder."  # of the names of the weights of an encoder


class EncodedTensors(NamedTuple):
    """The tokens of a batch after each layer of LSTMs, as arrays of (tokens, units)."""

    first: Tensor
    second: Tensor


class Encoder(nn.Module):
    """Words to vectors: embeddings, an LSTM over characters, and two layers over words.

    `further_size` is the length of an additional vector of each token, such as a pretrained one.
    """

    def __init__(
        self, settings: NetworkSettings, vocabulary: NetworkVocabulary, further_size: int = 0
    ) -> None:
        super().__init__()
        words, characters, tags = vocabulary.sizes
        self.has_tags = settings.tags == "given"
        self.dropout = settings.dropout
        self.words = _embedding(words, settings.word_size)
        self.characters = _embedding(characters, settings.character_size)
        self.spelling = TwoWayLSTMModule(settings.character_size, settings.character_size)
        size = settings.word_size + 2 * settings.character_size + further_size
        if self.has_tags:
            self.tags = _embedding(tags, settings.tag_size)
            size += settings.tag_size
        self.first = TwoWayLSTMModule(size, settings.units)
        self.second = TwoWayLSTMModule(2 * settings.units, settings.units)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.words.weight.device

    def encode(self, numbers: Numbers, further: Tensor | None = None) -> EncodedTensors:
        """Return the vectors of all tokens; further vectors have the shape (tokens, size)."""
        lengths = self.tensor(numbers.lengths)
        spelled = self.spelling(
            self.characters(self.tensor(numbers.characters)), numbers.spelling_lengths
        )
        ends = np.cumsum(numbers.spelling_lengths)
        starts = ends - numbers.spelling_lengths
        from_left, from_right = spelled.chunk(2, 1)
        spelled = torch.cat([from_left[self.tensor(ends - 1)], from_right[self.tensor(starts)]], 1)
        parts = [self.words(self.tensor(numbers.words)), spelled[self.tensor(numbers.spellings)]]
        if self.has_tags:
            parts.append(self.tags(self.tensor(numbers.tags)))
        if further is not None:
            parts.append(further)
        first = self.first(self._drop(torch.cat(parts, 1), lengths), numbers.lengths)
        first = self._drop(first, lengths)
        second = self.second(first, numbers.lengths)
        return EncodedTensors(first, self._drop(second, lengths))

    def tensor(self, array: NDArray[np.generic]) -> Tensor:
        """Return an array as a tensor for this network; integers are indices."""
        tensor = torch.from_numpy(array).to(self.device)
        return tensor.long() if array.dtype == np.int32 else tensor

    def _drop(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Leave out the same units of all tokens of a sentence (Gal and Ghahramani 2016)."""
        if not self.training:
            return rows
        kept = torch.ones(len(lengths), rows.shape[1], device=rows.device)
        return rows * functional.dropout(kept, self.dropout).repeat_interleave(lengths, 0)


class TwoWayLSTMModule(nn.Module):
    """An LSTM over sequences from the left, and one from the right.

    Each reads its own copy of the batch, padded at the ends of the sequences. This is faster than
    PyTorch's packed sequences.
    """

    def __init__(self, size: int, units: int) -> None:
        super().__init__()
        self.from_left = _lstm(size, units)
        self.from_right = _lstm(size, units)

    def forward(self, rows: Tensor, lengths: Int32) -> Tensor:
        """Return the vectors of all elements of consecutive sequences."""
        ends = np.cumsum(lengths)
        steps = np.arange(lengths.max())[:, None]
        is_element = steps < lengths
        from_left = np.where(is_element, ends - lengths + steps, 0)
        from_right = np.where(is_element, ends - 1 - steps, 0)
        ways = (self.from_left, from_left), (self.from_right, from_right)
        return torch.cat([_run_in_order(lstm, rows, order, is_element) for lstm, order in ways], 1)


def drop(rows: Tensor, dropout: float) -> Tensor:
    """Leave out some units of each row, with one of a few masks.

    Drawing a mask for each row would take a fifth of the training time. Rows have the shape (rows,
    units).
    """
    masks = torch.ones(_MASKS, rows.shape[1], device=rows.device)
    chosen = torch.randint(_MASKS, (len(rows),), device=rows.device)
    return rows * functional.dropout(masks, dropout)[chosen]


def _run_in_order(
    lstm: nn.LSTM, rows: Tensor, order: NDArray[np.int64], is_element: NDArray[np.bool_]
) -> Tensor:
    """Return the outputs of an LSTM that reads rows in an order of (steps, sequences)."""
    outputs, _ = lstm(rows[torch.from_numpy(order).to(rows.device)])
    places = np.empty(len(rows), np.int64)
    places[order[is_element]] = np.flatnonzero(is_element)
    return torch.index_select(outputs.flatten(0, 1), 0, torch.from_numpy(places).to(rows.device))


def _embedding(number: int, size: int) -> nn.Embedding:
    embedding = nn.Embedding(number, size)
    nn.init.uniform_(embedding.weight, -0.1, 0.1)
    return embedding


def _lstm(size: int, units: int) -> nn.LSTM:
    lstm = nn.LSTM(size, units)
    nn.init.xavier_uniform_(lstm.weight_ih_l0)
    nn.init.orthogonal_(lstm.weight_hh_l0)
    for bias in (lstm.bias_ih_l0, lstm.bias_hh_l0):
        nn.init.zeros_(bias)
    return lstm


class TrainingInputs:
    """The pretrained encoder of a training, if any.

    Parameters
    ----------
    encoders : sequence of PretrainedEncoder
        One or none.
    sentences : sequence of sequence of Token
        The training set.
    half : bool
        Whether the encoder is trained in half precision.

    Attributes
    ----------
    weights : dict of str to Tensor
        The weights of the encoder to train, by name.
    """

    def __init__(
        self,
        encoders: Sequence[PretrainedEncoder],
        sentences: Sequence[Sequence[Token]],
        *,
        half: bool = False,
    ) -> None:
        self.encoders = encoders
        self._half = half
        self._learned = [each for each in encoders if each.weights]
        self._frozen = [_FrozenVectors(each, sentences) for each in encoders if not each.weights]
        self.weights = {
            f"{_PREFIX}{name}": weight
            for each in self._learned
            for name, weight in each.weights.items()
        }

    def encode(self, sentences: Sequence[Sequence[Token]]) -> Float32 | None:
        """Return the vectors of training sentences, None without an encoder."""
        return further_vectors([*self._frozen, *self._learned], sentences)

    def encode_tensor(
        self, sentences: Sequence[Sequence[Token]], device: torch.device
    ) -> Tensor | None:
        """Return the same vectors as a tensor with the gradients of trained weights."""
        for encoder in self._learned:
            with torch.autocast(device.type, torch.bfloat16, enabled=self._half):
                return encoder.encode_tensor(words_of(sentences)).float()
        frozen = further_vectors(self._frozen, sentences)
        return None if frozen is None else torch.from_numpy(frozen).to(device)

    def with_weights(self, weights: Mapping[str, NDArray[Any]]) -> list[PretrainedEncoder]:
        """Return the encoder for a parser, with other weights by the names of `weights`."""
        return [
            each.with_weights({name: weights[f"{_PREFIX}{name}"] for name in each.weights})
            if each.weights
            else each
            for each in self.encoders
        ]


class _FrozenVectors:
    """The vectors of the training sentences from a frozen encoder.

    They are computed at once, so they do not depend on where a training resumes. They have half the
    usual precision, because they take most of the memory of a training.
    """

    def __init__(self, encoder: PretrainedEncoder, sentences: Sequence[Sequence[Token]]) -> None:
        self.size = encoder.size
        # Batches have sentences of about the same length.
        words = sorted(set(map(tuple, words_of(sentences))), key=lambda each: (len(each), each))
        self._vectors = encoder.encode(words).astype(np.float16)
        starts = np.cumsum([0, *map(len, words)]).tolist()
        self._places = dict(zip(words, map(slice, starts, starts[1:]), strict=True))

    def encode(self, sentences: Sequence[Sequence[str]]) -> Float32:
        """Return the vectors of all words of training sentences."""
        rows = [self._vectors[self._places[tuple(sentence)]] for sentence in sentences]
        return np.concatenate(rows, dtype=np.float32)


Arrays = Mapping[str, NDArray[np.float32]]
AnyNetwork = TypeVar("AnyNetwork", bound=nn.Module)

# The share of the average that each step keeps; less in the first steps.
_AVERAGE_KEPT = 0.998
_FIRST_STEPS = 10

_BETAS = (0.9, 0.9)  # of Adam, as in the parser of Dozat and Manning (2017)
_ENCODER_BETAS = (0.9, 0.999)  # as encoders were pretrained
_LONGEST_GRADIENT = 5.0

# A word seen n times counts as unknown with the probability z / (z + n) (Cross and Huang 2016).
_Z = 0.8375

_MOMENTS = ("exp_avg", "exp_avg_sq")  # of Adam, as PyTorch calls them


class NetworkState(NamedTuple):
    """What a checkpoint contains; the arrays have the names of the weights."""

    steps: int
    weights: Arrays
    averages: Arrays
    means: Arrays  # of the gradients, and of their squares
    squares: Arrays


class NetworkTrainer(Trainer[AnyModel], Generic[AnyModel, AnyNetwork, AnySettings]):
    """The training of a network, epoch by epoch.

    The same seed gives the same network on the same machine with the same number of threads. The
    vocabulary has the given labels.
    """

    unit = "epoch"
    can_resume = True
    settings: AnySettings

    def __init__(
        self,
        trees: Sequence[Tree],
        settings: AnySettings,
        about: Mapping[str, str],
        labels: Sequence[str],
    ) -> None:
        super().__init__(trees, settings, about)
        epochs, self._batch = settings.schedule(len(trees))
        self.settings = replace(settings, epochs=epochs, batch=self._batch)
        self.rounds = range(1, epochs + 1)
        self.patience = settings.patience
        self._steps = 0
        self._sentences = sentences = [tree.tokens for tree in trees]
        self.vocabulary = vocabulary = NetworkVocabulary.of(sentences, labels)
        encoders = read_encoders(settings)
        words = Counter(token.form for sentence in sentences for token in sentence)
        counts = np.array([1, *(words[word] for word in vocabulary.words)])
        self._word_dropout = _Z / (_Z + counts)
        self._inputs = TrainingInputs(encoders, sentences, half=settings.half)
        with self._torch(0):
            network = self._new_network(further_size(encoders))
        self._network = network.to(settings.device)
        self._learned = {**dict(network.named_parameters()), **self._inputs.weights}
        self._averages = {name: tensor.clone() for name, tensor in self._weights().items()}
        self._adam = torch.optim.Adam(
            [
                {"params": network.parameters(), "rate": settings.rate, "betas": _BETAS},
                {
                    "params": self._inputs.weights.values(),
                    "rate": settings.encoder_rate,
                    "betas": _ENCODER_BETAS,
                },
            ]
        )

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once, in a new order.

        The loss is the mean negative log probability per token.
        """
        start, total = working_cpu_time(), 0.0
        self.about |= {"epochs": str(number)}
        random = np.random.default_rng([self.settings.seed, number])
        for group in self._adam.param_groups:
            group["lr"] = group["rate"] * self.settings.decay ** (number - 1)
        with self._torch(number):
            self._prepare(number, random)
            self._network.train()
            for batch in batches(list(map(len, self._sentences)), self._batch, random):
                total += self._learn(batch, random)
                for _ in batch:
                    step()
        loss = total / sum(map(len, self._sentences))
        return {"loss": round(loss, 4), "seconds": round(working_cpu_time() - start, 2)}

    @property
    def state(self) -> NetworkState:
        """The number of steps, the weights so far, their averages, and the moments of Adam."""
        moments = (
            # Adam has none before the first epoch.
            {
                name: self._adam.state[weight].get(moment, torch.zeros_like(weight))
                for name, weight in self._learned.items()
            }
            for moment in _MOMENTS
        )
        parts = (self._weights(), self._averages, *moments)
        arrays = ({name: each.cpu().numpy() for name, each in part.items()} for part in parts)
        return NetworkState(self._steps, *arrays)

    def restore(self, state: NetworkState) -> None:
        """Continue from the weights of a state."""
        shapes = {name: tuple(weight.shape) for name, weight in self._learned.items()}
        for part in state[1:]:
            check_shapes(part, shapes)
        for name, weight in self._learned.items():
            new, average, *moments = (torch.from_numpy(part[name].copy()) for part in state[1:])
            weight.data.copy_(new)
            self._averages[name].copy_(average)
            moved = [each.to(weight.device) for each in moments]
            self._adam.state[weight] = {
                "step": torch.tensor(float(state.steps)),
                **dict(zip(_MOMENTS, moved, strict=True)),
            }
        self._steps = state.steps

    @abstractmethod
    def _new_network(self, further_size: int) -> AnyNetwork:
        """Return the network with its first weights."""

    @abstractmethod
    def _loss(self, batch: Sequence[int], numbers: Numbers, further: Tensor | None) -> Tensor:
        """Return the sum of the negative log probabilities of the targets of a batch.

        The batch has the numbers of its sentences. In `numbers`, some words count as unknown. The
        further vectors have the shape (tokens, further size).
        """

    def _prepare(self, epoch: int, random: np.random.Generator) -> None:
        """Make the examples of an epoch, if epochs have their own."""

    def _average_weights(self) -> tuple[dict[str, NDArray[Any]], list[Input]]:
        """Return the network's averaged weights so far, and the inputs with theirs."""
        averages = {name: tensor.cpu().numpy().copy() for name, tensor in self._averages.items()}
        network = {name: averages[name] for name, _ in self._network.named_parameters()}
        encoders = self._inputs.with_weights(averages)
        return network, embedded(encoders) if self.settings.embed else list(encoders)

    def _arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights so far."""
        return {name: weight.cpu().numpy() for name, weight in self._weights().items()}

    def _numbers_of(self, batch: Sequence[int]) -> tuple[Numbers, Float32 | None]:
        """Return training sentences as numbers, and their further vectors."""
        sentences = [self._sentences[number] for number in batch]
        return self.vocabulary.numbers(sentences), self._inputs.encode(sentences)

    def _weights(self) -> dict[str, Tensor]:
        return {name: weight.detach() for name, weight in self._learned.items()}

    def _learn(self, batch: Sequence[int], random: np.random.Generator) -> float:
        """Take a step of Adam on a batch, and return the sum of its losses."""
        sentences = [self._sentences[number] for number in batch]
        numbers = self.vocabulary.numbers(sentences)
        is_dropped = random.random(len(numbers.words)) < self._word_dropout[numbers.words]
        words = np.where(is_dropped, np.int32(UNKNOWN), numbers.words)
        further = self._inputs.encode_tensor(sentences, torch.device(self.settings.device))
        loss = self._loss(batch, numbers._replace(words=words), further)
        self._adam.zero_grad()
        (loss / len(words)).backward()
        torch.nn.utils.clip_grad_norm_(self._learned.values(), _LONGEST_GRADIENT)
        self._adam.step()
        self._average()
        return float(loss.detach())

    def _average(self) -> None:
        self._steps += 1
        kept = min(_AVERAGE_KEPT, self._steps / (_FIRST_STEPS + self._steps))
        for name, weight in self._weights().items():
            self._averages[name].lerp_(weight, 1 - kept)

    @contextmanager
    def _torch(self, epoch: int) -> Iterator[None]:
        """Set the threads and the random numbers of PyTorch for an epoch."""
        threads = torch.get_num_threads()
        torch.set_num_threads(self.settings.threads or threads)
        try:
            with torch.random.fork_rng():
                torch.manual_seed(self.settings.seed * 1_000_003 + epoch)
                yield
        finally:
            torch.set_num_threads(threads)


def batches(lengths: Sequence[int], size: int, random: np.random.Generator) -> list[list[int]]:
    """Return the numbers of sentences in random batches of sentences of about equal length.

    >>> batches([9, 2, 9, 2, 2], 2, np.random.default_rng(1))
    [[0], [1, 2], [4, 3]]
    """
    noisy = np.asarray(lengths) * random.uniform(0.9, 1.1, len(lengths))
    order = noisy.argsort().tolist()
    parts = [order[start : start + size] for start in range(0, len(order), size)]
    return [parts[number] for number in random.permutation(len(parts))]
