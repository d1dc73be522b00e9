"""The network in PyTorch, and its forward pass in NumPy."""

import numpy as np
import pytest
from demo_trees import raw_demo_trees
from random_networks import demo

from plcfrs.networks.encoding import Encoding, NetworkVocabulary
from plcfrs.parsers.neural.heads import (
    SpanTargets,
    TransitionScorer,
    border_rows,
    log_odds_of,
    parts_of,
)
from plcfrs.parsers.neural.network import NeuralNetwork, neural_shapes, tag_scores
from plcfrs.parsers.neural.settings import NeuralSettings

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.neural.training import (  # noqa: E402 (needs PyTorch)
    NeuralModule,
    borders_of,
    loss_of_parts,
)

pytestmark = pytest.mark.full

SMALL = {
    "word_size": 7,
    "character_size": 5,
    "recurrent_size": 6,
    "hidden_size": 8,
    "span_size": 9,
}
LABELS = ("", "NP", "ROOT+S")
PARTS = ("NP", "ROOT", "S", "VP", "VP_1of2", "VP_2of2")
FURTHER = 3


@pytest.fixture(params=["given", "own"])
def settings(request):
    return NeuralSettings(tags=request.param, **SMALL)


@pytest.fixture
def network(settings):
    """A network with random weights; all of them matter."""
    torch.manual_seed(3)
    network = NeuralModule(settings, vocabulary(), PARTS, FURTHER).eval()
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    return network


def sentences():
    return [tree.tokens for tree in raw_demo_trees()[:12]]


def vocabulary():
    return NetworkVocabulary.of(sentences(), LABELS)


def arrays_of(network):
    return {name: weight.detach().numpy() for name, weight in network.named_parameters()}


def candidates(tokens):
    """Random slots; some sets have no gap, some candidates are for SHIFT."""
    rows = np.random.default_rng(1).integers(0, tokens, (60, 8), dtype=np.int32)
    rows[::2, 2:4] = -1
    rows[1::3, 6:] = -1
    return rows


def some_borders(number):
    """Borders of 40 spans, of all sentences as if they were one."""
    random = np.random.default_rng(2)
    rows = [random.choice(number, 2, replace=False) for _ in range(40)]
    return np.sort(rows, axis=1).astype(np.int32)


def test_numpy_equals_pytorch(network):
    numbers = vocabulary().numbers(sentences())
    further = np.random.default_rng(2).normal(size=(len(numbers.words), FURTHER))
    further = further.astype(np.float32)
    arrays = arrays_of(network)
    found = Encoding(arrays).encode(numbers, further)
    scorer = TransitionScorer(arrays, found.second)
    rows = candidates(len(numbers.words))
    border = border_rows(arrays, found.second, numbers.lengths)
    spans, parts = some_borders(len(border)), np.arange(40, dtype=np.int32) % len(PARTS)
    pairs = []
    with torch.no_grad():
        wanted = network.encode(numbers, torch.from_numpy(further))
        structure = network.score_structure(wanted.second, rows)
        labels = network.score_labels(wanted.second, rows[:, :4])
        vectors = borders_of(wanted.second, numbers.lengths)
        border_vectors = network.spans.borders(vectors)
        odds = network.spans(vectors, network.tensor(spans))[np.arange(40), parts.tolist()]
        if not network.has_tags:
            pairs.append((network.tagger(wanted.first)[:, 1:], tag_scores(arrays, found)))
    pairs += [
        (wanted.first, found.first),
        (wanted.second, found.second),
        (structure, scorer.structure(rows)),
        (labels, scorer.labels(rows[:, :4])),
        (border_vectors, border),
        (odds, log_odds_of(arrays, border, spans, parts)),
    ]
    for expected, array in pairs:
        assert array.dtype == np.float32
        np.testing.assert_allclose(array, expected.numpy(), atol=1e-5, rtol=1e-5)


