"""What is fixed of a tree is in the tree that comes out, whatever tree goes in."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from plcfrs.errors import InputError
from plcfrs.trees import Fixed, FixedConstituent, Token, Tree, no_parse
from plcfrs.trees.tree import check_tree

THERE = FixedConstituent.over("NP", [1, 2])
PAIRS = st.tuples(trees(5), trees(5)).filter(lambda pair: len(set(map(length_of, pair))) == 1)


def length_of(tree):
    return len(tree.tokens)


def constituents(tree):
    spans = tree.yields()
    return Counter((node.category, spans[node]) for node in tree.nodes()[1:])


@given(PAIRS)
def test_a_tree_gets_all_constituents(pair):
    gold, free = pair
    fixed = Fixed.of(gold)
    held = fixed.hold(free)
    assert not constituents(gold) - constituents(held)
    check_tree(held)
    assert fixed.hold(held) == held


@given(trees())
def test_a_flat_tree_becomes_the_fixed_one(gold):
    for node in gold.nodes():
        node.functions = ()
    flat = Tree(no_parse([]).root, [Token(each.form, each.tag) for each in gold.tokens])
    flat.root.children = list(range(length_of(gold)))
    assert Fixed.of(gold).hold(flat) == gold


def test_what_is_forbidden_goes():
    tree = Tree.from_string("(ROOT (S (NP (DT a) (NN cat)) (VP (VBZ sees) (NP (PRP me)))))")
    fixed = Fixed((), (FixedConstituent(None, 0b11), FixedConstituent("NP", 0b100)), {3: "NN"})
    assert str(fixed.hold(tree)) == (
        "(ROOT (S (DT 0=a) (NN 1=cat) (VP (VBZ 2=sees) (NP (NN 3=me)))))"
    )
    assert Fixed().hold(tree) == tree


def test_functions():
    given = "(ROOT (* (NP-SBJ (PRP We)) (VBP sing)))"
    fixed = Fixed.of(Tree.from_string(given))
    tree = Tree.from_string("(ROOT (S (NP (PRP We)) (VP (VBP sing))))")
    assert str(fixed.hold(tree)) == "(ROOT (S (NP-SBJ (PRP 0=We)) (VP (VBP 1=sing))))"
    flat = Tree.from_string("(ROOT (PRP We) (VBP sing))")
    assert str(fixed.hold(flat)) == "(ROOT (X (NP-SBJ (PRP 0=We)) (VBP 1=sing)))"


@pytest.mark.parametrize(
    ("required", "forbidden", "message"),
    [
        ([THERE, ("VP", 0b1100)], [], "NP 1-2 and VP 2-3 cross: no tree has both"),
        ([THERE], [(None, 0b110)], r"NP 1-2 is required, but \* 1-2 is forbidden"),
        ([("VP", 0)], [], "VP: a constituent has at least one token"),
    ],
)
def test_contradictions(required, forbidden, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        Fixed(*(tuple(FixedConstituent(*each) for each in one) for one in (required, forbidden)))


def test_places_outside_a_sentence():
    for fixed, place in (
        (Fixed((THERE,)), "NP 1-2"),
        (Fixed(tags={2: "NN"}), "2"),
        (Fixed(functions={-1: ("SBJ",)}), "-1"),
    ):
        with pytest.raises(InputError, match=f"^{place}: the tokens .* numbers 0 to 1$"):
            fixed.check(2)
