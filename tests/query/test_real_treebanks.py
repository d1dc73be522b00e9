"""All examples of queries find in treebanks what they mean, said with quantifiers."""

from itertools import islice

import naive_query
import pytest
from demo_trees import demo_trees, raw_demo_trees
from quick import core

from plcfrs.query import Treebank
from plcfrs.query import treebank as treebank_module
from plcfrs.query.help import SECTIONS
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees

QUERIES = [entry.example for section in SECTIONS for entry in section.entries]


def found_at(hits):
    starts = hits.trees.tree_places[hits.trees_of]
    return list(zip(hits.trees_of.tolist(), (hits.places - starts).tolist(), strict=True))


def check(trees):
    treebank, naive = Treebank(trees), list(map(naive_query.NaiveTree, trees))
    for query in QUERIES:
        expected = [
            (number, place)
            for number, tree in enumerate(naive)
            for place in naive_query.places(tree, query)
        ]
        assert found_at(treebank.find(query)) == expected, query


@core(1, "trees", [demo_trees, raw_demo_trees])
def test_the_demo_treebank(trees):
    check(trees()[::20])


def test_a_treebank_in_segments(monkeypatch):
    whole = Treebank(demo_trees())
    found = [whole.find(query).places.tolist() for query in QUERIES]
    monkeypatch.setattr(treebank_module, "_SEGMENT", 300)
    parts = Treebank(demo_trees())
    assert [parts.find(query).places.tolist() for query in QUERIES] == found


@pytest.mark.full
def test_the_penn_treebank(penn_treebank):
    check(penn_treebank[::50])
    check(list(transform_all(penn_treebank[::50])))


@pytest.mark.full
def test_the_potsdam_corpus(potsdam):
    check(list(read_trees(potsdam))[::20])


@pytest.mark.full
def test_icepahc(icepahc):
    trees = list(islice(read_trees(icepahc), 0, None, 1000))
    check(trees)
    check(list(transform_all(trees)))
