from itertools import pairwise
from math import fsum, inf

import pytest
from demo_trees import demo_trees
from grammar_strategies import TAGS, grammars, sentences
from hypothesis import given
from hypothesis import strategies as st
from naive.parser import best_cost, best_costs, best_outside_costs
from quick import core

from plcfrs.budget import Budget
from plcfrs.chart import ChartParser
from plcfrs.errors import InputError
from plcfrs.forest.derivations import explain
from plcfrs.grammar import PRESETS, Grammar, Nonterminal, Rule, binarize, tag
from plcfrs.grammar.rules import Want, parse_want
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.grammar.wants import explain_want
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees.tree import render_ranges

QUESTION = [("What", "WP"), ("should", "MD"), ("I", "PRP"), ("do", "VB"), ("?", ".")]


@pytest.fixture(scope="module")
def figure_6():
    return GrammarModel.load("grammars/evang-kallmeyer-figure-6.yaml")


@pytest.fixture(scope="module")
def demo():
    return GrammarModel.train(demo_trees())


def best_of(grammar, candidates):
    derivation = ChartParser(grammar).parse(candidates).derivation
    words = [f"w{position}" for position in range(len(candidates))]
    best = derivation and explain(grammar, words, candidates, derivation)
    return words, best


def best_parse(model, given):
    sentence = Sentence.of(given)
    tags = model.tags_of(sentence)
    derivation = ChartParser(model.grammar).parse(tags).derivation
    explained = explain(model.grammar, sentence.words, tags, derivation)
    shown = model.explain(given)
    assert [(row.text, row.positions, row.score) for row in shown.rows] == [
        (step.text, step.positions, -step.cost) for step in explained.steps
    ]
    assert len(model.explain(given, binarized=True).rows) == len(explained.binarized)
    return explained


@given(grammars(max_rank=3), sentences())
def test_steps_add_up_to_the_cost_of_the_best_parse(grammar, sentence):
    binarized = binarize(grammar)
    _, best = best_of(binarized, sentence)
    expected = best_cost(grammar, sentence)
    if best is None:
        assert expected == inf
        return
    assert best.cost == pytest.approx(expected, abs=1e-6)
    for steps in (best.steps, best.binarized):
        assert fsum(step.cost for step in steps) == pytest.approx(best.cost, abs=1e-9)
    costs = grammar.costs()
    for step in best.steps:  # every one is a rule of the original grammar at its own cost
        if step.rule is None:
            assert step.cost == sentence[step.ranges[0][0]][step.symbol]
        else:
            assert step.cost == pytest.approx(costs[step.rule], abs=1e-9)


@given(grammars(max_rank=3), sentences(), st.data())
def test_the_best_parse_with_a_constituent_is_that_of_brute_force(grammar, sentence, data):
    inside = best_costs(grammar, sentence)
    outside = best_outside_costs(grammar, sentence, inside)
    symbol, ranges = data.draw(st.sampled_from(sorted(inside)))
    expected = inside[symbol, ranges] + outside.get((symbol, ranges), inf)
    binarized = binarize(grammar)
    if symbol not in binarized.nonterminals():  # a tag of the sentence only
        return
    words, best = best_of(binarized, sentence)
    found = explain_want(binarized, words, sentence, Want(symbol.category, ranges), best)
    if expected == inf:
        assert found.verdict in ("in no parse", "no constituent")
        assert found.wanted is None
        assert found.loss == inf
        return
    assert found.wanted.cost == pytest.approx(expected, abs=1e-6)
    assert any(step.symbol == symbol and step.ranges == ranges for step in found.wanted.steps)
    assert found.inside_cost >= inside[symbol, ranges] - 1e-6
    if found.verdict == "in another parse":
        assert found.inside_cost == pytest.approx(inside[symbol, ranges], abs=1e-6)
    assert found.loss == pytest.approx(expected - best_cost(grammar, sentence), abs=1e-6)
    costs = binarized.costs()
    rules = fsum(costs[rule] for rule in found.wanted.derivation.rules())
    words = fsum(step.cost for step in found.wanted.steps if step.rule is None)
    assert rules + words == pytest.approx(found.wanted.cost, abs=1e-6)


@pytest.mark.full
@given(grammars(max_rank=2), sentences(), st.data())
def test_what_cannot_be_derived_has_no_parse(grammar, sentence, data):
    inside = best_costs(grammar, sentence)
    symbols = [one for one in grammar.nonterminals() if one.kind == "category"]
    symbol = data.draw(st.sampled_from(symbols))
    cuts = st.lists(
        st.integers(0, len(sentence)),
        min_size=2 * symbol.fanout,
        max_size=2 * symbol.fanout,
        unique=True,
    )
    if len(sentence) + 1 < 2 * symbol.fanout:
        return
    ends = sorted(data.draw(cuts))
    ranges = tuple(zip(ends[::2], ends[1::2], strict=True))
    words, best = best_of(grammar, sentence)
    found = explain_want(grammar, words, sentence, Want(symbol.category, ranges), best)
    assert (found.verdict == "no constituent") == ((symbol, ranges) not in inside)


