"""Checks of treebanks, on small trees with planted errors."""

import pytest

from plcfrs.checking import (
    LabelSets,
    Rule,
    check_indices,
    check_labels,
    check_rules,
    find_doubts,
    find_doubts_in_folds,
    find_rare_rules,
    find_variation,
    read_rules,
)
from plcfrs.errors import InputError
from plcfrs.parsing import load_model
from plcfrs.query import Treebank
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree
from plcfrs.trees.training_set import TrainingSet


def told(findings):
    return [(found.label, found.words, found.message) for found in findings]


def test_indices_need_partners():
    for text, expected in [
        ("(S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1)))))", []),
        # CRAFT has the index on the placeholder; a chain may have no words
        ("(S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP-1 (-NONE- *)))))", []),
        ("(S (NP-SBJ-1 (-NONE- *PRO*)) (VP (VBN eaten) (NP-1 (-NONE- *))))", []),
        ("(S (S (NP-1 (NN A)) (VP (V b))) (CC and) (NP=1 (NN C)))", []),
        (
            "(S (NP-2 (NN Cake)) (VP (VBN eaten) (NP (-NONE- *T*-1))))",
            [
                ("-NONE-", "*T*-1", "*T*-1 has no antecedent"),
                ("NP-2", "Cake", "no null element has the index 2"),
            ],
        ),
        ("(S (VP (V b) (NP (-NONE- *T*))))", [("-NONE-", "*T*", "*T* has no antecedent")]),
        (
            "(S (NP-1 (NN A)) (NP-1 (NN B)) (VP (V c) (NP (-NONE- *-1))))",
            [("NP-1", "B", "two nodes have the index 1")],
        ),
        (
            "(S (NP (NN A)) (NP=1 (NN C)))",
            [("NP=1", "C", "no node has the index 1 of this part of a gapped clause")],
        ),
    ]:
        assert told(check_indices(Tree.from_string(text))) == expected, text


def test_labels_must_be_known_or_frequent():
    tree = Tree.from_string("(S (NP-SJB-TMP (PRP We)) (VPP (VBPX sing) (-NONE- *X*)))")
    allowed = {"categories": ("NP", "S", "VP"), "functions": ("SBJ", "TMP")}
    allowed |= {"tags": ("PRP", "VBP"), "null-elements": ("*",)}
    assert [found.message for found in check_labels(tree, LabelSets(allowed, {}))] == [
        "SJB is not among the functions: is it SBJ?",
        "VPP is not among the categories: is it VP?",
        "VBPX is not among the tags: is it VBP?",
        "*X* is not among the null-elements",
    ]
    usual = Tree.from_string("(S (NP-SBJ (PRP We)) (VP (VBP sing)))")
    rare = Tree.from_string("(S (NP-SBJ (PRP$ We)) (VP (VBZ sing)))")  # but of the Penn Treebank
    assert not list(check_labels(rare, LabelSets.of([rare, *[usual] * 50], {})))
    sets = LabelSets.of([tree, *[usual] * 50], {})
    assert [found.message for found in check_labels(tree, sets)] == [
        "SJB occurs only 1 time: is it SBJ?",
        "VPP occurs only 1 time: is it VP?",
        "VBPX occurs only 1 time: is it VBP?",
    ]


def test_rules_are_queries(tmp_path):
    path = tmp_path / "rules.tsv"
    path.write_text("# rules of ours\n\nS < (NP-SBJ $ NP-SBJ)\ttwo subjects\n")
    rules = read_rules(path)
    assert rules == [Rule("S < (NP-SBJ $ NP-SBJ)", "two subjects")]
    trees = ["(S (NP-SBJ (A a)) (VP (V b)))", "(S (NP-SBJ (A a)) (VP (V b)) (NP-SBJ (A c)))"]
    found = check_rules(Treebank(map(Tree.from_string, trees)), rules)
    assert told(found) == [("S", "a b c", "two subjects")]
    for line, message in [("NP", "a query, a tab, and a message"), ("NP <\tx", "query, column")]:
        path.write_text(f"NP\tx\n{line}\n")
        with pytest.raises(InputError, match=rf"rules.tsv:2: .*{message}"):
            read_rules(path)


BELOW = "(S (NP (PRP We)) (VP (VBD saw) (NP (DT the) (NN dog))) (. .))"
FLAT = "(S (NP (PRP We)) (VP (VBD saw) (DT the) (NN dog)) (. .))"
OTHER = "(S (NP (PRP We)) (VP (VBD saw) (ADVP (DT the) (NN dog))) (. .))"
APART = "(S (VP (WP 0=What) (VB 3=do)) (MD 1=can) (PRP 2=we) (. 4=?))"
TOGETHER = "(S (WP 0=What) (MD 1=can) (PRP 2=we) (VB 3=do) (. 4=?))"


