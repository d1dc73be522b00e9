"""Trees that a caller gives: the name of a treebank, or the trees themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from plcfrs.errors import InputError
from plcfrs.treebank.reading import read_trees
from plcfrs.trees import Tree


def given_trees(trees: str | Path | Iterable[Tree]) -> Iterable[Tree]:
    """Return the trees of a treebank, or the trees themselves.

    Parameters
    ----------
    trees : iterable of Tree, str or Path
        A name as for `read_trees`.

    Raises
    ------
    InputError
        If the name stands for no file.
    TreebankError
        If the treebank cannot be read.
    """
    return read_trees(trees) if isinstance(trees, str | Path) else trees


def checked_trees(trees: Iterable[Tree], what: str = "tree") -> Iterator[Tree]:
    """Yield trees; parses in their place are a usual mistake.

    Parameters
    ----------
    trees : iterable of Tree
    what : str
        What they are, for messages.

    Raises
    ------
    InputError
        If one of them is something else.

    Examples
    --------
    >>> list(checked_trees(["What should we do ?"]))
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: tree 1 is a str, not a Tree
    """
    for number, tree in enumerate(trees, start=1):
        if not isinstance(tree, Tree):
            advice = ": use parse.tree" if hasattr(tree, "tree") else ""
            raise InputError(f"{what} {number} is a {type(tree).__name__}, not a Tree{advice}")
        yield tree
