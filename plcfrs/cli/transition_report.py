"""What ``plcfrs inspect`` says of transition parsers."""

from __future__ import annotations

from collections import Counter

from plcfrs.cli.summary import some
from plcfrs.pipeline import TransitionModel
from plcfrs.transition.parser import TransitionParser
from plcfrs.transition.tagger import Tagger


def transition_lines(name: str, model: TransitionModel) -> list[str]:
    """Return how a transition parser was made, what it knows, and how many weights it has."""
    vocabulary = model.parser.vocabulary
    kinds = Counter(transition.kind.value for transition in vocabulary.transitions)
    labels: dict[str, None] = {each.label: None for each in vocabulary.transitions if each.label}
    made = {**model.parser.settings.header(), **model.options}
    return [
        f"{name}: transition parser",
        *(f"  {key}: {value}" for key, value in made.items()),
        f"  words: {len(vocabulary.words)} that were seen more than once",
        f"  tags: {len(vocabulary.tags)} ({some(vocabulary.tags)})",
        f"  transitions: {len(vocabulary.transitions)} "
        f"({', '.join(f'{kind}: {count}' for kind, count in sorted(kinds.items()))})",
        f"  labels: {len(labels)} ({some(list(labels))})",
        f"  weights: {_weights(model.parser)}",
        f"  weights of the tagger: {_weights(model.tagger)}",
    ]


def _weights(part: TransitionParser | Tagger) -> str:
    features = int((part.weights.table["size"] > 0).sum())
    return f"{len(part.weights.entries)}, of {features} features"
