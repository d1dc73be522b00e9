"""The heads of a network with NumPy: scores of transitions, and of the parts of constituents.

The head of transitions scores sets of tokens, which have four slots; see
`plcfrs.parsers.neural.configuration`.

The head of spans scores a part of a constituent for each of its components. With gaps, the parts
have labels such as ``VP_1of2``. The borders of a part are places between words. A span is the
difference of the states of LSTMs at its borders (Stern, Andreas and Klein 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.networks.encoding import Float32, Int32, Shapes, linear, linear_shapes
from plcfrs.parsing.parse import Constituent
from plcfrs.threads import one_thread
from plcfrs.trees import Tree
from plcfrs.trees.tree import runs

Borders = tuple[int, int]

HIGHEST = 6.0
"""The highest score of a part, for or against: networks are surer than they should be."""

# The score of a label that no tree of the training set has.
_UNSEEN = -5.0

SLOTS = 4  # of a set


class SpanPart(NamedTuple):
    """A part of a constituent: a label, and both borders."""

    label: str
    borders: Borders

    @classmethod
    def all_of(cls, category: str, span: int) -> list[SpanPart]:
        """Return the parts of a constituent, whose span is a bitset (see `plcfrs.trees.tree`).

        >>> [tuple(part) for part in SpanPart.all_of("VP", 0b1100001)]
        [('VP_1of2', (0, 1)), ('VP_2of2', (5, 7))]
        """
        components = runs(span)
        if len(components) == 1:
            return [cls(category, components[0])]
        return [
            cls(f"{category}_{place}of{len(components)}", component)
            for place, component in enumerate(components, start=1)
        ]


def parts_of(tree: Tree) -> set[SpanPart]:
    """Return the parts of the constituents of a tree."""
    spans = tree.yields()
    return {part for node in tree.nodes() for part in SpanPart.all_of(node.category, spans[node])}


class SpanTargets(NamedTuple):
    """The labels to learn for all spans of a sentence or a batch.

    Parameters
    ----------
    borders : array of (spans, 2)
    rows, labels : array of (parts,)
        The row of a span, and one of its labels.
    """

    borders: Int32
    rows: Int32
    labels: Int32

    @classmethod
    def of(cls, length: int, parts: Iterable[SpanPart], numbers: Mapping[str, int]) -> SpanTargets:
        """Return the targets of a sentence of this length, given its parts; labels have numbers."""
        borders = all_spans(length)
        place = {tuple(each): row for row, each in enumerate(borders.tolist())}
        right = sorted((place[part.borders], numbers[part.label]) for part in parts)
        rows, labels = np.array(right, np.int32).reshape(-1, 2).T
        return cls(borders, rows, labels)

    @classmethod
    def joined(cls, targets: Sequence[SpanTargets], lengths: Int32) -> SpanTargets:
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

    Both are arrays of (tokens + sentences,). The numbers of tokens run through the batch; a missing
    one has the next number.

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


@one_thread
def border_rows(arrays: Mapping[str, NDArray[Any]], tokens: Float32, lengths: Int32) -> Float32:
    """Return the rows of all borders of a batch, (tokens + sentences, hidden).

    The hidden layer is linear in the borders of a span: its sums are the row of the end minus that
    of the beginning. The vectors of the tokens have the shape (tokens, units).
    """
    from_left, from_right = np.hsplit(np.pad(tokens, ((0, 1), (0, 0))), 2)
    left, right = neighbours(lengths)
    rows: Float32 = (
        np.hstack([from_left[left], from_right[right]]) @ arrays["spans.borders.weight"].T
    )
    return rows


@one_thread
def log_odds_of(
    arrays: Mapping[str, NDArray[Any]], rows: Float32, borders: Int32, labels: Int32
) -> Float32:
    """Return the log-odds of one label of each part, as an array of (parts,).

    The rows of all borders come from `border_rows`; the borders of parts have the shape (parts, 2).
    """
    sums = rows[borders[:, 1]] - rows[borders[:, 0]]
    sums += arrays["spans.bias"]
    np.maximum(sums, 0, out=sums)
    scores: Float32 = np.einsum("ij,ij->i", sums, arrays["spans.output.weight"][labels])
    scores += arrays["spans.output.bias"][labels]
    return scores


def scores_of(
    groups: Sequence[Sequence[Constituent]],
    numbers: Mapping[str, int],
    arrays: Mapping[str, NDArray[Any]],
    rows: Float32,
    highest: float = HIGHEST,
) -> NDArray[np.float64]:
    """Return the sum of the scores of each group of constituents, float64 (groups,).

    The score of a constituent is the sum over its parts. The score of a part is its log-odds, at
    most `highest` for or against, and -5 for an unknown label. `numbers` has the numbers of labels,
    `rows` the rows of all borders.
    """
    parts = [
        (place, part)
        for place, group in enumerate(groups)
        for constituent in group
        for part in SpanPart.all_of(*constituent)
    ]
    scores = np.zeros(len(groups))
    if parts:
        labels = np.array([numbers.get(part.label, -1) for _, part in parts], np.int32)
        borders = np.array([part.borders for _, part in parts], np.int32)
        log_odds = np.clip(log_odds_of(arrays, rows, borders, labels), -highest, highest)
        np.add.at(scores, [place for place, _ in parts], np.where(labels < 0, _UNSEEN, log_odds))
    return scores


def span_shapes(units: int, hidden: int, labels: int) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.parsers.neural.scorers.BorderScorer`."""
    return {
        "spans.borders.weight": (hidden, units),
        "spans.bias": (hidden,),
        **linear_shapes("spans.output", hidden, labels),
    }


