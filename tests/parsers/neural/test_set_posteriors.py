"""Probabilities of constituents by set-based parsers: against all derivations, and calibrated."""

from collections import defaultdict

import numpy as np
import pytest
from quick import core, full
from random_networks import demo, random_set_model

from plcfrs import load_model, train
from plcfrs.forest.posteriors import Calibration, calibration_of
from plcfrs.parsers.neural.configuration import SetState
from plcfrs.parsers.neural.search import (
    Found,
    SetBatch,
    SetDerivation,
    chances_of_sets,
    search,
)
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing.sentence import Sentence

LABELS = ("", "NP", "ROOT", "ROOT+S", "VP+NP")


class Random:
    """A scorer whose scores depend on what it is asked about, and on nothing else."""

    def __init__(self, seed):
        self.seed = seed

    def structure(self, rows):
        return np.array([self._draw(row, 1)[0] for row in rows])

    def labels(self, rows):
        return np.array([self._draw(row, len(LABELS)) for row in rows])

    def _draw(self, row, size):
        random = np.random.default_rng([self.seed, *(row + 2).tolist()])
        return random.normal(size=size).astype(np.float32)


def derivations(batch, state, length, probability=1.0, sets=()):
    """Yield the sets of each derivation, and its probability."""
    if len(sets) == 2 * length - 1:
        yield set(sets), probability
        return
    ((options, scores),) = batch.choices([(0, state)])
    for option, score in zip(options, scores, strict=True):
        after = state.after(option)
        yield from derivations(
            batch, after, length, probability * np.exp(score), (*sets, after.focus)
        )


@core(1, "seed", [1, 2, 3])
@core(2, "length", [1, 2, 4, 3])
def test_a_beam_with_all_derivations_gives_the_exact_probabilities(seed, length):
    batch = SetBatch([length], Random(seed))
    expected = defaultdict(float)
    for sets, probability in derivations(batch, SetState(), length):
        for mask in sets:
            expected[mask] += probability
    (found,) = search([length], Random(seed), LABELS, 10_000)
    chances = dict(zip(found.sets, chances_of_sets(found), strict=True))
    assert chances.keys() == expected.keys()
    for mask, share in expected.items():
        labels = np.exp(batch.label_scores([[mask]], LABELS)[0])
        np.testing.assert_allclose(chances[mask], share * labels, atol=1e-6)
    assert sum(chances[(1 << length) - 1]) == pytest.approx(1)


def without_calibration(model):
    return type(model)(model.model._replace(calibration=None))


@pytest.fixture(params=[full("given"), "own"])
def model(request):
    return random_set_model(request.param)


def test_every_constituent_has_a_probability_and_the_tree_is_the_same(model):
    for words in (["What", "should", "I", "do", "?"], ["Dogs"]):
        parse = model.parse(words, posteriors=True)
        assert parse.tree == model.parse(words).tree
        assert [each.category for each in parse.posteriors] == [
            node.category for node in parse.tree.nodes()
        ]
        assert parse.posteriors[0].probability == 1
        assert all(0 <= each.probability <= 1 for each in parse.posteriors)
        assert parse.safe_tree(0.0) == parse.tree


@pytest.mark.full
def test_a_unary_chain_of_a_category_counts_once(model):
    names = model.parser.vocabulary.labels
    label = next(number for number, name in enumerate(names) if "+" in name)
    with np.errstate(divide="ignore"):
        scores = np.log([[0.5 * (number == label) for number in range(len(names))]])
    only = SetDerivation([0], [1], [label], [0.0], [scores[0, label]])
    found = model.parser._chances(Found([only], [1], scores))
    assert set(found.values()) == {0.5}
    assert {category for category, _ in found} == set(names[label].split("+"))


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
def test_a_development_set_calibrates(tmp_path):
    sizes = {"word_size": 10, "character_size": 8, "recurrent_size": 10, "hidden_size": 12}
    settings = NeuralSettings(
        heads="transitions", tags="given", epochs=3, batch=4, threads=1, rate=0.01, **sizes
    )
    trees = demo()
    development = trees[80:110]
    plain = train("neural", trees[:80], settings)
    model = train("neural", trees[:80], settings, development=development)
    assert plain.model.calibration is None
    assert isinstance(model.model.calibration, Calibration)
    sentences = [Sentence.of(tree) for tree in development[:3]]
    for sentence in sentences:
        wanted = model.parse(sentence, posteriors=True).posteriors
        without = without_calibration(model).parse(sentence, posteriors=True).posteriors
        for one, other in list(zip(wanted, without, strict=True))[1:]:
            assert one.probability == pytest.approx(model.model.calibration(other.probability))
    model.save(tmp_path / "a.neural")
    loaded = load_model(tmp_path / "a.neural")
    assert loaded.model.calibration == model.model.calibration
    again = calibration_of(without_calibration(model), development, development)
    assert again == pytest.approx(model.model.calibration)
