"""Category splits: SWH on trees with traces, VP and S by their heads."""

import pytest
from bracket import read, show
from demo_trees import demo_trees, raw_demo_trees
from quick import core

from plcfrs.cli import run
from plcfrs.grammar import extract
from plcfrs.transformation import Options, split_wh, transform
from plcfrs.treebank import read_trees, write_trees

RELATIVE = """(NP (NP (DT the) (NN goat)) (SBAR (WHNP-1 (WDT which)) (S (NP-SBJ (PRP I))
    (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (PRP she)) (VP (VBD fed)
    (NP (-NONE- *T*-1)))))))))"""
HOW_TO = """(SBAR (WHADVP-1 (WRB how)) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB sing)
    (ADVP (-NONE- *T*-1))))))"""


def split(text, **options):
    return show(transform(read(text), Options(**options)))


def test_swh_is_the_sister_of_the_wh_phrase_and_no_other_s():
    assert split(RELATIVE) == (
        "(ROOT (NP (NP 0=the 1=goat) (S^WH (VP (S (VP (WHNP<*T*> 2=which) 6=fed)"
        " (NP-SBJ 5=she)) 4=said) (NP-SBJ 3=I))))"
    )


def test_swh_in_context_free_trees():
    assert split(RELATIVE, reattach=()) == (
        "(ROOT (NP (NP 0=the 1=goat) (SBAR (WHNP 2=which) (S^WH (NP-SBJ 3=I)"
        " (VP 4=said (S (NP-SBJ 5=she) (VP 6=fed)))))))"
    )


def test_swh_with_an_empty_operator():
    text = """(NP (NP (NNS goats)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP she))
        (VP (VBD fed) (NP (-NONE- *T*-1))))))"""
    assert split(text) == "(ROOT (NP (NP 0=goats) (S^WH (NP-SBJ 1=she) (VP 2=fed))))"


def test_swh_with_indices_on_placeholders():
    text = "(SBAR (WHNP-1 (WP who)) (S (NP-SBJ-1 (-NONE- *T*)) (VP (VBD sang))))"
    assert split(text) == "(ROOT (S^WH (WHNP<*T*> 0=who) (VP 1=sang)))"


@core(
    1,
    "text",
    [
        "(S (NP-TPC-1 (NN hay)) (S (NP (PRP I)) (VP (VBD fed) (NP (-NONE- *T*-1)))))",
        "(SBAR (WHNP-1 (WP what)) (S (VP (VBD fed))) (NP (-NONE- *T*-1)))",
        "(SBAR (WHNP-1 (WP what)) (S (VP (VBD fed) (NP (-NONE- *-1)))))",
        "(SBAR (WHNP-1 (WP what)) (S (VP (VBD fed) (NP (-NONE- *T*-2)))))",
        "(SBAR (WHNP (WP what)) (S (VP (VBD fed) (NP (-NONE- *T*)))))",
        "(SBARQ (WHNP-1 (WP what)) (SQ (VP (VBD fed) (NP (-NONE- *T*-1)))))",
    ],
    ids=["no wh-phrase", "not inside", "no trace", "another index", "no index", "no S"],
)
def test_not_swh(text):
    assert "^" not in show(split_wh(read(text)))


