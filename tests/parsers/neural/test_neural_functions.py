"""The head of functions: what it reads of trees, and what a parse gets from it."""

from dataclasses import replace

import numpy as np
import pytest
from random_networks import demo, random_model, random_network, sure_of_none
from stored import reread
from trained import NETWORK

from plcfrs import load_model, train
from plcfrs.completion import Completion
from plcfrs.completion.lessons import forget_functions
from plcfrs.parsers.neural.functions import (
    FunctionHead,
    FunctionRows,
    Functions,
    function_shapes,
)
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing import Sentence
from plcfrs.transformation import Options
from plcfrs.trees import Tree

TREE = "(S (NP-SBJ (DT 0=the) (NN 2=dog)) (VP (VBZ 1=barks) (ADVP-TMP (RB 3=now))))"


NEEDED = "needs PyTorch: pip install 'plcfrs[neural]'"


def functions_of(tree):
    return ["-".join(node.functions) for node in tree.nodes()]


def test_what_is_read():
    tree = Tree.from_string(TREE)
    functions = Functions.of([tree])
    assert functions.labels == ("", "SBJ", "TMP")
    assert functions.categories == ("ADVP", "DT", "NN", "NP", "RB", "ROOT", "S", "VBZ", "VP")
    rows = functions.rows(tree)
    assert [functions.labels[label] for label in rows.labels] == ["", "SBJ", "", "TMP"]
    assert rows.tokens[1].tolist() == [0, 2, -1, 3, 2, -1, 0, 3]
    names = ["", *functions.categories]
    around = [[names[number % len(names)] for number in row] for row in rows.categories.tolist()]
    assert around[1] == ["NP", "S", "ROOT", "", "VP", "", "", "NP", "DT", "NN"]
    assert around[3] == ["ADVP", "VP", "S", "VBZ", "", "", "", "VBZ", "RB", "RB"]


def test_trees_without_functions_teach_none():
    tree = Tree.from_string(TREE)
    functions, bare = Functions.of([tree]), tree.copy()
    forget_functions(bare)
    assert Functions.of([bare]) is None
    assert len(functions.rows_to_learn(tree).labels) == 4
    assert [len(each) for each in functions.rows_to_learn(bare)] == [0, 0, 0]


def test_words_have_functions_too():
    tree = Tree.from_string(TREE)
    tree.tokens[0].function = "NK"
    functions = Functions.of([tree])
    assert len(functions.rows(tree).labels) == len(tree.tokens) + 4


def test_scores_are_probabilities_and_stay_in_a_file():
    network, tree = random_network(), demo()[0]
    (reading,) = network.read([tree.tokens], 1)
    scores = network.function_scores(reading, tree)
    assert set(scores.rows) == set(tree.nodes()) - {tree.root}
    assert tuple(scores.columns) == network.functions.labels
    for row in scores.rows.values():
        assert np.exp(row).sum() == pytest.approx(1, abs=1e-5)
    assert reread(network).function_scores(reading, tree) == scores
    arrays = {name: each for name, each in network.network.items() if "functions" not in name}
    older = reread(replace(network, network=arrays, functions=None))
    assert older.function_scores(reading, tree) is None


def test_parses_get_functions_from_both(monkeypatch):
    """The network alone decides if it is sure of what the classifier can decide."""
    model, trees = random_model(), demo()
    model.completion = Completion.train(trees, Options(splits=()))
    words = trees[0].words()
    model.network.functions, functions = None, model.network.functions
    alone = functions_of(model.parse(words).tree)
    model.network.functions = functions
    monkeypatch.setattr(model.network, "function_scores", sure_of_none)
    assert any(alone)
    assert sum(map(bool, functions_of(model.parse(words).tree))) < sum(map(bool, alone))


def test_functions_do_not_change_the_network():
    pytest.importorskip("torch", reason=NEEDED)
    some = demo()[:12]
    learned, alone = (
        train("neural", some, NeuralSettings(**NETWORK), annotation=annotation).network
        for annotation in (["functions"], ["nulls"])
    )
    assert learned.functions == Functions.of(some)
    assert alone.functions is None
    for name, array in alone.network.items():
        assert array.tobytes() == learned.network[name].tobytes()
    learned.check()


def test_the_head_has_as_few_bits_as_the_network():
    pytest.importorskip("torch", reason=NEEDED)
    from plcfrs.parsers.neural.function_training import learn_functions

    trees = demo()[:6]
    network = random_network(span_size=20, epochs=2).quantized(6)
    learned = learn_functions(network, trees, seed=1)
    weights = "functions.tokens.rows.weight"
    assert learned.rounded[weights].bits == 6
    assert weights not in learned.network
    learned.check()
    again = learn_functions(learned, trees, seed=1)
    assert again.arrays.keys() == learned.arrays.keys()
    bare = [tree.copy() for tree in trees]
    for tree in bare:
        forget_functions(tree)
    assert learn_functions(network, bare, seed=1) is network
    assert network.functions.labels == Functions.of(demo()).labels


@pytest.mark.full
def test_numpy_equals_pytorch():
    torch = pytest.importorskip("torch", reason=NEEDED)
    from plcfrs.parsers.neural.function_training import FunctionScorer

    trees = demo()[:12]
    functions = Functions.of(trees)
    lengths = np.array([len(tree.tokens) for tree in trees], np.int32)
    rows = FunctionRows.joined([functions.rows(tree) for tree in trees], lengths)
    scorer = FunctionScorer(7, 9, functions, 0.3).eval()
    arrays = {
        f"functions.{name}": each.detach().numpy() for name, each in scorer.named_parameters()
    }
    shapes = {name: each.shape for name, each in arrays.items()}
    assert shapes == function_shapes(7, 9, functions)
    vectors = np.random.default_rng(2).normal(size=(lengths.sum(), 7)).astype(np.float32)
    with torch.no_grad():
        tokens, categories = (torch.from_numpy(each).long() for each in rows[:2])
        expected = torch.log_softmax(scorer(torch.from_numpy(vectors), tokens, categories), 1)
    found = FunctionHead(arrays).scores(vectors, rows)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-5, rtol=1e-5)


@pytest.mark.full
def test_a_saved_parser_gives_functions(tmp_path):
    pytest.importorskip("torch", reason=NEEDED)
    some = demo()[:24]
    sizes = {"word_size": 16, "recurrent_size": 24, "span_size": 32, "threads": 1}
    settings = NeuralSettings(heads="spans", rate=0.02, epochs=120, **sizes)
    train("neural", some, settings).save(tmp_path / "x.neural")
    model = load_model(tmp_path / "x.neural")
    assert any(functions_of(model.parse(some[0].words()).tree))
    right = []
    for tree in some:
        scores = model.function_scores(Sentence.of(tree), tree)
        labels = list(scores.columns)
        for node, row in scores.rows.items():
            right.append(labels[int(np.argmax(row))] == "-".join(node.functions))
    assert np.mean(right) > 0.95
