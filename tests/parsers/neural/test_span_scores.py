"""The scores of the constituents of a forest by their spans, one by one."""

from dataclasses import replace

import numpy as np
import pytest
from random_networks import demo, random_model, random_network

from plcfrs.chart import ChartParser
from plcfrs.chart.forest import span_of_item
from plcfrs.forest.votes import LOG_RATIO, constituents_in
from plcfrs.grammar import tag
from plcfrs.parsers.neural.heads import SpanPart, log_odds_of


def forests(model):
    parser = ChartParser(model.grammar)
    for tree in demo()[:12]:
        candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
        yield tree, parser.parse_with_forest(candidates, LOG_RATIO)[1]


def test_scores():
    model, with_gaps = random_model("spans"), 0
    network = model.network
    for tree, forest in forests(model):
        (reading,) = network.read([tree.tokens], 1)
        scores = network.scores(reading, constituents_in(forest))
        symbols = list(forest.compiled.labels)
        for item, label in enumerate(forest.label):
            expected = 0.0
            if symbols[label].kind == "category":
                parts = SpanPart.all_of(symbols[label].category, span_of_item(forest, item))
                with_gaps += len(parts) > 1
                for part in parts:
                    borders = np.array([part.borders], np.int32)
                    place = np.array([network.parts.index(part.label)])
                    (odds,) = log_odds_of(network.arrays, reading.borders, borders, place)
                    expected += min(6, max(-6, odds))
            assert scores[item] == pytest.approx(expected, abs=1e-4)
    assert with_gaps > 5


@pytest.mark.full
def test_labels_that_were_never_seen():
    known = random_network("spans")
    arrays = {name: each[:1] if "output" in name else each for name, each in known.network.items()}
    without = replace(known, network=arrays, parts=("X",))
    tree, forest = next(forests(random_model("spans")))
    (reading,) = without.read([tree.tokens], 1)
    scores = without.scores(reading, constituents_in(forest))
    assert set(scores.tolist()) <= {0.0, -5.0, -10.0}
