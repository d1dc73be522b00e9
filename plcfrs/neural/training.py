"""Training of set-based parsers with PyTorch: Adam, and the moving average of the weights."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from plcfrs.neural.forward import Forward
from plcfrs.neural.inputs import WordInput, further_size
from plcfrs.neural.network import Network
from plcfrs.neural.parser import BATCH, SetParser
from plcfrs.neural.settings import Settings
from plcfrs.neural.shapes import check_shapes
from plcfrs.neural.targets import Targets, batches, targets_of
from plcfrs.neural.training_inputs import TrainingInputs
from plcfrs.neural.vocabulary import UNKNOWN, Numbers, Vocabulary
from plcfrs.transition.sets.constituents import constituents_of, inventory
from plcfrs.transition.sets.examples import Example, example
from plcfrs.transition.sets.search import sample
from plcfrs.trees import Token, Tree

# The share of the average that is kept at each step; less in the first steps.
_KEPT = 0.998
_FIRST_STEPS = 10

_BETAS = (0.9, 0.9)  # of Adam, as in the parser of Dozat and Manning (2017)
_ENCODER_BETAS = (0.9, 0.999)  # as encoders were pretrained
_LONGEST_GRADIENT = 5.0

# A word seen n times is taken for unknown with the probability z / (z + n) (Cross and Huang 2016).
_Z = 0.8375

# The names of the arrays of a state.
_WEIGHTS, _AVERAGES, _MOMENTS = "weights.", "averages.", ("exp_avg", "exp_avg_sq")


class EpochReport(NamedTuple):
    """The report of an epoch.

    Parameters
    ----------
    epoch : int
        The number of the epoch, from 1.
    loss : float
        The mean of the negative log probability of what is learned at a token.
    seconds : float
        CPU time in seconds.
    """

    epoch: int
    loss: float
    seconds: float


class Training:
    """Training, epoch by epoch.

    The same seed gives the same parser on one machine with one number of threads.

    Parameters
    ----------
    trees : iterable of Tree
        Transformed.
    settings : Settings
    inputs : sequence of WordInput
        Further vectors of the words, see `plcfrs.neural.inputs.read_inputs`.
    """

    def __init__(
        self, trees: Iterable[Tree], settings: Settings, inputs: Sequence[WordInput] = ()
    ) -> None:
        self.settings = settings
        self.epoch = 0
        self._steps = 0
        self._sentences: list[list[Token]] = []
        self._golds: list[dict[int, str]] = []
        for tree in trees:
            self._sentences.append(tree.tokens)
            self._golds.append(constituents_of(tree))
        self.vocabulary = Vocabulary.of(self._sentences, inventory(self._golds))
        self._labels = {label: number for number, label in enumerate(self.vocabulary.labels)}
        self._derivations = [
            self._example(number) for number in range(len(self._sentences))
        ]  # of the oracle
        words = Counter(token.form for sentence in self._sentences for token in sentence)
        counts = np.array([1, *(words[word] for word in self.vocabulary.words)])
        self._word_dropout = _Z / (_Z + counts)
        self._inputs = TrainingInputs(inputs, self._sentences)
        with self._torch(0):
            network = Network(settings, self.vocabulary, further_size(inputs))
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

    def run_epoch(self, step: Callable[[], object] = lambda: None) -> EpochReport:
        """Learn from all trees once, in a new order.

        Parameters
        ----------
        step : callable
            Called after each sentence.
        """
        start = time.process_time()
        self.epoch += 1
        random = np.random.default_rng([self.settings.seed, self.epoch])
        for group in self._adam.param_groups:
            group["lr"] = group["rate"] * self.settings.decay ** (self.epoch - 1)
        total = 0.0
        with self._torch(self.epoch):
            examples = self._explore(random)
            self._network.train()
            for batch in batches(list(map(len, self._sentences)), self.settings.batch, random):
                sentences = [self._sentences[number] for number in batch]
                total += self._learn(sentences, [examples[number] for number in batch], random)
                for _ in batch:
                    step()
        tokens = sum(map(len, self._sentences))
        return EpochReport(self.epoch, total / tokens, time.process_time() - start)

    def parser(self) -> SetParser:
        """Return a parser with the average of the weights so far."""
        averages = {name: tensor.cpu().numpy().copy() for name, tensor in self._averages.items()}
        inputs = self._inputs.with_weights(averages)
        network = {name: averages[name] for name, _ in self._network.named_parameters()}
        return SetParser(self.settings, self.vocabulary, network, inputs)

    def header(self) -> dict[str, str]:
        """Return the state of the training as text."""
        return {"epoch": str(self.epoch), "steps": str(self._steps)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights so far, their averages, and the moments of Adam."""
        arrays = {f"{_WEIGHTS}{name}": each for name, each in self._weights().items()}
        arrays |= {f"{_AVERAGES}{name}": each for name, each in self._averages.items()}
        for name, weight in self._learned.items():
            for moment in _MOMENTS:
                arrays[f"{moment}.{name}"] = self._adam.state[weight][moment]
        return {name: each.cpu().numpy() for name, each in arrays.items()}

    def resume(self, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Resume a training with the same trees and settings after the end of an epoch.

        Parameters
        ----------
        header : mapping of str to str
        arrays : mapping of str to array

        Raises
        ------
        KeyError, ValueError
            If something is missing or damaged.
        """
        shapes = {name: tuple(weight.shape) for name, weight in self._learned.items()}
        kinds = (_WEIGHTS, _AVERAGES, *(f"{moment}." for moment in _MOMENTS))
        check_shapes(
            arrays, {f"{kind}{name}": shape for kind in kinds for name, shape in shapes.items()}
        )
        epoch, steps = int(header["epoch"]), int(header["steps"])
        state = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
        for name, weight in self._learned.items():
            weight.data.copy_(state[f"{_WEIGHTS}{name}"])
            self._averages[name].copy_(state[f"{_AVERAGES}{name}"])
            moments = {each: state[f"{each}.{name}"].to(weight.device) for each in _MOMENTS}
            self._adam.state[weight] = {"step": torch.tensor(float(steps)), **moments}
        self.epoch, self._steps = epoch, steps

    def _weights(self) -> dict[str, Tensor]:
        return {name: weight.detach() for name, weight in self._learned.items()}

    def _example(self, number: int, steps: Sequence[int] | None = None) -> Example:
        gold, length = self._golds[number], len(self._sentences[number])
        return example(gold, length, self._labels, steps)

    def _explore(self, random: np.random.Generator) -> list[Example]:
        """Return the examples of an epoch; after the first one, some are of sampled derivations."""
        examples = list(self._derivations)
        settings = self.settings
        if settings.oracle == "static" or self.epoch == 1:
            return examples
        is_whole = settings.explored == "sentences"
        share = settings.exploration if is_whole else 1.0
        is_chosen = random.random(len(examples)) < share
        chosen = sorted(
            np.flatnonzero(is_chosen).tolist(), key=lambda number: len(self._sentences[number])
        )
        weights = {name: weight.cpu().numpy() for name, weight in self._weights().items()}
        forward = Forward(weights)
        for start in range(0, len(chosen), BATCH):
            part = chosen[start : start + BATCH]
            sentences = [self._sentences[number] for number in part]
            numbers = self.vocabulary.numbers(sentences)
            scorer = forward.scorer(forward.encode(numbers, self._inputs.encode(sentences)))
            golds = None if is_whole else [self._golds[number] for number in part]
            follow = 1.0 if is_whole else settings.exploration
            sampled = sample(numbers.lengths.tolist(), scorer, random, golds, follow)
            for number, steps in zip(part, sampled, strict=True):
                examples[number] = self._example(number, steps)
        return examples

    def _learn(
        self,
        sentences: Sequence[list[Token]],
        examples: Sequence[Example],
        random: np.random.Generator,
    ) -> float:
        """Take a step of Adam on a batch, and return the sum of its losses."""
        numbers = self.vocabulary.numbers(sentences)
        is_dropped = random.random(len(numbers.words)) < self._word_dropout[numbers.words]
        words = np.where(is_dropped, np.int32(UNKNOWN), numbers.words)
        loss = loss_of(
            self._network,
            numbers._replace(words=words),
            targets_of(examples, numbers.lengths),
            self._inputs.encode_tensor(sentences, self._network.device),
        )
        self._adam.zero_grad()
        (loss / len(words)).backward()
        torch.nn.utils.clip_grad_norm_(self._learned.values(), _LONGEST_GRADIENT)
        self._adam.step()
        self._average()
        return float(loss.detach())

    def _average(self) -> None:
        self._steps += 1
        kept = min(_KEPT, self._steps / (_FIRST_STEPS + self._steps))
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


def loss_of(
    network: Network, numbers: Numbers, targets: Targets, further: Tensor | None = None
) -> Tensor:
    """Return the sum of the negative log probabilities of what a batch has to learn."""
    encoded = network.encode(numbers, further)
    scores = network.score_structure(encoded.second, targets.candidates)
    filled = torch.cat([scores, scores.new_full((1,), -torch.inf)])
    tensor = network.tensor
    loss = functional.cross_entropy(
        filled[tensor(targets.places)], tensor(targets.right), reduction="sum"
    )
    labels = network.score_labels(encoded.second, targets.labelled)
    loss = loss + functional.cross_entropy(labels, tensor(targets.label), reduction="sum")
    if not network.has_tags:
        tags = network.tagger(encoded.first)
        loss = loss + functional.cross_entropy(tags, tensor(numbers.tags), reduction="sum")
    return loss
