"""The backbone: the part of the parser that finds the head of each token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from plcfrs.errors import InputError
from plcfrs.learning.kernel.arrays import Int32, Scores
from plcfrs.learning.weights import checked
from plcfrs.parsers.reduction.explanation import HeadChoice, find_attachments
from plcfrs.parsers.reduction.features import (
    ReductionVocabulary,
    TreeWorkspace,
    compile_all,
    features_of,
)
from plcfrs.parsers.reduction.kernel.arrays import PartFeatures, Parts
from plcfrs.parsers.reduction.kernel.climbing import score_crossing, score_word
from plcfrs.settings import Checked, setting
from plcfrs.trees import Token

MOST_CANDIDATES = 100


@dataclass(frozen=True)
class BackboneSettings(Checked):
    """Settings of the backbone.

    >>> BackboneSettings(epochs=5).candidates
    10
    """

    candidates: int = setting(
        10,
        "Number of heads among which the parser chooses, for each word.",
        least=1,
        most=MOST_CANDIDATES,
    )
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
    epochs: int = setting(10, "Number of passes over all trees.", least=1, stored=False)


PLACES = 1 << 22
"""The number of weights."""
PRUNER_PLACES = 1 << 21
"""The number of weights of arcs alone, by which the parser chooses the heads to keep."""
LONGEST = 150
"""The most tokens of a sentence with siblings and grandparents, whose memory grows with the third
power."""
DECOMPOSITION_STEPS = 100
"""The most steps in which dual decomposition looks for better trees than hill climbing finds."""


class BackboneParse(NamedTuple):
    """The heads of the tokens of a sentence.

    Parameters
    ----------
    heads : list of int
        From 1; 0 stands for the root.
    score : float
        The score of the tree.
    """

    heads: list[int]
    score: float


@dataclass(eq=False, repr=False)
class Backbone:
    """A trained parser of dependencies without relations.

    Sentences of more than `LONGEST` tokens are parsed without siblings and grandparents.

    Parameters
    ----------
    weights : array of float, (PLACES,)
        Averaged.
    pruner : array of float, (PRUNER_PLACES,)
        Averaged weights of arcs alone.
    """

    settings: BackboneSettings
    vocabulary: ReductionVocabulary
    weights: Scores
    pruner: Scores

    def __post_init__(self) -> None:
        self._templates = compile_all()
        self._idle: list[TreeWorkspace] = []

    def check(self) -> None:
        """Raise a ValueError if the weights are damaged."""
        checked(self.weights, PLACES)
        checked(self.pruner, PRUNER_PLACES)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the memory of searches when a backbone is pickled."""
        return {**self.__dict__, "_idle": []}

    def parse(self, tokens: Sequence[Token]) -> BackboneParse:
        """Return the best heads found for tagged tokens."""
        with self._searched(tokens) as (_, parse, _):
            return parse

    def attachments(self, tokens: Sequence[Token]) -> list[HeadChoice]:
        """Return the head of each tagged token, and what the second best one would cost."""
        with self._searched(tokens) as (space, _, parts):
            words = range(1, len(space.heads))

            def score_of(heads: Int32) -> list[float]:
                if parts:
                    return [
                        score_word(parts, heads, word) + score_crossing(parts, heads, word)
                        for word in words
                    ]
                scores: list[float] = space.arcs[heads[1:], words].tolist()
                return scores

            return find_attachments(space.heads, space.arcs, score_of)

    @contextmanager
    def _searched(
        self, tokens: Sequence[Token]
    ) -> Iterator[tuple[TreeWorkspace, BackboneParse, Parts | None]]:
        """Lend memory with the best tree that is found, and the scores of all parts."""
        if not tokens:
            raise InputError("the sentence has no words")
        try:
            space = self._idle.pop()
        except IndexError:
            space = TreeWorkspace()
        space.begin(len(tokens))
        features = features_of(self._templates, tokens, self.vocabulary.known)
        parts = self._score(space, features)
        if parts:
            # The word before a word is always a candidate.
            space.climb(parts, self.settings.candidates + 1)
            space.decompose(parts, DECOMPOSITION_STEPS)
            score = space.reattach(parts)
        else:
            score = space.find_tree()
        yield space, BackboneParse(space.heads[1:].tolist(), score), parts
        self._idle.append(space)

    def _score(self, space: TreeWorkspace, features: PartFeatures) -> Parts | None:
        """Score the arcs of a sentence, and return the scores of all parts unless it is long."""
        space.score_arcs(self.pruner, features)
        if len(space.heads) > LONGEST + 1:
            return None
        space.keep(self.settings.candidates)
        return space.score_parts(self.weights, features)
