"""The differences of two trees of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from plcfrs.evaluation.bracketing import Bracket, kept_words, labelled_nodes
from plcfrs.evaluation.prm import FIELD
from plcfrs.evaluation.settings import Settings
from plcfrs.trees import Node, Tree

Item = TypeVar("Item")
Parts = set[Node | int]
"""Nodes, and positions of tokens."""


def differences(gold: Tree, parse: Tree, settings: Settings = FIELD) -> tuple[Parts, Parts]:
    """Return the wrong parts of a parse, to mark them in a picture.

    Parameters
    ----------
    gold, parse : Tree
        With the same words.
    settings : Settings

    Returns
    -------
    tuple of set
        The missed nodes of the gold tree, and the spurious nodes of the parse, each with the
        tokens whose tags differ.
    """
    kept = kept_words(gold, parse, settings)
    missed, spurious = (
        labelled_nodes(tree, [pair[side] for pair in kept], settings)
        for side, tree in enumerate((gold, parse))
    )
    wrong_tags = [(i, j) for i, j in kept if gold.tokens[i].tag != parse.tokens[j].tag]
    return (
        {*_nodes(missed, spurious), *(i for i, _ in wrong_tags)},
        {*_nodes(spurious, missed), *(j for _, j in wrong_tags)},
    )


def unmatched(
    some: Iterable[Item], others: Iterable[Item], bracket: Callable[[Item], Bracket]
) -> list[Item]:
    """Return the constituents that the other tree does not have, or not as often."""
    left = Counter(map(bracket, others))
    remaining = []
    for constituent in some:
        if left[bracket(constituent)]:
            left[bracket(constituent)] -= 1
        else:
            remaining.append(constituent)
    return remaining


def _nodes(some: list[tuple[Node, Bracket]], others: list[tuple[Node, Bracket]]) -> list[Node]:
    return [node for node, _ in unmatched(some, others, lambda labelled: labelled[1])]
