"""Trees of many levels: time and memory grow as the picture does, not faster."""

import tracemalloc

import pytest
from quick import core

from plcfrs import Node, Token, Tree, draw
from plcfrs.drawing.svg import draw_svg
from plcfrs.drawing.tikz import draw_tikz
from plcfrs.stopping import stoppable
from plcfrs.treebank import FORMATS
from plcfrs.treebank.compilation import compile_part


def deep(levels, place):
    """A tree that branches to the right (place 1) or left (0), or does not branch (None)."""
    words = 1 if place is None else levels
    node, rest = Node("S", children=[words - 1 if place == 1 else 0]), range(1, words)
    for number in rest if place == 0 else reversed(range(words - 1)):
        node = Node("S", children=[number, node] if place == 1 else [node, number])
    for _ in range(levels if place is None else 0):
        node = Node("S", children=[node])
    return Tree(Node("ROOT", children=[node]), [Token("kato", "N")] * words)


@core(1, "place", [None, 0, 1])
def test_memory_is_that_of_the_picture(place):
    peaks = []
    for levels in (150, 300):
        tree = deep(levels, place)
        tracemalloc.start()
        picture = draw(tree)
        peaks.append(tracemalloc.get_traced_memory()[1] / len(picture))
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_two_thousand_levels():
    picture = draw(deep(2000, None)).splitlines()
    assert len(picture) == 2 * 2002 + 1 + 2
    assert draw(deep(400, 1), width=80).count("kato") == 400


@core(
    2,
    "work",
    [
        *(pytest.param(draw, id=draw.__name__) for draw in (draw_svg, draw_tikz)),
        pytest.param(lambda tree: FORMATS["json"].render(tree, 1), id="json"),
        pytest.param(lambda tree: compile_part([tree]), id="compilation"),
    ],
)
def test_at_each_level_it_may_be_stopped(work):
    asked = []
    with stoppable(lambda: asked.append(True)):
        work(deep(300, 1))
    assert len(asked) >= 300