def transition_shapes(units: int, hidden: int, labels: int) -> Shapes:
    """Return the shapes of the arrays that score structure steps and labels."""
    shapes: Shapes = {"no_gap": (2, units), "shift": (hidden,)}
    for name, slots, outputs in (("structure", 2 * SLOTS, 1), ("labels", SLOTS, labels)):
        shapes |= {f"{name}.rows.weight": (slots * hidden, units), f"{name}.bias": (hidden,)}
        shapes |= linear_shapes(f"{name}.hidden", hidden, hidden)
        shapes |= linear_shapes(f"{name}.output", hidden, outputs)
    return shapes


class TransitionScorer:
    """A `plcfrs.parsers.neural.search.SetScorer` of a batch of sentences.

    The first layer of the scorers is linear in each slot of a set, so it is computed once for each
    token and slot, and the rows of a set's tokens are added up. The tokens (tokens, units) come
    from the second layer of LSTMs. The arrays have the names of
    `plcfrs.parsers.neural.training.NeuralModule`.
    """

    @one_thread
    def __init__(self, arrays: Mapping[str, NDArray[Any]], tokens: Float32) -> None:
        self._arrays = arrays
        self._tokens = np.vstack([tokens, arrays["no_gap"]])
        self._tables = {name: self._table(name) for name in ("structure.", "labels.")}

    @one_thread
    def structure(self, rows: Int32) -> Float32:
        """Return the scores of candidates."""
        sums = self._sums("structure.", rows)
        sums[rows[:, 0] > rows[:, SLOTS + 1]] += self._arrays["shift"]
        return self._finish("structure.", sums)[:, 0]

    @one_thread
    def labels(self, rows: Int32) -> Float32:
        """Return the scores of all labels."""
        return self._finish("labels.", self._sums("labels.", rows))

    def _table(self, name: str) -> Float32:
        """Return the rows of each slot, as an array of (slots, tokens, hidden)."""
        weights = self._arrays[f"{name}rows.weight"]
        hidden = len(self._arrays[f"{name}bias"])
        slots = weights.reshape(-1, hidden, weights.shape[1])
        table: Float32 = np.matmul(self._tokens, slots.swapaxes(1, 2))
        return table

    def _sums(self, name: str, rows: Int32) -> Float32:
        places = np.where(rows < 0, len(self._tokens) - 2 + np.arange(rows.shape[1]) % 2, rows)
        sums = np.tile(self._arrays[f"{name}bias"], (len(rows), 1))
        for table, place in zip(self._tables[name], places.T, strict=True):
            sums += table[place]
        return sums

    def _finish(self, name: str, sums: Float32) -> Float32:
        hidden = np.tanh(linear(self._arrays, f"{name}hidden.", np.tanh(sums)))
        return linear(self._arrays, f"{name}output.", hidden)
