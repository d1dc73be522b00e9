"""Hits: what is counted and by what they are sorted, against what the trees say."""

import unicodedata
from collections import Counter

import pytest
from demo_trees import demo_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.query import Treebank
from plcfrs.query.hits import KEYS, ORDERS
from plcfrs.stopping import stoppable
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.tree import runs

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
    return Treebank([TREE]).find(query)


def test_keys():
    values = {
        "category": ("VP", "NN"),
        "label": ("VP-OC", "NN"),
        "function": ("OC", "NK"),
        "words": ("Das Boot ... geputzt", "Boot"),
        "tags": ("ART NN ... VVPP", "NN"),
        "lemmas": ("der Boot ... putzen", "Boot"),
        "morph": ("Acc Acc", "Acc"),
        "children": ("NP VVPP", ""),
        "moved": ("", ""),
        "gap": ("VAFIN", ""),
        "gap-degree": (1, 0),
        "length": (3, 1),
    }
    assert list(values) == list(KEYS)
    for by, (vp, boot) in values.items():
        assert dict(hits("VP").counts(by)) == {(vp,): 1}
        assert dict(hits("NN").counts(by)) == {(boot,): 1}
        assert len(hits("VP").having(by, str(vp))) == 1
        assert len(hits("VP").having(by, f"{vp}?")) == 0


def test_hits_are_sorted_by_their_context():
    found = hits("/^[A-Z]+$/[length=1]")
    assert [hit.words for hit in found.sorted("before")] == ["Das", "wird", "Boot", "geputzt"]
    assert [hit.words for hit in found.sorted("after")] == ["geputzt", "Das", "wird", "Boot"]
    assert [hit.words for hit in found.sorted("-words")] == ["wird", "geputzt", "Das", "Boot"]
    with pytest.raises(InputError, match="beauty: expected one of category"):
        found.sorted("-beauty")


def test_accents_and_case_do_not_count_unless_nothing_else_differs():
    forms = ["Zug", "über", "Ufer", "uber", "Über", "Ende"]
    tree = Tree(Node("ROOT", children=[*range(6)]), [Token(form, "NN") for form in forms])
    found = Treebank([tree]).find("NN").sorted("words")
    assert [hit.words for hit in found] == ["Ende", "uber", "Über", "über", "Ufer", "Zug"]


def without_accents(text):
    apart = unicodedata.normalize("NFD", text)
    return "".join(filter(lambda sign: not unicodedata.combining(sign), apart)).casefold()


@given(st.lists(trees(), max_size=4), st.sampled_from(ORDERS))
def test_an_order_keeps_all_hits(some, by):
    found = Treebank(some).find("*")

    def values(hits):
        words = hits.values(by)
        return [" ".join(each.split(" ")[::-1]) for each in words] if by == "before" else words

    sorted_values = values(found.sorted(by))
    folded = [without_accents(each) if isinstance(each, str) else each for each in sorted_values]
    assert folded == sorted(folded)
    assert sorted(map(str, sorted_values)) == sorted(map(str, values(found)))
    assert values(found.sorted(f"-{by}")) == sorted_values[::-1]
    if by in KEYS:
        counts = found.counts(by)
        assert counts.total() == len(found)
        assert [len(found.having(by, str(value))) for (value,) in counts] == [*counts.values()]


@given(
    st.lists(trees(), min_size=1, max_size=4),
    st.sampled_from(list(KEYS)),
    st.sampled_from(list(KEYS)),
)
def test_combinations_are_counted(some, one, other):
    found = Treebank(some).find("*")
    pairs = zip(found.values(one), found.values(other), strict=True)
    assert found.counts(one, other) == Counter(pairs)


@given(st.lists(trees(), min_size=1, max_size=4), st.sampled_from(list(KEYS)))
def test_a_hit_has_the_values_of_its_tree(some, key):
    for hit in Treebank(some).find("*"):
        tree, match = hit.marked_tree()
        assert hit.value(key) == str(value_in_tree(tree, match, key))
        assert tree == some[hit.tree_number]


@core(2, "key", KEYS)
def test_many_hits_have_the_values_of_each(key):
    found = Treebank(demo_trees()).find("*")
    assert len(found) == 2822
    assert list(map(str, found.values(key))) == [hit.value(key) for hit in found]


