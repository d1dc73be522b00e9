"""Parsing with trained grammars: what must hold for every sentence of a treebank."""

from math import inf

import numpy as np
import pytest
from demo_trees import demo_trees
from quick import core
from refining import train_product
from searching import searched, sentence_of

from plcfrs.budget import UNLIMITED, Budget
from plcfrs.chart import ChartParser
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.refined.grammar import RefinedLexicon, compile_trees
from plcfrs.parsers.refined.model import RefinedForest, RefinedModel
from plcfrs.parsers.refined.training import Schedule
from plcfrs.parsing.parse import Task
from plcfrs.transformation import transform

OBJECTIVES = ("mpd", "max-rule-product", "max-rule-sum")
SHORT = Schedule(cycles=2, iterations=8, merged_iterations=4, smoothed_iterations=2)


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def product(trees):
    return train_product(compile_trees(trees[20:]), SHORT, [1, 2])


@pytest.fixture(scope="module")
def single(trees):
    return train_product(compile_trees(trees[20:]), SHORT, [3])


def sentence(tree):
    """Return the words of a tree and its given tags."""
    return [token.form for token in tree.tokens], [{tag(t.tag): 0.0} for t in tree.tokens]


def check_posteriors(refined, trees):
    """Check that constituents have probabilities, and that the whole is certain."""
    parser, words_of = ChartParser(refined.grammar, budget=UNLIMITED), RefinedLexicon(refined)
    for words, tags in map(sentence, trees):
        _, forest = parser.parse_with_forest(tags, 10.0)
        if forest is None:
            continue
        of_sentence = RefinedForest(forest, words_of.pairs(words), refined.unrefined())
        for refinement in refined.refinements:
            sums = of_sentence.sums(refinement)
            for posteriors in (sums.posterior, sums.edge_posterior):
                assert np.all(posteriors >= 0)
                assert np.all(posteriors <= 1 + 1e-9)
            assert sums.posterior[forest.goal] == pytest.approx(1, rel=1e-9)
            tokens = [forest.compiled.labels[symbol] for of in tags for symbol in of]
            is_tag = np.isin(forest.label, tokens)
            assert sums.posterior[is_tag] == pytest.approx(1, rel=1e-9)


def test_posteriors_are_probabilities(product, trees):
    check_posteriors(product, trees[:60])


@core(1, "objective", OBJECTIVES)
def test_every_sentence_of_the_treebank_has_a_parse(single, trees, objective):
    parser = RefinedModel(single, budget=UNLIMITED)
    for words, tags in map(sentence, trees[20:60]):
        result = parser.search(sentence_of(words), tags, Task(objective))[0][0]
        assert result.status == "parsed"
        assert sorted(result.derivation.order()) == list(range(len(words)))
        assert set(result.derivation.rules()) <= set(single.grammar.rules)


@pytest.mark.full
def test_own_tags(single, trees):
    """A word of the treebank can have the tag that it has there."""
    parser, lexicon = RefinedModel(single, budget=UNLIMITED), RefinedLexicon(single)
    for words, given in map(sentence, trees[20:60]):
        tags = lexicon.tags(words)
        assert all(set(one) <= set(candidates) for one, candidates in zip(given, tags, strict=True))
        assert parser.search(sentence_of(words), tags)[0][0].status == "parsed"


@core(1, "objective", OBJECTIVES[1:])
def test_a_product_of_two_grammars(product, trees, objective):
    parser = RefinedModel(product, budget=UNLIMITED)
    for tree in trees[20:60]:
        assert parser.parse(tree, objective=objective).status == "parsed"


def test_the_most_probable_derivation_is_of_one_grammar(product, trees):
    with pytest.raises(InputError, match="objective mpd: not one of max-rule-product"):
        RefinedModel(product, budget=UNLIMITED).parse(trees[0], objective="mpd")


def test_sentences_without_a_parse(single):
    for objective in OBJECTIVES:
        assert searched(single, [], [], objective).status == "no parse"
        unknown = searched(single, ["x"], [{tag("no such tag"): 0.0}], objective)
        assert (unknown.status, unknown.derivation, unknown.cost) == ("no parse", None, np.inf)
    parser = RefinedModel(single, budget=UNLIMITED)
    assert parser.constituents(sentence_of(["x"]), [{tag("no such tag"): 0.0}]) == {}


@pytest.mark.full
def test_budget(single, trees):
    words, tags = sentence(trees[0])
    result = searched(single, words, tags, budget=Budget(max_items=3))
    assert result.status == "out of items"
    assert result.derivation is None
    full = searched(single, words, tags)
    for budget in range(10, full.statistics.items + 10, full.statistics.items // 10 + 1):
        result = searched(single, words, tags, budget=Budget(max_items=budget))
        assert result.status in ("parsed", "out of items")
        assert result.gap is None or (result.gap == inf and result.derivation is not None)
        assert result.statistics.items <= budget + len(words)  # tags are always made


def test_more_best_derivations_than_items():
    """With 30 tokens all derivations have the same cost: no smaller forest has the best ones."""
    start, word = Nonterminal("S"), tag("a")
    rules = {Rule(start, (start, start), ((0, 1),)): 2, Rule(start, (word,), ((0,),)): 3}
    parser = ChartParser(Grammar(rules, start=start), budget=UNLIMITED)
    result, forest = parser.parse_with_forest([{word: 0.0}] * 30, 10.0, 50)
    assert result.status == "parsed"
    assert forest is not None


@pytest.mark.full
def test_posteriors_are_probabilities_on_the_penn_treebank(penn_treebank):
    trees = [transform(tree) for tree in penn_treebank]
    schedule = Schedule(cycles=2, iterations=8, merged_iterations=4, smoothed_iterations=2)
    refined = train_product(compile_trees(trees[:3396]), schedule, [1])
    some = [tree for tree in trees[3396:] if len(tree.tokens) <= 25][:50]
    check_posteriors(refined, some)
    parser = RefinedModel(refined, budget=UNLIMITED)
    results = [parser.parse(tree) for tree in some]
    assert sum(result.status == "parsed" for result in results) >= 48