@core(
    1,
    ("text", "expected"),
    [
        ("(VP (MD will) (VP (VB sing)))", "(VP 0=will (VP^HINF 1=sing))"),
        ("(VP (VBD was) (VP (VBN fed)))", "(VP 0=was (VP^HPART 1=fed))"),
        ("(VP (VBD was) (VP (VBG singing)))", "(VP 0=was (VP^HPART 1=singing))"),
        (
            "(VP (RB not) (VP (TO to) (VP (VB sing))))",
            "(VP^HTO 0=not (VP^HTO 1=to (VP^HINF 2=sing)))",
        ),
        (
            "(VP (VP (VB buy)) (CC and) (VP (VP (VBN sold))))",
            "(VP^HINF (VP^HINF 0=buy) 1=and (VP^HPART (VP^HPART 2=sold)))",
        ),
        (
            "(VP (ADJP (VBN bored)) (CC and) (NP (NN ill)))",
            "(VP^HPART (ADJP 0=bored) 1=and (NP 2=ill))",
        ),
        ("(VP (NP (NN hay)))", "(VP (NP 0=hay))"),
        (
            """(S (S-TPC-1 (NP (PRP She)) (VP (MD will))) (NP (PRP he)) (VP (VBG saying)
                (S (-NONE- *T*-1))))""",
            "(S (VP^HPART (S-TPC<*T*> (NP 0=She) (VP 1=will)) 3=saying) (NP 2=he))",
        ),
        (
            "(SQ (WHNP-1 (WP What)) (MD should) (NP (PRP we)) (VP (VB sing) (NP (-NONE- *T*-1))))",
            "(SQ (VP^HINF (WHNP<*T*> 0=What) 3=sing) 1=should (NP 2=we))",
        ),
    ],
)
def test_vp_is_split_by_its_lexical_head(text, expected):
    assert split(text) == f"(ROOT {expected})"


@core(
    1,
    ("text", "expected"),
    [
        (
            "(S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB sing))))",
            "(S^INF (VP^HTO 0=to (VP^HINF 1=sing)))",
        ),
        ("(S (NP (PRP him)) (VP (VB sing)))", "(S^INF (NP 0=him) (VP^HINF 1=sing))"),
        ("(S (NP (PRP him)) (VP (VBG singing)))", "(S (NP 0=him) (VP^HPART 1=singing))"),
        ("(S (S (VP (VB sing))) (NP (PRP him)))", "(S (S^INF (VP^HINF 0=sing)) (NP 1=him))"),
        ("(SQ (VP (VB sing)))", "(SQ (VP^HINF 0=sing))"),
        (HOW_TO, "(S^WH (VP^HTO (VP^HINF (WHADVP<*T*> 0=how) 2=sing) 1=to))"),
    ],
    ids=["to", "bare infinitive", "participle", "head is an S", "no S", "SWH"],
)
def test_s_is_split_by_its_head_child(text, expected):
    assert split(text) == f"(ROOT {expected})"


@core(
    1,
    ("splits", "expected"),
    [
        ((), "(S (VP (VP (WHADVP<*T*> 0=how) 2=sing) 1=to))"),
        (("wh",), "(S^WH (VP (VP (WHADVP<*T*> 0=how) 2=sing) 1=to))"),
        (("vp",), "(S (VP^HTO (VP^HINF (WHADVP<*T*> 0=how) 2=sing) 1=to))"),
        (("vp", "infinitive"), "(S^INF (VP^HTO (VP^HINF (WHADVP<*T*> 0=how) 2=sing) 1=to))"),
    ],
)
def test_each_split_is_optional(splits, expected):
    assert split(HOW_TO, splits=splits) == f"(ROOT {expected})"


@pytest.mark.full
@core(1, "extension", ["discbracket", "export", "xml"])
def test_written_splits_make_the_same_grammar(tmp_path, extension):
    path = tmp_path / f"demo.{extension}"
    write_trees(demo_trees(), path)
    again = [transform(tree) for tree in read_trees(path)]
    assert extract(again) == extract(demo_trees())


def test_splits_that_are_not_written_are_mentioned(tmp_path, capsys):
    write_trees(raw_demo_trees()[:12], path := tmp_path / "a.mrg")
    output = str(tmp_path / "a.discbracket")
    mention = "category split S^WH not written (in 4 trees): train grammars on the original"
    assert run(["transform", str(path), "-o", output]) == 0
    assert mention in capsys.readouterr().err
    for more in (["--write-splits"], ["--splits", "none"]):
        assert run(["transform", str(path), "-o", output, *more]) == 0
        assert "S^WH" not in capsys.readouterr().err
