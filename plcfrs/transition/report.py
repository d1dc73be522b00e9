"""The report of ``plcfrs inspect`` on transition parsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from plcfrs.grammar.summary import some
from plcfrs.linear.weights import count_averages
from plcfrs.tagging.tagger import Tagger
from plcfrs.transition.parser import TransitionParser


def transition_lines(
    parser: TransitionParser, tagger: Tagger, about: Mapping[str, str]
) -> list[str]:
    """Return lines about a transition parser: its training, vocabulary and weights."""
    vocabulary = parser.vocabulary
    kinds = Counter(transition.kind.value for transition in vocabulary.transitions)
    labels: dict[str, None] = {each.label: None for each in vocabulary.transitions if each.label}
    return [
        *(f"  {key}: {value}" for key, value in about.items()),
        f"  words: {len(vocabulary.words)} seen at least twice",
        f"  tags: {len(vocabulary.tags)} ({some(vocabulary.tags)})",
        f"  transitions: {len(vocabulary.transitions)} "
        f"({', '.join(f'{kind}: {count}' for kind, count in sorted(kinds.items()))})",
        f"  labels: {len(labels)} ({some(list(labels))})",
        "  weights: {}, of {} features".format(*count_averages(parser.weights)),
        "  weights of the tagger: {}, of {} features".format(*count_averages(tagger.weights)),
    ]
