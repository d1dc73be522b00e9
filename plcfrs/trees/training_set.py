"""The sentences that a model has learned from: scores on them say little about new text."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from plcfrs.trees.heads import is_punctuation
from plcfrs.trees.tree import Tree

_HASH = "<u4"


class TrainingSet(frozenset[int]):
    """The sentences of a training set, as hashes of their words; empty if they are not known.

    A sentence takes four bytes. With 40,000 sentences, another sentence is taken for one of them
    with a probability of 1 in 100,000.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> first, second, *_ = read_trees("plcfrs:demo")
    >>> known = TrainingSet.of([first])
    >>> sentence_hash(first) in known, sentence_hash(second) in known
    (True, False)
    """

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> TrainingSet:
        """Return the sentences of some trees."""
        return cls(map(sentence_hash, trees))

    def stored(self) -> bytes:
        """Return the hashes as bytes for a file; see `plcfrs.storage.model_file`."""
        return np.array(sorted(self), _HASH).tobytes()

    @staticmethod
    def restored(packed: bytes) -> TrainingSet:
        """Return the training set of stored bytes."""
        return TrainingSet(np.frombuffer(packed, _HASH).tolist())


def sentence_hash(tree: Tree) -> int:
    """Return a hash of the words of a tree, the same without null elements and punctuation."""
    words = [token.form for token in tree.tokens if not (token.is_null or is_punctuation(token))]
    return zlib.crc32("\n".join(words).encode("utf-8", "surrogatepass"))
