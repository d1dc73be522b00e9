"""The backbone: the part of the parser that finds the head of each token.

Its explanation says what each arc scores, and what the next best head would cost. It is trained by
1-best MIRA with averaged weights, epoch by epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.learning.kernel.arrays import Int32, Scores
from plcfrs.learning.weights import (
    HashedState,
    averages_of,
    checked,
    hashed_of,
    learn_from_all,
    new_hashed_weights,
    state_of,
    time_after,
)
from plcfrs.parsers.reduction.features import (
    ReductionVocabulary,
    TreeWorkspace,
    compile_all,
    features_of,
    most_features,
)
from plcfrs.parsers.reduction.kernel.arrays import Floats, PartFeatures, Parts
from plcfrs.parsers.reduction.kernel.climbing import score_crossing, score_word
from plcfrs.parsers.reduction.kernel.learning import learn_heads, learn_tree
from plcfrs.settings import Checked, setting
from plcfrs.trees import DependencyTree, Token

MOST_CANDIDATES = 100


@dataclass(frozen=True)
class BackboneSettings(Checked):
    """Settings of the backbone.

    >>> BackboneSettings(epochs=5).candidates
    10
    """

    candidates: int = setting(
        10,
        "Number of heads that the parser chooses from, for each word.",
        least=1,
        most=MOST_CANDIDATES,
    )
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
    epochs: int = setting(10, "Number of passes over all trees.", least=1, stored=False)


PLACES = 1 << 22
"""The number of weights."""
PRUNER_PLACES = 1 << 21
"""The number of weights of arcs alone, which decide what heads the parser keeps."""
LONGEST = 150
"""The most tokens of a sentence that is parsed with siblings and grandparents: their memory grows
with the third power."""
DECOMPOSITION_STEPS = 100
"""The most steps of dual decomposition, which looks for better trees than hill climbing finds."""

# The largest change of a weight by one sentence.
_LARGEST_CHANGE = 0.005


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


class HeadChoice(NamedTuple):
    """The head of a token, and the best other one.

    Parameters
    ----------
    head : int
        From 1; 0 stands for the root.
    score : float
        The score of the arc with its siblings and grandparents. The scores of all tokens add up to
        that of the tree.
    second : int or None
        The head that would cost the least if nothing else were changed; None if no other one makes
        a tree.
    cost : float
        By how much the score of the tree would be lower; negative if the other arc would score
        more, but cross others.
    """

    head: int
    score: float
    second: int | None
    cost: float


@dataclass(eq=False, repr=False)
class Backbone:
    """A trained parser of dependencies without relations.

    It parses sentences of more than `LONGEST` tokens without siblings and grandparents.

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
        """Return the best heads that the search finds for tagged tokens."""
        with self._searched(tokens) as (_, parse, _):
            return parse

    def head_choices(self, tokens: Sequence[Token]) -> list[HeadChoice]:
        """Return the head of each tagged token, and what the next best one would cost."""
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

            return find_head_choices(space.heads, space.arcs, score_of)

    @contextmanager
    def _searched(
        self, tokens: Sequence[Token]
    ) -> Iterator[tuple[TreeWorkspace, BackboneParse, Parts | None]]:
        """Lend memory with the best tree, and the scores of all parts."""
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
        """Score the arcs of a sentence; return the scores of all parts unless it is too long."""
        space.score_arcs(self.pruner, features)
        if len(space.heads) > LONGEST + 1:
            return None
        space.keep(self.settings.candidates)
        return space.score_parts(self.weights, features)


def find_head_choices(
    heads: Int32,
    arcs: Floats,
    scores_of: Callable[[Int32], list[float]],
) -> list[HeadChoice]:
    """Return the head of each token, and the best other one.

    Parameters
    ----------
    heads : array of int, (n + 1,)
        After -1 for the root.
    arcs : array of float, (n + 1, n + 1)
        The scores of arcs; an arc of -inf must not be in a tree.
    scores_of : callable
        Returns the scores of the arcs of a tree.
    """
    scores = scores_of(heads)
    found = []
    for token, score in enumerate(scores, start=1):
        changed, second, second_score = heads.copy(), None, -inf
        for head in np.flatnonzero(arcs[:, token] > -inf).tolist():
            if _makes_tree(heads, head, token):
                changed[token] = head
                if (other := sum(scores_of(changed))) > second_score:
                    second, second_score = head, other
        found.append(HeadChoice(int(heads[token]), score, second, sum(scores) - second_score))
    return found


