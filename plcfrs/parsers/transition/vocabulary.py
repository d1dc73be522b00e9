"""The vocabulary of a transition parser: numbers of words, tags, symbols and actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plcfrs.learning.kernel.learned import Int32
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Actions
from plcfrs.parsers.transition.system import Kind, Transition
from plcfrs.trees import Token
from plcfrs.trees.labels import is_axiom

_KIND = {
    Kind.IDLE: arrays.IDLE,
    Kind.SHIFT: arrays.SHIFT,
    Kind.SKIPSHIFT: arrays.SHIFT,
    Kind.REDUCE_UNARY: arrays.UNARY,
    Kind.UNARY: arrays.UNARY,
    Kind.GHOST_REDUCE: arrays.GHOST,
    Kind.REDUCE_LEFT: arrays.LEFT,
    Kind.BINL: arrays.LEFT,
    Kind.REDUCE_RIGHT: arrays.RIGHT,
    Kind.BINR: arrays.RIGHT,
    Kind.GAP: arrays.GAP,
    Kind.COMPOUNDGAP: arrays.GAP,
    Kind.SWAP: arrays.SWAP,
    Kind.FINISH: arrays.FINISH,
}

# 0 stands for no word and no symbol.
_UNKNOWN = 1
_FIRST = 2


@dataclass(frozen=True)
class Vocabulary:
    """The tags, transitions and words of the training trees.

    Words seen only once are the unknown word.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    transitions: tuple[Transition, ...]

    @classmethod
    def of(cls, sentences: Iterable[list[Token]], transitions: Iterable[Transition]) -> Vocabulary:
        """Return the vocabulary of training sentences and the transitions of their trees."""
        tokens = [token for sentence in sentences for token in sentence]
        words = Counter(token.form for token in tokens)
        return cls(
            tuple(sorted(word for word, count in words.items() if count > 1)),
            tuple(sorted({token.tag for token in tokens})),
            tuple(transitions),
        )

    @cached_property
    def symbols(self) -> dict[int, tuple[str, bool]]:
        """All labels, whole and intermediate, numbered after the tags."""
        labels = {each.label for each in self.transitions if each.label}
        pairs = sorted((label, part) for label in labels for part in (False, True))
        return dict(enumerate(pairs, start=_FIRST + len(self.tags)))

    @cached_property
    def actions(self) -> list[Transition]:
        """The transitions by their numbers: kind by kind, role by role."""
        return sorted(self.transitions, key=lambda each: (*_place(each), each.count, str(each)))

    @cached_property
    def number(self) -> dict[Transition, int]:
        """The number of each transition."""
        return {transition: number for number, transition in enumerate(self.actions)}

    def words_and_tags(self, tokens: list[Token]) -> tuple[Int32, Int32]:
        """Return the numbers of the words and the tags of a sentence, with 0 at both ends."""
        words = [self._words.get(token.form, _UNKNOWN) for token in tokens]
        tags = [self._tags.get(token.tag, _UNKNOWN) for token in tokens]
        return np.array([0, *words, 0], np.int32), np.array([0, *tags, 0], np.int32)

    def compile(self, *, is_left: bool) -> Actions:
        """Return the actions as arrays for the kernels; `is_left` is for the order left."""
        numbers = {symbol: number for number, symbol in self.symbols.items()}
        size = _FIRST + len(self.tags) + len(numbers)
        is_part, axioms = np.zeros((2, size), np.int32)
        made = np.full((2, 2, size), -1, np.int32)
        for (label, intermediate), number in numbers.items():
            is_part[number], axioms[number] = intermediate, is_axiom(label)
        for action, each in enumerate(self.actions):
            side = _KIND[each.kind] - arrays.LEFT
            if side in (0, 1):
                for intermediate in (False, True):
                    made[int(each.intermediate), side, numbers[each.label, intermediate]] = action
        places = [kind * arrays.ROLES + role for kind, role in map(_place, self.actions)]
        kinds = {each.kind for each in self.actions}
        return Actions(
            Kind.FINISH in kinds,
            Kind.COMPOUNDGAP in kinds,
            Kind.SWAP in kinds,
            is_left,
            np.array([_KIND[each.kind] for each in self.actions], np.int32),
            np.array(
                [numbers.get((each.label, each.intermediate), 0) for each in self.actions], np.int32
            ),
            np.array(list(map(_count, self.actions)), np.int32),
            np.searchsorted(places, range(arrays.KINDS * arrays.ROLES + 1)).astype(np.int32),
            made[0],
            made[1],
            is_part,
            axioms,
        )

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=_FIRST)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, start=_FIRST)}


def _place(transition: Transition) -> tuple[int, int]:
    """Return the kind and the role of a transition."""
    role = arrays.PART if transition.intermediate else arrays.ORDINARY
    if transition.label and is_axiom(transition.label):
        role = arrays.AXIOM_PART if transition.intermediate else arrays.AXIOM
    return _KIND[transition.kind], role


def _count(transition: Transition) -> int:
    """Return the number of tokens skipped or swapped, or of gaps made."""
    return 1 if transition.kind == Kind.GAP else transition.count
