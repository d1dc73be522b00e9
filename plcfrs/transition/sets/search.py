"""The search for derivations, which knows no network: its scores come from a `Scorer`.

Many sentences are parsed in lockstep, so that one call scores the candidates of all of them. Labels
never influence the structure; they are chosen at the end, for the sets that were built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from plcfrs.transition.sets.scoring import Batch, Choice, Scorer
from plcfrs.transition.sets.state import State, narrowed


class Derivation(NamedTuple):
    """A derivation; all parts have 2n - 1 elements, one for each pair of steps.

    A step is `state.SHIFT` or the first token of the set combined with the focus; the sets are the
    focus after each, and label 0 is NO-LABEL. Scores are natural logarithms of probabilities, and 0
    where there is no choice.
    """

    steps: list[int]
    sets: list[int]
    labels: list[int]
    step_scores: list[float]
    label_scores: list[float]

    @property
    def constituents(self) -> dict[int, int]:
        """The sets that have labels, and the numbers of these."""
        return {mask: label for mask, label in zip(self.sets, self.labels, strict=True) if label}

    @property
    def log_probability(self) -> float:
        """Natural logarithm of the probability of all steps."""
        return sum(self.step_scores) + sum(self.label_scores)


class _Item(NamedTuple):
    """A derivation in the making."""

    state: State
    step: int
    step_score: float
    total: float  # of the scores of all steps so far
    before: _Item | None


def search(
    lengths: Sequence[int], scorer: Scorer, labels: Sequence[str], beam: int = 1
) -> list[list[Derivation]]:
    """Return at most `beam` derivations of each sentence, given the numbers of tokens.

    The best come first, by their structure steps; several can give the same tree. The labels are in
    the order of the scorer (see `constituents.inventory`); those that begin with ROOT are for whole
    sentences, which get no other.
    """
    batch = Batch(lengths, scorer)
    beams = [[_Item(State(), 0, 0.0, 0.0, None)] for _ in lengths]
    for number in range(2 * max(lengths, default=0) - 1):
        active = [place for place, length in enumerate(lengths) if number < 2 * length - 1]
        items = [(place, item) for place in active for item in beams[place]]
        choices = iter(batch.choices([(place, item.state) for place, item in items]))
        for place in active:
            beams[place] = _best([(item, next(choices)) for item in beams[place]], beam)
    histories = [[_history(item) for item in items] for items in beams]
    sets = [
        list(dict.fromkeys(item.state.focus for history in each for item in history))
        for each in histories
    ]
    best = batch.best_labels(sets, labels)
    return [
        [_derivation(history, label) for history in each]
        for each, label in zip(histories, best, strict=True)
    ]


def sample(
    lengths: Sequence[int],
    scorer: Scorer,
    random: np.random.Generator,
    golds: Sequence[Mapping[int, str]] | None = None,
    follow: float = 1.0,
) -> list[list[int]]:
    """Return the structure steps of a derivation of each sentence, drawn at random.

    A step is drawn from the softmax of its candidates with the probability `follow` (Coavoux and
    Cohen 2019 draw all); otherwise the dynamic oracle chooses it (Goldberg and Nivre 2013).
    """
    batch = Batch(lengths, scorer)
    states = [State() for _ in lengths]
    reachable = [sorted(gold) for gold in golds or ()]
    found: list[list[int]] = [[] for _ in lengths]
    for number in range(2 * max(lengths, default=0) - 1):
        active = [place for place, length in enumerate(lengths) if number < 2 * length - 1]
        choices = batch.choices([(place, states[place]) for place in active], random)
        for place, (options, scores) in zip(active, choices, strict=True):
            state = states[place]
            option = options[scores.index(max(scores))]
            if golds and random.random() >= follow:
                option = state.right_option(reachable[place])
            found[place].append(state.step(option))
            states[place] = state.after(option)
            if golds:
                reachable[place] = narrowed(reachable[place], states[place].focus)
    return found


def _best(choices: Sequence[tuple[_Item, Choice]], beam: int) -> list[_Item]:
    """Return the best items after a step."""
    if beam == 1:
        ((item, (options, scores)),) = choices
        score = max(scores)
        found = [(item.total + score, score, item, options[scores.index(score)])]
    else:
        found = [
            (item.total + score, score, item, option)
            for item, (options, scores) in choices
            for option, score in zip(options, scores, strict=True)
        ]
        found.sort(key=itemgetter(0), reverse=True)
    return [
        _Item(item.state.after(option), item.state.step(option), score, total, item)
        for total, score, item, option in found[:beam]
    ]


def _history(item: _Item) -> list[_Item]:
    """Return the items of a derivation in order, without the first one, where nothing is built."""
    found = []
    while item.before is not None:
        found.append(item)
        item = item.before
    return found[::-1]


def _derivation(history: Sequence[_Item], best: Mapping[int, tuple[int, float]]) -> Derivation:
    sets = [item.state.focus for item in history]
    return Derivation(
        [item.step for item in history],
        sets,
        [best[mask][0] for mask in sets],
        [item.step_score for item in history],
        [best[mask][1] for mask in sets],
    )
