"""Backbones: parsers that find the head of each word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.dependency.features import attributes_of, compile_all, features_of
from plcfrs.dependency.scoring import LONGEST, Workspace
from plcfrs.dependency.settings import Settings
from plcfrs.dependency.vocabulary import Vocabulary
from plcfrs.errors import InputError
from plcfrs.linear.hashed import checked
from plcfrs.linear.kernel.arrays import Scores
from plcfrs.trees import Token

# Places for weights.
PLACES = 1 << 22
PRUNER_PLACES = 1 << 21


class Backbone:
    """A trained parser of dependencies without relations.

    Parameters
    ----------
    settings : Settings
    vocabulary : Vocabulary
    weights : array of float, (PLACES,)
        Averaged.
    pruner : array of float, (PRUNER_PLACES,)
        Averaged weights of arcs, for the second order; otherwise empty.
    """

    def __init__(
        self, settings: Settings, vocabulary: Vocabulary, weights: Scores, pruner: Scores
    ) -> None:
        self.settings = settings
        self.vocabulary = vocabulary
        self._weights = weights
        self._pruner = pruner
        self._templates = compile_all()
        self._idle: list[Workspace] = []

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the memory of searches when a backbone is pickled."""
        return {**self.__dict__, "_idle": []}

    def heads(self, tokens: Sequence[Token]) -> list[int]:
        """Return the head of each token, from 1; 0 stands for the root.

        Parameters
        ----------
        tokens : sequence of Token
            With tags.

        Raises
        ------
        InputError
            If there are no tokens.
        """
        if not tokens:
            raise InputError("the sentence has no words")
        space = self._idle.pop() if self._idle else Workspace()
        features = features_of(self._templates, attributes_of(tokens, self.vocabulary.known))
        space.begin(len(tokens))
        if self.settings.backbone == "second-order":
            space.score_arcs(self._pruner, features)
            if len(tokens) > LONGEST:
                space.find_by_arcs("first-order")
            else:
                space.prune(self.settings.candidates)
                parts = space.score_parts(self._weights, features)
                space.find_by_parts(parts, self.settings.candidates)
        else:
            space.score_arcs(self._weights, features)
            space.find_by_arcs(self.settings.backbone)
        heads: list[int] = space.heads[1:].tolist()
        self._idle.append(space)
        return heads

    def header(self) -> dict[str, str]:
        """Return the settings and the vocabulary as text."""
        return self.settings.header() | self.vocabulary.header()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights."""
        return {"weights": self._weights, "pruner": self._pruner}

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, str], weights: Mapping[str, NDArray[Any]]
    ) -> Backbone:
        """Return the backbone with a header and arrays, which may be memory-mapped.

        Raises
        ------
        KeyError, ValueError
            If something is missing or damaged.
        """
        settings = Settings.from_header(header)
        is_pruned = settings.backbone == "second-order"
        return cls(
            settings,
            Vocabulary.from_header(header),
            checked(weights["weights"], PLACES),
            checked(weights["pruner"], PRUNER_PLACES if is_pruned else 0),
        )
