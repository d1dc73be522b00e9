"""How a set-based parser built a tree: each transition, and the best one that was not taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from plcfrs.pipeline.beam import transition_row
from plcfrs.pipeline.explanation import Row
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
from plcfrs.trees.labels import parse_chain
from plcfrs.trees.spans import positions


def rows_of(
    words: Sequence[str], derivation: Derivation, labels: Sequence[str], scorer: Scorer
) -> list[Row]:
    """Return the transitions of a derivation.

    Parameters
    ----------
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
        transition_row(
            str(transition),
            score,
            positions(configuration.focus),
            _categories(transition),
            {**show(configuration, words), "next best": _next_best(choice, transition)},
        )
        for transition, score, configuration, choice in zip(
            transitions, scores, after, choices, strict=True
        )
    ]


def _categories(transition: Transition) -> tuple[str, ...]:
    """Return the categories of the new constituents."""
    if not isinstance(transition, Label):
        return ()
    made = parse_chain(transition.category)
    return made.category, *(each.category for each in made.chain)


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
