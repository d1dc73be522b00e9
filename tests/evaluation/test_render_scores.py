"""The table of scores as people see it."""

from textwrap import dedent

from plcfrs.evaluation import Counts, Scores, render_scores


def test_table():
    scores = Scores(
        labelled=Counts(gold=8, parsed=6, matched=4),
        unlabelled=Counts(gold=8, parsed=6, matched=6),
        labelled_discontinuous=Counts(gold=2, parsed=0, matched=0),
        unlabelled_discontinuous=Counts(gold=2, parsed=0, matched=0),
        sentences=3,
        exact=1,
        without_parse=1,
        words=7,
        right_tags=6,
    )
    assert render_scores(scores) == dedent("""\
                                        All  Discontinuous
        LP                            66.67           0.00
        LR                            50.00           0.00
        LF1                           57.14           0.00
        UP                           100.00           0.00
        UR                            75.00           0.00
        UF1                           85.71           0.00
        Gold                              8              2
        Parsed                            6              0
        Matched labelled                  4              0
        Matched unlabelled                6              0
        Exact match                   33.33
        Tagging accuracy              85.71
        Sentences                         3
        Without a parse                   1""")


def test_scores_of_nothing():
    lines = render_scores(Scores()).splitlines()
    assert lines[1].split() == ["LP", "-", "-"]
    assert lines[-4].split() == ["Exact", "match", "-"]
