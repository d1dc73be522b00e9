"""Ranks in identifiers (``wsj_0001:1.rank2``), which distinguish the N-best parses of a sentence.

They follow each other in the file, the best parse first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plcfrs.errors import InputError
from plcfrs.trees import Tree

_RANK = re.compile(r"\.rank([0-9]{1,9})\Z")


def add_rank(identifier: str, rank: int) -> str:
    """Return the identifier of one of several parses of a sentence.

    >>> add_rank("s17", 2), rank_of("s17.rank2"), rank_of("s17")
    ('s17.rank2', 2, None)
    """
    return f"{identifier}.rank{rank}"


def rank_of(identifier: str) -> int | None:
    """Return the rank in an identifier, if it has one."""
    found = _RANK.search(identifier)
    return int(found[1]) if found else None


class Ranking:
    """Chooses the parse of one rank for each sentence, and counts sentences with fewer parses.

    >>> from plcfrs.trees import Node
    >>> names = ["a.rank1", "a.rank2", "a.rank3", "b.rank1"]
    >>> second = Ranking(2)
    >>> [tree.id for tree in second.choose(Tree(Node("ROOT"), [], name) for name in names)]
    ['a.rank2', 'b.rank1']
    >>> second.shorter, second.sentences
    (1, 2)
    """

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.sentences = self.shorter = 0

    def choose(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield one tree for each sentence: the last one if it has fewer parses, or no rank."""
        last: Tree | None = None  # of a sentence that may have more parses
        for tree in trees:
            rank = rank_of(tree.id) or 1
            if rank == 1 and last is not None:
                yield self._counted(last, fewer=True)
            if rank_of(tree.id) is None and self.rank > 1:
                raise InputError(
                    f"sentence {tree.id} has no rank: write the parses of --nbest in a format with "
                    "identifiers, export or tigerxml"
                )
            last = tree if rank < self.rank else None
            if rank == self.rank:
                yield self._counted(tree, fewer=False)
        if last is not None:
            yield self._counted(last, fewer=True)

    def _counted(self, tree: Tree, *, fewer: bool) -> Tree:
        self.sentences += 1
        self.shorter += fewer
        return tree

    def __str__(self) -> str:
        return (
            f"sentences with fewer than {self.rank} parses: {self.shorter} of {self.sentences}; "
            "their last parse is used"
        )
