"""The scores of the items of a forest, by network, part and item."""

import numpy as np
import pytest
from random_networks import demo, random_span_model

from plcfrs.chart import ChartParser
from plcfrs.chart.forest import span_of_item
from plcfrs.forest.judged_forest import best_tags
from plcfrs.forest.votes import LOG_RATIO
from plcfrs.grammar import tag
from plcfrs.parsers.spans.parts import Forward, Part
from plcfrs.parsers.spans.scorer import SpanScorer


def forests(model):
    parser = ChartParser(model.grammar)
    for tree in demo()[:12]:
        candidates = [{tag(token.tag): 0.0} for token in tree.tokens]
        yield tree, parser.parse_with_forest(candidates, LOG_RATIO)[1]


@pytest.mark.parametrize("gaps", ["factored", "joint"])
def test_scores(gaps):
    model = random_span_model(gaps=gaps, networks=2)
    scorer = model.model.scorer
    labels = scorer.vocabulary.labels
    networks = [
        Forward(
            {
                name.removeprefix(f"{number}."): array
                for name, array in scorer.network.items()
                if name.startswith(f"{number}.")
            }
        )
        for number in range(2)
    ]
    with_gaps = 0
    for tree, forest in forests(model):
        numbers = scorer.vocabulary.numbers([tree.tokens])
        vectors = [network.borders(numbers) for network in networks]
        scores = scorer.scores(tree.tokens, forest)
        symbols = list(forest.compiled.labels)
        for item, label in enumerate(forest.label):
            expected = 0.0
            if symbols[label].kind == "category":
                parts = Part.all_of(symbols[label].category, span_of_item(forest, item), gaps)
                with_gaps += len(parts[0].borders) > 2 or len(parts) > 1
                for part in parts:
                    log_odds = [
                        network.log_odds(
                            borders,
                            np.array([part.borders], np.int32),
                            np.array([labels.index(part.label)]),
                        )[0]
                        for network, borders in zip(networks, vectors, strict=True)
                    ]
                    expected += np.mean([min(6, max(-6, each)) for each in log_odds])
            assert scores[item] == pytest.approx(expected, abs=1e-4)
    assert with_gaps > 5


def test_labels_that_were_never_seen():
    model = random_span_model()
    known = model.model.scorer
    vocabulary = known.vocabulary
    without = SpanScorer(
        known.settings,
        type(vocabulary)(vocabulary.words, vocabulary.characters, vocabulary.tags, ("X",)),
        {name: each[:1] if "output" in name else each for name, each in known.network.items()},
    )
    tree, forest = next(forests(model))
    assert set(without.scores(tree.tokens, forest).tolist()) <= {0.0, -5.0, -10.0}


def test_tags_of_a_forest():
    for tree, forest in forests(random_span_model()):
        assert best_tags(forest) == [token.tag for token in tree.tokens]
