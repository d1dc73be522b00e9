"""Nodes and expansions that completed partial trees have, and gold trees do not."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from usual_expansions import with_usual_expansions

from plcfrs.trees import Tree

EXPANSIONS = [
    (
        "(HEADING (NP (NN 0=Way) (PRT (RB 1=up) (RP 2=out))))",
        "(NP (NN 0=Way) (ADVP (RB 1=up) (RP 2=out)))",
    ),
    (
        "(VP (VP (VBP 2=like) (NP (PRP 3=it))) (ADVP (RB 1=really)) (NN 0=I))",
        "(VP (NN 0=I) (ADVP (RB 1=really)) (VBP 2=like) (NP (PRP 3=it)))",
    ),
    ("(VP (MD 0=will) (VP (VB 1=go)))", "(VP (MD 0=will) (VP (VB 1=go)))"),
    (
        "(NP (NP (NP (NNP 0=Ann)) (POS 1='s)) (NN 2=hat))",
        "(NP (NP (NNP 0=Ann) (POS 1='s)) (NN 2=hat))",
    ),
    (
        "(NP (RB 0=only) (NP (NP (CD 1=two)) (PP (IN 2=of) (NP (PRP 3=us)))))",
        "(NP (NP (RB 0=only) (CD 1=two)) (PP (IN 2=of) (NP (PRP 3=us))))",
    ),
    ("(VP (TO 0=to) (VB 1=go))", "(VP (TO 0=to) (VP (VB 1=go)))"),
    (
        "(VP (S (VP (VBG 0=seeing))) (CC 1=and) (VP (VBG 2=hearing)))",
        "(VP (VP (VBG 0=seeing)) (CC 1=and) (VP (VBG 2=hearing)))",
    ),
    (
        "(S (VP (S (NP (PRP 0=I))) (VBD 1=said)) (NP (PRP 2=she)))",
        "(SINV (VP (S (NP (PRP 0=I))) (VBD 1=said)) (NP (PRP 2=she)))",
    ),
    (
        "(PP (PP (VBG 0=according) (TO 1=to)) (NP (PRP 2=him)))",
        "(PP (VBG 0=according) (PP (TO 1=to) (NP (PRP 2=him))))",
    ),
    (
        "(SBAR (VP (WRB 0=where) (VBP 2=live)) (NP (PRP 1=we)))",
        "(SBAR (S (VP (WHADVP (WRB 0=where)) (VBP 2=live)) (NP (PRP 1=we))))",
    ),
]


@pytest.mark.parametrize(("unusual", "usual"), EXPANSIONS)
def test_usual_expansions(unusual, usual):
    assert str(with_usual_expansions(Tree.from_string(unusual))) == f"(ROOT {usual})"
