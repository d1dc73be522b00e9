"""From sentences to trees by the head of transitions alone."""

import subprocess
import sys
from math import fsum, isclose

import pytest
from quick import core
from random_networks import SIZES, demo, random_set_model
from stored import reread

from plcfrs.corpus import parse_all, parse_corpus
from plcfrs.errors import InputError
from plcfrs.evaluation import score
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsing.parse import Task
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]
SMALL = NeuralSettings(heads="transitions", **SIZES, epochs=1, threads=1)


@pytest.fixture(scope="module")
def model():
    return random_set_model(beam=4)


def what_became(parses):
    return [(parse.tree, parse.tree.id, parse.status) for parse in parses]


@pytest.mark.full
def test_sentences_parsed_together(model):
    given = [*demo()[:30], [], "What now ?", WORDS[:1]]
    together = model.parse_together(given)
    assert [len(parses) for parses in together] == [1] * len(given)
    alone = [model.parse(each) for each in given]
    assert what_became(parses[0] for parses in together) == what_became(alone)
    for (parse,), other in zip(together, alone, strict=True):
        assert parse.score == pytest.approx(other.score, abs=1e-3)
    assert model.parse_together([]) == []
    with pytest.raises(InputError, match="objective mcp: there is no choice"):
        model.parse_together(given, Task("mcp"))
    with pytest.raises(InputError, match="0 parses: ask for at least 1"):
        model.parse_together(given, Task(nbest=0))


def test_a_corpus(model):
    trees = demo()[:30]
    found = list(parse_corpus(model, trees))
    assert what_became(found) == what_became(map(model.parse, trees))
    outcomes = parse_all(model, trees[:9], Task(nbest=3))
    assert [what_became(outcome.parses) for outcome in outcomes] == [
        what_became(model.parse_nbest(tree, 3)) for tree in trees[:9]
    ]


def test_the_best_parses_are_different_trees(model):
    parses = model.parse_nbest(WORDS, 10)
    assert 1 < len(parses) <= 4
    assert len({str(parse.tree) for parse in parses}) == len(parses)
    assert parses[0].tree == model.parse(WORDS).tree
    scores = [parse.score for parse in parses]
    assert scores == sorted(scores, reverse=True)
    assert len(model.parse_nbest(WORDS, 10, derivations=True)) == 4
    assert len(model.parse_nbest(WORDS, 2)) == 2


def test_tags(model):
    words = [word for word, _ in WORDS]
    tags = model.model.tagger(words)
    parse = model.parse(words)
    assert [token.tag for token in parse.tree.tokens] == tags
    assert parse.tree == model.parse(list(zip(words, tags, strict=True))).tree
    other = random_set_model("own")
    found = other.parse(words)
    assert {token.tag for token in found.tree.tokens} <= set(other.tags)
    given = other.parse(WORDS)
    assert [token.tag for token in given.tree.tokens] == [tag for _, tag in WORDS]
    assert given.score == found.score


@core(1, "tags", ["given", "own"])
def test_explanation(tags):
    model = random_set_model(tags, beam=3)
    parse = model.parse(WORDS, explained=True)
    steps = parse.explanation.rows
    assert len(steps) == 4 * len(WORDS) - 2
    assert isclose(fsum(step.score for step in steps), parse.score, abs_tol=1e-3)
    assert (steps[0].text, steps[0].positions) == ("SHIFT", [0])
    assert steps[-1].text.startswith("LABEL-ROOT")
    assert steps[-1].positions == [0, 1, 2, 3, 4]
    for step in steps:
        assert (step.score == 0) == (not step.details["next best"])
        assert not step.details["next best"].endswith(f" {step.text}")
    lines = model.explain(WORDS).lines()
    assert lines[0] == "0=What 1=should 2=we 3=do 4=?"
    assert lines[2].split() == ["score", "transition", "focus", "memory", "next", "best"]
    assert len(lines) == len(steps) + 4


def test_another_beam(model, tmp_path):
    model.save(tmp_path / "demo.neural")
    assert load_model(tmp_path / "demo.neural", beam=7).beam == 7


@pytest.mark.full
def test_without_the_tagger_that_it_needs():
    with pytest.raises(ValueError, match="the tagger is missing"):
        reread(random_set_model("given").contents, {"tagger": None})


@pytest.mark.full
def test_no_pytorch_is_needed_to_parse(model, tmp_path):
    model.save(tmp_path / "x.neural")
    (tmp_path / "x.txt").write_text("What should we do ?\n", encoding="utf-8")
    code = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from plcfrs.cli import run\n"
        "code = run(['explain', 'x.neural', 'What now ?'])\n"
        "sys.exit(code or run(['parse', 'x.neural', 'x.txt', '-o', 'x.export']))\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
def test_patience_needs_a_development_set():
    with pytest.raises(InputError, match="patience: add a development set"):
        train("neural", demo()[:9], SMALL, patience=2)


@pytest.mark.full
@pytest.mark.usefixtures("pytorch")
@pytest.mark.parametrize(
    "values",
    [{"oracle": "static", "tags": "given"}, {"explored": "steps"}],
    ids=["static", "words"],
)
def test_trees_of_the_training_data(values):
    trees = demo()
    model = train(
        "neural", trees, heads="transitions", epochs=15, batch=4, rate=0.004, threads=1, **values
    )
    sentences = [
        Sentence.of(tree if values.get("tags") == "given" else tree.words()) for tree in trees
    ]
    parses = [parse.tree for (parse,) in model.parse_together(sentences)]
    scores = score(trees, parses)
    assert scores.labelled.f1 > 85
    assert scores.labelled_discontinuous.f1 > 60
