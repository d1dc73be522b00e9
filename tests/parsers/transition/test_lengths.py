"""The lengths of derivations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared import headed_trees, nested

from plcfrs.cli.transform_command import DerivationTable
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees.heads import negra


def cells(table):
    return {row[0]: row[1:] for row in table.rows()}


def test_the_longest_derivations_of_appendix_a_1():
    gaps, swaps = DerivationTable(), DerivationTable()
    gaps.add(nested(0, 4, 1, 2, 3))
    swaps.add(nested(0, 4, 3, 2, 1))
    assert cells(gaps)["longest"][0] == "15"
    assert cells(gaps)["gaps, swaps or skips"][0] == "6"
    assert cells(gaps)["most at once"][0] == "3"
    assert cells(gaps)["transitions a token"][0] == "3.00"
    assert cells(swaps)["longest"] == ["12", "18", "21", "18", "9", "18"]
    # Before each reduction, all remaining tokens but one are swapped back: 3 + 2 + 1.
    assert cells(swaps)["gaps, swaps or skips"] == ["3", "1", "6", "3", "3", "1"]
    assert cells(swaps)["most at once"] == ["3", "3", "3", "3", "3", "3"]


def test_nothing_counted():
    assert cells(DerivationTable())["transitions a token"] == ["0.00"] * 6


@given(st.lists(headed_trees(), min_size=1, max_size=4))
def test_relations_between_the_systems(trees):
    table = DerivationTable()
    assert list(table.watch(trees)) == trees
    tokens = sum(len(tree.tokens) for tree in trees)
    columns = table.columns
    for name in ("SR-CGAP", "set-based"):
        assert columns[name].transitions == 4 * tokens - 2 * len(trees)
    gap, skip = columns["SR-GAP"], columns["SKIPSHIFT"]
    assert gap.transitions - gap.moves == skip.transitions
    single, compound = columns["SR-SWAP"], columns["SR-CSWAP"]
    assert compound.moves == skip.moves
    assert single.transitions == skip.transitions + 2 * single.moves
    assert compound.transitions == skip.transitions + single.moves + compound.moves


@pytest.mark.full
def test_the_penn_treebank_as_the_readme_says(penn_treebank):
    table = DerivationTable()
    for tree in transform_all(penn_treebank):
        table.add(tree)
    found = cells(table)
    assert found["longest"] == ["521", "994", "8,726", "4,850", "518", "994"]
    assert found["gaps, swaps or skips"] == ["3,343", "1,887", "28,294", "5,977", "5,977", "1,378"]
    assert found["most at once"] == ["8", "8", "25", "25", "25", "8"]
    assert found["transitions a token"] == ["2.10", "3.92", "2.66", "2.43", "2.06", "3.92"]


@pytest.mark.full
def test_the_potsdam_corpus_as_the_readme_says(potsdam):
    options = Options(attach_low=True, punctuation="low", pair_marks=True, head_rules=negra())
    table = DerivationTable()
    for tree in transform_all(read_trees(potsdam), options):
        table.add(tree)
    found = cells(table)
    assert found["longest"] == ["137", "266", "637", "403", "133", "266"]
    assert found["gaps, swaps or skips"] == ["3,097", "2,043", "18,070", "5,409", "5,409", "1,319"]
    assert found["most at once"] == ["6", "6", "17", "17", "17", "3"]
    # Coavoux and Crabbé (2017) have 2.03, 3.09 and 2.66 on TIGER.
    assert found["transitions a token"] == ["2.03", "3.87", "3.02", "2.64", "1.94", "3.87"]
