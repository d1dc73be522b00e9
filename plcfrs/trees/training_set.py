"""The sentences that a model has learned from, so that scores of parses of them can be doubted."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from plcfrs.trees.heads import is_punctuation
from plcfrs.trees.tree import Tree

_SIZE = 4  # bytes of a hash


class TrainingSet(frozenset[int]):
    """The sentences of a training set, as hashes of their words; empty if they are not known.

    A sentence takes four bytes. One that is not there is taken for one of 40,000 sentences with a
    probability of 1 in 100,000.

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
        """Return the hashes as they are in files; see `plcfrs.storage.model_file`."""
        return b"".join([number.to_bytes(_SIZE, "little") for number in sorted(self)])

    @staticmethod
    def restored(packed: bytes) -> TrainingSet:
        """Return the training set in a file."""
        starts = range(0, len(packed), _SIZE)
        return TrainingSet(
            int.from_bytes(packed[start : start + _SIZE], "little") for start in starts
        )


def sentence_hash(tree: Tree) -> int:
    """Return a hash of the words of a tree, the same without null elements and punctuation."""
    words = [token.form for token in tree.tokens if not (token.is_null or is_punctuation(token))]
    return zlib.crc32("\n".join(words).encode("utf-8", "surrogatepass"))
