"""How long derivations are: table 6 of Coavoux and Crabbé (2017)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass

from plcfrs.text import aligned
from plcfrs.transition.compound_gap import CompoundGap
from plcfrs.transition.gap import Gap
from plcfrs.transition.preparation import prepare
from plcfrs.transition.skipshift import SkipShift
from plcfrs.transition.swap import Swap
from plcfrs.transition.transitions import Transition
from plcfrs.trees import Tree

# The longest possible derivations without unary nodes (appendix A.1); a compound swap has none.
_LONGEST = {
    "SR-GAP": "(n² + n)/2",
    "SR-CGAP": "4n - 2",
    "SR-SWAP": "n² - n + 1",
    "SR-CSWAP": "",
    "SKIPSHIFT": "2n - 1",
}


@dataclass(slots=True)
class _Column:
    """The derivations of one system."""

    transitions: int = 0
    longest: int = 0
    moves: int = 0
    most: int = 0

    def add(self, length: int, moves: int, most: int) -> None:
        self.transitions += length
        self.longest = max(self.longest, length)
        self.moves += moves
        self.most = max(self.most, most)


class DerivationTable:
    """Counts the transitions of derivations, system by system, FINISH and IDLE excepted.

    SR-SWAP makes its swaps one by one, SR-CSWAP is the system `Swap`, whose swaps are compound.

    Parameters
    ----------
    order : str
        In which swap and skipshift shift the tokens, see `reorder`.

    Examples
    --------
    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token(form, "XY") for form in ("Darüber", "muss", "nachgedacht", "werden")]
    >>> phrase = Node("VP", children=[Node("VP", children=[0, 2], head=1), 3], head=1)
    >>> table = DerivationTable()
    >>> table.add(Tree(Node("ROOT", children=[phrase, 1], head=1), tokens))
    >>> print(table)
                              SR-GAP  SR-CGAP     SR-SWAP  SR-CSWAP  SKIPSHIFT
    longest possible      (n² + n)/2   4n - 2  n² - n + 1               2n - 1
    longest                        8       14          11        11          7
    gaps, swaps or skips           1        1           2         2          2
    most at once                   1        1           1         1          1
    transitions a token         2.00     3.50        2.75      2.75       1.75
    """

    def __init__(self, order: str = "left") -> None:
        self.columns = {name: _Column() for name in _LONGEST}
        self.tokens = 0
        self._swap, self._skipshift = Swap(order), SkipShift(order)

    def add(self, tree: Tree) -> None:
        """Count the derivations of a tree, with heads marked, as it is before `prepare`."""
        self.tokens += len(tree.tokens)
        other = prepare(deepcopy(tree), self._swap.binarization)
        tree = prepare(deepcopy(tree), Gap.binarization)
        compound = CompoundGap().oracle(tree)
        gaps = _counts(compound)
        self.columns["SR-GAP"].add(len(Gap().oracle(tree)), sum(gaps), max(gaps, default=0))
        self._add("SR-CGAP", compound)
        swaps = self._swap.oracle(other)[:-1]
        counts = _counts(swaps)
        single = len(swaps) - len(counts) + sum(counts)
        self.columns["SR-SWAP"].add(single, sum(counts), max(counts, default=0))
        self._add("SR-CSWAP", swaps)
        self._add("SKIPSHIFT", self._skipshift.oracle(other)[:-1])

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees, counting the derivations of each."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the table, a header first."""
        columns = list(self.columns.values())
        tokens = max(1, self.tokens)
        return [
            ["", *self.columns],
            ["longest possible", *_LONGEST.values()],
            ["longest", *(f"{column.longest:,}" for column in columns)],
            ["gaps, swaps or skips", *(f"{column.moves:,}" for column in columns)],
            ["most at once", *(f"{column.most:,}" for column in columns)],
            ["transitions a token", *(f"{column.transitions / tokens:.2f}" for column in columns)],
        ]

    def __str__(self) -> str:
        return aligned(self.rows())

    def _add(self, name: str, derivation: list[Transition]) -> None:
        counts = _counts(derivation)
        self.columns[name].add(len(derivation), len(counts), max(counts, default=0))


def _counts(derivation: Iterable[Transition]) -> list[int]:
    return [transition.count for transition in derivation if transition.count]
