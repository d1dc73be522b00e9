"""The network of span scorers in PyTorch, and its forward pass in NumPy."""

import numpy as np
import pytest
from random_networks import SIZES, demo, random_arrays

from plcfrs.networks.encoding import Vocabulary
from plcfrs.parsers.spans.parts import Forward, Targets, all_spans, parts_of
from plcfrs.parsers.spans.scorer import SpanSettings, span_shapes

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.spans.training import Networks, loss_of  # noqa: E402 (needs PyTorch)

LABELS = ("NP", "S", "VP")
FURTHER = 3


def sentences():
    return [tree.tokens for tree in demo()[:12]]


def vocabulary():
    return Vocabulary.of(sentences(), LABELS)


@pytest.fixture(params=["given", "own"])
def settings(request):
    return SpanSettings(tags=request.param, gaps="joint", networks=2, **SIZES)


@pytest.fixture
def arrays(settings):
    return random_arrays(span_shapes(settings, vocabulary(), FURTHER), 3)


@pytest.fixture
def networks(settings, arrays):
    networks = Networks(settings, vocabulary(), FURTHER).eval()
    networks.load_state_dict({name: torch.from_numpy(each) for name, each in arrays.items()})
    return networks.all()


def forward_of(arrays, number):
    prefix = f"{number}."
    return Forward({name[2:]: each for name, each in arrays.items() if name.startswith(prefix)})


def further(tokens):
    return np.random.default_rng(2).normal(size=(tokens, FURTHER)).astype(np.float32)


def some_borders(size, number):
    """Borders in ascending order, of all sentences as if they were one."""
    random = np.random.default_rng(size)
    rows = [random.choice(number, size, replace=False) for _ in range(40)]
    return np.sort(rows, axis=1).astype(np.int32)


@pytest.mark.parametrize("number", [0, 1])
def test_numpy_equals_pytorch(networks, arrays, number):
    numbers = vocabulary().numbers(sentences())
    vectors = further(len(numbers.words))
    forward = forward_of(arrays, number)
    found = forward.borders(numbers, vectors)
    labels = np.arange(40, dtype=np.int32) % len(LABELS)
    with torch.no_grad():
        wanted = networks[number].borders(numbers, torch.from_numpy(vectors))
        np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5)
        for size in (2, 4):
            borders = some_borders(size, len(found))
            scores = networks[number].log_odds(wanted, borders).numpy()[np.arange(40), labels]
            log_odds = forward.log_odds(found, borders, labels)
            assert log_odds.dtype == np.float32
            np.testing.assert_allclose(log_odds, scores, atol=1e-5, rtol=1e-5)


def test_scores_of_differences(arrays):
    """The hidden layer is a plain one over the differences of states, side by side."""
    forward = forward_of(arrays, 1)
    numbers = vocabulary().numbers(sentences()[:1])
    encoded = forward.encode(numbers, further(len(numbers.words))).second
    units = encoded.shape[1] // 2
    nothing = np.zeros((1, units), np.float32)
    states = np.hstack(
        [np.vstack([nothing, encoded[:, :units]]), np.vstack([encoded[:, units:], nothing])]
    )
    borders = some_borders(4, len(states))
    hidden = SIZES["hidden_size"]
    weights = np.hstack(list(arrays["1.gaps.borders.weight"].reshape(3, hidden, 2 * units)))
    inputs = np.hstack(
        [states[borders[:, span + 1]] - states[borders[:, span]] for span in range(3)]
    )
    sums = inputs @ weights.T + arrays["1.gaps.bias"]
    scores = np.maximum(sums, 0) @ arrays["1.gaps.output.weight"].T + arrays["1.gaps.output.bias"]
    vectors = forward.borders(numbers, further(len(numbers.words)))
    found = forward.log_odds(vectors, borders, np.full(40, 2, np.int32))
    np.testing.assert_allclose(found, scores[:, 2], atol=1e-4)


def test_loss(networks):
    """The loss is the sum of the negative log probabilities of all labels of all spans."""
    trees, numbers = demo()[:3], vocabulary().numbers(sentences()[:3])
    places = {label: number for number, label in enumerate(LABELS)}
    parts = [[part for part in parts_of(tree, "joint") if part.label in LABELS] for tree in trees]
    vectors = torch.from_numpy(further(len(numbers.words)))
    expected, start = 0.0, 0
    targets = []
    with torch.no_grad():
        states = networks[0].borders(numbers, vectors)
        for tree, each in zip(trees, parts, strict=True):
            borders = all_spans(len(tree.tokens))
            targets.append(Targets.of(borders, each, places))
            right = torch.tensor(
                [
                    [float((label, tuple(span)) in set(map(tuple, each))) for label in LABELS]
                    for span in borders.tolist()
                ]
            )
            scores = networks[0].log_odds(states, borders + np.int32(start))
            expected += float(
                torch.nn.functional.binary_cross_entropy_with_logits(scores, right, reduction="sum")
            )
            start += len(tree.tokens) + 1
        joined = Targets.joined(targets, numbers.lengths)
        assert float(loss_of(networks[0], numbers, [joined], vectors)) == pytest.approx(
            expected, rel=1e-5
        )


def test_shapes(settings):
    found = dict(Networks(settings, vocabulary(), FURTHER).named_parameters())
    shapes = {name: tuple(weight.shape) for name, weight in found.items()}
    assert shapes == span_shapes(settings, vocabulary(), FURTHER)
