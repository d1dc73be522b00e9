"""The network of a neural parser with NumPy, and its readings of sentences.

One encoder serves up to three heads: a tagger and the transitions of a set-based parser (Coavoux
and Cohen 2019), and the scores of spans (Stern, Andreas and Klein 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.completion.functions import FunctionScores
from plcfrs.networks.encoding import (
    Encoded,
    Encoding,
    Float32,
    NetworkVocabulary,
    Shapes,
    encoder_shapes,
    linear,
    linear_shapes,
)
from plcfrs.networks.inputs import TrainedNetwork, further_vectors
from plcfrs.parsers.neural.functions import (
    FunctionHead,
    Functions,
    function_shapes,
    numbers_of,
)
from plcfrs.parsers.neural.heads import (
    HIGHEST,
    TransitionScorer,
    border_rows,
    scores_of,
    span_shapes,
    transition_shapes,
)
from plcfrs.parsers.neural.search import (
    Float64,
    Found,
    SetDerivation,
    chances_of_sets,
    search,
)
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing.parse import Constituent
from plcfrs.threads import one_thread
from plcfrs.trees import Fixed, Token, Tree
from plcfrs.trees.labels import is_axiom, labels_of_chain

# A tag is possible if the best one is at most e to this power more probable.
TAG_RATIO = 6.0

BATCH = 128  # sentences to read at once

# The number of derivations that probabilities are summed over: more change little. Less probable
# categories of sets do not count.
WIDE_BEAM = 8
_LEAST = 1e-4

# The least number of derivations that vote: one is too sure, and more than two change little.
_VOTERS = 2

_NO_VECTORS = np.empty((0, 0), np.float32)

Tags = Sequence[Mapping[str, float]]
"""The possible tags of each token with their costs (``-log p``, natural logarithm)."""


class Reading(NamedTuple):
    """The results of a network's heads for a sentence.

    Parameters
    ----------
    tags : Tags
        From the tagger or, without a tagger, from the tokens.
    derivations : list of SetDerivation
        From the set-based search, the most probable first.
    chances : mapping of Constituent to float
        With all heads, the probabilities of constituents, summed over these derivations.
    borders : array of (tokens + 1, hidden)
        The rows of the borders of spans; see `border_rows`.
    tokens : array of (tokens, size)
        The vectors that functions are scored from; empty if none were learned.
    """

    tags: Tags
    derivations: list[SetDerivation]
    chances: Mapping[Constituent, float]
    borders: Float32
    tokens: Float32

    @property
    def best_tags(self) -> list[str]:
        """The most probable tag of each token."""
        return [min(each, key=each.__getitem__) for each in self.tags]


@dataclass(eq=False, repr=False)
class NeuralNetwork(TrainedNetwork[NeuralSettings]):
    """A trained network, with the labels of the parts of constituents and with functions."""

    settings: NeuralSettings
    parts: tuple[str, ...] = ()
    functions: Functions | None = None

    def check(self) -> None:
        """Raise a ValueError if something is damaged."""
        labels = self.vocabulary.labels
        if not labels or labels[0]:  # the first is NO-LABEL
            raise ValueError("the labels of the sets are damaged")
        if self.settings.has_transitions and not any(map(is_axiom, labels)):
            raise ValueError("the labels of the sets are damaged")
        super().check()

    def read(
        self, sentences: Sequence[list[Token]], beam: int, fixed: Sequence[Fixed | None] = ()
    ) -> list[Reading]:
        """Return the network's readings of sentences; it encodes each sentence once.

        Tokens need tags if these are an input. `fixed` has what is known of the tree of each
        sentence, or is empty.
        """
        # Batches have sentences of about the same length.
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        readings: dict[int, Reading] = {}
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            known = [fixed[place] for place in places] if fixed else []
            batch = self._read_batch([sentences[place] for place in places], beam, known)
            readings |= zip(places, batch, strict=True)
        return [readings[place] for place in range(len(sentences))]

    def chances(
        self, sentences: Sequence[list[Token]], fixed: Sequence[Fixed | None] = ()
    ) -> list[dict[Constituent, float]]:
        """Return the probabilities of the constituents of each sentence, summed over a beam.

        Tokens need tags if these are an input. The beam has at least `WIDE_BEAM` derivations.
        """
        beam = max(WIDE_BEAM, self.settings.beam)
        chances: list[dict[Constituent, float]] = []
        for start in range(0, len(sentences), BATCH):
            batch = sentences[start : start + BATCH]
            lengths, scorer = list(map(len, batch)), self.scorer(batch)
            known = fixed[start : start + BATCH]
            found = search(lengths, scorer, self.vocabulary.labels, beam, known)
            chances += map(self._chances, found)
        return chances

    def scorer(self, sentences: Sequence[list[Token]]) -> TransitionScorer:
        """Return the scorer of transitions; tokens need tags if these are an input."""
        return TransitionScorer(self.arrays, self._encoded(sentences).second)

    def scores(
        self, reading: Reading, groups: Sequence[Sequence[Constituent]], highest: float = HIGHEST
    ) -> Costs:
        """Return the sum of the scores of each group of constituents by spans; see `scores_of`.

        The result is a float64 array (groups,).
        """
        return scores_of(groups, self._numbers, self.arrays, reading.borders, highest)

    def function_scores(self, reading: Reading, tree: Tree) -> FunctionScores | None:
        """Return the scores of the functions of a tree with this reading, if any were learned."""
        if self.functions is None:
            return None
        scores = self._function_head.scores(reading.tokens, self.functions.rows(tree))
        children = [child for *_, child in self.functions.children(tree)]
        rows = dict(zip(children, scores.tolist(), strict=True))
        return FunctionScores(numbers_of(self.functions.labels), rows)

    def token_vectors(self, sentences: Sequence[list[Token]]) -> list[Float32]:
        """Return the vectors of each sentence that functions are scored from: (tokens, size)."""
        return token_vectors(self._encoded(sentences), list(map(len, sentences)))

    @cached_property
    def chains(self) -> list[tuple[str, ...]]:
        """The categories of each label of sets, from the highest; NO-LABEL has none."""
        return list(map(categories_of, self.vocabulary.labels))

    @cached_property
    def categories(self) -> list[str]:
        """The categories of the training set."""
        return list(dict.fromkeys(chain.from_iterable(self.chains)))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.parts)}

    @cached_property
    def _encoding(self) -> Encoding:
        return Encoding({**self.network, **self.rounded})

    @cached_property
    def _function_head(self) -> FunctionHead:
        return FunctionHead({**self.network, **self.rounded})

    def _encoded(self, sentences: Sequence[list[Token]]) -> Encoded:
        numbers = self.vocabulary.numbers(sentences)
        return self._encoding.encode(numbers, further_vectors(self.inputs, sentences))

    def _read_batch(
        self, sentences: list[list[Token]], beam: int, fixed: Sequence[Fixed | None]
    ) -> list[Reading]:
        settings, lengths = self.settings, list(map(len, sentences))
        encoded = self._encoded(sentences)
        tags = self._tags(sentences, encoded)
        derivations: list[list[SetDerivation]] = [[] for _ in sentences]
        chances: list[dict[Constituent, float]] = [{} for _ in sentences]
        borders = np.empty((sum(lengths) + len(lengths), 0), np.float32)
        if settings.has_transitions:
            scorer = TransitionScorer(self.arrays, encoded.second)
            width = max(_VOTERS, beam) if settings.has_spans else beam
            found = search(lengths, scorer, self.vocabulary.labels, width, fixed)
            derivations = [each.derivations for each in found]
            if settings.has_spans:
                chances = list(map(self._chances, found))
        if settings.has_spans:
            borders = border_rows(self.arrays, encoded.second, np.array(lengths, np.int32))
        ends = np.cumsum(np.add(lengths, 1))[:-1].tolist()
        for each in derivations:
            each.sort(key=lambda derivation: derivation.log_probability, reverse=True)
        tokens = token_vectors(encoded, lengths) if self.functions else [_NO_VECTORS] * len(lengths)
        parts = zip(tags, derivations, chances, np.split(borders, ends), tokens, strict=True)
        return [Reading(*part) for part in parts]

    def _tags(self, sentences: Sequence[list[Token]], encoded: Encoded) -> list[Tags]:
        """Return the possible tags of each sentence, or the given ones if they are an input."""
        if self.settings.tags == "given":
            return [[{token.tag: 0.0} for token in sentence] for sentence in sentences]
        possible = iter(self._possible(tag_scores(self.arrays, encoded)))
        return [[next(possible) for _ in sentence] for sentence in sentences]

    def _possible(self, scores: Float32) -> list[dict[str, float]]:
        """Return the possible tags of each token, given the scores of all tags.

        Without a forest, only the best tag is useful.
        """
        ratio = TAG_RATIO if self.settings.has_spans else 0.0
        best = scores.max(1, keepdims=True)
        totals = np.log(np.exp(scores - best).sum(1, keepdims=True)) + best
        costs = totals.astype(np.float64) - scores
        possible: list[dict[str, float]] = [{} for _ in scores]
        tokens, tags = np.nonzero(scores >= best - ratio)
        triples = zip(tokens.tolist(), tags.tolist(), costs[tokens, tags].tolist(), strict=True)
        for token, tag, cost in triples:
            possible[token][self.vocabulary.tags[tag]] = cost
        return possible

    def _chances(self, found: Found) -> dict[Constituent, float]:
        """Return the probability of each category over each set of some derivations."""
        chances = chances_of_sets(found) @ self._membership
        rows, columns = np.nonzero(chances > _LEAST)
        likely = zip(rows.tolist(), columns.tolist(), chances[rows, columns].tolist(), strict=True)
        names = self.categories
        return {(names[column], found.sets[row]): chance for row, column, chance in likely}

    @cached_property
    def _membership(self) -> Float64:
        """Which categories the labels of sets have, as 1 and 0: (labels, categories)."""
        has = [[float(name in each) for name in self.categories] for each in self.chains]
        return np.array(has).reshape(len(has), len(self.categories))

    def _shapes(self, further_size: int) -> Shapes:
        labels = self.parts, further_size, self.functions
        return neural_shapes(self.settings, self.vocabulary, *labels)


def neural_shapes(
    settings: NeuralSettings,
    vocabulary: NetworkVocabulary,
    parts: Sequence[str],
    further_size: int = 0,
    functions: Functions | None = None,
) -> Shapes:
    """Return the shapes of a `plcfrs.parsers.neural.training.NeuralModule` and of functions."""
    units = 2 * settings.units
    shapes = encoder_shapes(settings, vocabulary, further_size)
    if settings.tags == "own":
        shapes |= linear_shapes("tagger", units, len(vocabulary.tags) + 1)
    if settings.has_transitions:
        shapes |= transition_shapes(units, settings.hidden_size, len(vocabulary.labels))
    if settings.has_spans:
        shapes |= span_shapes(units, settings.span_size, len(parts))
    if functions:
        size = shapes["first.from_left.weight_ih_l0"][1] + units
        shapes |= function_shapes(size, settings.span_size, functions)
    return shapes


def token_vectors(encoded: Encoded, lengths: Sequence[int]) -> list[Float32]:
    """Return the vectors of each sentence that functions are scored from."""
    vectors = np.hstack([encoded.words, encoded.second])
    return np.split(vectors, np.cumsum(lengths)[:-1].tolist())


@one_thread
def tag_scores(arrays: Mapping[str, Float32], encoded: Encoded) -> Float32:
    """Return the scores of the tags of the vocabulary, of the shape (tokens, tags)."""
    return linear(arrays, "tagger.", encoded.first)[:, 1:]  # 0 stands for no known tag


def categories_of(label: str) -> tuple[str, ...]:
    """Return the categories of the constituents over a set, from the highest to the lowest.

    >>> categories_of("ROOT+SQ")
    ('ROOT', 'SQ')
    """
    return tuple(each.category for each in labels_of_chain(label))
