"""Labels parsed and rendered."""

from hypothesis import given
from hypothesis import strategies as st

from plcfrs.trees import Label, parse_label, render_label


def parts(label):
    category, functions, split, index, gap_index, *others = parse_label(label)
    assert others == [(), False, (), ()]
    return category, split, functions, index, gap_index


def test_parts_of_labels():
    for label, expected in [
        ("NP", ("NP", "", (), None, None)),
        ("NP-SBJ", ("NP", "", ("SBJ",), None, None)),
        ("WHNP-2", ("WHNP", "", (), 2, None)),
        ("NP-SBJ-10", ("NP", "", ("SBJ",), 10, None)),
        ("PP-LOC=3", ("PP", "", ("LOC",), None, 3)),
        ("PP-LOC-PRD-TPC-1", ("PP", "", ("LOC", "PRD", "TPC"), 1, None)),
        ("NP-SBJ-1=2", ("NP", "", ("SBJ",), 1, 2)),
        ("ADVP|PRT", ("ADVP|PRT", "", (), None, None)),
        ("ADVP|PRT-TMP", ("ADVP|PRT", "", ("TMP",), None, None)),
        ("-LRB-", ("-LRB-", "", (), None, None)),
        ("-NONE-", ("-NONE-", "", (), None, None)),
        ("S^WH", ("S", "WH", (), None, None)),
        ("VP^HINF-PRD-4", ("VP", "HINF", ("PRD",), 4, None)),
        ("$,", ("$,", "", (), None, None)),
        ("WP$", ("WP$", "", (), None, None)),
        (".", (".", "", (), None, None)),
        ("S+VP", ("S+VP", "", (), None, None)),
        ("@", ("@", "", (), None, None)),
        (">", (">", "", (), None, None)),
    ]:
        assert parts(label) == expected
        assert render_label(parse_label(label)) == label


def test_labels_of_binarized_trees():
    for label, expected in [
        ("NP>S>ROOT", Label("NP", ancestors=("S", "ROOT"))),
        ("S^WH-NOM>SBAR", Label("S", ("NOM",), split="WH", ancestors=("SBAR",))),
        ("@VP", Label("VP", intermediate=True)),
        (
            "@VP>S+NP+-LRB-+VP:010",
            Label("VP", ancestors=("S",), intermediate=True, siblings=("NP", "-LRB-", "VP:010")),
        ),
    ]:
        assert parse_label(label) == expected
        assert render_label(expected) == label


def test_gap_index_before_the_index():
    assert parts("NP-SBJ=1-3") == ("NP", "", ("SBJ",), 3, 1)
    assert render_label(parse_label("NP-SBJ=1-3")) == "NP-SBJ-3=1"


def test_odd_labels_are_kept_whole():
    for label in [
        "",
        "-",
        "--",
        "---",
        "=",
        "-1",
        "=2",
        "^WH",
        "-LRB",
        "NP-",
        "NP^",
        "NP=x",
        "NP--1",
        "NP-1-2",
        "NP=1=2",
        "NP-1=2-3",
        "NP-1-SBJ",
        "NP-SBJ-2x",
    ]:
        assert parts(label) == (label, "", (), None, None)
        assert render_label(parse_label(label)) == label


names = st.from_regex(r"[A-Z][A-Z0-9|$+]*", fullmatch=True)
indices = st.none() | st.integers(min_value=0, max_value=10**6)


@given(names | st.just("-LRB-"), st.lists(names), st.just("") | names, indices, indices)
def test_nodes_survive_printing(category, functions, split, index, gap_index):
    node = Label(category, tuple(functions), split=split, index=index, gap_index=gap_index)
    assert parts(render_label(node)) == (category, split, tuple(functions), index, gap_index)


@given(st.text("NPSBJ12-=^|", max_size=12))
def test_printing_what_was_read_is_stable(label):
    node = parse_label(label)
    assert parts(render_label(node)) == parts(label)
