"""The lengths of derivations in all systems: table 6 of Coavoux and Crabbé (2017)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plcfrs.parsers.set_based.configuration import Combine, constituents_of, run
from plcfrs.parsers.set_based.oracle import static_oracle
from plcfrs.parsers.transition.settings import SYSTEMS, find_system
from plcfrs.parsers.transition.system import Length, prepare
from plcfrs.trees import Tree
from plcfrs.trees.tree import leftmost
from plcfrs.wording import aligned

_SETS = "set-based"


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

    The order is for swap and skipshift (see `reorder`). SR-SWAP makes its swaps one by one,
    SR-CSWAP at once. In the set-based system, combining the focus with an older set counts where
    the others count gaps, and the newer sets are passed over at once.

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

    def __init__(self, order: str = "left") -> None:
        self._systems = [find_system(name, order) for name in SYSTEMS]
        self._orders = {system.binarization for system in self._systems}
        self.columns = {
            name: _Column(longest_possible=length.longest_possible)
            for system in self._systems
            for name, length in system.lengths(()).items()
        } | {_SETS: _Column(longest_possible="4n - 2")}
        self.tokens = 0

    def add(self, tree: Tree) -> None:
        """Count the derivations of a tree with heads marked, before `prepare`."""
        self.tokens += len(tree.tokens)
        self.columns[_SETS].add(_set_based(tree))
        prepared = {order: prepare(tree, order) for order in self._orders}
        for system in self._systems:
            derivation = system.oracle(prepared[system.binarization])
            for name, length in system.lengths(derivation).items():
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


def _set_based(tree: Tree) -> Length:
    """Return the length of the derivation of a tree in the set-based system."""
    size = len(tree.tokens)
    derivation = static_oracle(constituents_of(tree), size)
    passed = []
    for before, transition in zip(run(derivation, size), derivation, strict=False):
        if isinstance(transition, Combine):
            newer = [leftmost(part) for part in reversed(before.memory)].index(transition.left)
            passed += [newer] if newer else []
    return Length(len(derivation), len(passed), max(passed, default=0), "4n - 2")
