"""Epochs of online learning: all examples once, in a new order."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

Example = TypeVar("Example")


class EpochReport(NamedTuple):
    """The report of an epoch.

    Parameters
    ----------
    epoch : int
        The number of the epoch, from 1.
    sentences : int
    mistakes : int
        The sum of what was returned for each sentence.
    seconds : float
        CPU time in seconds.
    """

    epoch: int
    sentences: int
    mistakes: int
    seconds: float


def learn_from_all(
    examples: Sequence[Example],
    learn: Callable[[Example], int],
    epoch: int,
    seed: int,
    step: Callable[[], object],
) -> EpochReport:
    """Learn from all examples once; the order depends on the seed and the epoch.

    Parameters
    ----------
    examples : sequence
    learn : callable
        Learns from an example, and returns the number of mistakes.
    epoch : int
        The number of the epoch, from 1.
    seed : int
    step : callable
        Called after each example.

    Examples
    --------
    >>> learn_from_all([3, 4], lambda mistakes: mistakes, 1, 1, lambda: None).mistakes
    7
    """
    start, mistakes = time.process_time(), 0
    for number in np.random.default_rng([seed, epoch]).permutation(len(examples)):
        mistakes += learn(examples[number])
        step()
    return EpochReport(epoch, len(examples), mistakes, time.process_time() - start)
