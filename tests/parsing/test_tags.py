"""Tags from outside: one for each word, several with costs, or those of a tagger."""

from math import inf, nan

import pytest
from demo_trees import demo_trees
from quick import core

from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.registry import train

WORDS = ["What", "should", "we", "do", "?"]
TAGS = ["WP", "MD", "PRP", "VB", "."]


@pytest.fixture(
    scope="module",
    params=[
        "plain",
        *(pytest.param(kind, marks=pytest.mark.full) for kind in ("refined", "features")),
    ],
)
def model(request):
    trees = demo_trees()
    if request.param == "plain":
        return GrammarModel.train(trees)
    values = {"cycles": 1} if request.param == "refined" else {"epochs": 1}
    return train(request.param, trees, **values)


def test_a_tagger_is_a_function_of_the_words(model):
    asked = []

    def tagger(words):
        asked.append(words)
        return TAGS

    parse = model.parse(WORDS, tagger=tagger)
    assert asked == [WORDS]
    assert parse.tree == model.parse(list(zip(WORDS, TAGS, strict=True))).tree
    assert parse.status == "parsed"
    # A tagger is asked even if there are tags already.
    assert model.parse([(word, "QQ") for word in WORDS], tagger=tagger).tree == parse.tree


def test_several_tags_with_costs(model):
    tags = [{"WP": 0.0}, {"NN": 1.0, "MD": 2.0}, {"PRP": 0.0, "QQ": 0.5}, "VB", {".": 0.25}]
    parse = model.parse(list(zip(WORDS, tags, strict=True)))
    assert [token.tag for token in parse.tree.tokens] == TAGS
    assert parse.tree == model.parse(WORDS, tagger=lambda _: tags).tree


def test_a_tag_that_is_not_known(model):
    parse = model.parse(WORDS, tagger=lambda _: [*TAGS[:4], {"QQ": 0.0, "RR": 1.0}])
    assert (parse.status, parse.reason) == ("unknown tag", "QQ, RR")


def test_too_many_tags(model):
    with pytest.raises(InputError, match="one tag per word: 5, not 6"):
        model.parse(WORDS, tagger=lambda _: [*TAGS, "."])


@core(1, "cost", [-1.0, inf, nan])
def test_what_is_not_a_cost(model, cost):
    with pytest.raises(InputError, match=f"tag QQ: the cost {cost} is not a number of at least 0"):
        model.parse([("What", {"WP": 0.0, "QQ": cost})])


def test_costs_are_added_to_those_of_the_rules():
    s, a, b = Nonterminal("S"), tag("A"), tag("B")
    model = GrammarModel(
        Grammar({Rule(s, (a,), ((0,),)): 0.5, Rule(s, (b,), ((0,),)): 0.5}, start=s)
    )
    parse = model.parse([("x", {"A": 0.5, "B": 0.25})])
    assert -parse.score == pytest.approx(0.25 + 0.6931471805599453)
    assert parse.tree.tokens[0].tag == "B"
    both = model.parse_nbest(["x"], 3, tagger=lambda _: [{"A": 0.5, "B": 0.25}])
    assert [parse.tree.tokens[0].tag for parse in both] == ["B", "A"]
