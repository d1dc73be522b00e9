"""Table 1: by hand on a few trees, and its sums and facts on the Penn Treebank sample."""

import pytest
from bracket import read

from plcfrs.transformation import CONTEXT_FREE, EVANG_KALLMEYER, ReattachmentTable, transform

QUOTED = """(S-1 (NP (NNS Goats)) (PRN (, ,) (S (NP (PRP she)) (VP (VBD said) (S (-NONE- *T*-1))))
    (, ,)) (VP (VBP sing)))"""
SUBJECT = """(NP (NP (DT the) (NN goat)) (SBAR (WHNP-1 (WP who)) (S (NP (-NONE- *T*-1))
    (VP (VBD saw) (NP (NP (DT the) (NN cow)) (SBAR (WHNP-2 (WP who)) (S (NP (-NONE- *T*-2))
    (VP (VBD saw) (NP (PRP me))))))))))"""
OBJECT = """(SBARQ (WHNP-1 (WP What)) (SQ (NP (PRP we)) (VP (VB sing) (NP (-NONE- *T*-1)))))"""
EXTRAPOSED = """(S (NP (NP (NNS goats)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came) (SBAR-1
    (WHNP-2 (WP who)) (S (NP (-NONE- *T*-2)) (VP (VBD sang))))))"""
PLAIN = "(S (NP (NNS goats)) (VP (VBP sing)))"
EMPTY = """(NP (NP (NN hay)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP (PRP I)) (VP (VBP eat)
    (NP (-NONE- *T*-1))))))"""


def table_of(trees, options=EVANG_KALLMEYER):
    table = ReattachmentTable()
    watched = list(table.watch(transform(tree, options) for tree in trees))
    assert len(watched) == len(trees)
    return table


def test_counts():
    texts = [QUOTED, SUBJECT, OBJECT, EXTRAPOSED, PLAIN, EMPTY, PLAIN]
    header, *rows = table_of([read(text) for text in texts]).rows()
    assert header == [
        "type",
        "instances",
        "trees",
        *(f"gap degree {degree}" for degree in range(3)),
    ]
    assert rows == [
        ["*T*", "4", "3", "1", "2", "0"],
        ["*T*-PRN", "1", "1", "0", "0", "1"],
        ["*ICH*", "1", "1", "0", "1", "0"],
        ["*EXP*", "0", "0", "0", "0", "0"],
        ["*RNR*", "0", "0", "0", "0", "0"],
        ["any reattachment", "6", "4", "1", "2", "1"],
        ["no reattachment", "n/a", "3", "3", "0", "0"],
        ["total", "n/a", "7", "4", "2", "1"],
    ]


def test_table_without_trees():
    rows = ReattachmentTable().rows()
    assert rows[0] == ["type", "instances", "trees", "gap degree 0"]
    assert rows[-1] == ["total", "n/a", "0", "0"]


def test_columns_are_aligned():
    lines = str(table_of([read(OBJECT), read(PLAIN)])).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[-1].split() == ["total", "n/a", "2", "1", "1"]
    assert lines[-1].startswith("total ")


def naive_gap_degree(tree):
    """Recount the gaps of each constituent from sets of positions."""

    def positions(node):
        return frozenset(
            position
            for child in node.children
            for position in ([child] if isinstance(child, int) else positions(child))
        )

    def gaps(span):
        return sum(position + 1 not in span for position in span) - 1

    return max(gaps(positions(node)) for node in tree.nodes())


@pytest.mark.full
def test_gap_degrees_of_the_penn_treebank_sample(penn_treebank):
    degrees = []
    for tree in penn_treebank:
        tree = transform(tree)
        assert tree.gap_degree() == naive_gap_degree(tree)
        degrees.append(tree.gap_degree())
    assert [degrees.count(degree) for degree in range(4)] == [3119, 727, 68, 0]


@pytest.mark.full
def test_table_of_the_penn_treebank_sample(penn_treebank):
    rows = {row[0]: row[1:] for row in table_of(penn_treebank).rows()}
    del rows["type"]
    for _, trees, *degrees in rows.values():
        assert int(trees) == sum(map(int, degrees))
    columns = zip(rows["any reattachment"], rows["no reattachment"], rows["total"], strict=True)
    for some, none, total in list(columns)[1:]:
        assert int(some) + int(none) == int(total)
    types = ("*T*", "*T*-PRN", "*ICH*", "*EXP*", "*RNR*")
    assert int(rows["any reattachment"][0]) == sum(int(rows[name][0]) for name in types)
    assert rows["*T*-PRN"] == ["77", "77", "0", "10", "67"]
    assert rows["total"] == ["n/a", "3914", "3119", "727", "68"]


@pytest.mark.full
def test_context_free_trees_have_no_gaps(penn_treebank):
    rows = table_of(penn_treebank, CONTEXT_FREE).rows()
    assert rows[-1] == ["total", "n/a", "3914", "3914"]
    assert rows[-3] == ["any reattachment", "0", "0", "0"]
