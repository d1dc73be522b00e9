"""Gap degree, ill-nestedness, edge degree: by hand, and against naive counts."""

from itertools import combinations, product

import pytest
from crossing import crossing
from hypothesis import given
from quick import core
from strategies import trees

from plcfrs.transformation import (
    DiscontinuityTable,
    Options,
    edge_degree,
    ill_nested_nodes,
    transform_all,
)
from plcfrs.treebank import read_trees
from plcfrs.trees.heads import negra

QUESTION = "(ROOT (SQ (VP (WP 0=What) (VB 4=do)) (MD 1=should) (NP (DT 2=the) (NN 3=goat))))"
TANGLED = """(ROOT (S (NP (NN 0=a) (NN 3=a) (NN 6=a)) (VP (NN 1=b) (NN 4=b)) (NN 2=c)
    (PP (NP (NN 5=d)))))"""


def degrees(text):
    tree = crossing(text)
    return {
        node.category: edge_degree(tree, node) for node in tree.nodes() if node.category != "ROOT"
    }


@core(
    1,
    ("text", "expected"),
    [
        (QUESTION, {"SQ": 0, "VP": 2, "NP": 0}),
        # In the gaps of A: the largest filler counts once, although it lies in both.
        (
            "(ROOT (S (A (NN 0=a) (NN 2=a) (NN 5=a)) (B (NN 1=b) (C (NN 3=b) (NN 4=b)))))",
            {"S": 0, "A": 1, "B": 1, "C": 0},
        ),
        # B continues after A, so its token and its C count.
        (
            "(ROOT (S (A (NN 0=a) (NN 4=a)) (B (NN 1=b) (C (NN 2=b) (NN 3=b)) (NN 5=b))))",
            {"S": 0, "A": 2, "B": 1, "C": 0},
        ),
    ],
)
def test_edge_degree(text, expected):
    assert degrees(text) == expected


@core(1,
    ("text", "expected"),
    [
        (QUESTION, []),
        (TANGLED, ["NP", "VP"]),
        ("(ROOT (S (A (NN 0=a) (NN 3=a)) (B (NN 1=b) (NN 2=b))))", []),
        # C is in both gaps of A, but A is in no gap of C: well-nested in the other direction.
        ("(ROOT (S (A (NN 1=a) (NN 2=a)) (C (NN 0=c) (NN 3=c))))", []),
        ("(ROOT (S (A (NN 0=a) (NN 2=a) (NN 4=a)) (C (NN 1=c) (NN 3=c))))", ["A", "C"]),
        ("(ROOT (S (A (NN 0=a) (B (NN 2=b) (NN 4=b))) (NN 1=c) (C (NN 3=c) (NN 5=c))))",
            ["A", "B", "C"]),
    ],
)  # fmt: skip
def test_ill_nested(text, expected):
    assert [node.category for node in ill_nested_nodes(crossing(text))] == expected


def test_table():
    table = DiscontinuityTable()
    texts = [QUESTION, TANGLED, "(ROOT (NP (NN 0=Heu)))"]
    assert len(list(table.watch(map(crossing, texts)))) == 3
    header, *rows = table.rows()
    assert header == [
        "category",
        "all",
        "discontinuous",
        "%",
        "gap degree 1",
        "gap degree 2",
        "ill-nested",
        "edge degree 1",
        "edge degree 2",
        "edge degree 3",
    ]
    assert rows == [
        # The gaps of the tangled VP hold c and an a; those of its NP b, c, b and the PP.
        ["VP", "2", "2", "100.0", "2", "0", "1", "0", "2", "0"],
        ["NP", "4", "1", "25.0", "0", "1", "1", "0", "0", "1"],
        ["all constituents", "9", "3", "33.3", "2", "1", "2", "0", "2", "1"],
        ["trees", "3", "2", "66.7", "1", "1", "1", "0", "1", "1"],
    ]


def test_table_as_text():
    table = DiscontinuityTable()
    table.add(crossing(TANGLED))
    lines = str(table).splitlines()
    assert " ".join(lines[0].split()).endswith(" gap degree 1 2 ill-nested edge degree 1 2 3")
    assert len({len(line) for line in lines}) == 1


def test_table_of_nothing_and_of_continuous_trees():
    table = DiscontinuityTable()
    assert table.rows()[-1] == ["trees", "0", "0", "0.0", "0"]
    table.add(crossing("(ROOT (NP (NN 0=Heu)))"))
    assert [row[0] for row in table.rows()] == ["category", "all constituents", "trees"]


def positions(node):
    return {
        position
        for child in node.children
        for position in ([child] if isinstance(child, int) else positions(child))
    }


def naive_ill_nested(tree):
    found = set()
    for one, other in combinations(tree.nodes(), 2):
        a, b = positions(one), positions(other)
        if not a & b:
            for (a1, a2), (b1, b2) in product(product(a, a), product(b, b)):
                if a1 < b1 < a2 < b2 or b1 < a1 < b2 < a2:
                    found |= {one, other}
    return found


def naive_edge_degree(tree, node):
    """Count sets of tokens in the gaps: constituents and single tokens, the largest ones."""
    own = positions(node)
    gaps = set(range(min(own), max(own))) - own
    fillings = {frozenset(positions(other)) for other in tree.nodes()}
    fillings |= {frozenset([position]) for position in gaps}
    inside = [filling for filling in fillings if filling <= gaps]
    return sum(not any(filling < other for other in inside) for filling in inside)


@given(trees(max_tokens=8))
def test_random_trees(tree):
    assert set(ill_nested_nodes(tree)) == naive_ill_nested(tree)
    for node in tree.nodes():
        assert edge_degree(tree, node) == naive_edge_degree(tree, node)


@pytest.mark.full
def test_penn_treebank(penn_treebank):
    table = DiscontinuityTable()
    for _ in table.watch(transform_all(penn_treebank)):
        pass
    header, *rows = table.rows()
    assert rows[-1][:6] == ["trees", "3914", "795", "20.3", "727", "68"]
    assert header[6] == "ill-nested"


@pytest.mark.full
@pytest.mark.parametrize(
    ("punctuation", "discontinuous"),
    [("leave", 1344), ("low", 654), ("high", 654), ("remove", 654)],
)
def test_potsdam(potsdam, punctuation, discontinuous):
    options = Options(head_rules=negra(), punctuation=punctuation, attach_low=True)
    trees = list(transform_all(read_trees(str(potsdam)), options))
    assert len(trees) == 2193
    assert sum(tree.gap_degree() > 0 for tree in trees) == discontinuous
