"""The training of joint parsers: all heads learn, with an encoder and without."""

import pytest
from demo_trees import demo_trees
from random_networks import demo
from tiny_bert import write_bert

from plcfrs.evaluation import score
from plcfrs.parsers.joint.network import JointSettings
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import Options

pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")

from plcfrs.parsers.joint.training import JointTrainer

SMALL = {
    "word_size": 16,
    "character_size": 8,
    "recurrent_size": 24,
    "span_size": 32,
    "hidden_size": 32,
    "batch": 4,
    "threads": 1,
}


def test_all_heads_learn():
    """On its training trees: tags and spans are right, and transitions alone give the trees."""
    trees = demo()[:12]
    trainer = JointTrainer(trees, JointSettings(rate=0.02, dropout=0.0, **SMALL), {})
    losses = [trainer.run(epoch, lambda: None)["loss"] for epoch in range(1, 41)]
    assert losses[-1] < losses[0] / 5
    model = trainer.model()
    parses = [model.parse(tree.words()).tree for tree in trees]
    assert score(trees, parses).labelled.f1 > 85
    tags = [token.tag for tree in trees for token in tree.tokens]
    assert sum(t.tag == tag for t, tag in zip(_tokens(parses), tags, strict=True)) > 0.8 * len(tags)
    readings = [model._reading(Sentence.of(tree)) for tree in trees]
    pairs = zip(readings, trees, strict=True)
    alone = [model.model.network.tree_of(each.derivation, tree.tokens) for each, tree in pairs]
    assert score(trees, alone).labelled.f1 > 70


def test_an_encoder_is_part_of_the_model(tmp_path):
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    bert = write_bert(tmp_path / "bert")
    trees = demo_trees(Options(splits=()))[:16]
    settings = JointSettings(encoder=str(bert), encoder_layers=1, epochs=1, **SMALL)
    model = train("joint", trees, settings)
    model.save(tmp_path / "a.joint")
    loaded = load_model(tmp_path / "a.joint")
    assert [type(each).__name__ for each in loaded.model.network.inputs] == ["PretrainedEncoder"]
    for tree in trees[:3]:
        one, other = model.parse(tree), loaded.parse(tree)
        assert one.tree == other.tree
        assert one.score == pytest.approx(other.score, abs=1e-4)


def _tokens(trees):
    return [token for tree in trees for token in tree.tokens]
