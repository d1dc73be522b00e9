"""Hits: what is counted and by what they are sorted, against what the trees say."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.query import find
from plcfrs.query.hits import KEYS, ORDERS, count_hits, hits_of, keep_hits, sort_hits
from plcfrs.trees import Node, Token, Tree

TREE = Tree(
    Node(
        "S",
        children=[
            Node("VP", ("OC",), children=[Node("NP", ("OA",), children=[0, 1]), 3]),
            2,
        ],
    ),
    [
        Token("Das", "ART", "der", "Acc", "NK"),
        Token("Boot", "NN", "Boot", "Acc", "NK"),
        Token("wird", "VAFIN", "werden", "3.Sg", "HD"),
        Token("geputzt", "VVPP", "putzen", "", "HD"),
    ],
)


def hits(query):
    return list(hits_of([(TREE, find(TREE, query))]))


@pytest.mark.parametrize(
    ("by", "vp", "boot"),
    [
        ("category", "VP", "NN"),
        ("label", "VP-OC", "NN"),
        ("function", "OC", "NK"),
        ("words", "Das Boot ... geputzt", "Boot"),
        ("tags", "ART NN ... VVPP", "NN"),
        ("lemmas", "der Boot ... putzen", "Boot"),
        ("morph", "Acc Acc", "Acc"),
        ("children", "NP VVPP", ""),
        ("gap-degree", 1, 0),
        ("length", 3, 1),
    ],
)
def test_keys(by, vp, boot):
    assert dict(count_hits(hits("VP"), by)) == {vp: 1}
    assert dict(count_hits(hits("NN"), by)) == {boot: 1}
    assert keep_hits(hits("VP"), by, str(vp)) == hits("VP")
    assert keep_hits(hits("VP"), by, f"{vp}?") == []


def test_every_key_is_tested():
    tested = test_keys.pytestmark[0].args[1]
    assert [by for by, _, _ in tested] == list(KEYS)


def test_hits_are_sorted_by_their_context():
    found = hits("/^[A-Z]+$/[length=1]")
    assert [hit.words for hit in sort_hits(found, "before")] == ["Das", "wird", "Boot", "geputzt"]
    assert [hit.words for hit in sort_hits(found, "after")] == ["geputzt", "Das", "wird", "Boot"]
    assert [hit.words for hit in sort_hits(found, "-words")] == ["wird", "geputzt", "Das", "Boot"]
    with pytest.raises(InputError, match="beauty: expected one of category"):
        sort_hits(found, "-beauty")


def test_accents_and_case_do_not_count_unless_nothing_else_differs():
    forms = ["Zug", "über", "Ufer", "uber", "Über", "Ende"]
    tree = Tree(Node("ROOT", children=[*range(6)]), [Token(form, "NN") for form in forms])
    found = sort_hits(hits_of([(tree, find(tree, "NN"))]), "words")
    assert [hit.words for hit in found] == ["Ende", "uber", "Über", "über", "Ufer", "Zug"]


def without_accents(text):
    apart = unicodedata.normalize("NFD", text)
    return "".join(filter(lambda sign: not unicodedata.combining(sign), apart)).casefold()


@given(st.lists(trees(), max_size=4), st.sampled_from(list(ORDERS)))
def test_an_order_keeps_all_hits(some, by):
    found = list(hits_of((tree, find(tree, "*")) for tree in some))
    value_of = ORDERS[by]
    values = [value_of(hit) for hit in sort_hits(found, by)]
    folded = [without_accents(value) if isinstance(value, str) else value for value in values]
    assert folded == sorted(folded)
    assert sorted(map(str, values)) == sorted(str(value_of(hit)) for hit in found)
    reverse = [value_of(hit) for hit in sort_hits(found, f"-{by}")]
    assert reverse == values[::-1]
    if by in KEYS:
        counts = count_hits(found, by)
        assert counts.total() == len(found)
        assert [len(keep_hits(found, by, str(value))) for value in counts] == [*counts.values()]