def test_possible_tags_are_those_of_pytorch():
    """All that are at most e^6 times less probable than the best one, with their costs."""
    settings = NeuralSettings(**SMALL)
    torch.manual_seed(3)
    module = NeuralModule(settings, vocabulary(), PARTS).eval()
    torch.nn.init.normal_(module.tagger.weight)
    network = NeuralNetwork(settings, vocabulary(), arrays_of(module), parts=PARTS)
    numbers = vocabulary().numbers(sentences())
    with torch.no_grad():
        scores = module.tagger(module.encode(numbers).first)[:, 1:]
        tags = torch.log_softmax(scores, 1).numpy()
    labels = network.vocabulary.tags
    costs = [each for reading in network.read(sentences(), 1) for each in reading.tags]
    for row, found in zip(tags, costs, strict=True):
        likely = np.flatnonzero(row >= row.max() - 6)
        assert found == pytest.approx({labels[place]: -row[place] for place in likely}, abs=1e-4)


def test_sentences_do_not_influence_each_other(network):
    """Neither those of a batch in NumPy nor those that are filled up in PyTorch."""
    encoding = Encoding(arrays_of(network))
    further = np.zeros((100, FURTHER), np.float32)
    for sentence in sentences()[:4]:
        numbers = vocabulary().numbers([sentence])
        alone = encoding.encode(numbers, further[: len(sentence)])
        both = vocabulary().numbers([sentences()[5], sentence])
        found = encoding.encode(both, further[: len(both.words)])
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


def test_spans_are_differences_of_states(network):
    """The hidden layer is a plain one over the difference of the states at both ends."""
    arrays = arrays_of(network)
    encoded = np.random.default_rng(5).normal(size=(9, 12)).astype(np.float32)
    nothing = np.zeros((1, 6), np.float32)
    from_left, from_right = np.hsplit(encoded, 2)
    states = np.hstack([np.vstack([nothing, from_left]), np.vstack([from_right, nothing])])
    borders = some_borders(len(states))
    inputs = states[borders[:, 1]] - states[borders[:, 0]]
    hidden = np.maximum(inputs @ arrays["spans.borders.weight"].T + arrays["spans.bias"], 0)
    scores = hidden @ arrays["spans.output.weight"].T + arrays["spans.output.bias"]
    rows = border_rows(arrays, encoded, np.array([len(encoded)], np.int32))
    found = log_odds_of(arrays, rows, borders, np.full(40, 2, np.int32))
    np.testing.assert_allclose(found, scores[:, 2], atol=1e-4)


def test_the_loss_of_spans_is_that_of_every_label_of_every_span(network):
    """Binary cross-entropies, one by one."""
    trees = demo()[:3]
    numbers = vocabulary().numbers([tree.tokens for tree in trees])
    labels = {label: number for number, label in enumerate(PARTS)}
    golds = [{part for part in parts_of(tree) if part.label in labels} for tree in trees]
    each = [
        SpanTargets.of(len(tree.tokens), gold, labels)
        for tree, gold in zip(trees, golds, strict=True)
    ]
    targets = SpanTargets.joined(each, numbers.lengths)
    further = torch.zeros(len(numbers.words), FURTHER)
    with torch.no_grad():
        vectors = borders_of(network.encode(numbers, further).second, numbers.lengths)
        rows = network.spans.borders(vectors).numpy()
        found = loss_of_parts(network.spans(vectors, network.tensor(targets.borders)), targets)
    expected, start, arrays = 0.0, 0, arrays_of(network)
    for tree, gold, of_tree in zip(trees, golds, each, strict=True):
        for borders in of_tree.borders:
            for label, number in labels.items():
                place = borders[None] + np.int32(start)
                column = np.array([number], np.int32)
                (odds,) = log_odds_of(arrays, rows, place, column)
                is_right = (label, tuple(borders.tolist())) in gold
                expected += np.log1p(np.exp(-odds if is_right else odds))
        start += len(tree.tokens) + 1
    assert float(found) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("heads", ["both", "transitions", "spans"])
def test_shapes(heads, settings):
    chosen = NeuralSettings(heads=heads, tags=settings.tags, **SMALL)
    module = NeuralModule(chosen, vocabulary(), PARTS, FURTHER)
    found = {name: array.shape for name, array in arrays_of(module).items()}
    assert found == neural_shapes(chosen, vocabulary(), PARTS, FURTHER)
