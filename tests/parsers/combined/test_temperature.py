"""The temperature of scores."""

import pytest

from plcfrs.forest.forests import forest_of_parses
from plcfrs.forest.votes import nearest, scores_of_edges
from plcfrs.parsers.combined.weights import calibrate, observed
from plcfrs.trees import Tree


def test_scores_that_are_too_sure_get_a_temperature():
    """A constituent that is right in half of all cases, whatever the scores say."""
    trees = [
        Tree.from_string(text)
        for text in (
            "(R (S (A (X 0=a) (Y 1=b)) (B (X 2=c) (Z 3=d))))",
            "(R (S (A (X 0=a) (Y 1=b)) (X 2=c) (Z 3=d)))",
        )
    ]
    _, forest = forest_of_parses(trees)
    scores = 20 * scores_of_edges(forest, nearest(forest, trees[0]))
    temperature, calibration = calibrate([(forest, scores, tree) for tree in 30 * trees])
    found = observed(forest, scores / temperature, trees[1])
    disputed = [calibration(chance) for chance, right in found if not right]
    agreed = [calibration(chance) for chance, right in found if right]
    assert temperature > 1
    assert disputed == pytest.approx([0.5], abs=0.1)
    assert min(agreed) > 0.9
