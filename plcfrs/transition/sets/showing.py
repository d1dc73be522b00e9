"""Derivations as text."""

from __future__ import annotations

from collections.abc import Sequence

from plcfrs.transition.sets.configuration import (
    Combine,
    Configuration,
    Label,
    NoLabel,
    Shift,
    Transition,
)
from plcfrs.transition.sets.search import Derivation
from plcfrs.transition.sets.state import SHIFT
from plcfrs.trees.spans import runs

# How many sets of the memory are shown, and words of a run of tokens.
_SETS, _WORDS = 4, 4


def transitions_of(derivation: Derivation, labels: Sequence[str]) -> list[Transition]:
    """Return the transitions of a derivation that the search has found."""
    found: list[Transition] = []
    for step, label in zip(derivation.steps, derivation.labels, strict=True):
        found.append(Shift() if step == SHIFT else Combine(step))
        found.append(Label(labels[label]) if label else NoLabel())
    return found


def show(configuration: Configuration, words: Sequence[str]) -> dict[str, str]:
    """Return the focus and the memory as text, the sets that entered last at the end.

    A set that has a label shows it before its words. ``...`` stands for a gap, and ``..`` for the
    words inside a long run.

    >>> from plcfrs.transition.sets.configuration import run
    >>> from plcfrs.transition.sets.oracle import static_oracle
    >>> derivation = static_oracle({0b111: "ROOT+SQ", 0b101: "VP"}, 3)
    >>> for after in run(derivation, 3)[7:10]:
    ...     print(show(after, ["What", "we", "do"]))
    {'focus': '{What ... do}', 'memory': '{we}'}
    {'focus': 'VP{What ... do}', 'memory': '{we}'}
    {'focus': '{What we do}', 'memory': ''}
    """
    labels = dict(configuration.constituents)

    def text(tokens: int) -> str:
        parts = (_shortened(words[left:right]) for left, right in runs(tokens))
        return f"{labels.get(tokens, '')}{{{' ... '.join(parts)}}}"

    memory, focus = configuration.memory, configuration.focus
    dots = [".."] * (len(memory) > _SETS)
    return {
        "focus": text(focus) if focus else "",
        "memory": " ".join([*dots, *map(text, memory[-_SETS:])]),
    }


def _shortened(words: Sequence[str]) -> str:
    """Return words as text; a long run is shortened."""
    return " ".join(words) if len(words) <= _WORDS else f"{words[0]} .. {words[-1]}"
