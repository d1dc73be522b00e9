"""The layout of a dependency tree: arcs above the words, one level above the arcs that they span.

The arc of a word ends in its middle. Arcs to its dependents begin left or right of the middle, at
the side of the dependent, so that lines of different words may cross, but never run together.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple

from plcfrs.drawing.picture import OTHERS, RED, Colour, DependencyPicture
from plcfrs.drawing.spacing import left_of
from plcfrs.errors import InputError
from plcfrs.trees import DependencyTree


class Arc(NamedTuple):
    """The arc of a word; words are numbered from 0."""

    head: int | None  # none for the root
    dependent: int
    label: str
    level: int  # how high it is, from 1

    @property
    def ends(self) -> tuple[int, int]:
        """The leftmost and the rightmost word."""
        head = self.dependent if self.head is None else self.head
        return min(head, self.dependent), max(head, self.dependent)


class Measures(NamedTuple):
    """The sizes of a medium."""

    width: Callable[[str], int]  # returns the width of a label
    port: int  # the distance between the middle of a word and where arcs to dependents begin
    gap: int  # the least distance between words
    beside: int  # the least length of the line on either side of a label, with the end of the arc


class PlacedArc(NamedTuple):
    """An arc with its places from left to right."""

    arc: Arc
    start: int  # where it leaves the head (for the root: its end), and the middle of the dependent
    end: int
    holes: list[int]  # where lines of other arcs cross it
    label: int  # the middle of its label
    colour: Colour | None
    marked: bool


class ArcPlan:
    """A dependency tree with the middles of its words and an arc for each word."""

    def __init__(self, picture: DependencyPicture, measures: Measures) -> None:
        self.tree = picture.tree
        self.levels, arcs = _arcs(picture.tree)
        self._measures = measures
        crossed = [_crossing(arc, arcs) for arc in arcs]
        # Lines of the same word are so near to each other that they make one hole.
        numbers = [len({word for word, _ in feet}) for feet in crossed]
        self.middles, self.width = self._space(arcs, numbers)
        colours = _colours(picture)
        self.arcs = [
            self._place(arc, words, colours.get(arc.dependent), arc.dependent in picture.marked)
            for arc, words in zip(arcs, crossed, strict=True)
        ]

    def _space(self, arcs: list[Arc], crossings: list[int]) -> tuple[list[int], int]:
        measure, port, gap, beside = self._measures
        widths = [
            max(2 * port + 1, measure(token.form), measure(token.tag)) for token in self.tree.tokens
        ]
        needed: list[dict[int, int]] = [{} for _ in widths]
        for arc, number in zip(arcs, crossings, strict=True):
            left, right = arc.ends
            if arc.head is None:
                widths[right] = max(widths[right], measure(arc.label))
            else:
                room = (measure(arc.label) + 2 * beside) * (number + 1) + port * (2 * number + 1)
                needed[right][left] = max(needed[right].get(left, 0), room)
        middles: list[int] = []
        end = -gap
        for width, distances in zip(widths, needed, strict=True):
            places = [middles[left] + distance for left, distance in distances.items()]
            middles.append(max([end + gap + left_of(width), *places]))
            end = middles[-1] + width // 2 + 1
        return middles, max(end, 0)

    def _place(
        self, arc: Arc, crossing: list[tuple[int, int]], colour: Colour | None, marked: bool
    ) -> PlacedArc:
        port = self._measures.port
        end = start = self.middles[arc.dependent]
        if arc.head is not None:
            start = self.middles[arc.head] + (port if arc.head < arc.dependent else -port)
        holes = sorted({self.middles[word] + side * port for word, side in crossing})
        left, right = min(start, end), max(start, end)
        pieces = zip([left, *holes], [*holes, right], strict=True)
        first, last = max(pieces, key=lambda piece: piece[1] - piece[0])
        return PlacedArc(arc, start, end, holes, (first + last) // 2, colour, marked)


def _arcs(tree: DependencyTree) -> tuple[int, list[Arc]]:
    _check_heads(tree)
    flat = [
        Arc(head - 1 if head else None, word, relation, 0)
        for word, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True))
    ]
    placed: list[Arc] = []
    for arc in sorted(flat, key=lambda arc: (arc.ends[1] - arc.ends[0], arc.ends)):
        if arc.head is not None:
            below = (other.level for other in placed if _overlap(arc, other))
            placed.append(arc._replace(level=1 + max(below, default=0)))
    top = 1 + max((arc.level for arc in placed), default=0)
    placed += [arc._replace(level=top) for arc in flat if arc.head is None]
    return top, sorted(placed, key=lambda arc: arc.dependent)


def _check_heads(tree: DependencyTree) -> None:
    for number, head in enumerate(tree.heads, start=1):
        if not 0 <= head <= len(tree.tokens) or head == number:
            raise InputError(f"cannot draw the arc of word {number}, whose head is {head}")


def _overlap(one: Arc, other: Arc) -> bool:
    return max(one.ends[0], other.ends[0]) < min(one.ends[1], other.ends[1])


def _crossing(arc: Arc, arcs: list[Arc]) -> list[tuple[int, int]]:
    if arc.head is None:
        return []
    ends = sorted([(arc.dependent, 0), (arc.head, _side(arc))])
    feet = {foot for other in arcs if other.level > arc.level for foot in _feet(other)}
    return sorted(foot for foot in feet if ends[0] < foot < ends[1])


def _feet(arc: Arc) -> list[tuple[int, int]]:
    return [(arc.dependent, 0), *([(arc.head, _side(arc))] if arc.head is not None else [])]


def _side(arc: Arc) -> int:
    return 1 if arc.head is not None and arc.head < arc.dependent else -1


def _colours(picture: DependencyPicture) -> dict[int, Colour]:
    crossing = [word for word in range(len(picture.tree.heads)) if _is_crossing(picture.tree, word)]
    colours = dict(zip(crossing if picture.gaps else (), cycle(OTHERS), strict=False))
    return {**colours, **dict.fromkeys(picture.marked, RED)}


def _is_crossing(tree: DependencyTree, word: int) -> bool:
    """Whether some word below the arc of a word does not depend on its head."""
    head = tree.heads[word]
    between = range(min(head, word + 1) + 1, max(head, word + 1))
    return head != 0 and any(not _depends(tree, number, head) for number in between)


def _depends(tree: DependencyTree, number: int, head: int) -> bool:
    seen: set[int] = set()
    while number not in (0, head) and number not in seen:
        seen.add(number)
        number = tree.heads[number - 1]
    return number == head
