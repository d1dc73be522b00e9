"""Functions that change a copy of a tree and leave the caller's tree unchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, cast

from plcfrs.trees.tree import Tree

_Others = ParamSpec("_Others")


class OnCopy(Protocol[_Others]):
    """A function that changes a copy of a tree; plcfrs itself also changes trees `in_place`."""

    in_place: Callable[Concatenate[Tree, _Others], Tree]

    def __call__(self, tree: Tree, *others: _Others.args, **named: _Others.kwargs) -> Tree:
        """Return a changed copy of a tree."""


def on_copy(change: Callable[Concatenate[Tree, _Others], Tree]) -> OnCopy[_Others]:
    """Return the copying version of a function that changes a tree and returns it.

    >>> from plcfrs.trees import Node
    >>> @on_copy
    ... def without_children(tree):
    ...     tree.root.children = []
    ...     return tree
    >>> tree = Tree(Node("ROOT", children=[0]), [])
    >>> without_children(tree).root.children, tree.root.children
    ([], [0])
    """

    @wraps(change)
    def changed(tree: Tree, *others: _Others.args, **named: _Others.kwargs) -> Tree:
        return change(tree.copy(), *others, **named)

    public = cast(OnCopy[_Others], changed)
    public.in_place = change
    return public
