"""Epochs of online learning: all examples once, in a new order."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

Example = TypeVar("Example")


def learn_from_all(
    examples: Sequence[Example],
    learn: Callable[[Example, float], int],
    epoch: int,
    seed: int,
    step: Callable[[], object],
) -> tuple[int, float]:
    """Learn from all examples once, and return the number of mistakes and the CPU time in seconds.

    Parameters
    ----------
    learn : callable
        Learns from an example at a time (the number of examples before it, plus 1) and returns the
        number of mistakes.
    epoch : int
        The number of the epoch, from 1; together with the seed, it decides about the order.
    step : callable
        Called after each example.

    Examples
    --------
    >>> learn_from_all([3, 4], lambda mistakes, _: mistakes, 1, 1, lambda: None)[0]
    7
    """
    start, mistakes = time.process_time(), 0
    order = np.random.default_rng([seed, epoch]).permutation(len(examples))
    for now, number in enumerate(order, start=time_after(epoch - 1, examples)):
        mistakes += learn(examples[number], float(now))
        step()
    return mistakes, round(time.process_time() - start, 2)


def time_after(epochs: int, examples: Sequence[object]) -> int:
    """Return the time after some epochs: the number of examples seen, plus 1."""
    return 1 + epochs * len(examples)