def _makes_tree(heads: Int32, head: int, token: int) -> bool:
    """Return whether a token can be attached to another head; the root keeps its only dependent."""
    if 0 in (head, heads[token]) or head == heads[token]:
        return False
    while head not in (0, token):
        head = int(heads[head])
    return head == 0


class BackboneExample(NamedTuple):
    """A training sentence as arrays."""

    tokens: list[Token]
    gold: Int32  # the head of each word, after -1 for the root


class BackboneState(NamedTuple):
    """What a checkpoint of the training contains."""

    epoch: int
    parser: HashedState
    pruner: HashedState


class BackboneTraining:
    """The training of a backbone on dependencies."""

    def __init__(self, trees: Iterable[DependencyTree], settings: BackboneSettings) -> None:
        self.settings = settings
        self.epoch = 0
        trees = list(trees)
        self.rounds, self.steps = range(1, settings.epochs + 1), len(trees)
        self.vocabulary = ReductionVocabulary.of(tree.tokens for tree in trees)
        self._examples = [
            BackboneExample(tree.tokens, np.array([-1, *tree.heads], np.int32)) for tree in trees
        ]
        self._templates = compile_all()
        self._workspace = TreeWorkspace()
        self._places = np.zeros(0, np.uint32)
        self._weights = new_hashed_weights(PLACES)
        self._pruner = new_hashed_weights(PRUNER_PLACES)

    def run_epoch(self, step: Callable[[], object] = lambda: None) -> dict[str, float]:
        """Learn from all trees once, in a new order, and return the figures for people.

        `step` is called after each sentence.
        """
        self.epoch += 1
        examples, seed = self._examples, self.settings.seed
        wrong, seconds = learn_from_all(examples, self._learn, self.epoch, seed, step)
        return {"wrong heads": wrong, "seconds": seconds}

    def model(self) -> Backbone:
        """Return a backbone with the weights averaged so far."""
        time = time_after(self.epoch, self._examples)
        weights, pruner = averages_of(self._weights, time), averages_of(self._pruner, time)
        return Backbone(self.settings, self.vocabulary, weights, pruner)

    @property
    def state(self) -> BackboneState:
        """The progress, and the weights so far."""
        return BackboneState(self.epoch, state_of(self._weights), state_of(self._pruner))

    def resume(self, state: BackboneState) -> None:
        """Continue from a state of the same trees and settings; raise a ValueError if damaged."""
        self._weights = hashed_of(state.parser, PLACES)
        self._pruner = hashed_of(state.pruner, PRUNER_PLACES)
        self.epoch = state.epoch

    def _learn(self, example: BackboneExample, time: float) -> int:
        """Parse a sentence, learn from the mistakes, and return their number."""
        gold, space, settings = example.gold, self._workspace, self.settings
        words = len(gold) - 1
        if words == 0:
            return 0
        features = features_of(self._templates, example.tokens, self.vocabulary.known)
        space.begin(words)
        most = most_features(self._templates, words)
        if most > len(self._places):
            self._places = np.zeros(most, np.uint32)
        learning = _LARGEST_CHANGE, time, self._places
        space.score_arcs(self._pruner.values, features)
        learn_heads(self._pruner, features, space.arcs, gold, *learning)
        if words > LONGEST:
            return 0
        space.keep(settings.candidates)
        space.kept[gold[1:], range(1, words + 1)] = True
        parts = space.score_parts(self._weights.values, features)
        add_costs(space.arcs, gold)
        space.climb(parts, settings.candidates + 2)
        space.reattach(parts)
        return learn_tree(self._weights, features, gold, space.heads, *learning)


def add_costs(arcs: Floats, gold: Int32) -> None:
    """Let wrong arcs score 1 more, so that wrong trees come near the right one."""
    arcs += 1
    arcs[gold[1:], np.arange(1, len(gold))] -= 1
