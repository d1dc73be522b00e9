"""Mistakes of people who write Python: they get the errors that they expect."""

from pathlib import Path

import pytest
from quick import core

import plcfrs
from plcfrs import Grammar, Node, Token, Tree, load_model, read_trees, train, write_trees

TREE = Tree(Node("S", children=[0]), [Token("kato", "N")])


@core(
    3,
    "call",
    [
        lambda: plcfrs.find("S", TREE),
        lambda: plcfrs.find(TREE.tokens, "S"),
        lambda: plcfrs.find(TREE, None),
        lambda: plcfrs.parse_query(TREE),
        lambda: plcfrs.draw("S"),
        lambda: plcfrs.draw_svg(None),
        lambda: write_trees("a.mrg", [TREE]),
        lambda: write_trees(TREE, "a.mrg"),
        lambda: plcfrs.write_dependencies("a.conllu", []),
    ],
)
def test_arguments_in_another_order(call):
    with pytest.raises(TypeError, match=r"^\w+\(.*\): got "):
        call()


@core(2, "name", ["nowhere", "a.plcfrs", "a.yaml", "a.rules", "a.gap", "no/a.gap"])
def test_a_missing_model(name, tmp_path):
    for load in (load_model, Grammar.load):
        with pytest.raises(FileNotFoundError, match=rf"{Path(name).name}: No such file"):
            load(tmp_path / name)
        with pytest.raises(plcfrs.GrammarError):
            load(tmp_path / name)


def test_a_missing_treebank():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.mrg: no such file"):
        next(read_trees("nowhere.mrg"))
    with pytest.raises(plcfrs.InputError, match=r"nowhere\.mrg: no such file"):
        train("grammar", "nowhere.mrg")


def test_models_say_what_they_are():
    model = train("grammar", "plcfrs:demo", examples=1)
    assert repr(model).startswith("<GrammarModel grammar: ")
    assert "vertical 1" in repr(model)
