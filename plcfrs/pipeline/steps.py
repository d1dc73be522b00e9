"""How a transition parser built a tree: step by step, with scores that add up."""

from __future__ import annotations

from plcfrs.pipeline.beam import transition_row
from plcfrs.pipeline.explanation import Row
from plcfrs.transition.parser import TransitionParse
from plcfrs.transition.registry import find_system
from plcfrs.transition.settings import Settings
from plcfrs.transition.system import Child
from plcfrs.trees import Node
from plcfrs.trees.labels import parse_chain


def rows_of(settings: Settings, parse: TransitionParse) -> list[Row]:
    """Return the transitions that led to a parse, computed by the reference implementation.

    Parameters
    ----------
    settings : Settings
        The settings of the parser.
    """
    words = [token.form for token in parse.tree.tokens]
    system = find_system(settings.system, settings.order)
    configuration = system.initial(len(words))
    rows = []
    for transition, score in zip(parse.transitions, parse.scores, strict=True):
        configuration = system.apply(configuration, transition)
        parts, top = system.show(configuration, words)
        categories: tuple[str, ...] = ()
        if transition.label and not transition.intermediate:
            made = parse_chain(transition.label)
            categories = made.category, *(each.category for each in made.chain)
        rows.append(transition_row(str(transition), score, _positions(top), categories, parts))
    return rows


def _positions(element: Child | None) -> list[int]:
    if not isinstance(element, Node):
        return [] if element is None else [element]
    found = [child for node in element.preorder() for child in node.children]
    return sorted(child for child in found if isinstance(child, int))
