"""The lengths of derivations in all systems: table 6 of Coavoux and Crabbé (2017)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plcfrs.parsing.registry import Length, families
from plcfrs.trees import Node, Token, Tree
from plcfrs.wording import aligned

_WORD = Tree(Node("ROOT", children=[0], head=0), [Token("word", "TAG")])


@dataclass(slots=True)
class _Column:
    """The derivations of one system."""

    transitions: int = 0
    longest: int = 0
    moves: int = 0
    most: int = 0
    longest_possible: str = ""

    def add(self, length: Length) -> None:
        self.transitions += length.transitions
        self.longest = max(self.longest, length.transitions)
        self.moves += length.moves
        self.most = max(self.most, length.most)


class DerivationTable:
    """A table of the transitions in derivations of all systems, without FINISH and IDLE.

    SR-SWAP makes its swaps one by one, SR-CSWAP all at once.

    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token(form, "XY") for form in ("Darüber", "muss", "nachgedacht", "werden")]
    >>> phrase = Node("VP", children=[Node("VP", children=[0, 2], head=1), 3], head=1)
    >>> table = DerivationTable()
    >>> table.add(Tree(Node("ROOT", children=[phrase, 1], head=1), tokens))
    >>> print(table)
                              SR-GAP  SR-CGAP     SR-SWAP  SR-CSWAP  SKIPSHIFT  set-based
    longest possible      (n² + n)/2   4n - 2  n² - n + 1               2n - 1     4n - 2
    longest                        8       14          11        11          7         14
    gaps, swaps or skips           1        1           2         2          2          1
    most at once                   1        1           1         1          1          1
    transitions a token         2.00     3.50        2.75      2.75       1.75       3.50
    """

    def __init__(self) -> None:
        self._families = [family.lengths for family in families().values() if family.lengths]
        self.columns = {
            name: _Column(longest_possible=length.longest_possible)
            for lengths in self._families
            for name, length in lengths(_WORD).items()
        }
        self.tokens = 0

    def add(self, tree: Tree) -> None:
        """Count the derivations of a tree whose heads are marked."""
        self.tokens += len(tree.tokens)
        for lengths in self._families:
            for name, length in lengths(tree).items():
                self.columns[name].add(length)

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees, and count the derivations of each."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the rows, a header first."""
        columns = list(self.columns.values())
        tokens = max(1, self.tokens)
        return [
            ["", *self.columns],
            ["longest possible", *(column.longest_possible for column in columns)],
            ["longest", *(f"{column.longest:,}" for column in columns)],
            ["gaps, swaps or skips", *(f"{column.moves:,}" for column in columns)],
            ["most at once", *(f"{column.most:,}" for column in columns)],
            ["transitions a token", *(f"{column.transitions / tokens:.2f}" for column in columns)],
        ]

    def __str__(self) -> str:
        return aligned(self.rows())