@pytest.mark.full
@given(grammars(max_rank=3), sentences(), st.data())
def test_differences_and_shared_steps_add_up(grammar, sentence, data):
    binarized = binarize(grammar)
    words, best = best_of(binarized, sentence)
    if best is None:
        return
    symbol, ranges = data.draw(st.sampled_from(sorted(best_costs(grammar, sentence))))
    if symbol in TAGS and symbol not in binarized.nonterminals():
        return
    found = explain_want(binarized, words, sentence, Want(symbol.category, ranges), best)
    if found.wanted is None:
        return
    for is_binarized in (False, True):
        only_best, only_wanted, shared = found.differences(binarized=is_binarized)
        costs = [fsum(step.cost for step in steps) + shared for steps in (only_best, only_wanted)]
        assert costs == pytest.approx([best.cost, found.wanted.cost], abs=1e-6)
        assert not {step[:3] for step in only_best} & {step[:3] for step in only_wanted}


def test_figure_6(figure_6):
    best = best_parse(figure_6, QUESTION)
    found = [
        (step.clause, render_ranges(step.ranges), step.depth) for step in best.steps if step.rule
    ]
    assert found == [
        ("SBARQ(XY) -> SQ(X) .(Y)", "0-4", 0),
        ("SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)", "0-3", 1),
        ("VP(X,Y) -> WHNP(X) VB(Y)", "0,3", 2),
        ("WHNP(X) -> WP(X)", "0", 3),
        ("NP(X) -> PRP(X)", "2", 2),
    ]
    assert best.steps[2].positions == [0, 3]
    assert any(step.symbol.kind == "intermediate" for step in best.binarized)


def test_words_cost_what_the_lexicon_says():
    lexicon = {"x": {tag("A"): 3}, "y": {tag("A"): 1}}
    grammar = Grammar({Rule(Nonterminal("S"), (tag("A"),), ((0,),)): 1}, start=Nonterminal("S"))
    grammar.lexicon.words = lexicon
    best = best_parse(GrammarModel(grammar), ["y"])
    assert best.cost == pytest.approx(1.3862943611)
    assert [step.cost for step in best.steps] == pytest.approx([0, 1.3862943611])


@pytest.mark.full
def test_steps_of_a_markovized_grammar_are_those_of_the_treebank():
    recipe = PRESETS["markov-v1h1"].recipe
    model = GrammarModel.train(demo_trees(), recipe)
    best = best_parse(model, [*QUESTION[:2], ("we", "PRP"), *QUESTION[3:]])
    assert all(step.symbol.kind != "intermediate" for step in best.steps)
    assert len(best.binarized) > len(best.steps)
    assert fsum(step.cost for step in best.steps) == pytest.approx(best.cost)


def test_wants(demo):
    sentence = [*QUESTION[:2], ("we", "PRP"), *QUESTION[3:]]
    wants = list(map(parse_want, ["VP 0,3", "VP 1,3", "PP 0-1"]))
    best, tags = best_parse(demo, sentence), demo.tags_of(Sentence.of(sentence))
    found = [explain_want(demo.grammar, best.words, tags, want, best) for want in wants]
    assert [one.verdict for one in found] == ["in the best parse", "in no parse", "no constituent"]
    assert found[0].wanted is best
    assert found[0].loss == 0
    assert found[0].ratio == 1


@core(
    2,
    ("text", "category", "ranges"),
    [
        ("VP 0,3-4", "VP", ((0, 1), (3, 5))),
        (" S^WH 2 ", "S^WH", ((2, 3),)),
        ("VP_2 0-1 , 4", "VP_2", ((0, 2), (4, 5))),
        ("A 0,1", "A", ((0, 1), (1, 2))),
    ],
)
def test_parse_want(text, category, ranges):
    assert parse_want(text) == Want(category, ranges)


@core(1, "text", ["VP", "VP 0,", "VP x", "0-1", "VP 3-1", "VP 3,0", "VP 0-2,2", ""])
def test_bad_wants(text):
    with pytest.raises(InputError):
        parse_want(text)


@given(st.lists(st.integers(0, 99), min_size=2, max_size=8, unique=True).map(sorted))
def test_ranges_round_trip(ends):
    ranges = tuple(pairwise(ends))[::2]
    assert parse_want(f"X {render_ranges(ranges)}").ranges == ranges


@core(
    1,
    ("sentence", "want", "message"),
    [
        (["What", "is"], None, "does not know the word is"),
        ([("What", "XX")], None, "no tag XX"),
        ([], None, "no words"),
        (QUESTION, "VQ 0,3", "no symbol VQ"),
        (QUESTION, "VP 0,9", "numbers 0 to 4"),
        (QUESTION, "VP_2 0", "has 2 ranges, not 1"),
    ],
)
def test_errors(figure_6, sentence, want, message):
    wants = [parse_want(want)] if want else []
    with pytest.raises(InputError, match=message):
        figure_6.explain(sentence, wants)


def test_a_budget_that_is_used_up_is_an_error(demo):
    model = GrammarModel(demo.grammar, budget=Budget(3))
    with pytest.raises(InputError, match="budget was used up"):
        model.explain([*QUESTION[:2], ("we", "PRP"), *QUESTION[3:]])
