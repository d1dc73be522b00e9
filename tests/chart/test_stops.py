"""Searches that are stopped at any moment: they give what they have, and leave nothing behind."""

import gc
from contextlib import suppress
from unittest.mock import patch
from weakref import ref

import pytest
from demo_trees import demo_trees
from quick import core
from test_tightening import SLACK, narrowly

from plcfrs.budget import UNLIMITED, Budget, Deadline, OutOfBudgetError, OutOfTimeError
from plcfrs.chart import ChartParser
from plcfrs.chart.search import ChartSearch
from plcfrs.grammar import tag
from plcfrs.parsing.registry import train

NUMBER = 5  # of the best parses


@pytest.fixture(scope="module")
def grammar_and_sentences():
    trees = demo_trees()
    sentences = [
        [{tag(token.tag): 0.0} for token in tree.tokens]
        for tree in trees
        if 5 <= len(tree.tokens) <= 7 and tree.gap_degree()
    ]
    return train("grammar", trees, "markov-v1h1").grammar, sentences[:2]


@narrowly
@patch("plcfrs.chart.estimates._CELLS_PER_CHECK", 1)
@patch("plcfrs.chart.search._ITEMS_PER_CHECK", 4)
@core(1, "each", [pytest.param(1, marks=pytest.mark.full), 9])
@core(1, "strategy", ["astar", "knuth"])
@core(1, "wanted", ["mpd", "mcp", "nbest", "forest"])
def test_a_stop_at_any_moment(grammar_and_sentences, wanted, strategy, each):
    grammar, (one, other) = grammar_and_sentences
    parser = ChartParser(grammar, strategy, UNLIMITED)
    expected = parser.parse(other)
    ranked = parser.parse_nbest(one, NUMBER)
    checks = 0

    def stop(_):
        nonlocal checks
        checks += 1
        if checks == last:
            raise OutOfTimeError

    statuses = set()
    for last in range(1, 100_000, each):
        checks = 0
        with patch.object(Deadline, "check", stop):
            statuses.add(status_of(parser, one, wanted, ranked))
        assert parser.parse(other) == expected
        if checks < last:
            break
    assert 5 < checks < last
    assert statuses == {"parsed", "out of time"}


def status_of(parser, sentence, wanted, ranked):
    """Return the status of the answer for a sentence, after a look at its gaps."""
    if wanted == "forest":
        with suppress(OutOfBudgetError):
            assert parser.forest(sentence).has_derivation
            return "parsed"
        return "out of time"
    if wanted != "nbest":
        return parser.parse(sentence, wanted).status
    found = parser.parse_nbest(sentence, NUMBER)
    if found[0].status == "parsed":
        for result, exact in zip(found, ranked, strict=False):
            assert result.cost - result.gap - SLACK <= exact.cost <= result.cost + SLACK
    return found[0].status


@core(1, "wanted", ["mpd", "mcp", "nbest", "forest"])
def test_a_stopped_search_frees_its_memory_at_once(grammar_and_sentences, wanted):
    grammar, (one, other) = grammar_and_sentences
    parser = ChartParser(grammar, budget=Budget(max_items=100))
    searches = []

    def begin(search, *arguments):
        searches.append(ref(search))
        original(search, *arguments)

    original = ChartSearch.__init__
    gc.disable()  # which would hide that something keeps a search
    try:
        with patch.object(ChartSearch, "__init__", begin):
            status_of(parser, one + other, wanted, [])
    finally:
        gc.enable()
    assert searches[0]() is None
