"""What a check finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.editing import Part


@dataclass(frozen=True)
class Finding:
    """A part of a tree that may be wrong.

    Parameters
    ----------
    kind : str
        The name of the check.
    sentence : str
        The identifier of the tree.
    label : str
        The label of a constituent, the tag of a token, or empty.
    positions : tuple of int
        The positions of its tokens; null elements are tokens, too.
    words : str
        Its words, with dots for gaps.
    message : str
        What is wrong, for people.
    score : float
        Between 0 and 1; the higher, the more probable is an error.
    """

    kind: str
    sentence: str
    label: str
    positions: tuple[int, ...]
    words: str
    message: str
    score: float

    @classmethod
    def at(
        cls, tree: Tree, part: Part | Sequence[int], kind: str, message: str, score: float
    ) -> Finding:
        """Return a finding about a part of a tree, or about words that are no constituent."""
        if isinstance(part, Node):
            label, positions = render_label(part), tuple(sorted(part.leaves()))
        elif isinstance(part, int):
            label, positions = tree.tokens[part].tag, (part,)
        else:
            label, positions = "", tuple(part)
        words: list[str] = []
        for place, position in enumerate(positions):
            if place and positions[place - 1] + 1 < position:
                words.append("...")
            words.append(tree.tokens[position].form)
        return cls(kind, tree.id, label, positions, " ".join(words), message, score)
