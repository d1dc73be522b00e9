"""From sentences to trees with a trained model."""

import pytest

from plcfrs.pipeline import Model
from plcfrs.transform import transform
from plcfrs.treebank import read_trees
from plcfrs.trees import NO_PARSE


@pytest.fixture(scope="module")
def model():
    return Model.train(transform(tree) for tree in read_trees("plcfrs:demo"))


def test_every_tree_of_the_training_data_has_a_parse(model):
    for tree in map(transform, read_trees("plcfrs:demo")):
        parse = model.parse_tokens(tree.tokens, tagged=True, sentence=tree.id)
        assert parse.status == "parsed"
        assert parse.tree.tokens == tree.tokens
        assert parse.tree.id == tree.id
        kinds = {rule.lhs.kind for rule in parse.derivation.rules()}
        assert kinds == {"category"}
        assert not any(node.split for node in parse.tree.nodes())


def test_words_are_tagged_by_the_lexicon(model):
    tree = transform(next(read_trees("plcfrs:demo")))
    parse = model.parse([token.form for token in tree.tokens])
    assert parse.status == "parsed"
    assert parse.cost == -parse.log_probability > 0
    assert [token.tag for token in parse.tree.tokens] == [token.tag for token in tree.tokens]


def test_failures_are_values(model):
    unknown = model.parse(["The", "xyzzy", "sleeps"])
    assert (unknown.status, unknown.reason) == ("unknown word", "xyzzy")
    assert [token.tag for token in unknown.tree.tokens][:2] == ["DT", "UNKNOWN"]
    assert unknown.tree.root.nodes[0].category == NO_PARSE
    tagged = model.parse([("The", "DT"), ("xyzzy", "QQ")])
    assert (tagged.status, tagged.reason) == ("unknown tag", "QQ")
    assert model.parse([(".", "."), (".", ".")]).status == "no parse"
    assert model.parse([]).status == "empty"


def test_a_saved_model_parses_the_same(model, tmp_path):
    sentence = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]
    for name in ("model.plcfrs", "model.yaml"):
        model.save(tmp_path / name)
        loaded = Model.load(tmp_path / name)
        assert loaded.grammar == model.grammar
        assert loaded.parse(sentence).tree == model.parse(sentence).tree
