"""The budget of a sentence, and what a parse says about better ones."""

from inspect import signature
from math import inf, log

import pytest
from demo_trees import demo_trees
from grammar_strategies import grammars, sentences, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from late_parse import GRAMMAR, ITEMS, WORD
from naive.parser import best_cost
from quick import examples

from plcfrs.budget import UNLIMITED, Budget
from plcfrs.chart import ChartParser
from plcfrs.errors import InputError
from plcfrs.grammar import binarize
from plcfrs.grammar.rules import parse_want
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsing.registry import load_model, train

CASES = grammars().flatmap(
    lambda grammar: st.tuples(st.just(binarize(grammar)), sentences() | sentences_of(grammar))
)
SLACK = 1e-6


@pytest.fixture(scope="module")
def stopped():
    """Return a model that finds only the expensive parse."""
    return GrammarModel(GRAMMAR, "knuth", budget=Budget(ITEMS))


def test_every_sentence_has_a_budget():
    assert Budget() == (inf, 10.0, 1.0)
    for function in (GrammarModel, RefinedModel, ChartParser, load_model):
        assert signature(function).parameters["budget"].default == Budget()


@examples(60)
@given(CASES, st.sampled_from(["astar", "knuth"]))
def test_the_best_score_is_within_the_gap_and_more_items_never_hurt(case, strategy):
    grammar, sentence = case
    words = [("w", {symbol.category: cost for symbol, cost in each.items()}) for each in sentence]
    best = best_cost(grammar, sentence)
    before = inf
    for items in (1, 2, 4, 8, 16, 64, 256, inf):
        budget = UNLIMITED._replace(max_items=items)
        parse = GrammarModel(grammar, strategy, budget=budget).parse(words)
        if parse.score == -inf:
            assert (parse.status == "parsed", parse.optimality_gap) == (False, None)
            continue
        assert parse.status == "parsed"
        assert best - SLACK <= -parse.score <= best + parse.optimality_gap + SLACK
        assert parse.optimality_gap <= before + SLACK
        before = parse.optimality_gap
    assert (parse.optimality_gap == 0.0) == (best < inf)


def test_a_parse_that_is_not_proven_is_a_parse(stopped):
    parse = stopped.parse(WORD)
    assert (parse.status, parse.fallback, round(parse.score, 6)) == ("parsed", "none", -2.302585)
    assert 0 < log(0.9) - parse.score <= parse.optimality_gap
    assert "gap" in repr(parse)
    best = GrammarModel(GRAMMAR, "knuth").parse(WORD)
    assert (best.status, best.optimality_gap) == ("parsed", 0.0)
    assert "gap" not in repr(best)


def test_an_explanation_says_that_a_parse_is_not_proven(stopped):
    lines = stopped.explain(WORD).lines()
    assert lines[-1].startswith("not proven to be the best: a better parse would be at most")
    with pytest.raises(InputError, match="budget was used up"):
        stopped.explain(WORD, [parse_want("E 0")])
    assert "proven" not in "\n".join(GrammarModel(GRAMMAR).explain(WORD).lines())


@pytest.mark.full
def test_other_objectives_and_families_prove_nothing():
    assert GrammarModel(GRAMMAR).parse(WORD, objective="mcp").optimality_gap is None
    trees = demo_trees()[:40]
    for kind, options in (
        ("gap", {"epochs": 1}),
        ("refined", {"cycles": 0}),
        ("features", {"epochs": 0}),
    ):
        parse = train(kind, trees, **options).parse(trees[0])
        assert (parse.status, parse.optimality_gap) == ("parsed", None)


@pytest.mark.full
def test_a_refined_parse_without_substates_is_not_called_the_best():
    model = train("refined", demo_trees()[:40], cycles=0)
    sentence = ["What/WP", "should/MD", "we/PRP", "do/VB", "?/."]
    words = [tuple(word.split("/")) for word in sentence]
    items = range(10, model.parse(words).statistics.items)
    parses = [RefinedModel(model.refined, budget=Budget(number)).parse(words) for number in items]
    assert {(parse.status, parse.optimality_gap) for parse in parses} == {
        ("out of items", None),
        ("parsed", inf),
    }
