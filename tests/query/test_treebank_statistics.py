"""Statistics of treebanks, against counts from the trees themselves."""

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from query_strategies import trees
from quick import examples

from plcfrs import Tree
from plcfrs.query.hits import hit_in
from plcfrs.query.statistics import compare_statistics, log_likelihood, statistics_of
from plcfrs.trees.tree import fan_out


@examples(60)
@given(st.lists(trees(), min_size=1, max_size=4))
def test_counts(some):
    statistics = statistics_of(some)
    nodes = [(tree, node) for tree in some for node in tree.nodes() if node.category != "ROOT"]
    tokens = [token for tree in some for token in tree.tokens if not token.is_null]
    null = [token for tree in some for token in tree.tokens if token.is_null]
    wide = [(tree, node) for tree, node in nodes if fan_out(tree.yields()[node]) > 1]
    functions = ["-".join(node.functions) for _, node in nodes if node.functions]
    expected = {
        "constituents": [node.category for _, node in nodes],
        "tags": [token.tag for token in tokens],
        "words": [token.form for token in tokens],
        "functions": [*functions, *(token.function for token in tokens if token.function)],
        "fan-out of constituents": [str(fan_out(tree.yields()[node])) for tree, node in nodes],
        "gap degree of trees": [str(tree.gap_degree()) for tree in some],
        "constituents with gaps": [node.category for _, node in wide],
        "what is in gaps": [f"{n.category}: {hit_in(tree, n).value('gap')}" for tree, n in wide],
        "types of traces": [
            *(t.form.partition("-")[0] for t in null),
            *(node.moved for _, node in nodes if node.moved),
        ],
        "length of sentences": ["1-10" for _ in some],
    }
    for counted, values in expected.items():
        assert +statistics.counts[counted] == Counter(values)
    summary = statistics.summary()
    assert summary["trees"] == len(some)
    assert summary["tokens"] == len(tokens)
    assert summary["greatest length"] == max(len(tree.words()) for tree in some)
    gapped_trees = sum(tree.gap_degree() > 0 for tree in some)
    assert summary["% of trees with gaps"] == pytest.approx(100 * gapped_trees / len(some))


def test_what_is_in_gaps():
    """The largest constituents, in the order of their words."""
    tree = Tree.from_string(
        "(S (VP (A 0=a) (B 2=c) (E 6=g)) (NP (C 1=b)) (Y (D 3=d) (F 5=f)) (X 4=e))"
    )
    assert statistics_of([tree]).counts["what is in gaps"] == {
        "VP: NP ... Y X": 1,
        "Y: X": 1,
    }


def test_lengths_and_traces():
    text = "(S " + "(A a) " * 25 + "(NP (-NONE- *T*-1)) (-NONE- 0))"
    statistics = statistics_of([Tree.from_string(text), Tree.from_string("(S (A a))")])
    assert statistics.counts["length of sentences"] == {"21-30": 1, "1-10": 1}
    assert statistics.counts["types of traces"] == {"*T*": 1, "0": 1}
    assert statistics.summary()["median length"] == 13
    assert list(compare_statistics("length of sentences", statistics)) == ["1-10", "21-30"]


def test_log_likelihood():
    """The formula of Rayson and Garside, with the expected counts written out."""
    one, other = 80 * (12 + 3) / 280, 200 * (12 + 3) / 280
    expected = 2 * (12 * log(12 / one) + 3 * log(3 / other))
    assert log_likelihood([12, 3], [80, 200]) == pytest.approx(expected)
    assert log_likelihood([2, 5], [80, 200]) == pytest.approx(0)
    assert log_likelihood([0, 0], [0, 0]) == 0


def test_the_most_distinctive_values_come_first():
    texts = ["(S (A a) (A a) (A a) (B b))", "(S (A a) (A a) (A a) (C c) (C c))"]
    one, other = (statistics_of([Tree.from_string(text)]) for text in texts)
    rows = compare_statistics("tags", one, other)
    assert {tag: (row[0], row[2]) for tag, row in rows.items()} == {
        "C": (0, 2),
        "B": (1, 0),
        "A": (3, 3),
    }
    assert list(rows) == ["C", "B", "A"]
    assert rows["C"][3] == 400_000
    assert compare_statistics("tags", other) == {"A": [3, 600_000], "C": [2, 400_000]}
