"""The network in PyTorch, and its forward pass in NumPy."""

import numpy as np
import pytest
from demo_trees import raw_demo_trees

from plcfrs.networks.encoding import Vocabulary
from plcfrs.parsers.set_based.network import Forward, Settings, shapes_of

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.set_based.training import Network  # noqa: E402

SMALL = {"word_size": 7, "character_size": 5, "recurrent_size": 6, "hidden_size": 8}
LABELS = ("", "NP", "ROOT+S")
FURTHER = 3


@pytest.fixture(params=["given", "own"])
def network(request):
    """A network with random weights; all of them matter."""
    settings = Settings(tags=request.param, **SMALL)
    torch.manual_seed(3)
    network = Network(settings, vocabulary(), FURTHER).eval()
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    return network


def sentences():
    return [tree.tokens for tree in raw_demo_trees()[:12]]


def vocabulary():
    return Vocabulary.of(sentences(), LABELS)


def arrays_of(network):
    return {name: weight.detach().numpy() for name, weight in network.named_parameters()}


def candidates(tokens):
    """Random slots; some sets have no gap, some candidates are for SHIFT."""
    rows = np.random.default_rng(1).integers(0, tokens, (60, 8), dtype=np.int32)
    rows[::2, 2:4] = -1
    rows[1::3, 6:] = -1
    return rows


def test_numpy_equals_pytorch(network):
    numbers = vocabulary().numbers(sentences())
    further = np.random.default_rng(2).normal(size=(len(numbers.words), FURTHER))
    further = further.astype(np.float32)
    forward = Forward(arrays_of(network))
    found = forward.encode(numbers, further)
    scorer = forward.scorer(found)
    rows = candidates(len(numbers.words))
    with torch.no_grad():
        wanted = network.encode(numbers, torch.from_numpy(further))
        structure = network.score_structure(wanted.second, rows)
        labels = network.score_labels(wanted.second, rows[:, :4])
        if not network.has_tags:
            tags = 1 + network.tagger(wanted.first)[:, 1:].argmax(1)
            assert forward.tags(found).tolist() == tags.tolist()
    pairs = [
        (wanted.first, found.first),
        (wanted.second, found.second),
        (structure, scorer.structure(rows)),
        (labels, scorer.labels(rows[:, :4])),
    ]
    for expected, array in pairs:
        assert array.dtype == np.float32
        np.testing.assert_allclose(array, expected.numpy(), atol=1e-5, rtol=1e-5)


def test_sentences_do_not_influence_each_other(network):
    """Neither those of a batch in NumPy nor those that are filled up in PyTorch."""
    forward = Forward(arrays_of(network))
    further = np.zeros((100, FURTHER), np.float32)
    for sentence in sentences()[:4]:
        numbers = vocabulary().numbers([sentence])
        alone = forward.encode(numbers, further[: len(sentence)])
        both = vocabulary().numbers([sentences()[5], sentence])
        found = forward.encode(both, further[: len(both.words)])
        np.testing.assert_allclose(found.second[-len(sentence) :], alone.second, atol=1e-5)
        with torch.no_grad():
            padded = network.encode(both, torch.from_numpy(further[: len(both.words)]))
        np.testing.assert_allclose(padded.second[-len(sentence) :], alone.second, atol=1e-5)


def test_sum_of_rows(network):
    """The scores are those of a plain layer over the vectors in all slots, side by side."""
    arrays = arrays_of(network)
    numbers = vocabulary().numbers(sentences())
    tokens = np.random.default_rng(4).normal(size=(len(numbers.words), 12)).astype(np.float32)
    rows = candidates(len(tokens))
    vectors = [
        [
            tokens[token] if token >= 0 else arrays["no_gap"][slot % 2]
            for slot, token in enumerate(row)
        ]
        for row in rows.tolist()
    ]
    # Of (slots x hidden, units): the first layer of all slots as one matrix.
    weights = arrays["structure.rows.weight"].reshape(8, SMALL["hidden_size"], 12)
    first = np.concatenate(list(weights), axis=1)
    sums = np.array(vectors).reshape(len(rows), -1) @ first.T + arrays["structure.bias"]
    is_shift = rows[:, 0] > rows[:, 5]
    assert 0 < is_shift.sum() < len(rows)
    sums += is_shift[:, None] * arrays["shift"]
    hidden = np.tanh(sums) @ arrays["structure.hidden.weight"].T + arrays["structure.hidden.bias"]
    scores = np.tanh(hidden) @ arrays["structure.output.weight"].T
    scores = scores[:, 0] + arrays["structure.output.bias"]
    found = network.score_structure(torch.from_numpy(tokens), rows).detach().numpy()
    np.testing.assert_allclose(found, scores, atol=1e-4)


def test_shapes(network):
    settings = Settings(tags="given" if network.has_tags else "own", **SMALL)
    found = {name: array.shape for name, array in arrays_of(network).items()}
    assert found == shapes_of(settings, vocabulary(), FURTHER)
