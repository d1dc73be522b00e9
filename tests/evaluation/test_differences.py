"""Marks in pictures: examples by hand, then random trees against the scores."""

import copy

from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trace_examples import parse

from plcfrs.evaluation import ALL, FIELD, differences, score
from plcfrs.trees import Node, render_label

GOLD = "(S (NP (PRP 0=I)) (VP (VBP 1=see) (NP (NP (DT 2=a) (NN 3=man)) (ADVP (RB 4=here)))))"


def marked(gold, other, settings=FIELD):
    """Return the labels of the nodes, and the positions of the tokens, that differ."""
    return [
        sorted((render_label(part) if isinstance(part, Node) else part for part in parts), key=str)
        for parts in differences(parse(gold), parse(other), settings)
    ]


def test_missed_and_spurious():
    parsed = "(S (NP (PRP 0=I)) (VP (VBP 1=see) (X (DT 2=a) (NN 3=man)) (ADVP (RB 4=here))))"
    assert marked(GOLD, parsed) == [["NP", "NP"], ["X"]]


def test_nothing():
    assert marked(GOLD, GOLD) == [[], []]


def test_tags():
    assert marked(GOLD, GOLD.replace("RB", "NN")) == [[4], [4]]


def test_one_of_two_equal_brackets():
    twice = GOLD.replace("(ADVP (RB 4=here))", "(ADVP (ADVP (RB 4=here)))")
    assert marked(GOLD, twice) == [[], ["ADVP"]]
    assert marked(twice, GOLD) == [["ADVP"], []]


def test_what_does_not_count_is_not_marked():
    gold, other = "(S (NN 0=a) (X (, 1=,)))", "(S (NN 0=a) (. 1=,))"
    assert marked(gold, other) == [[], []]
    assert marked(gold, other, ALL) == [[1, "X"], [1]]


@given(trees(), st.data())
def test_as_many_as_the_scores_say(gold, data):
    other = copy.deepcopy(gold)
    for node in other.nodes()[1:]:
        node.category = data.draw(st.sampled_from([node.category, "Z"]))
    for settings in (FIELD, ALL):
        counts = score([gold], [other], settings).labelled
        missed, spurious = (
            sum(isinstance(part, Node) for part in parts)
            for parts in differences(gold, other, settings)
        )
        assert (missed, spurious) == (counts.gold - counts.matched, counts.parsed - counts.matched)
