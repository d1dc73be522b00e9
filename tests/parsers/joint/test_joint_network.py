"""The network of joint parsers in PyTorch, and its forward pass in NumPy."""

import numpy as np
import pytest
from random_networks import demo, random_joint_model

from plcfrs.parsers.spans.parts import Targets, all_spans, log_odds_of, parts_of

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.joint.training import Network  # noqa: E402 (needs PyTorch)
from plcfrs.parsers.spans.training import borders_of, loss_of_parts  # noqa: E402


@pytest.fixture(scope="module")
def model():
    return random_joint_model()


@pytest.fixture(scope="module")
def network(model):
    stored = model.model.network
    network = Network(stored.settings, stored.vocabulary, stored.parts).eval()
    weights = {name: torch.from_numpy(each) for name, each in stored.network.items()}
    network.load_state_dict(weights)
    return network


def test_all_heads_equal_those_of_pytorch(model, network):
    stored, trees = model.model.network, demo()[:9]
    sentences = [tree.tokens for tree in trees]
    numbers = stored.vocabulary.numbers(sentences)
    with torch.no_grad():
        encoded = network.encode(numbers)
        borders = borders_of(encoded.second, numbers.lengths)
        tags = torch.log_softmax(network.tagger(encoded.first)[:, 1:], 1).numpy()
    readings = stored.read(sentences)
    np.testing.assert_allclose(
        np.concatenate([each.borders for each in readings]), borders.numpy(), atol=1e-5
    )
    costs = [costs for reading in readings for costs in reading.tags]
    for row, found in zip(tags, costs, strict=True):
        likely = np.flatnonzero(row >= row.max() - 6)
        expected = {stored.vocabulary.tags[place]: -row[place] for place in likely}
        assert found == pytest.approx(expected, abs=1e-4)


def test_the_loss_is_that_of_every_label_of_every_span(model, network):
    """Binary cross-entropies, one by one."""
    stored, tree = model.model.network, demo()[3]
    numbers = stored.vocabulary.numbers([tree.tokens])
    labels = {label: number for number, label in enumerate(stored.parts)}
    gold = parts_of(tree, "factored")
    targets = Targets.of(all_spans(len(tree.tokens)), gold, labels)
    with torch.no_grad():
        vectors = borders_of(network.encode(numbers).second, numbers.lengths)
        found = loss_of_parts(network.spans(vectors, network.tensor(targets.borders)), targets)
    expected = 0.0
    for borders in targets.borders:
        for label, number in labels.items():
            odds = log_odds_of(
                stored.network, vectors.numpy(), borders[None], np.array([number], np.int32)
            )[0]
            is_right = (label, tuple(borders.tolist())) in gold
            expected += np.log1p(np.exp(-odds if is_right else odds))
    assert float(found) == pytest.approx(expected, rel=1e-4)
