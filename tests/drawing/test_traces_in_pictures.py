"""Null elements are grey, and arrows lead to them from the words of their antecedents."""

import re
from itertools import combinations

from demo_trees import raw_demo_trees

from plcfrs.drawing import draw, draw_svg, draw_tikz, picture_of
from plcfrs.drawing.arcs import Geometry
from plcfrs.drawing.picture import GREY, collapse
from plcfrs.trees import Tree
from plcfrs.trees.antecedents import antecedents

CAKE = Tree.from_string(
    "(S (NP-1 (NP (DT The) (NN cake)) (SBAR (WHNP-2 (WDT that)) (S (NP (NNP Sue))"
    " (VP (VBD made) (NP (-NONE- *T*-2)))))) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)))))"
)
AROUND = Tree.from_string(
    "(S-1 (NP (NNS Prices)) (PRN (, ,) (S (NP (PRP she)) (VP (VBD said)"
    " (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBD fell)))"
)


def test_arrows_are_below_the_words_and_apart():
    for tree in [CAKE, AROUND, *raw_demo_trees()]:
        geometry = Geometry(picture_of(tree, gaps=True))
        middles = dict(enumerate(geometry.places[geometry.sketch.first_word :]))
        assert {each.null for each in geometry.traces} == antecedents(tree).keys()
        for each in geometry.traces:
            x, y = middles[each.null]
            assert abs(each.end - x) < 10
            assert y + 10 < each.tip < each.words.y < each.bottom < geometry.height
            assert each.words.x <= each.start <= each.words.to_x
        for one, other in combinations(geometry.traces, 2):
            if one.left <= other.right and other.left <= one.right:
                assert one.bottom != other.bottom


def test_the_words_of_an_antecedent():
    words = {
        each.null: (each.left, each.right) for each in Geometry(picture_of(CAKE)).sketch.traces
    }
    assert words == {5: (2, 3), 8: (0, 6)}
    (around,) = Geometry(picture_of(AROUND)).sketch.traces
    assert around == (5, 0, 1)


def test_null_elements_are_grey():
    sketch = Geometry(picture_of(CAKE, [5])).sketch
    grey = [sketch.layout.labels[number] for number, each in sketch.colours.items() if each is GREY]
    assert sorted(grey) == ["*-1", "*T*-2", "-NONE-", "NP", "NP"]  # the tag of *T*-2 is red
    assert re.findall(r"\x1b\[2m([^\x1b]+)", draw(CAKE, colour=True))[-2:] == ["*T*-2", "*-1"]
    assert f'data-trace="5" color="{GREY.svg}"' in draw_svg(CAKE)
    assert draw_tikz(CAKE).count("gray, dashed, ->, rounded corners") == 2


def test_collapsed_null_elements_have_no_arrows():
    _, whole, *_ = CAKE.nodes()
    assert draw_svg(collapse(CAKE, [whole]).tree).count("data-trace") == 0
