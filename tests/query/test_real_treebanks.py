"""All examples of queries find in treebanks what they find in one tree after the other."""

from itertools import islice

import pytest
from demo_trees import demo_trees, raw_demo_trees
from matcher import Matcher

from plcfrs.query import Treebank
from plcfrs.query import treebank as treebank_module
from plcfrs.query.help import SECTIONS
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.compilation import elements_of

QUERIES = [entry.example for section in SECTIONS for entry in section.entries]


def matches(trees, query):
    """Return the matches of the reference: the number of a tree, and a place in it."""
    matcher = Matcher(query)
    return [
        (number, elements_of(tree).index(match))
        for number, tree in enumerate(trees)
        for match in matcher.find(tree)
    ]


def found_at(hits):
    starts = hits.trees.tree_places[hits.trees_of]
    return list(zip(hits.trees_of.tolist(), (hits.places - starts).tolist(), strict=True))


def check(trees):
    treebank = Treebank(trees)
    for query in QUERIES:
        assert found_at(treebank.find(query)) == matches(trees, query), query


@pytest.mark.parametrize("trees", [demo_trees, raw_demo_trees])
def test_the_demo_treebank(trees):
    check(trees()[::5])


def test_a_treebank_in_segments(monkeypatch):
    whole = Treebank(demo_trees())
    found = [whole.find(query).places.tolist() for query in QUERIES]
    monkeypatch.setattr(treebank_module, "_SEGMENT", 300)
    parts = Treebank(demo_trees())
    assert [parts.find(query).places.tolist() for query in QUERIES] == found


@pytest.mark.full
def test_the_penn_treebank(penn_treebank):
    check(penn_treebank[::5])
    check(list(transform_all(penn_treebank[::5])))


@pytest.mark.full
def test_the_potsdam_corpus(potsdam):
    check(list(read_trees(potsdam))[::5])


@pytest.mark.full
def test_icepahc(icepahc):
    trees = list(islice(read_trees(icepahc), 0, None, 50))
    check(trees)
    check(list(transform_all(trees)))
