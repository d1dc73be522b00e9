"""Probabilities of the constituents of parses of all families, and trees of the safe ones."""

from unittest.mock import patch

import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees as random_trees

from plcfrs.chart.nbest import find_best
from plcfrs.errors import InputError
from plcfrs.forest.votes import posteriors_in_trees
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.parse import Parse, Posterior, Task
from plcfrs.parsing.registry import load_model, train
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees.tree import positions

WORDS = [("What", "WP"), ("should", "MD"), ("we", "PRP"), ("do", "VB"), ("?", ".")]


@pytest.fixture(scope="module")
def trees():
    return demo_trees()


@pytest.fixture(scope="module")
def models(trees, trained):
    """A parser of each family that knows posteriors."""
    files = {kind: str(trained(kind)) for kind in ("grammar", "refined", "features")}
    combined = train("combined", trees[30:60], members=(files["refined"], files["features"]))
    return {**{kind: load_model(file) for kind, file in files.items()}, "combined": combined}


FAMILIES = ["grammar", "refined", "features", "combined"]


@core(1, "kind", FAMILIES)
def test_each_node_has_its_posterior(models, trees, kind):
    for tree in trees[20:40:2]:
        parse = models[kind].parse(tree, posteriors=True)
        spans = parse.tree.yields()
        shown = [(each.category, list(each.positions)) for each in parse.posteriors]
        expected = [(node.category, positions(spans[node])) for node in parse.tree.nodes()]
        assert shown == (expected if parse.status == "parsed" else [])
        assert all(0 <= each.probability <= 1 for each in parse.posteriors)
        assert {each.probability for each in parse.posteriors[:1]} <= {1.0}
        assert models[kind].parse(tree).posteriors is None


@core(2, "kind", FAMILIES)
def test_no_posteriors_without_a_parse(models, kind):
    parse = models[kind].parse([(".", ".")] * 3, posteriors=True)
    assert (parse.status, parse.posteriors) == ("no parse", [])
    assert parse.safe_tree(0.5) == parse.tree
    assert models[kind].parse([], posteriors=True).posteriors == []


@core(2, "kind", FAMILIES)
def test_nothing_is_safe_without_a_forest(models, kind):
    def find_only_a_parse(search, *_):
        find_best(search)

    with patch("plcfrs.chart.parser.find_forest", find_only_a_parse):
        parse = models[kind].parse(WORDS, posteriors=True)
    assert (parse.status, parse.posteriors) == ("parsed", [])
    assert len(parse.safe_tree(0.01).nodes()) == 1
    assert parse.safe_tree(0) == parse.tree


def test_posteriors_are_calibrated(models, trees):
    model = models["combined"]
    tree = next(tree for tree in trees[30::2] if model.parse(tree).status == "parsed")
    parse, sentence = model.parse(tree, posteriors=True), Sentence.of(tree)
    raw = posteriors_in_trees(model.constituents(sentence, model.tags_of(sentence)))
    spans = parse.tree.yields()
    chances = [raw[node.category, spans[node]] for node in parse.tree.nodes()]
    found = [each.probability for each in parse.posteriors]
    assert found[1:] == pytest.approx([model.calibration(chance) for chance in chances[1:]])


def test_expected_f1_is_an_objective(models, trees):
    model = models["combined"]
    for tree in trees[1:20:2]:
        best, other = (model.parse(tree, objective=name) for name in model.objectives)
        assert best.status == other.status
        assert other.score <= best.score + 1e-9 or best.status != "parsed"


def test_touching_ranges_are_not_counted_twice():
    """Two rules of A become the same one if the ranges of A touch."""
    s, a, word = Nonterminal("S"), Nonterminal("A", 2), tag("w")
    pair, single = Nonterminal("P", 2), Nonterminal("Q")
    rules = {
        Rule(s, (a,), ((0, 0),)): 3,
        Rule(s, (single, single, single), ((0, 1, 2),)): 1,
        Rule(a, (pair, single), ((0,), (0, 1))): 1,
        Rule(a, (pair, single), ((0, 0), (1,))): 1,
        Rule(pair, (word, word), ((0,), (1,))): 1,
        Rule(single, (word,), ((0,),)): 1,
    }
    parse = GrammarModel(Grammar(rules, start=s)).parse([("x", "w")] * 3, posteriors=True)
    # S -> Q Q Q has the probability 1/4, both derivations with A have 3/8.
    found = {each[:2]: each.probability for each in parse.posteriors}
    assert found == pytest.approx(
        {
            ("ROOT", (0, 1, 2)): 1,
            ("S", (0, 1, 2)): 1,
            ("A", (0, 1, 2)): 0.75,
            ("P", (0, 1)): 0.75,
            ("Q", (2,)): 1,
        }
    )


def test_many_sentences(models, trees):
    model = models["refined"]
    found = model.parse_together(trees[:3], Task(posteriors=True))
    assert [each for (each,) in found] == [model.parse(tree, posteriors=True) for tree in trees[:3]]


def test_who_has_none_says_so(trained):
    model = load_model(trained("gap"))
    with pytest.raises(InputError, match="gap cannot compute probabilities of constituents"):
        model.parse(WORDS, posteriors=True)
    with pytest.raises(InputError, match="parse with posteriors=True"):
        model.parse(WORDS).safe_tree(0.5)


@st.composite
def scored(draw):
    tree = draw(random_trees())
    spans = tree.yields()
    chances = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    found = [
        Posterior(node.category, tuple(positions(spans[node])), draw(chances))
        for node in tree.nodes()
    ]
    for node in tree.nodes():
        node.head = draw(st.none() | st.integers(0, len(node.children) - 1))
    return Parse(tree, "parsed", posteriors=found)


@given(scored(), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_safe_trees_have_exactly_the_safe_constituents(parse, least):
    before = str(parse.tree)
    tree = parse.safe_tree(least)
    assert str(parse.tree) == before
    assert sorted(
        child for node in tree.nodes() for child in node.children if isinstance(child, int)
    ) == list(range(len(parse.tree.tokens)))
    assert tree.tokens == parse.tree.tokens
    spans = tree.yields()
    kept = [(node.category, tuple(positions(spans[node]))) for node in tree.nodes()[1:]]
    expected = [each[:2] for each in parse.posteriors[1:] if each.probability >= least]
    assert sorted(kept) == sorted(expected)
    for node in tree.nodes():
        firsts = [
            child if isinstance(child, int) else positions(spans[child])[0]
            for child in node.children
        ]
        assert firsts == sorted(firsts)


@pytest.mark.full
def test_the_head_of_a_mother_is_that_of_a_child_that_is_removed():
    parse = train("grammar", "plcfrs:demo").parse(WORDS, posteriors=True)
    top = parse.tree.root
    while top.nodes:
        top.head = top.children.index(top.nodes[0])
        top = top.nodes[0]
    top.head = 0
    unsafe = [each._replace(probability=0.0) for each in parse.posteriors]
    tree = Parse(parse.tree, "parsed", posteriors=unsafe).safe_tree(0.5)
    assert tree.root.children == [0, 1, 2, 3, 4]
    assert tree.root.head == top.children[0]
