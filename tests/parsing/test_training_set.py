"""What models know about the sentences they have learned from."""

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.cli.extract_command import command as extract_command
from plcfrs.corpus.extraction import extract_corpus
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar
from plcfrs.parsing.registry import load_model, train
from plcfrs.storage.model_file import ModelFile, save
from plcfrs.transformation.cleanup import remove_punctuation
from plcfrs.treebank import read_texts, read_trees
from plcfrs.trees.training_set import TrainingSet, sentence_hash

SEEN, OTHERS = demo_trees()[:20], demo_trees()[20:]


def known(model):
    """Return how many of the sentences of training, and of others, a model knows."""
    return [
        sum(sentence_hash(tree) in model.training_set for tree in trees) for trees in (SEEN, OTHERS)
    ]


@core(1, "name", ["a.plcfrs", "a.gap", "a.refined"])
def test_saved_models_know_their_sentences(tmp_path, name):
    kind = {"plcfrs": "grammar"}.get(name[2:], name[2:])
    settings = {"gap": {"epochs": 1}, "refined": {"cycles": 1}}.get(kind, {})
    model = train(kind, SEEN, **settings)
    assert known(model) == [20, 0]
    model.save(tmp_path / name)
    assert known(load_model(tmp_path / name)) == [20, 0]


@pytest.mark.full
def test_a_smoothed_grammar_of_a_corpus_knows_its_sentences(tmp_path):
    path = tmp_path / "a.plcfrs"
    wanted = ["plcfrs:demo", "--sentences", "1-20", "--preset", "interpolated-v2h2"]
    extract_command([*wanted, "-o", str(path)], standalone_mode=False)
    assert known(load_model(path)) == [20, 0]
    grammar = extract_corpus(read_texts("plcfrs:demo"), jobs=1)
    assert grammar.training_set == TrainingSet.of(read_trees("plcfrs:demo"))


@pytest.mark.full
def test_files_without_training_sets_are_read(tmp_path):
    path = tmp_path / "a.yaml"
    train("grammar", SEEN).save(path)
    assert "training" not in path.read_text()
    assert known(load_model(path)) == [0, 0]
    model = train("gap", SEEN, epochs=1)
    save(tmp_path / "earlier.gap", ModelFile.of("gap", model=model.contents))
    assert known(load_model(tmp_path / "earlier.gap")) == [0, 0]


def test_a_combined_parser_knows_what_its_members_know(tmp_path):
    files = [tmp_path / name for name in ("one.plcfrs", "other.gap", "unknown.yaml")]
    train("grammar", SEEN[:12]).save(files[0])
    train("gap", SEEN[6:], epochs=1).save(files[1])
    train("grammar", SEEN).save(files[2])
    for members, expected in ((files[:2], 20), (files, 0)):
        path = tmp_path / "all.combined"
        train("combined", SEEN[:4], members=tuple(map(str, members))).save(path)
        assert known(load_model(path)) == [expected, 0]


def test_a_damaged_training_set_is_said(tmp_path):
    path = tmp_path / "a.yaml"
    train("grammar", SEEN).save(path)
    path.write_text(path.read_text().replace("start:", "training_set: '?'\nstart:"))
    with pytest.raises(GrammarError, match="training_set is damaged"):
        Grammar.load(path)


def test_punctuation_and_traces_make_no_difference():
    for tree, read in zip(demo_trees(), read_trees("plcfrs:demo"), strict=True):
        assert sentence_hash(remove_punctuation(tree)) == sentence_hash(tree)
        assert sentence_hash(read) == sentence_hash(tree)


def test_a_sentence_takes_four_bytes():
    hashes = TrainingSet.of(demo_trees())
    assert len(hashes.stored()) == 4 * len(hashes) == 4 * 140
    assert TrainingSet.restored(hashes.stored()) == hashes
