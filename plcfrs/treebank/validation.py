"""Trees that a caller gives: the name of a treebank, or the trees themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from plcfrs.errors import InputError
from plcfrs.treebank.reading import Sentence, read_trees
from plcfrs.trees import DependencyTree, Tree


def given_trees(trees: str | Path | Iterable[Tree]) -> Iterable[Tree]:
    """Return the trees of a treebank, by a name as for `read_trees`, or the trees themselves."""
    return read_trees(trees) if isinstance(trees, str | Path) else trees


def checked_trees(
    trees: Iterable[Sentence], what: str = "tree", kind: type[Tree | DependencyTree] = Tree
) -> Iterator[Sentence]:
    """Yield trees; parses in their place are a usual mistake.

    >>> list(checked_trees(["What should we do ?"]))
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: tree 1 is a str, not a Tree
    """
    for number, tree in enumerate(trees, start=1):
        if not isinstance(tree, kind):
            found = type(tree).__name__
            advice = ": use parse.tree" if hasattr(tree, "tree") else ""
            raise InputError(f"{what} {number} is a {found}, not a {kind.__name__}{advice}")
        yield tree
