"""From sentences to trees with a joint parser."""

from dataclasses import replace
from math import exp, inf, log
from unittest.mock import patch

import numpy as np
import pytest
from random_networks import demo, random_joint_model

from plcfrs.chart.budget import Budget
from plcfrs.chart.forest import span_of_item
from plcfrs.grammar import unbinarize
from plcfrs.parsers.joint.model import JointModel
from plcfrs.parsers.spans.parts import Part, log_odds_of, parts_of
from plcfrs.parsing.forest_parser import ranked_derivations
from plcfrs.parsing.grammar_parser import printed_tree
from plcfrs.parsing.posteriors import calibration_of, posteriors_of
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.votes import chances_of, score_sums, scores_of_edges
from plcfrs.trees import no_parse
from plcfrs.trees.tree import runs

WORDS = ["What", "should", "I", "do", "?"]


@pytest.fixture(scope="module")
def model():
    return random_joint_model()


def forest_of(model, sentence):
    _, forest = model.parse_with_forest(model.tags_of(sentence))
    return forest


def test_the_parse_has_the_highest_sum_of_what_is_said(model):
    """Tags count three times, rules half, votes twice, gaps 2: for every derivation of a forest."""
    compared = 0
    for tree in sorted(demo(), key=lambda tree: len(tree.tokens))[:20]:
        sentence = Sentence.of([(token.form, {token.tag: 0.25}) for token in tree.tokens])
        forest = forest_of(model, sentence)
        nothing = np.zeros(0 if forest is None else len(forest.edge_rule))
        if forest is None or score_sums(forest, nothing).log_probability > log(500):
            continue  # too many derivations to try all
        judged = model.judged(sentence, forest)
        said = scores_of_edges(forest, model.judge(sentence, forest))
        expected = said - np.where(forest.edge_rule < 0, 3.0, 0.5) * forest.edge_cost
        np.testing.assert_allclose(judged.scores, expected)
        best = max(score for score, _ in ranked_derivations(forest, expected))
        cost, _ = judged.best(None)
        assert judged.sums.log_probability - cost == pytest.approx(best)
        compared += 1
    assert compared > 5


def test_parts_with_high_scores_are_sure(model):
    network, found = model.model.network, 0
    for tree in demo()[:20]:
        reading = model._reading(Sentence.of(tree).untagged())
        parts = {*parts_of(tree, "factored"), Part("unseen", (0, 1))}
        sure = set(network.sure(reading, parts))
        for part in parts - {("unseen", (0, 1))}:
            label = np.array([network.parts.index(part.label)])
            score = log_odds_of(network.arrays, reading.borders, np.array([part.borders]), label)
            assert (part in sure) == (score[0] >= 1)
        found += len(sure)
    assert found > 5


def test_no_item_crosses_what_both_heads_are_sure_of(monkeypatch):
    model, reduced = random_joint_model(), 0
    for tree in demo()[:30]:
        sure = sorted(parts_of(tree, "factored"))[::2]
        monkeypatch.setattr(model.model.network, "sure", lambda *_, sure=sure: sure)
        sentence = Sentence.of([(token.form, token.tag) for token in tree.tokens])
        _, forest = model._forest(sentence, model.tags_of(sentence), 6.0)
        for item in range(len(forest.label)):
            for start, end in runs(span_of_item(forest, item)):
                for first, last in (part.borders for part in sure):
                    assert not first < start < last < end
                    assert not start < first < end < last
        reduced += len(forest.label) < len(forest_of(model, sentence).label)
    assert reduced > 10


def test_a_development_set_calibrates_the_probabilities(model, tmp_path):
    gold = demo()[:40]
    sentences = [no_parse([replace(token, tag="") for token in tree.tokens]) for tree in gold]
    found = model.calibrated(sentences, gold)
    calibration = found.model.calibration
    assert model.model.calibration is None
    assert calibration == calibration_of(model, sentences, gold)
    found.save(tmp_path / "a.joint")
    compared = 0
    for sentence in sentences[:10]:
        plain, other = (
            each.parse(sentence, posteriors=True)
            for each in (model, JointModel.load(tmp_path / "a.joint"))
        )
        assert other.tree == plain.tree
        for one, two in list(zip(plain.posteriors, other.posteriors, strict=True))[1:]:
            compared += 1
            assert two.probability == pytest.approx(calibration(one.probability))
    assert compared > 10


def test_no_parse_of_one_head_is_better(model):
    """Neither the set-based tree nor the best one of the grammar has better spans and tags."""
    network, improved = model.model.network, 0
    numbers = {label: number for number, label in enumerate(network.parts)}

    def value(tree, sentence, trees):
        reading = model._reading(sentence)
        chances = chances_of((0.5, each) for each in trees)
        found = chances_of([(1.0, tree)])
        total = sum(2 * (2 * chances.get(each, 0.0) - 1) for each in found)
        for node in tree.nodes():
            total += 2.0 * (node in tree.discontinuous_nodes())
            for part in Part.all_of(node.category, tree.yields()[node], "factored"):
                place = np.array([part.borders], np.int32)
                number = np.array([numbers[part.label]], np.int32)
                odds = log_odds_of(network.network, reading.borders, place, number)[0]
                total += min(max(float(odds), -6.0), 6.0)
        tags = zip(reading.tags, tree.tokens, strict=True)
        return total - 3 * sum(costs.get(token.tag, 6.0) for costs, token in tags)

    for tree in demo()[:25]:
        sentence = Sentence.of(tree).untagged()
        parse = model.parse(sentence)
        (result, *_), _ = super(JointModel, model).search(sentence, model.tags_of(sentence))
        if result.derivation is None:
            continue
        first = printed_tree(unbinarize(result.derivation), sentence)
        trees = [first, model._tree(sentence)]
        found, *others = (value(each, sentence, trees) for each in (parse.tree, *trees))
        assert found >= max(others) - 1e-3
        improved += found > others[0] + 1e-3
    assert improved > 5


