"""Tables of scores as people and programs see them."""

import csv
import io
import json
from textwrap import dedent

import pytest

from plcfrs.evaluation import REPORTS, Counts, Evaluation, Scores, Table, render_scores, tables


@pytest.fixture
def scores():
    return Scores(
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


def test_table(scores):
    assert render_scores(scores) == dedent("""\
        Constituents            All  Discontinuous
        LP                    66.67           0.00
        LR                    50.00           0.00
        LF1                   57.14           0.00
        UP                   100.00           0.00
        UR                    75.00           0.00
        UF1                   85.71           0.00
        Gold                      8              2
        Parsed                    6              0
        Matched labelled          4              0
        Matched unlabelled        6              0

        Sentences and words     All
        Exact match           33.33
        Tagging accuracy      85.71
        Sentences                 3
        Without a parse           1
        Words                     7""")


def test_scores_of_nothing():
    lines = render_scores(Scores()).splitlines()
    assert lines[1].split() == ["LP", "-", "-"]
    assert lines[-5].split() == ["Exact", "match", "-"]


def test_tables_of_an_evaluation(scores):
    evaluation = Evaluation(
        cutoff=40,
        all=scores,
        discontinuous=scores,
        by_category={"NP": Counts(3, 3, 2), "VP": Counts(5, 3, 2), "S": Counts(3, 1, 1)},
        by_fan_out={2: Counts(2, 0, 0), 1: Counts(6, 6, 4)},
        by_gap_degree={1: scores},
        by_length={20: scores, 10: Scores()},
    )
    found = {table.title: table for table in tables(evaluation)}
    assert list(found) == [
        "Constituents",
        "Discontinuous constituents",
        "Sentences and words",
        "By category",
        "By fan-out",
        "Sentences by gap degree",
        "Sentences by length",
    ]
    assert found["Constituents"].columns == ["All", "D", "C", "With parse", "<= 40"]
    assert found["Constituents"].rows["LR"] == [50, 50, None, None, None]
    # The most frequent first, then by name.
    assert list(found["By category"].rows) == ["VP", "NP", "S"]
    assert found["By category"].rows["VP"][3:] == [5, 3, 2]
    assert list(found["By fan-out"].rows) == ["1", "2"]
    assert list(found["Sentences by length"].rows) == ["1-10", "11-20"]


def test_function_tags_are_shown_where_the_parses_have_any(scores):
    evaluation = Evaluation(all=scores, by_function={"TMP": Counts(1, 0, 0)})
    scores.functions = Counts(gold=1)
    assert "Function tags" not in [table.title for table in tables(evaluation)]
    scores.functions.parsed = 1
    found = {table.title: table for table in tables(evaluation)}
    assert found["Function tags"].rows["TMP"] == [0, 0, 0, 1, 0, 0]
    assert found["Sentences and words"].rows["Function tags F1"] == [0, None, None, None]


TABLES = [
    Table("Small", ["LP", "Gold"], {"NP": [66.66666, 3], "ADVP|PRT": [None, 0]}),
    Table("Empty", ["LP"], {}),
]


def test_text():
    assert REPORTS["text"](TABLES) == dedent("""\
        Small        LP  Gold
        NP        66.67     3
        ADVP|PRT      -     0

        Empty        LP""")


def test_markdown():
    assert REPORTS["markdown"](TABLES) == dedent("""\
        | Small | LP | Gold |
        | --- | ---: | ---: |
        | NP | 66.67 | 3 |
        | ADVP\\|PRT | - | 0 |

        | Empty | LP |
        | --- | ---: |""")


def test_latex():
    table = Table("Small_1", ["difference", "p < 5%"], {"*T*": [-1.5, None]})
    assert REPORTS["latex"]([table]).splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"Small\_1 & difference & p \textless{} 5\% \\",
        r"\midrule",
        r"{}*T* & $-$1.50 & - \\",  # \\* is a line end that LaTeX knows
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert r"{lll}" in REPORTS["latex"]([TEXTS])


TEXTS = Table("Examples", ["sentence", "word"], {"1": ["wsj:1", "*a_b*"], "2": [None, "<b>"]})


def test_texts_come_last_and_are_aligned_left():
    assert REPORTS["text"]([TEXTS, TABLES[0]]) == dedent("""\
        Small        LP  Gold
        NP        66.67     3
        ADVP|PRT      -     0

        Examples  sentence  word
        1         wsj:1     *a_b*
        2         -         <b>""")
    assert REPORTS["text"]([TEXTS]).startswith("Examples  sentence")


def test_markdown_shows_words_as_they_are():
    # Without the escapes, Markdown would show an italic word, and bold letters from here on.
    assert REPORTS["markdown"]([TEXTS]) == dedent("""\
        | Examples | sentence | word |
        | --- | --- | --- |
        | 1 | wsj:1 | \\*a\\_b\\* |
        | 2 | - | \\<b> |""")


def test_decimals():
    table = Table("Test", ["LF1", "p"], {"all": [50.0, 0.00123]}, {"p": 4})
    assert REPORTS["text"]([table]).splitlines()[1].split() == ["all", "50.00", "0.0012"]
    assert json.loads(REPORTS["json"]([table]))["Test"]["all"]["p"] == 0.00123


def test_csv():
    rows = list(csv.reader(io.StringIO(REPORTS["csv"](TABLES))))
    assert rows == [
        ["table", "row", "column", "figure"],
        ["Small", "NP", "LP", "66.66666"],
        ["Small", "NP", "Gold", "3"],
        ["Small", "ADVP|PRT", "LP", ""],
        ["Small", "ADVP|PRT", "Gold", "0"],
    ]


def test_json():
    assert json.loads(REPORTS["json"](TABLES)) == {
        "Small": {"NP": {"LP": 66.66666, "Gold": 3}, "ADVP|PRT": {"LP": None, "Gold": 0}},
        "Empty": {},
    }
