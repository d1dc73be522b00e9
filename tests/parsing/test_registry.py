"""Natural calls of `train`, and mistakes with them."""

import bz2
import gzip
import lzma
from importlib import import_module

import pytest
from demo_trees import demo_trees, raw_demo_trees
from quick import core

from plcfrs import (
    GrammarError,
    InputError,
    TreebankError,
    load_model,
    read_trees,
    train,
    write_trees,
)
from plcfrs.parsing.registry import MODULES

TREES = demo_trees()[:12]


@pytest.mark.full
def test_development_sets_of_any_form(tmp_path):
    path = tmp_path / "dev.export"
    write_trees(TREES[:4], path)
    models = [
        train("gap", TREES, epochs=3, development=development)
        for development in (path, str(path), read_trees(path), list(read_trees(path)))
    ]
    parses = [[model.parse(tree).tree for tree in TREES] for model in models]
    assert all(each == parses[0] for each in parses)


def test_each_module_has_the_families_that_the_registry_says():
    modules = dict.fromkeys(MODULES.values())
    found = [(family.kind, name) for name in modules for family in import_module(name).FAMILIES]
    assert found == list(MODULES.items())


@core(1, "development", ["nowhere.export", [None], [train("grammar", TREES).parse("a")]])
def test_a_development_set_is_read_before_the_training(development):
    with pytest.raises(InputError, match=r"no such file|not a Tree"):
        train("gap", TREES, development=development)


def test_a_preset_is_an_argument():
    with pytest.raises(InputError, match=r"third argument: train\('grammar', trees, 'markov-v1h1'"):
        train("grammar", TREES, preset="markov-v1h1")


def test_the_kind_comes_first():
    with pytest.raises(InputError, match="the first argument is the kind of parser"):
        train(TREES, "grammar")


@pytest.mark.full
@core(1, "kind", ["gap", "refined", "features"])
def test_trees_without_heads(kind):
    with pytest.raises(TreebankError, match=r"mark_heads\(tree\) for each tree, or give train"):
        train(kind, raw_demo_trees())


@core(1, "name", ["a.export", "a.mrg.gz", "a.xml", "a.discbracket"])
def test_a_treebank_is_not_a_model(tmp_path, name):
    path = tmp_path / name
    write_trees([next(read_trees("plcfrs:demo"))], path)
    with pytest.raises(GrammarError, match=r"\.\w+: this is a treebank, not a model$"):
        load_model(path)


@core(
    1,
    ("content", "what"),
    [
        (b"\x80\x04N.", "neither a grammar nor a trained parser"),
        (b"PK\x03\x04\xff", "this is a zip file"),
        ("plcfrs: 1\nstart: S\n".encode("utf-16"), "this is UTF-16"),
        (bz2.compress(b"plcfrs: 1"), "this is compressed with bzip2"),
        (lzma.compress(b"plcfrs: 1"), "this is compressed with xz"),
        (gzip.compress(b"\xff", mtime=0), "this is compressed with gzip"),
    ],
)
def test_a_file_that_is_no_text(tmp_path, content, what):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(GrammarError, match=rf"not a plcfrs model \({what}"):
        load_model(path)
