"""The surprisal of many sentences: those that begin alike are read together, in any order."""

import pytest
from quick import JOBS

from plcfrs.corpus.surprisal_table import surprisal_all
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.sentence import Sentence
from plcfrs.prefix import PrefixChart

TEXTS = [
    "What did the teacher say ?",
    "Who left ?",
    "What did the children read ?",
    "What did the teacher read ?",
    "",
    "Who left ?",
]


@pytest.fixture(scope="module")
def model():
    return GrammarModel.train("plcfrs:demo")


@pytest.fixture(scope="module")
def expected(model):
    return [GrammarModel(model.grammar).surprisal(text, end=True) for text in TEXTS]


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("given", [list, iter])
def test_results_come_in_order(model, expected, given, jobs):
    found = list(surprisal_all(model, given(TEXTS), jobs, end=True))
    assert [read.sentence.words for read in found] == [Sentence.of(text).words for text in TEXTS]
    assert [read.words for read in found] == expected


def test_the_same_beginning_is_read_once(model, monkeypatch):
    read, extend = [], PrefixChart.extend

    def counted(chart, *arguments, **named):
        read.append(chart.length)
        extend(chart, *arguments, **named)

    monkeypatch.setattr(PrefixChart, "extend", counted)
    list(surprisal_all(GrammarModel(model.grammar), TEXTS))
    # children read ?, then: What did the teacher read ?, say ?, and Who left ?
    assert sorted(read) == sorted([*range(6), 3, 4, 5, 4, 5, *range(3)])
