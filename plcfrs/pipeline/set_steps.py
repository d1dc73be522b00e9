"""How a set-based parser built a tree: each transition, and the best one that was not taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from plcfrs.pipeline.steps import TransitionStep
from plcfrs.transition.sets.configuration import (
    Combine,
    Configuration,
    Label,
    NoLabel,
    Shift,
    Transition,
    run,
)
from plcfrs.transition.sets.scoring import Batch, Scorer
from plcfrs.transition.sets.search import Derivation
from plcfrs.transition.sets.showing import show, transitions_of
from plcfrs.transition.sets.state import SHIFT, State
from plcfrs.trees.spans import positions


def steps_of(
    words: Sequence[str], derivation: Derivation, labels: Sequence[str], scorer: Scorer
) -> list[TransitionStep]:
    """Return the steps of a derivation.

    Parameters
    ----------
    words : sequence of str
    derivation : Derivation
    labels : sequence of str
        All labels in the order of the scorer.
    scorer : Scorer
        Of this sentence alone.
    """
    transitions = transitions_of(derivation, labels)
    before, *after = run(transitions, len(words))
    pairs = zip(derivation.step_scores, derivation.label_scores, strict=True)
    scores = (score for pair in pairs for score in pair)
    choices = _choices([before, *after[:-1]], labels, scorer)
    return [
        TransitionStep(
            transition,
            score,
            {**show(configuration, words), "next best": _next_best(choice, transition)},
            positions(configuration.focus),
        )
        for transition, score, configuration, choice in zip(
            transitions, scores, after, choices, strict=True
        )
    ]


def _choices(
    configurations: Sequence[Configuration], labels: Sequence[str], scorer: Scorer
) -> Iterator[Mapping[Transition, float]]:
    """Yield the transitions to choose from in each configuration, with their scores."""
    batch = Batch([configurations[0].length], scorer)
    states = [(0, State(each.memory, each.focus, each.next)) for each in configurations[::2]]
    sets = [each.focus for each in configurations[1::2]]
    label_scores = batch.label_scores([sets], labels).tolist()
    for (_, state), choice, scores in zip(states, batch.choices(states), label_scores, strict=True):
        steps = map(state.step, choice.options)
        yield {
            Shift() if step == SHIFT else Combine(step): score
            for step, score in zip(steps, choice.scores, strict=True)
        }
        yield {
            Label(label) if label else NoLabel(): score
            for label, score in zip(labels, scores, strict=True)
        }


def _next_best(choice: Mapping[Transition, float], taken: Transition) -> str:
    others = {each: score for each, score in choice.items() if each != taken and score > -inf}
    if not others:
        return ""
    best = max(others, key=others.__getitem__)
    return f"{others[best]:.2f} {best}"
