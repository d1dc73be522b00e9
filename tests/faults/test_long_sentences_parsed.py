"""Sentences that are too long to parse: the process survives and parses the next sentence."""

from demo_trees import demo_trees

from plcfrs.budget import Budget
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.features.model import FeatureModel
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsing.registry import train

S, X, A = Nonterminal("S"), Nonterminal("X", 2), tag("A")
RULES = {
    Rule(S, (A, S), ((0, 1),)): 1,
    Rule(S, (A,), ((0,),)): 1,
    Rule(S, (X, S), ((0, 1, 0),)): 1,
    Rule(X, (A, A), ((0,), (1,))): 1,
}
LONG, SHORT = [("a", "A")] * 300, [("a", "A")] * 3
LITTLE = Budget(max_memory=0.004)


def test_too_little_memory():
    for strategy in ["astar", "knuth"]:
        model = GrammarModel(Grammar(RULES, start=S), strategy, budget=LITTLE)
        before = model.parse(SHORT)
        parse = model.parse(LONG)
        assert parse.status == "out of memory"
        assert [node.category for node in parse.tree.nodes()] == ["ROOT", "NOPARSE"]
        assert len(parse.tree.tokens) == 300
        after = model.parse(SHORT)
        assert (
            (after.status, after.score) == (before.status, before.score) == ("parsed", before.score)
        )


def test_too_little_memory_for_the_best_parses():
    model = GrammarModel(Grammar(RULES, start=S), budget=LITTLE)
    assert [parse.status for parse in model.parse_nbest(LONG, 3)] == ["out of memory"]


def test_too_little_memory_for_a_forest():
    for kind in ["refined", "features"]:
        trees = demo_trees()
        if kind == "refined":
            model = RefinedModel(train(kind, trees[:6], cycles=0).refined, budget=LITTLE)
        else:
            model = FeatureModel(train(kind, trees[:6], epochs=0).model, budget=LITTLE)
        words = [(token.form, token.tag) for token in trees[0].tokens]
        assert model.parse(words * 40).status == "out of memory"
        assert model.parse(words).status == "parsed"
