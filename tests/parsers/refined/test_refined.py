"""From sentences to trees with a refined grammar."""

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.errors import GrammarError, InputError
from plcfrs.evaluation import score
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsing.registry import load_model
from plcfrs.storage.model_file import kind_of

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]
OBJECTIVES = ["max-rule-product", "max-rule-sum", "mpd"]


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def model(trained):
    return load_model(trained("refined", 140))


@pytest.fixture(scope="module")
def product(trained):
    return load_model(trained("refined", 140, grammars=2))


@core(1, "objective", OBJECTIVES)
def test_trees_of_the_training_data(model, trees, objective):
    some, parses = trees[::2], []
    for tree in some:
        parse = model.parse(tree, objective=objective)
        assert parse.status == "parsed"
        assert parse.tree.tokens == tree.tokens
        assert parse.tree.id == tree.id
        assert {rule.lhs.kind for rule in parse.derivation.rules()} == {"category"}
        assert not any(node.split for node in parse.tree.nodes())
        parses.append(parse.tree)
    plain = GrammarModel.train(trees)
    plain_parses = (plain.parse(tree).tree for tree in some)
    assert score(some, parses).labelled.f1 > score(some, plain_parses).labelled.f1


@pytest.mark.full
def test_the_first_objective_is_the_default(model, product):
    for parser in (model, product):
        best = parser.parse(WORDS, objective=parser.objectives[0])
        assert parser.parse(WORDS).tree == best.tree
        assert parser.parse(WORDS).score == best.score


@pytest.mark.full
def test_objectives(model, product):
    assert model.objectives == tuple(OBJECTIVES)
    assert product.objectives == tuple(OBJECTIVES[:2])
    with pytest.raises(InputError, match="mpd"):
        product.parse(WORDS, objective="mpd")
    with pytest.raises(InputError, match="mcp"):
        model.parse(WORDS, objective="mcp")
    with pytest.raises(InputError, match="max-rule-sum"):
        GrammarModel(model.grammar).parse(WORDS, objective="max-rule-sum")


def test_both_kinds_of_files(model, tmp_path):
    refined, plain, text = tmp_path / "a", tmp_path / "b", tmp_path / "c.yaml"
    model.save(refined)
    GrammarModel(model.grammar).save(plain)
    GrammarModel(model.grammar).save(text)
    assert [kind_of(path) for path in (refined, plain, text)] == ["refined", "grammar", "grammar"]
    assert all(isinstance(load_model(path), GrammarModel) for path in (plain, text))
    with pytest.raises(GrammarError, match=rf"{refined}: .*refined"):
        GrammarModel.load(refined)
    for path in (plain, text):
        with pytest.raises(GrammarError, match=rf"{path}: not a trained model"):
            RefinedModel.load(path)
    for load in (load_model, GrammarModel.load, RefinedModel.load, kind_of):
        with pytest.raises(GrammarError, match="No such file"):
            load(tmp_path / "missing")