def chances_by_two_derivations(model, sentence):
    with patch("plcfrs.parsers.set_based.parser.WIDE_BEAM", 2):
        return model.model.network.chances([sentence.tokens])


def test_heads_judge_apart_and_together(model):
    sentence = Sentence.of(WORDS)
    forest = forest_of(model, sentence)
    spans, transitions = (judge(sentence, forest) for judge in model.judges.values())
    both = model.judge(sentence, forest)
    symbols = list(forest.compiled.labels)
    gaps = [
        symbols[label].kind == "category" and len(runs(span_of_item(forest, item))) > 1
        for item, label in enumerate(forest.label)
    ]
    expected = spans.item_scores + 2 * np.array(gaps) + 2 * transitions.item_scores
    np.testing.assert_allclose(both.item_scores, expected)
    assert any(gaps)
    possible = model.find_tags(sentence)
    for edge, item in enumerate(forest.edge_mother):
        score = 0.0
        if forest.edge_rule[edge] < 0:
            token = span_of_item(forest, item).bit_length() - 1
            score = -3 * possible[token][symbols[forest.label[item]].category]
        assert spans.edge_scores[edge] == pytest.approx(score)
    (chances,) = chances_by_two_derivations(model, sentence)
    for item, label in enumerate(forest.label):
        constituent = symbols[label].category, span_of_item(forest, item)
        chance = 2 * chances.get(constituent, 0.0) - 1
        is_category = symbols[label].kind == "category"
        assert transitions.item_scores[item] == pytest.approx(chance if is_category else 0)
    assert not both.edge_scores.any()


def test_a_sentence_is_read_once(model, monkeypatch):
    read, asked = type(model.model.network).read, []

    def counted(network, sentences):
        asked.extend(len(each) for each in sentences)
        return read(network, sentences)

    monkeypatch.setattr(type(model.model.network), "read", counted)
    sentences = [tree.words() for tree in demo()[:4]]
    parses = model.parse_together(sentences)
    assert sorted(asked) == sorted(map(len, sentences))
    assert [parse[0].tree.words() for parse in parses] == sentences
    sentence = Sentence.of(WORDS)
    forest = forest_of(model, sentence)
    for judge in model.judges.values():
        judge(sentence, forest)
    assert asked[4:] == [len(WORDS)]


def test_without_a_forest_the_transitions_give_the_tree(model):
    small = JointModel(model.model, budget=Budget(5))
    parse = small.parse(WORDS, posteriors=True)
    assert (parse.status, parse.meaning) == ("parsed", "log probability of the transitions")
    assert parse.score < 0
    (chances,) = model.model.network.chances([Sentence.of(WORDS).tokens])
    assert parse.posteriors == posteriors_of(parse.tree, chances)
    assert min(each.probability for each in parse.posteriors) < 1
    steps = small.explain(WORDS)
    assert (steps.noun, len(steps.rows)) == ("transition", 2 * (2 * len(WORDS) - 1))
    assert sum(row.score for row in steps.rows) == pytest.approx(parse.score, abs=1e-3)
    given = model.parse([("The", "DT"), ("xyzzy", "QQ")])
    assert (given.status, given.tree.tokens[1].tag) == ("parsed", "QQ")
    assert given.score > -inf


def test_probabilities(model):
    parse = model.parse(WORDS, posteriors=True, explained=True)
    assert 0 < exp(parse.score) <= 1
    assert all(0 <= each.probability <= 1 + 1e-9 for each in parse.posteriors)
    assert parse.explanation is not None


def test_heads_are_members_of_a_combination(model, tmp_path):
    trees = demo()
    model.save(tmp_path / "a.joint")
    train("gap", trees[:40], epochs=1).save(tmp_path / "b.gap")
    members = (str(tmp_path / "a.joint"), str(tmp_path / "b.gap"))
    combined = train("combined", trees[40:60], members=members)
    names = ["a.joint:spans", "a.joint:transitions", "b.gap"]
    assert combined.members.names == names
    assert len(combined.weights) == 2 * len(names)
    combined.save(tmp_path / "c.combined")
    loaded = load_model(tmp_path / "c.combined")
    wanted = combined.parse(WORDS).tree
    assert loaded.parse(WORDS).tree == wanted
    silent = load_model(tmp_path / "c.combined", without=names[:2])
    assert silent.parse(WORDS).status == "parsed"


def test_the_best_tagger_tags_for_all_members(model, tmp_path, monkeypatch):
    """The tags of the network are those of the lexicon but for what is given here."""
    trees = demo()
    tags = {tuple(tree.words()): [{token.tag: 0.0} for token in tree.tokens] for tree in trees}
    train("gap", trees[:40], epochs=1).save(tmp_path / "b.gap")
    model.save(tmp_path / "a.joint")
    members = (str(tmp_path / "a.joint"), str(tmp_path / "b.gap"))
    random = train("combined", trees[40:50], members=members, tags="own")
    assert "tagger" not in random.about
    monkeypatch.setattr(JointModel, "find_tags", lambda _, each: tags[tuple(each.words)])
    combined = train("combined", trees[40:50], members=members, tags="own")
    assert combined.about["tagger"] == "a.joint"
    for tree in trees[50:60]:
        assert combined.parse(tree.words()).tree == combined.parse(tree).tree