def value_in_tree(tree, match, key):
    """Return the value of a key, written without columns."""
    is_node = isinstance(match, Node)
    span = tree.yields()[match] if is_node else 1 << match
    parts = [tree.tokens[left:right] for left, right in runs(span)]
    texts = {"words": "form", "tags": "tag", "lemmas": "lemma", "morph": "morph"}
    if key in texts:
        joined = (
            " ".join(filter(None, (getattr(token, texts[key]) for token in part))) for part in parts
        )
        return " ... ".join(filter(None, joined))
    if key in ("length", "gap-degree"):
        return span.bit_count() if key == "length" else len(parts) - 1
    if key == "gap":
        gaps = zip(runs(span), runs(span)[1:], strict=False)
        return " ... ".join(filling(tree, left, right) for (_, left), (right, _) in gaps)
    if not is_node:
        token = tree.tokens[match]
        return {"function": token.function, "children": "", "moved": ""}.get(key, token.tag)
    if key == "moved":
        return match.moved or ""
    if key == "children":
        return " ".join(
            child.category if isinstance(child, Node) else tree.tokens[child].tag
            for child in match.children
        )
    functions = "-".join(match.functions)
    label = "-".join([match.category, *match.functions])
    return {"function": functions, "label": label, "category": match.category}[key]


def filling(tree, left, right):
    """Return the categories and tags of the largest parts of a tree between two positions."""
    spans, gap = tree.yields(), (1 << right) - (1 << left)
    inside, todo = [], [tree.root]
    while todo:
        part = todo.pop()
        span = spans[part] if isinstance(part, Node) else 1 << part
        if not span & ~gap:
            inside.append((span & -span, part))
        elif isinstance(part, Node):
            todo += part.children
    parts = [part for _, part in sorted(inside, key=lambda pair: pair[0])]
    return " ".join(p.category if isinstance(p, Node) else tree.tokens[p].tag for p in parts)


def test_named_nodes():
    found = Treebank([TREE]).find("VP=v < NP=n", names=["n", "v"])
    assert found.values("n.words") == ["Das Boot"]
    assert found.counts("n.category", "v.category") == {("NP", "VP"): 1}
    with pytest.raises(InputError, match=r"x\.words: no node of the query has the name x"):
        found.values("x.words")
    with pytest.raises(InputError, match="no node has the name n in all alternatives"):
        Treebank([TREE]).find("VP [< NP=n | < PP]", names=["n"])


def test_a_sample_is_the_same_for_a_seed():
    found = Treebank([TREE] * 20).find("*")
    some = found.sample(7, seed=1)
    assert some.places.tolist() == found.sample(7, seed=1).places.tolist()
    assert some.places.tolist() != found.sample(7, seed=2).places.tolist()
    assert len(set(some.places.tolist())) == 7
    assert some.places.tolist() == sorted(some.places.tolist())


def test_a_node_without_tokens():
    (hit,) = Treebank([Tree(Node("ROOT"), [])]).find("*")
    assert hit.concordance(8) == ("", "", "")
    assert (hit.words, hit.positions, hit.context()) == ("", [], ([], []))
    assert hit.gap_degree == 0


def test_what_python_prints_is_short():
    found = hits("VP")
    assert repr(found) == "<Hits: 1 in 1 trees>"
    assert repr(found[0]) == "<Hit  VP-OC: Das Boot ... geputzt>"
    assert repr(found.trees) == "<CompiledTrees: 1 trees, 7 nodes and tokens>"
    assert repr(Treebank([TREE])) == "<Treebank: 1 trees>"


def test_a_hit_in_its_context():
    (hit,) = hits("VP")
    assert hit.concordance(8) == ("", "[Das Boot] wird [geputzt]", "")
    assert hits("VAFIN")[0].concordance(1) == ("Boot", "[wird]", "geputzt")
    assert hits("VAFIN")[0].context() == (["Das", "Boot"], ["geputzt"])
    assert hit.positions == [0, 1, 3]
    assert hit.gap_degree == 1


def test_combinations_of_many_long_lists_are_told_apart():
    words = " ".join(f"(T w{number})" for number in range(3000))
    found = Treebank([Tree.from_string(f"(S {words})")]).find("T")
    counts = found.counts(*["words"] * 6)  # 3000 ** 6 is more than a 64-bit number
    assert counts == Counter((f"w{number}",) * 6 for number in range(3000))


def test_a_count_can_be_stopped():
    found = Treebank([Tree.from_string("(S (A a) (B b))")]).find("*")

    def check():
        raise InterruptedError

    with pytest.raises(InterruptedError), stoppable(check):
        found.counts("label")
