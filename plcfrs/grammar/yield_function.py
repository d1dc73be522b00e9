"""Yield functions: how the ranges of a mother are composed of the ranges of its children.

A yield function is a tuple of components, each a tuple of child numbers. The j-th occurrence of a
child stands for its j-th range, so every yield function is monotone. ``((0, 1, 2, 0),)`` is
``SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)``; its text form is ``[0 1 2 0]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeVar

from plcfrs.errors import GrammarError

YieldFunction = tuple[tuple[int, ...], ...]
Item = TypeVar("Item")


def render_yield_function(yield_function: YieldFunction) -> str:
    """Return the text form: numbers separated by blanks, components by commas.

    Examples
    --------
    >>> render_yield_function(((0, 1), (0,)))
    '[0 1, 0]'
    """
    return "[" + ", ".join(" ".join(map(str, component)) for component in yield_function) + "]"


@cache
def parse_yield_function(text: str) -> YieldFunction:
    """Read the text form of a yield function, with or without its square brackets.

    Raises
    ------
    GrammarError
        If there is anything other than numbers, blanks and commas, or an empty component.

    Examples
    --------
    >>> parse_yield_function("[0 1, 0]")
    ((0, 1), (0,))
    """
    try:
        components = text.removeprefix("[").removesuffix("]").split(",")
        parsed = tuple(tuple(map(int, component.split())) for component in components)
    except ValueError:
        raise GrammarError(f"{text!r} is not a yield function such as [0 1, 0]") from None
    if not all(parsed):
        raise GrammarError(f"yield function {text!r} has an empty component")
    return parsed


def child_fan_outs(yield_function: YieldFunction) -> list[int]:
    """Return the fan-out of each child: how often it is named.

    >>> child_fan_outs(((0, 1), (0,)))
    [2, 1]
    """
    named = [child for component in yield_function for child in component]
    return [named.count(child) for child in range(max(named) + 1)]


def apply(
    yield_function: YieldFunction, children: Sequence[Sequence[Sequence[Item]]]
) -> list[list[Item]]:
    """Compose the components of the mother from the components of the children.

    >>> apply(((0, 1, 0),), [[["what"], ["do"]], [["should", "I"]]])
    [['what', 'should', 'I', 'do']]
    """
    following = [iter(components) for components in children]
    return [
        [item for child in component for item in next(following[child])]
        for component in yield_function
    ]


def from_runs(runs: Iterable[tuple[int, int, int]]) -> YieldFunction:
    """Return the yield function of a mother, given the runs (left, right, child) of its children.

    >>> from_runs([(0, 1, 0), (2, 3, 0), (1, 2, 1), (5, 6, 1)])
    ((0, 1, 0), (1,))
    """
    components: list[list[int]] = []
    end = -1
    for left, right, child in sorted(runs):
        if left != end:
            components.append([])
        components[-1].append(child)
        end = right
    return tuple(map(tuple, components))
