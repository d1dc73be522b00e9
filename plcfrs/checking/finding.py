"""What a check finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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

    def is_about(self, other: Finding) -> bool:
        """Return whether another check has found something in the same place, or next to it."""
        these, those = set(self.positions), set(other.positions)
        is_near = these == those or (these & those and len(these ^ those) <= _BESIDE)
        return bool(is_near) and self.kind != other.kind


_BESIDE = 2  # tokens


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, the most probable error first.

    If several checks have found something in one place, it is one finding with all messages. It is
    wrong only if all of them are wrong, as if they were independent.

    >>> rare = Finding("rare", "4", "NN", (2,), "saw", "NN below VP only 1 time", 0.2)
    >>> doubt = Finding("parser", "4", "NP", (2,), "saw", "no constituent expected", 0.5)
    >>> (both,) = ranked([rare, doubt])
    >>> both.kind, round(both.score, 2), both.message
    ('parser', 0.6, 'no constituent expected; NN below VP only 1 time')
    """
    kept: dict[str, list[Finding]] = defaultdict(list)
    for finding in sorted(findings, key=lambda each: -each.score):
        here = kept[finding.sentence]
        place = next((place for place, one in enumerate(here) if one.is_about(finding)), None)
        if place is None:
            here.append(finding)
            continue
        score = 1 - (1 - here[place].score) * (1 - finding.score)
        message = f"{here[place].message}; {finding.message}"
        here[place] = replace(here[place], score=score, message=message)
    return sorted((each for here in kept.values() for each in here), key=lambda each: -each.score)
