"""Dependency trees: each word depends on another word, or on the root."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import plcfrs
from plcfrs.trees.tree import Token


class Columns(NamedTuple):
    """The columns of a token in CoNLL-U besides form, tag, lemma, morphology and head."""

    coarse_tag: str = ""  # the universal part of speech (UPOS)
    enhanced: str = ""  # the heads and relations in the enhanced graph (DEPS)
    misc: str = ""  # anything else, such as ``SpaceAfter=No``


@dataclass(slots=True, repr=False)
class DependencyTree:
    """A sentence with the head and the relation of each token; trees are equal if these are.

    Parameters
    ----------
    tokens : list of Token
    heads : list of int
        The number of the head of each token, from 1; 0 stands for the root.
    relations : list of str
    id : str
    comments : list of str
        The comments of a CoNLL-U file, each with its ``#``.
    columns : list of Columns
        For each token; empty if the tree does not come from a file.
    other_lines : list of tuple of (int, str)
        Multiword ranges and empty nodes of CoNLL-U, each with the number of words before it.

    Examples
    --------
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> DependencyTree(tokens, [2, 0], ["S#1", "root"])
    <DependencyTree: 2 tokens>
    """

    tokens: list[Token]
    heads: list[int]
    relations: list[str]
    id: str = field(default="", compare=False)
    comments: list[str] = field(default_factory=list, compare=False)
    columns: list[Columns] = field(default_factory=list, compare=False)
    other_lines: list[tuple[int, str]] = field(default_factory=list, compare=False)

    def words(self) -> list[str]:
        """Return the words of the sentence."""
        return [token.form for token in self.tokens]

    def pretty(self) -> str:
        """Return a picture for the terminal; `plcfrs.draw` has more options."""
        return plcfrs.draw(self)

    def __repr__(self) -> str:
        name = f" {self.id}" if self.id else ""
        return f"<DependencyTree{name}: {len(self.tokens)} tokens>"

    def _repr_svg_(self) -> str:
        return plcfrs.draw_svg(self, gaps=True)
