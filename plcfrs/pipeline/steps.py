"""How a transition parser built a tree: step by step, with scores that add up."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import ClassVar, NamedTuple

from plcfrs.pipeline.explanation import numbered
from plcfrs.transition.parser import TransitionParse
from plcfrs.transition.registry import find_system
from plcfrs.transition.sets import configuration as sets
from plcfrs.transition.settings import Settings
from plcfrs.transition.system import Child
from plcfrs.transition.transitions import Transition
from plcfrs.trees import Node
from plcfrs.trees.labels import parse_chain


class TransitionStep(NamedTuple):
    """A transition and its result.

    Parameters
    ----------
    transition : Transition
    score : float
        The score of this transition alone.
    configuration : dict of str to str
        The stack, the deque and the buffer, or the stack and the queue, each with its next
        elements; a constituent has its head word in brackets. Or the focus and the memory, and the
        best other transition.
    positions : list of int
        The tokens of the element on top of the stack, or of the focus.
    """

    transition: Transition | sets.Transition
    score: float
    configuration: dict[str, str]
    positions: list[int]

    @property
    def text(self) -> str:
        """The transition."""
        return str(self.transition)

    @property
    def clause(self) -> str:
        """The transition, in the notation of the papers."""
        return str(self.transition)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the new constituents, unless they are intermediate."""
        match self.transition:
            case Transition(label=label, intermediate=False) | sets.Label(category=label) if label:
                top = parse_chain(label)
                return top.category, *(each.category for each in top.chain)
        return ()

    @property
    def details(self) -> dict[str, str]:
        """The configuration after it."""
        return self.configuration


@dataclass(frozen=True, slots=True)
class TransitionExplanation:
    """The transitions that led to a parse.

    Parameters
    ----------
    words : list of str
    steps : list of TransitionStep
    """

    words: list[str]
    steps: list[TransitionStep]
    noun: ClassVar[str] = "transition"
    measure: ClassVar[str] = "score"
    dependencies: ClassVar[None] = None

    def lines(self, *, binarized: bool = False) -> list[str]:  # noqa: ARG002 (there are no rules)
        """Return the transitions with their scores as text, and the sum."""
        rows = [["transition", *self.steps[0].configuration]]
        rows += [[str(step.transition), *step.configuration.values()] for step in self.steps]
        scores = ["    score", *(f"{step.score:9.2f}" for step in self.steps)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([score, *map(str.ljust, row, widths)]).rstrip()
            for score, row in zip(scores, rows, strict=True)
        ]
        total = fsum(step.score for step in self.steps)
        return [numbered(self.words), "", *lines, f"{total:9.2f}  the sum"]


def steps_of(settings: Settings, parse: TransitionParse) -> list[TransitionStep]:
    """Return the steps that led to a parse, computed by the reference implementation.

    Parameters
    ----------
    settings : Settings
        The settings of the parser.
    parse : TransitionParse
    """
    words = [token.form for token in parse.tree.tokens]
    system = find_system(settings.system, settings.order)
    configuration = system.initial(len(words))
    steps = []
    for transition, score in zip(parse.transitions, parse.scores, strict=True):
        configuration = system.apply(configuration, transition)
        parts, top = system.show(configuration, words)
        steps.append(TransitionStep(transition, score, parts, _positions(top)))
    return steps


def _positions(element: Child | None) -> list[int]:
    if not isinstance(element, Node):
        return [] if element is None else [element]
    found = [child for node in element.preorder() for child in node.children]
    return sorted(child for child in found if isinstance(child, int))
