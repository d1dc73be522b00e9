"""From sentences to trees with both heads over the forest of a grammar."""

from dataclasses import replace
from math import exp, inf, log
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_networks import demo, random_model

from plcfrs.budget import Budget
from plcfrs.chart.forest import span_of_item
from plcfrs.forest.posteriors import calibration_of, posteriors_of
from plcfrs.forest.scored_forest import ranked_derivations
from plcfrs.forest.votes import score_sums, scores_of_edges
from plcfrs.parsers.neural import NeuralModel
from plcfrs.parsers.neural import model as model_module
from plcfrs.parsers.neural.configuration import tree_of
from plcfrs.parsers.neural.heads import log_odds_of
from plcfrs.parsers.neural.outline import Outline, constituents_of, mixed, tree_of_chains
from plcfrs.parsing.parse import chances_of
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees import Fixed, Tree, no_parse
from plcfrs.trees.labels import is_axiom
from plcfrs.trees.tree import runs

WORDS = ["What", "should", "I", "do", "?"]


@pytest.fixture(scope="module")
def model():
    return random_model()


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
        scored = model.scored(sentence, forest)
        said = scores_of_edges(forest, model.judge(sentence, forest))
        expected = said - np.where(forest.edge_rule < 0, 3.0, 0.5) * forest.edge_cost
        np.testing.assert_allclose(scored.scores, expected)
        best = max(score for score, _ in ranked_derivations(forest, expected))
        cost, _ = scored.best(None)
        assert scored.sums.log_probability - cost == pytest.approx(best)
        compared += 1
    assert compared > 5


@pytest.mark.full
def test_each_constituent_with_a_gap_gains_the_bonus_of_the_model(model, tmp_path):
    random_model(gap_bonus=7.5).save(tmp_path / "a.neural")
    stored = load_model(tmp_path / "a.neural")
    reading = model._reading(Sentence.of(demo()[0]).untagged())
    groups = [[("NP", 0b11)], [("VP", 0b101)], [("VP", 0b101), ("NP", 0b1011)]]
    gained = stored._heads._scores(reading, groups) - model._heads._scores(reading, groups)
    np.testing.assert_allclose(gained, [0, 5.5, 11], atol=1e-5)


@pytest.mark.full
def test_constituents_with_high_scores_are_sure(model, monkeypatch):
    """What is inside of an outline: a constituent without gaps, if it and all below it are sure."""
    monkeypatch.setattr(model_module, "_SURE", -1.0)
    network, closed, left = model.network, 0, 0
    numbers = {label: number for number, label in enumerate(network.parts)}
    for tree in demo()[:30]:
        sentence = Sentence.of(tree).untagged()
        reading = model._reading(sentence)
        chains = model._set_based_tree(reading, reading.best_tags)

        def is_sure(span, chains=chains, reading=reading):
            if len(runs(span)) > 1:
                return False
            labels = [numbers[category] for category, _ in constituents_of(span, chains[span])]
            borders = np.array(runs(span) * len(labels), np.int32)
            odds = log_odds_of(network.arrays, reading.borders, borders, np.array(labels, np.int32))
            return bool((odds >= -1).all())

        outline, brackets = model._outline(reading, chains, Fixed())
        spans = [span for span, chain in chains.items() if constituents_of(span, chain)]
        for span in spans:
            below = [each for each in spans if each & span == each]
            assert (span in outline.inside) == all(map(is_sure, below))
            if is_sure(span) and outline.widened(outline.narrowed(span)) == span:
                assert runs(outline.narrowed(span))[0] in brackets
        closed += len(outline.inside)
        left += len(brackets)
    assert closed > 5
    assert left > 5


