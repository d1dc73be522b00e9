"""The head of functions: what it reads of trees, and what a parse gets from it."""

from dataclasses import replace

import numpy as np
import pytest
from random_networks import demo, random_model, random_network
from stored import reread

from plcfrs.completion import Completion
from plcfrs.completion.lessons import forget_functions
from plcfrs.parsers.neural.functions import Functions
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.transformation import Options
from plcfrs.trees import Tree

TREE = "(S (NP-SBJ (DT 0=the) (NN 2=dog)) (VP (VBZ 1=barks) (ADVP-TMP (RB 3=now))))"


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
    assert set(scores) == set(tree.nodes()) - {tree.root}
    for each in scores.values():
        assert tuple(each) == network.functions.labels
        assert np.exp(list(each.values())).sum() == pytest.approx(1, abs=1e-5)
    assert reread(network).function_scores(reading, tree) == scores
    arrays = {name: each for name, each in network.network.items() if "functions" not in name}
    older = reread(replace(network, network=arrays, functions=None))
    assert older.function_scores(reading, tree) == {}


def test_parses_get_functions_from_both(monkeypatch):
    """The network alone decides if it is sure of what the classifier can decide."""
    model, trees = random_model(), demo()
    model.completion = Completion.train(trees, Options(splits=()))
    words = trees[0].words()
    model.network.functions, functions = None, model.network.functions
    alone = functions_of(model.parse(words).tree)
    model.network.functions = functions
    sure = {label: 0.0 if label == "" else -99.0 for label in functions.labels}
    monkeypatch.setattr(
        model.network, "function_scores", lambda _, tree: dict.fromkeys(tree.nodes(), sure)
    )
    assert any(alone)
    assert sum(map(bool, functions_of(model.parse(words).tree))) < sum(map(bool, alone))


@pytest.mark.full
def test_functions_are_learned():
    pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")
    from plcfrs.parsers.neural.training import new_trainer

    some = demo()[:24]
    sizes = {"word_size": 16, "recurrent_size": 24, "span_size": 32, "batch": 4, "threads": 1}
    settings = NeuralSettings(heads="spans", rate=0.02, dropout=0.0, **sizes)
    trainer = new_trainer(some, settings, {})
    for epoch in range(1, 31):
        trainer.run(epoch, lambda: None)
    network = trainer.model().network
    right = []
    for tree in some:
        (reading,) = network.read([tree.tokens], 1)
        for node, scores in network.function_scores(reading, tree).items():
            right.append(max(scores, key=scores.__getitem__) == "-".join(node.functions))
    assert np.mean(right) > 0.95
