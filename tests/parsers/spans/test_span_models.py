"""From sentences to trees with a span scorer."""

import pickle
import subprocess
import sys
from math import exp, inf

import numpy as np
import pytest
from random_networks import SIZES, demo, random_span_model
from stored import reread

from plcfrs.budget import Budget
from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.networks import encoding as requirement
from plcfrs.parsers.spans.model import SpanModel
from plcfrs.parsers.spans.scorer import SpanSettings
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


@pytest.fixture(scope="module")
def model():
    return random_span_model(networks=2)


def test_scores_and_posteriors_are_probabilities(model):
    for tree in demo()[:20]:
        parse = model.parse(tree, explained=True)
        assert (parse.status, parse.tree.tokens) == ("parsed", tree.tokens)
        assert 0 < exp(parse.score) <= 1
        for step in parse.explanation.rows:
            assert exp(parse.score) - 1e-9 <= exp(step.score) <= 1 + 1e-9


def test_what_there_is_not(model):
    with pytest.raises(InputError, match="spans shows no binarized rules"):
        model.explain(WORDS, binarized=True)
    parse = model.parse([("The", "DT"), ("xyzzy", "QQ")])
    assert (parse.status, parse.reason, parse.score) == ("unknown tag", "QQ", -inf)
    assert SpanModel(model.model, budget=Budget(5)).parse(WORDS).status == "out of items"
    assert model.parse([]).status == "empty"


def test_words_alone_are_seen():
    """With other tags, the scores of a forest change only if tags are input."""
    for tags, is_same in (("given", False), ("own", True)):
        model = random_span_model(tags=tags)
        scorer, tree = model.model.scorer, demo()[0]
        _, forest = model.parse_with_forest(model.tags_of(Sentence.of(tree)))
        others = [type(token)(token.form, "NN") for token in tree.tokens]
        scores = [scorer.scores(tokens, forest) for tokens in (tree.tokens, others)]
        assert np.array_equal(*scores) == is_same


@pytest.mark.parametrize("values", [{"gaps": "joint"}, {"tags": "own", "networks": 2}])
def test_saved_and_loaded(values, tmp_path):
    model, path = random_span_model(**values), tmp_path / "demo.spans"
    model.save(path)
    assert load_model(path, fallback="flat").fallback == "flat"
    copy = pickle.loads(pickle.dumps(model.model.scorer))
    assert copy.network.keys() == model.model.scorer.network.keys()


def test_damaged_networks():
    model = random_span_model().contents
    for name in ("0.spans.bias", "0.words.weight"):
        for change in (lambda array: array[1:], lambda array: array * np.float32("nan")):
            changed = {f"scorer.network.{name}": change(model.scorer.network[name])}
            with pytest.raises(ValueError, match="of the network is damaged"):
                reread(model, arrays=changed)


def test_a_member_of_a_combined_parser(model, tmp_path):
    """It says the same of the forest of another grammar, and can make forests itself."""
    trees = demo()
    model.save(tmp_path / "ends.spans")
    train("grammar", trees).save(tmp_path / "plain.plcfrs")
    for names in (("plain.plcfrs", "ends.spans"), ("ends.spans", "plain.plcfrs")):
        members = tuple(str(tmp_path / name) for name in names)
        combined = train("combined", trees[:20], members=members)
        assert combined.parse(trees[30]).status == "parsed"
        sentence = Sentence.of(trees[30])
        _, forest = combined.parse_with_forest(combined.tags_of(sentence))
        judgement = model.judge(sentence, forest)
        assert not judgement.edge_scores.any()
        by_scorer = model.model.scorer.scores(trees[30].tokens, forest)
        assert np.array_equal(judgement.item_scores, by_scorer)


@pytest.mark.full
def test_no_pytorch_is_needed_to_parse(model, tmp_path):
    model.save(tmp_path / "x.spans")
    (tmp_path / "x.txt").write_text("What should we do ?\n", encoding="utf-8")
    code = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from plcfrs.cli import run\n"
        "code = run(['explain', 'x.spans', 'What should we do ?'])\n"
        "code = code or run(['inspect', 'x.spans'])\n"
        "sys.exit(code or run(['parse', 'x.spans', 'x.txt', '-o', 'x.export']))\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


def test_pytorch_is_needed_to_train(monkeypatch):
    monkeypatch.setattr(requirement, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[neural\]'"):
        train("spans", demo())


@pytest.mark.usefixtures("pytorch")
def test_training():
    trees, copies = demo()[:40], demo()[:40]
    settings = SpanSettings(**SIZES, epochs=1, threads=1, networks=2, gaps="joint", folds=2)
    model = train("spans", trees, settings, development=trees[:5])
    assert trees == copies
    assert (model.about["networks"], model.about["gaps"]) == ("2", "joint")
    assert model.parse(trees[0]).status == "parsed"
    with pytest.raises(TreebankError, match="no trees"):
        train("spans", [], settings)


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
@pytest.mark.parametrize("gaps", ["factored", "joint"])
def test_trees_of_the_training_data(gaps):
    trees = demo()
    sizes = {**SIZES, "recurrent_size": 40, "hidden_size": 60, "word_size": 20}
    settings = SpanSettings(**sizes, gaps=gaps, epochs=20, batch=4, rate=0.006, threads=1)
    model = train("spans", trees, settings)
    scores = score(trees, [model.parse(tree).tree for tree in trees])
    assert scores.labelled.f1 > 94
    assert scores.labelled_discontinuous.f1 > 85