def test_what_is_sure_is_in_the_parse(monkeypatch):
    """All constituents of at most four words are: the parse has them, over the same words."""
    model, shorter, inside = random_model(), 0, []

    def with_short_ones(_, reading, chains, _fixed):
        spans = [span for span, chain in chains.items() if constituents_of(span, chain)]
        sure = [each for each in spans if each.bit_count() <= 4 and len(runs(each)) == 1]
        found = Outline.of(len(reading.tags), chains, sure)
        inside.append((chains, found.inside))
        return found, []

    monkeypatch.setattr(NeuralModel, "_outline", with_short_ones)
    for tree in demo()[:16]:
        parse = model.parse(tree.words(), posteriors=True)
        chains, sure = inside.pop()
        assert parse.tree.words() == tree.words()
        found = chances_of([(1.0, parse.tree)])
        for span, chain in sure.items():
            assert chain == chains[span]
            assert all(each in found for each in constituents_of(span, chain))
        assert len(parse.posteriors) == len(parse.tree.nodes())
        shorter += any(span & (span - 1) for span in sure)
    assert shorter > 5


@pytest.mark.full
def test_a_sure_sentence_has_the_set_based_tree(monkeypatch):
    model = random_model()
    monkeypatch.setattr(model_module, "_SURE", -inf)
    for tree in demo()[:10]:
        sentence = Sentence.of(tree).untagged()
        parse = model.parse(sentence)
        derivation = model._reading(sentence).derivations[0]
        alone = tree_of(derivation.named(model.network.vocabulary.labels), parse.tree.tokens)
        if alone.gap_degree() == 0:
            assert (parse.tree, parse.score) == (alone, 0.0)


def chains_of(tree):
    """The categories over each span, with the tags."""
    spans, found = tree.yields(), {}
    for node in tree.bottom_up():
        found[spans[node]] = (node.category, *found.get(spans[node], ()))
    for word, token in enumerate(tree.tokens):
        found[1 << word] = (*found.get(1 << word, ()), token.tag)
    return found


def test_chains_make_the_tree():
    for tree in map(Tree.copy, demo()):
        for node in tree.nodes():
            node.functions = ()
        tokens = [replace(token, tag="") for token in tree.tokens]
        assert tree_of_chains(chains_of(tree), tokens, tree.id) == tree


@given(st.integers(0, 10**6))
def test_outlines_lose_nothing(seed):
    """The tree outside of an outline, with what is inside, is the tree."""
    random = Random(seed)
    chains = chains_of(random.choice(demo()))
    length = max(chains).bit_length()
    sure = [span for span in chains if len(runs(span)) == 1 and random.random() < 0.6]
    outline = Outline.of(length, chains, sure)
    tokens = [outline.widened(1 << place) for place in range(len(outline.borders) - 1)]
    assert sum(tokens) == (1 << length) - 1
    for span in map(outline.narrowed, chains):
        assert outline.narrowed(outline.widened(span)) == span
    assert outline.restored(outline.outside(chains)) == chains


@given(st.integers(0, 10**6))
def test_mixtures_are_trees_with_the_better_parts(seed):
    """Of two trees of as many words: nothing crosses, and no tree alone has a higher score."""
    random = Random(seed)
    one = random.choice(demo())
    same = [tree for tree in demo() if len(tree.tokens) == len(one.tokens)]
    trees = chains_of(one), chains_of(random.choice(same))
    values = {each: random.uniform(-3, 3) for tree in trees for each in tree.items()}
    found, log_probability = mixed(*trees, lambda chains: [values[each] for each in chains])
    total = [sum(values[each] for each in tree.items()) for tree in (found, *trees)]
    assert total[0] >= max(total[1:]) - 1e-9
    assert log_probability <= 0
    assert all(one & two in (0, one, two) for one in found for two in found)
    assert found.items() <= trees[0].items() | trees[1].items()
    assert found.keys() >= {1 << word for word in range(len(one.tokens))}
    assert is_axiom(found[(1 << len(one.tokens)) - 1][0])


