"""From sentences to trees with a transition parser."""

import pickle
from math import isclose

import pytest
from demo_trees import demo_trees
from quick import full

from plcfrs.chart.forest import span_of_item
from plcfrs.errors import InputError
from plcfrs.evaluation import score
from plcfrs.forest.votes import votes
from plcfrs.grammar import tag
from plcfrs.parsers.transition.settings import TransitionSettings
from plcfrs.parsing.parse import shares_of
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.storage.stored_values import pack
from plcfrs.trees import Token

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]
SYSTEMS = ["gap", *map(full, ("cgap", "swap", "skipshift"))]


@pytest.fixture(scope="module", params=SYSTEMS)
def model(request, trained):
    return load_model(trained(request.param, 140, epochs=8))


@pytest.fixture(scope="module")
def gap(trained):
    return load_model(trained("gap", 140, epochs=8))


def test_trees_of_the_training_data(model):
    trees, parses = demo_trees(), []
    for tree in trees:
        parse = model.parse(tree)
        assert (parse.status, parse.fallback, parse.derivation) == ("parsed", "none", None)
        assert parse.tree.tokens == tree.tokens
        assert parse.tree.id == tree.id
        assert not any(node.split or node.intermediate for node in parse.tree.nodes())
        parses.append(parse.tree)
    scores = score(trees, parses)
    assert scores.labelled.f1 > 75
    assert scores.labelled_discontinuous.f1 > 40


def test_category_splits_are_learned_and_removed(gap):
    labels = {transition.label for transition in gap.parser.vocabulary.transitions}
    assert any("^" in label for label in labels)


def test_given_tags_are_taken_whatever_they_are(model):
    sentence = [("Xyz", "VB"), ("xyz", "no tag"), ("a", "DT")]
    parse = model.parse(sentence)
    assert parse.status == "parsed"
    assert [(token.form, token.tag) for token in parse.tree.tokens] == sentence


def test_of_several_tags_the_cheapest_is_taken(gap):
    sentence = [("run", {"VB": 0.7, "NN": 0.2}), ("!", {".": 0.0})]
    assert [token.tag for token in gap.parse(sentence).tree.tokens] == ["NN", "."]


def test_another_tagger(gap):
    parse = gap.parse(["a", "b"], tagger=lambda words: ["X"] * len(words))
    assert [token.tag for token in parse.tree.tokens] == ["X", "X"]
    with pytest.raises(InputError, match="one tag per word: 2, not 1"):
        gap.parse(["a", "b"], tagger=lambda _: ["X"])


def test_tags_of_trees_are_not_taken_unless_asked_for(gap):
    tokens = [Token("What", "XX"), Token("?", "XX")]
    parse = gap.parse(Sentence(tokens))
    assert [token.tag for token in parse.tree.tokens] == gap.tagger(["What", "?"])
    assert [token.tag for token in tokens] == ["XX", "XX"]


def test_the_best_parses(model):
    parses = model.parse_nbest(WORDS, 10)
    assert parses[0].tree == model.parse(WORDS).tree
    assert parses[0].score == model.parse(WORDS).score
    costs = [-parse.score for parse in parses]
    assert costs == sorted(costs)
    assert 1 < len(parses) <= model.beam
    assert all(one.tree != other.tree for one in parses for other in parses if one is not other)
    assert len(model.parse_nbest(WORDS, 2)) == 2
    assert len(model.parse_nbest(WORDS, 10, derivations=True)) >= len(parses)


def test_the_best_derivations_in_the_beam_vote(model):
    """A constituent gets twice the share of the derivations that have it, less 1.

    The temperature is a fifth of the score of the best parse for each token.
    """
    trees = demo_trees()
    base = train("grammar", trees)
    _, forest = base.parse_with_forest([{tag(name): 0.0} for _, name in WORDS])
    parses = model.parse_nbest(WORDS, 8, derivations=True)
    scores = [parse.score for parse in parses]
    shares = shares_of(scores, scores[0] / len(WORDS) / 5)
    said = votes(forest, model.vote(Sentence.of(WORDS))).item_scores
    symbols = list(forest.compiled.labels)
    for item, label in enumerate(forest.label):
        constituent = (symbols[label].category, span_of_item(forest, item))
        having = [
            share
            for share, parse in zip(shares, parses, strict=True)
            if constituent in {(node.category, span) for node, span in parse.tree.yields().items()}
        ]
        expected = 2 * sum(having) - 1 if symbols[label].kind == "category" else 0
        assert said[item] == pytest.approx(expected)
    assert len(parses) > 1


def test_a_wider_beam(gap, tmp_path):
    gap.save(tmp_path / "demo.gap")
    wide = load_model(tmp_path / "demo.gap", beam=32)
    assert (gap.beam, wide.beam) == (4, 32)
    assert wide.parse(WORDS).score >= gap.parse(WORDS).score
    assert len(wide.parse_nbest(WORDS, 100)) > 4
    with pytest.raises(InputError, match="beam"):
        load_model(tmp_path / "demo.gap", beam=0)


def test_steps_add_up(model):
    parse = model.parse(WORDS, explained=True)
    steps = parse.explanation.rows
    assert model.explain(WORDS).rows == steps
    assert isclose(sum(step.score for step in steps), parse.score)
    assert steps[0].details.keys() >= {"stack"}
    assert steps[-1].positions == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match="no words"):
        model.explain([])


def test_steps_of_the_paper():
    """Table 1 of Coavoux and Crabbé (2017), without the tags."""
    from plcfrs.parsers.transition.model import TransitionParse, rows_of
    from plcfrs.parsers.transition.system import parse_transition
    from plcfrs.trees import Node, Tree

    words = "Es bestünde somit hinreichender Spielraum".split()  # noqa: SIM905
    actions = ["SHIFT"] * 5 + ["REDUCE-RIGHT-NP", "GAP", "GAP", "REDUCE-RIGHT-NP", "GAP"]
    actions += ["REDUCE-LEFT-@S", "REDUCE-RIGHT-S"]
    tree = Tree(Node("ROOT"), [Token(word, "") for word in words])
    found = TransitionParse(tree, 0.0, list(map(parse_transition, actions)), [0.0] * len(actions))
    shown = [tuple(row.details.values()) for row in rows_of(TransitionSettings("gap"), found)]
    assert shown == [
        ("", "Es", "bestünde somit hinreichender Spielraum"),
        ("Es", "bestünde", "somit hinreichender Spielraum"),
        ("Es bestünde", "somit", "hinreichender Spielraum"),
        ("Es bestünde somit", "hinreichender", "Spielraum"),
        ("Es bestünde somit hinreichender", "Spielraum", ""),
        ("Es bestünde somit", "NP[Spielraum]", ""),
        ("Es bestünde", "somit NP[Spielraum]", ""),
        ("Es", "bestünde somit NP[Spielraum]", ""),
        ("bestünde somit", "NP[Spielraum]", ""),
        ("bestünde", "somit NP[Spielraum]", ""),
        ("somit", "@S[bestünde]", ""),
        ("", "S[bestünde]", ""),
    ]


def test_the_memory_of_its_searches_is_not_sent_to_other_processes(model):
    model.parse(WORDS)
    assert (
        len(pickle.dumps(model))
        < 1.5 * sum(array.nbytes for array in pack(model.contents)[1].values()) + 100_000
    )
