"""The parts of constituents that a span scorer judges, and the scores of parts without PyTorch.

Without gaps, a constituent is one part. With gaps, it has either a part for each component, with
labels such as ``VP_1of2``, or a single one for the first component, the first gap and all that
follows it. The borders of a part are places between words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.networks.encoding import Encoding, Float32, Int32, Numbers
from plcfrs.threads import one_thread
from plcfrs.trees import Tree
from plcfrs.trees.tree import runs

Borders = tuple[int, ...]
Gaps = Literal["factored", "joint"]


class Part(NamedTuple):
    """A part of a constituent.

    Parameters
    ----------
    label : str
    borders : tuple of int
        Both ends, or those of the first component, then those of the rest after the first gap.
    """

    label: str
    borders: Borders

    @classmethod
    def all_of(cls, category: str, span: int, gaps: Gaps) -> list[Part]:
        """Return the parts of a constituent, whose span is a bitset (see `plcfrs.trees.tree`).

        >>> [tuple(part) for part in Part.all_of("VP", 0b1100001, "factored")]
        [('VP_1of2', (0, 1)), ('VP_2of2', (5, 7))]
        >>> [tuple(part) for part in Part.all_of("VP", 0b1100001, "joint")]
        [('VP', (0, 1, 5, 7))]
        """
        found = runs(span)
        if len(found) == 1:
            return [cls(category, found[0])]
        if gaps == "joint":
            return [cls(category, (*found[0], found[1][0], found[-1][1]))]
        return [cls(f"{category}_{place}of{len(found)}", run) for place, run in enumerate(found, 1)]


def parts_of(tree: Tree, gaps: Gaps) -> set[Part]:
    """Return the parts of the constituents of a tree."""
    spans = tree.yields()
    return {part for node in tree.nodes() for part in Part.all_of(node.category, spans[node], gaps)}


class Targets(NamedTuple):
    """What is to be learned of the parts that a sentence or a batch could have.

    Parameters
    ----------
    borders : array of (parts, 2 or 4)
    rows, labels : array of (right parts,)
        Which of these have which labels; one may have several.
    """

    borders: Int32
    rows: Int32
    labels: Int32

    @classmethod
    def of(cls, borders: Int32, parts: Iterable[Part], numbers: Mapping[str, int]) -> Targets:
        """Return the targets of a sentence.

        The borders (parts, 2 or 4) are those of all parts that it could have, `parts` are those
        that it has: parts with another number of borders do not count. Labels have numbers.
        """
        place = {tuple(each): row for row, each in enumerate(borders.tolist())}
        right = sorted(
            (place[part.borders], numbers[part.label])
            for part in parts
            if len(part.borders) == borders.shape[1]
        )
        rows, labels = np.array(right, np.int32).reshape(-1, 2).T
        return cls(borders, rows, labels)

    @classmethod
    def joined(cls, targets: Sequence[Targets], lengths: Int32) -> Targets:
        """Return the targets of a batch, given those of its sentences and their lengths."""
        places = np.cumsum(lengths + 1) - lengths - 1
        sizes = np.array([len(each.borders) for each in targets])
        rows = np.cumsum(sizes) - sizes
        return cls(
            _moved([each.borders for each in targets], places),
            _moved([each.rows for each in targets], rows),
            np.concatenate([each.labels for each in targets]),
        )


def all_spans(length: int) -> Int32:
    """Return the borders of all spans of a sentence.

    >>> all_spans(2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.stack(np.triu_indices(length + 1, 1), axis=1).astype(np.int32)


def neighbours(lengths: Int32) -> tuple[Int32, Int32]:
    """Return the tokens on the left and on the right of each border in a batch.

    Both are arrays of (tokens + sentences,). Tokens are numbered through the batch; a missing one
    has the number of all tokens.

    >>> for side in neighbours(np.array([2, 1], np.int32)):
    ...     print(side)
    [3 0 1 3 2]
    [0 1 3 2 3]
    """
    tokens = int(lengths.sum())
    right = np.arange(tokens + len(lengths)) - np.repeat(np.arange(len(lengths)), lengths + 1)
    left = right - 1
    ends = np.cumsum(lengths + 1)
    right[ends - 1] = tokens
    left[ends - lengths - 1] = tokens
    return left.astype(np.int32), right.astype(np.int32)


def _moved(arrays: Sequence[Int32], offsets: NDArray[np.integer]) -> Int32:
    pairs = zip(arrays, offsets.tolist(), strict=True)
    return np.concatenate([array + offset for array, offset in pairs], dtype=np.int32)


class Forward(Encoding):
    """A trained network with NumPy, which equals that of PyTorch to 1e-5.

    Its arrays have the names of `plcfrs.parsers.spans.training.Network`.
    """

    def borders(self, numbers: Numbers, further: Float32 | None = None) -> Float32:
        """Return the vectors of all borders, as an array of (tokens + sentences, units).

        Further vectors have the shape (tokens, further size).
        """
        return borders_of(self.encode(numbers, further).second, numbers.lengths)

    def log_odds(self, vectors: Float32, borders: Int32, labels: Int32) -> Float32:
        """Return the log-odds of one label of each part, as an array of (parts,).

        The vectors have the shape (borders, units), the borders (parts, 2 or 4).
        """
        return log_odds_of(self._arrays, vectors, borders, labels)


def borders_of(tokens: Float32, lengths: Int32) -> Float32:
    """Return the vectors of all borders of a batch, given those of its tokens (tokens, units)."""
    from_left, from_right = np.hsplit(np.pad(tokens, ((0, 1), (0, 0))), 2)
    left, right = neighbours(lengths)
    return np.hstack([from_left[left], from_right[right]])


@one_thread
def log_odds_of(
    arrays: Mapping[str, NDArray[Any]], vectors: Float32, borders: Int32, labels: Int32
) -> Float32:
    """Return the log-odds of one label of each part, see `Forward.log_odds`."""
    name = "spans." if borders.shape[1] == 2 else "gaps."
    sums = np.tile(arrays[f"{name}bias"], (len(borders), 1))
    tables = vectors @ arrays[f"{name}borders.weight"].T
    for span, table in enumerate(np.hsplit(tables, borders.shape[1] - 1)):
        sums += table[borders[:, span + 1]] - table[borders[:, span]]
    weights = arrays[f"{name}output.weight"][labels]
    scores: Float32 = np.einsum("ij,ij->i", np.maximum(sums, 0), weights)
    scores += arrays[f"{name}output.bias"][labels]
    return scores