@pytest.mark.full
def test_a_development_set_calibrates_the_probabilities(model, tmp_path):
    gold = demo()[:40]
    sentences = [no_parse([replace(token, tag="") for token in tree.tokens]) for tree in gold]
    found = model.calibrated(sentences, gold)
    calibration = found.model.calibration
    assert model.model.calibration is None
    assert calibration == calibration_of(model, sentences, gold)
    found.save(tmp_path / "a.neural")
    compared = 0
    for sentence in sentences[:10]:
        plain, other = (
            each.parse(sentence, posteriors=True)
            for each in (model, NeuralModel.load(tmp_path / "a.neural"))
        )
        assert other.tree == plain.tree
        for one, two in list(zip(plain.posteriors, other.posteriors, strict=True))[1:]:
            compared += 1
            assert two.probability == pytest.approx(calibration(one.probability))
    assert compared > 10


def chances_by_two_derivations(model, sentence):
    with patch("plcfrs.parsers.neural.network.WIDE_BEAM", 2):
        return model.network.chances([sentence.tokens])


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
    read, asked = type(model.network).read, []

    def counted(network, sentences, *others):
        asked.extend(len(each) for each in sentences)
        return read(network, sentences, *others)

    monkeypatch.setattr(type(model.network), "read", counted)
    sentences = [tree.words() for tree in demo()[:4]]
    parses = model.parse_together(sentences)
    assert sorted(asked) == sorted(map(len, sentences))
    assert [parse[0].tree.words() for parse in parses] == sentences
    sentence = Sentence.of(WORDS)
    forest = forest_of(model, sentence)
    for judge in model.judges.values():
        judge(sentence, forest)
    assert asked[4:] == []  # it was one of these sentences


def test_without_a_forest_the_transitions_give_the_tree(model):
    small = NeuralModel(model.model, budget=Budget(5))
    parse = small.parse(WORDS, posteriors=True)
    assert (parse.status, parse.meaning) == ("parsed", "log probability of the transitions")
    assert parse.score < 0
    (chances,) = model.network.chances([Sentence.of(WORDS).tokens])
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


@pytest.mark.full
def test_heads_are_members_of_a_combination(model, tmp_path):
    trees = demo()
    model.save(tmp_path / "a.neural")
    train("gap", trees[:40], epochs=1).save(tmp_path / "b.gap")
    members = (str(tmp_path / "a.neural"), str(tmp_path / "b.gap"))
    combined = train("combined", trees[40:60], members=members)
    names = ["a.neural:spans", "a.neural:transitions", "b.gap"]
    assert combined.members.names == names
    assert combined.members.kinds[:2] == ["neural both own spans", "neural both own transitions"]
    assert len(combined.weights) == 2 * len(names)
    combined.save(tmp_path / "c.combined")
    loaded = load_model(tmp_path / "c.combined")
    wanted = combined.parse(WORDS).tree
    assert loaded.parse(WORDS).tree == wanted
    silent = load_model(tmp_path / "c.combined", without=names[:2])
    assert silent.parse(WORDS).status == "parsed"


@pytest.mark.full
def test_the_best_tagger_tags_for_all_members(model, tmp_path, monkeypatch):
    """The tags of the network are those of the lexicon but for what is given here."""
    trees = demo()
    tags = {tuple(tree.words()): [{token.tag: 0.0} for token in tree.tokens] for tree in trees}
    train("gap", trees[:40], epochs=1).save(tmp_path / "b.gap")
    model.save(tmp_path / "a.neural")
    members = (str(tmp_path / "a.neural"), str(tmp_path / "b.gap"))
    random = train("combined", trees[40:50], members=members, tags="own")
    assert "tagger" not in random.about
    monkeypatch.setattr(NeuralModel, "find_tags", lambda _, each: tags[tuple(each.words)])
    combined = train("combined", trees[40:50], members=members, tags="own")
    assert combined.about["tagger"] == "a.neural"
    for tree in trees[50:60]:
        assert combined.parse(tree.words()).tree == combined.parse(tree).tree
