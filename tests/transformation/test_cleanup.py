"""Clean-up, and unary SBAR."""

import trace_examples
from bracket import read, show
from hypothesis import given
from quick import core

from plcfrs.transformation import join_nulls, remove_null_elements, remove_unary_sbar


@core(1, "null", ["0", "*", "*-2", "*U*", "*?*", "*PPA*-3", "*NOT*", "*T*-1", "*ICH*", "*PRO*"])
def test_null_elements_and_what_they_leave_empty_are_removed(null):
    tree = read(
        f"(S (NP-SBJ (PRP She)) (VP (VBD paid) (NP ($ $) (-NONE- {null}) (CD 5))"
        f" (SBAR-1 (-NONE- 0) (S (VP (-NONE- {null}))))))"
    )
    expected = "(ROOT (S (NP-SBJ 0=She) (VP 1=paid (NP 2=$ 3=5))))"
    tree = remove_null_elements(tree)
    assert show(tree) == expected
    assert [token.form for token in tree.tokens] == ["She", "paid", "$", "5"]
    assert [token.tag for token in tree.tokens] == ["PRP", "VBD", "$", "CD"]


def test_words_that_look_like_null_elements_stay():
    tree = read("(NP (CD 0) (SYM *) (NN *T*-1))")
    assert show(remove_null_elements(tree)) == "(ROOT (NP 0=0 1=* 2=*T*-1))"


def test_indices_and_gap_indices_are_removed_and_function_tags_stay():
    tree = read("(S (NP-SBJ-1=2 (PRP She)) (PP-LOC-CLR=3 (IN in)))")
    assert show(remove_null_elements(tree)) == "(ROOT (S (NP-SBJ 0=She) (PP-LOC-CLR 1=in)))"


def test_children_are_ordered_by_their_leftmost_token():
    tree = read("(S (-NONE- *) (VP (VB a) (VB b)) (NP (NN c) (NN d)) (NN e))")
    verb, noun = tree.root.nodes[0].nodes
    verb.children, noun.children = [4, 2], [3, 1]
    expected = "(ROOT (S (NP 0=a 2=c) (VP 1=b 3=d) 4=e))"
    assert show(remove_null_elements(tree)) == expected


def test_a_tree_of_null_elements_is_left_without_tokens():
    tree = remove_null_elements(read("(S (NP-SBJ (-NONE- *)) (VP (-NONE- *?*)))"))
    assert (tree.tokens, show(tree)) == ([], "(ROOT)")


@core(
    1,
    ("text", "expected"),
    [
        ("(VP (VB say) (SBAR (S (NN a) (NN b))))", "(VP 0=say (S 1=a 2=b))"),
        ("(VP (VB say) (SBAR-TMP-1 (S-NOM (NN a))))", "(VP 0=say (S-NOM 1=a))"),
        ("(SBAR (SBAR-ADV (SBAR (S (NN a)))))", "(S 0=a)"),
        ("(SBAR (S (SBAR (SQ (NN a) (SBAR (FRAG (NN b)))))))", "(S (SQ 0=a (FRAG 1=b)))"),
        ("(SBAR (IN that) (S (NN a)))", "(SBAR 0=that (S 1=a))"),
        ("(SBAR (IN that))", "(SBAR 0=that)"),
        ("(SBAR (SBAR (IN that)))", "(SBAR 0=that)"),
        ("(SBARQ (SQ (NN a)))", "(SBARQ (SQ 0=a))"),
    ],
)
def test_unary_sbar(text, expected):
    assert show(remove_unary_sbar(read(text))) == f"(ROOT {expected})"


def test_the_child_of_a_moved_sbar_counts_as_moved():
    tree = read("(S (SBAR (SBAR (S (NN a)))) (SBAR (S (NN b))))")
    moved, other = tree.root.nodes[0].nodes
    moved.moved = "*ICH*"
    other.moved, other.nodes[0].moved = "*EXP*", "*T*"
    assert show(remove_unary_sbar(tree)) == "(ROOT (S (S<*ICH*> 0=a) (S<*T*> 1=b)))"


@core(
    5,
    ("text", "expected"),
    [
        (
            "(S (NP-1 (-NONE- *PRO*-2)) (SBAR (-NONE- *0*)))",
            "(S (NP-1 (-NONE- *-2)) (SBAR (-NONE- 0)))",
        ),
        ("(S (NP-1 (-NONE- *T*)) (NP-1 (NN a)))", "(S (NP (-NONE- *T*-1)) (NP-1 (NN a)))"),
        ("(S (NP-1 (-NONE- *PRO*)) (NP-1 (-NONE- *)))", "(S (NP-1 (-NONE- *)) (NP (-NONE- *-1)))"),
        (
            "(S (WHNP-1 (-NONE- *0*)) (NP-1 (-NONE- *T*)))",
            "(S (WHNP-1 (-NONE- 0)) (NP (-NONE- *T*-1)))",
        ),
        ("(S (NP-1 (-NONE- *)) (NP (-NONE- *-1)))", "(S (NP-1 (-NONE- *)) (NP (-NONE- *-1)))"),
        ("(S (NP-1 (NN *PRO*)) (NP-1 (NN a)))", "(S (NP-1 (NN *PRO*)) (NP-1 (NN a)))"),
    ],
)
def test_null_elements_are_joined_as_in_the_penn_treebank(text, expected):
    assert join_nulls(read(text)) == read(expected)


@given(trace_examples.brackets())
def test_joined_null_elements_stay(text):
    tree = read(text)
    joined = join_nulls(tree)
    assert join_nulls(joined) == joined
    assert {token.form for token in joined.tokens if token.is_null}.isdisjoint(["*PRO*", "*0*"])
