"""Probabilities of constituents, and whether they are right."""

from plcfrs.forest.posteriors import calibration_points
from plcfrs.trees import Tree


def test_each_gold_constituent_makes_one_right():
    gold = Tree.from_string("(S (NP (NP (NN 0=dogs))) (VP (VB 1=bark)))")
    parse = [("ROOT", (0, 1), 1.0), ("S", (0, 1), 0.9), *[("NP", (0,), 0.8)] * 3, ("NP", (1,), 0.7)]
    found = list(calibration_points(gold, parse))
    assert found == [(0.9, True), (0.8, True), (0.8, True), (0.8, False), (0.7, False)]
