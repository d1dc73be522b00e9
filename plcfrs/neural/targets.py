"""What a batch of sentences has to learn, as arrays for the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plcfrs.neural.vocabulary import Int32
from plcfrs.transition.sets.examples import Example


class Targets(NamedTuple):
    """The examples of a batch, whose tokens are one after the other.

    Parameters
    ----------
    candidates : array of (candidates, 8)
    places : array of (structure steps, most candidates of a step)
        The rows of the candidates of each step; filled up with the number of all candidates.
    right : array of (structure steps,)
    labelled : array of (label steps, 4)
    label : array of (label steps,)
    """

    candidates: Int32
    places: Int32
    right: Int32
    labelled: Int32
    label: Int32


def targets_of(examples: Sequence[Example], lengths: Int32) -> Targets:
    """Return the examples of the sentences of a batch."""
    offsets = (np.cumsum(lengths) - lengths).tolist()
    counts = np.concatenate([np.diff(example.starts) for example in examples])
    starts = np.cumsum(counts) - counts
    columns = np.arange(counts.max(initial=1))
    total = sum(len(example.candidates) for example in examples)
    return Targets(
        _moved([example.candidates for example in examples], offsets),
        np.where(columns < counts[:, None], starts[:, None] + columns, total).astype(np.int32),
        np.concatenate([example.right for example in examples]),
        _moved([example.labelled for example in examples], offsets),
        np.concatenate([example.label for example in examples]),
    )


def _moved(rows: Sequence[Int32], offsets: Sequence[int]) -> Int32:
    pairs = zip(rows, offsets, strict=True)
    moved = [np.where(each < 0, each, each + offset) for each, offset in pairs]
    return np.concatenate(moved, dtype=np.int32)
