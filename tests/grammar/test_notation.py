import re

from grammar_strategies import grammars
from hypothesis import given

from plcfrs.grammar import Nonterminal, Rule
from plcfrs.grammar.rules import in_paper_notation


def test_the_rules_of_the_paper():
    vp, md, np, whnp, vb = (Nonterminal(name) for name in ("VP", "MD", "NP", "WHNP", "VB"))
    wide = vp._replace(fanout=2)
    sq = Rule(Nonterminal("SQ"), (wide, md, np), ((0, 1, 2, 0),))
    assert in_paper_notation(sq) == "SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)"
    assert in_paper_notation(Rule(wide, (whnp, vb), ((0,), (1,)))) == "VP(X,Y) -> WHNP(X) VB(Y)"


def test_many_variables_are_numbered():
    np, nn = Nonterminal("NP"), Nonterminal("NN")
    found = in_paper_notation(Rule(np, (nn,) * 7, (tuple(range(7)),)))
    assert found.startswith("NP(X1X2X3X4X5X6X7) -> NN(X1) NN(X2)")


@given(grammars())
def test_the_yield_function_can_be_read_from_it(grammar):
    for rule in grammar.rules:
        left, *right = re.findall(r"\(([^)]*)\)", in_paper_notation(rule))
        owner = {name: child for child, names in enumerate(right) for name in names.split(",")}
        variables = [re.findall(r"X\d+|[XYZUVW]", part) for part in left.split(",")]
        found = tuple(tuple(owner[name] for name in part) for part in variables)
        assert found == rule.yield_function
        # Each child gets its variables in the order of the sentence, so no component is swapped.
        order = [name for part in variables for name in part]
        for names in right:
            places = [order.index(name) for name in names.split(",")]
            assert places == sorted(places)
