"""The training of the head of functions, with PyTorch, over a trained network.

The network does not change: its tags, transitions and spans are the same with and without the head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plcfrs.networks.learning import batches
from plcfrs.networks.quantization import Matrix, Quantized, quantized
from plcfrs.parsers.neural.functions import CATEGORIES, PREFIX, TOKENS, FunctionRows, Functions
from plcfrs.parsers.neural.network import BATCH, NeuralNetwork
from plcfrs.parsers.neural.scorers import SlotScorer
from plcfrs.stopping import until_stopped
from plcfrs.trees import Tree

_RATE = 0.001  # of Adam at first; it falls to 0
_DROPOUT = 0.2  # of the vectors of tokens

# The share of the epochs that the network has learned: of the default, six.
_EPOCHS = 0.5


class FunctionScorer(nn.Module):
    """Scores the functions of children of nodes from tokens and from categories."""

    def __init__(self, size: int, hidden: int, functions: Functions, dropout: float) -> None:
        super().__init__()
        rows = CATEGORIES * (len(functions.categories) + 1)
        self.categories = nn.Parameter(torch.empty(rows, hidden).normal_(std=0.1))
        self.tokens = SlotScorer(TOKENS, size, hidden, len(functions.labels), dropout)

    def forward(self, vectors: Tensor, tokens: Tensor, categories: Tensor) -> Tensor:
        """Return the scores of all functions, as a tensor of (children, labels)."""
        vectors = functional.pad(vectors, (0, 0, 0, 1))  # the last row is for no token
        sums = self.tokens.sums(vectors, tokens % len(vectors))
        sums = sums + functional.embedding_bag(categories, self.categories, mode="sum")
        return self.tokens.finish(sums)


class _Lesson(NamedTuple):
    """What the head learns from a tree: the vectors of its tokens, and its children."""

    vectors: NDArray[np.float16]  # with half the usual precision, because they take most memory
    rows: FunctionRows


def learn_functions(network: NeuralNetwork, trees: Sequence[Tree], seed: int) -> NeuralNetwork:
    """Return a network with a head of functions, which has as few bits as the network.

    If the trees have no functions, or the network has no head of spans, it is returned as it is.
    """
    functions = Functions.of(map(_bare, trees)) if network.settings.has_spans else None
    if functions is None:
        return network
    lessons = list(_lessons(network, functions, map(_bare, trees)))
    size, settings = lessons[0].vectors.shape[1], network.settings
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        head = FunctionScorer(size, settings.span_size, functions, settings.dropout)
        epochs, batch = settings.schedule(len(lessons))
        _learn(head, lessons, ceil(_EPOCHS * epochs), batch, seed)
    return _with_head(network, head, functions)


def _bare(tree: Tree) -> Tree:
    return tree.copy().forget_splits()


def _lessons(
    network: NeuralNetwork, functions: Functions, trees: Iterable[Tree]
) -> Iterator[_Lesson]:
    """Yield the lessons of the trees with functions."""
    pairs = ((tree.tokens, functions.rows_to_learn(tree)) for tree in until_stopped(trees))
    chosen = (pair for pair in pairs if len(pair[1].labels))
    while batch := list(islice(chosen, BATCH)):
        vectors = network.token_vectors([tokens for tokens, _ in batch])
        for each, (_, rows) in zip(vectors, batch, strict=True):
            yield _Lesson(each.astype(np.float16), rows)


def _learn(
    head: FunctionScorer, lessons: Sequence[_Lesson], epochs: int, batch: int, seed: int
) -> None:
    lengths = [len(lesson.vectors) for lesson in lessons]
    steps = epochs * ceil(len(lessons) / batch)
    adam = torch.optim.Adam(head.parameters(), lr=_RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, steps)
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        for numbers in until_stopped(batches(lengths, batch, random)):
            loss = _loss(head, [lessons[number] for number in numbers])
            adam.zero_grad()
            loss.backward()
            adam.step()
            schedule.step()


def _loss(head: FunctionScorer, lessons: Sequence[_Lesson]) -> Tensor:
    """Return the mean negative log probability of the functions of all children."""
    vectors = torch.from_numpy(np.concatenate([lesson.vectors for lesson in lessons])).float()
    lengths = np.array([len(lesson.vectors) for lesson in lessons], np.int32)
    rows = FunctionRows.joined([lesson.rows for lesson in lessons], lengths)
    tokens, categories, labels = (torch.from_numpy(each).long() for each in rows)
    scores = head(functional.dropout(vectors, _DROPOUT), tokens, categories)
    return functional.cross_entropy(scores, labels)


def _with_head(network: NeuralNetwork, head: FunctionScorer, functions: Functions) -> NeuralNetwork:
    own: dict[str, Matrix] = {
        f"{PREFIX}{name}": weight.detach().numpy() for name, weight in head.named_parameters()
    }
    for bits in {each.bits for each in network.rounded.values()}:  # one number, if any
        own = quantized(own, bits)
    others: dict[str, Matrix] = {**network.network, **network.rounded}
    arrays = {name: each for name, each in others.items() if not name.startswith(PREFIX)} | own
    rounded = {name: each for name, each in arrays.items() if isinstance(each, Quantized)}
    exact = {name: each for name, each in arrays.items() if not isinstance(each, Quantized)}
    return replace(network, network=exact, rounded=rounded, functions=functions)
