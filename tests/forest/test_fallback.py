"""Sentences without a parse."""

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.budget import Budget
from plcfrs.evaluation import ALL, FIELD, evaluate
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.registry import load_model, train
from plcfrs.treebank import read_trees, write_trees
from plcfrs.trees import NO_PARSE, ROOT, Node, Token, Tree, no_parse
from plcfrs.trees.notation import render_discbracket

FALLBACKS = ["none", "flat", "partial"]
# Two sentences of the treebank, one after the other, have no parse together.
TWICE = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")] * 2


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def models(trees):
    grammar = GrammarModel.train(trees).grammar
    return {fallback: GrammarModel(grammar, fallback=fallback) for fallback in FALLBACKS}


@pytest.fixture(scope="module")
def partial(models):
    return models["partial"]


def test_a_parse_stays_as_it_is(models, trees):
    for tree in trees[:40]:
        parses = [model.parse(tree) for model in models.values()]
        assert parses[0].status == "parsed"
        assert parses[0] == parses[1] == parses[2]
        assert parses[2].fallback == "none"


def test_trees_of_two_sentences(models):
    parses = [model.parse(TWICE) for model in models.values()]
    assert [parse.status for parse in parses] == ["no parse"] * 3
    assert [parse.fallback for parse in parses] == FALLBACKS
    assert parses[0].tree == parses[1].tree
    (covered,) = parses[2].tree.root.nodes
    assert covered.category == NO_PARSE
    question = models["none"].parse(TWICE[:5]).tree.root.nodes[0]
    assert [node.category for node in covered.nodes].count(question.category) == 2
    assert parses[2].tree.gap_degree() == 1
    assert parses[2].derivation is None
    assert parses[2].statistics == parses[0].statistics


def test_unknown_words_and_tags_are_covered_by_themselves(partial):
    parse = partial.parse([*TWICE[:5], ("xyzzy", "QQ"), *TWICE[:5]])
    assert (parse.status, parse.reason, parse.fallback) == ("unknown tag", "QQ", "partial")
    children = parse.tree.root.nodes[0].children
    assert 5 in children
    assert [token.tag for token in parse.tree.tokens][4:6] == [".", "QQ"]


def test_all_fields_of_the_tokens_are_kept(partial):
    tokens = [Token("Xyzzy", "QQ", "xyzzy", "Sg", "HD"), Token(".", ".", function="PU")]
    assert partial.parse(no_parse(tokens)).tree.tokens == tokens


def test_empty_sentences_have_nothing_to_cover(partial):
    parse = partial.parse([])
    assert (parse.status, parse.fallback, parse.tree.tokens) == ("empty", "none", [])


def test_a_stopped_search_keeps_its_status(models, trees):
    tree = max(trees, key=lambda tree: len(tree.tokens))
    model = GrammarModel(
        models["none"].grammar, fallback="partial", budget=Budget(len(tree.tokens) + 1)
    )
    parse = model.parse(tree)
    assert (parse.status, parse.fallback) == ("out of items", "partial")
    assert len(parse.tree.nodes()) > 2
    model = GrammarModel(models["none"].grammar, fallback="partial", budget=Budget(max_seconds=0))
    parse = model.parse(tree)
    assert (parse.status, parse.fallback) == ("out of time", "partial")
    assert parse.tree.tokens == tree.tokens


def test_n_best_parses_are_one_cover(partial):
    (parse,) = partial.parse_nbest(TWICE, 3)
    assert parse.tree == partial.parse(TWICE).tree


@pytest.mark.full
@core(1, ("kind", "values"), [("refined", {"cycles": 1}), ("features", {"epochs": 0})])
def test_families_of_forests_cover_with_the_grammar(trees, tmp_path, kind, values):
    train(kind, trees, **values).save(tmp_path / "demo.model")
    model = load_model(tmp_path / "demo.model", fallback="partial")
    parse = model.parse(TWICE)
    assert (parse.status, parse.fallback) == ("no parse", "partial")
    assert parse.tree.gap_degree() == 1
    assert model.parse(TWICE[:5]).fallback == "none"


@core(1, "name", ["parses.discbracket", "parses.export"])
@core(1, "settings", [FIELD, ALL])
def test_scores_see_the_brackets_and_that_there_is_no_parse(partial, tmp_path, name, settings):
    parse = partial.parse(TWICE)
    write_trees([parse.tree], tmp_path / name)
    (read,) = read_trees(tmp_path / name)
    assert render_discbracket(read) == render_discbracket(parse.tree)
    (covered,) = parse.tree.root.nodes
    gold = Tree(Node(ROOT, children=covered.children), parse.tree.tokens)
    found = evaluate([gold], [read], settings)
    assert found.all.labelled.gold == found.all.labelled.parsed == found.all.labelled.matched > 2
    assert (found.all.without_parse, found.all.exact) == (1, 0)
    assert found.parsed.sentences == 0