@pytest.mark.parametrize(
    ("usual", "odd", "words", "message"),
    [
        (BELOW, FLAT, "the dog", "no constituent here, but NP in 2 places"),
        (FLAT, BELOW, "the dog", "NP here, but no constituent in 2 places"),
        (BELOW, OTHER, "the dog", "ADVP here, but NP in 2 places"),
        (APART, TOGETHER, "What ... do", "no constituent here, but VP in 2 places"),
    ],
)
def test_the_same_words_have_the_same_tree(usual, odd, words, message):
    trees = [Tree.from_string(text) for text in (usual, odd, usual)]
    for number, tree in enumerate(trees):
        tree.id = str(number)
    (found,) = find_variation(trees)
    assert (found.sentence, found.words) == ("1", words)
    assert found.message == f"{message} with the same words around it"


def test_words_with_others_around_them_may_have_another_tree():
    other = "(S (NP (PRP They)) (VP (VBD fed) (DT the) (NN dog) (NN food)) (. .))"
    assert not list(find_variation([Tree.from_string(text) for text in (BELOW, BELOW, other)]))


def test_longer_contexts_make_errors_more_probable():
    near = "(S (NP (PRP They)) (VP (VBD saw) (DT the) (NN dog)) (. .))"
    scores = [
        next(find_variation([Tree.from_string(text) for text in (BELOW, BELOW, odd)])).score
        for odd in (near, FLAT)
    ]
    assert scores[0] < scores[1]


def test_rare_rules_have_frequent_labels():
    usual = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"
    odd = "(S (NP (NN cat) (DT the)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"
    rare = "(S (NP (FW le) (FW chat)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"
    trees = [Tree.from_string(text) for text in [usual] * 40 + [odd, rare]]
    assert told(find_rare_rules(trees)) == [
        ("NP", "cat the", "DT last below NP only 1 time; by chance, it would be 28 times"),
    ]


SAID = "(S {subject} (VP (VBD said) {clause}) (. .))"
SUBJECT = "(NP-SBJ (DT The) (NN engineer))"
CLAUSE = "(SBAR (IN that) (S (NP-SBJ (PRP it)) (VP (VBD was) (ADJP-PRD (JJ old)))))"
GOOD = SAID.format(subject=SUBJECT, clause=CLAUSE)
LEAVE = "(S (NP-SBJ-1 (PRP She)) (VP (VBD wanted) (S {null} (VP (TO to) (VP (VB leave))))) (. .))"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, []),
        (GOOD.replace("SBJ", "TMP", 1), [("NP-TMP", "The engineer", "SBJ expected, not TMP")]),
        (
            SAID.format(subject="(NX-SBJ (DT The) (NN engineer))", clause=CLAUSE),
            [("NX-SBJ", "The engineer", "NP expected, not NX")],
        ),
        (
            SAID.format(subject="(DT The) (NN engineer)", clause=CLAUSE),
            [("", "The engineer", "NP expected")],
        ),
        (
            f"(S {SUBJECT} (VP (VBD said)) {CLAUSE} (. .))",
            [("SBAR", "that it was old", "expected in VP “said that it was old”")],
        ),
        (LEAVE.format(null=""), [("", "to", "(NP-SBJ *PRO*) expected before it")]),
    ],
)
def test_a_parser_contradicts_errors(text, expected):
    found = find_doubts([Tree.from_string(text)], load_model("plcfrs:english"))
    assert told(each for each in found if each.score > 0.25) == expected


def test_a_parser_does_not_judge_what_it_has_learned():
    tree, model = Tree.from_string(GOOD.replace("SBJ", "TMP", 1)), load_model("plcfrs:english")
    assert list(find_doubts([tree], model))
    model.training_set = TrainingSet.of([tree])
    assert not list(find_doubts([tree], model))


@pytest.mark.full
def test_parsers_judge_trees_that_they_have_not_learned():
    trees = list(read_trees("plcfrs:demo"))
    node = next(node for node in trees[0].nodes() if node.category == "VP")
    node.category = "PP"
    found = list(find_doubts_in_folds(trees, "gap", 2))
    assert "VP expected, not PP" in [each.message for each in found]
    with pytest.raises(InputError, match="2 folds of 1 tree: each needs a tree"):
        list(find_doubts_in_folds(trees[:1], "gap", 2))
