"""Traces by rule: from the crossing branches of any treebank to null elements and indices."""

import pytest
from demo_trees import demo_trees
from hypothesis import given
from strategies import TAGS, trees

from plcfrs.transformation import Options, transform
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.trees import Node, Tree, restore_traces
from plcfrs.trees.heads import is_punctuation

CASES = {
    "a wh-phrase, without SBAR": (
        "(NP (NP (NN 0=cake)) (S (VP (WHNP (WDT 1=that)) (VBD 3=made)) (NP (PRP 2=she))))",
        "(NP (NP (NN cake)) (SBAR (WHNP-1 (WDT that)) (S (NP (PRP she)) (VP (VBD made)"
        " (NP (-NONE- *T*-1))))))",
    ),
    "a wh-phrase, with SBARQ": (
        "(SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) (. 4=?))",
        "(SBARQ (WHNP-1 (WP What)) (SQ (MD should) (NP (PRP I)) (VP (VB do) (NP (-NONE- *T*-1))))"
        " (. ?))",
    ),
    "a wh-phrase as subject, where no branches cross": (
        "(NP (NP (NN 0=rain)) (S (WHNP (WDT 1=that)) (VP (VBD 2=fell))))",
        "(NP (NP (NN rain)) (SBAR (WHNP-1 (WDT that)) (S (NP (-NONE- *T*-1)) (VP (VBD fell)))))",
    ),
    "a topic": (
        "(S (VP (PP (IN 0=of) (DT 1=these)) (VBZ 3=is) (CD 4=one)) (NP (PRP 2=it)))",
        "(S (PP-1 (IN of) (DT these)) (NP (PRP it)) (VP (VBZ is) (CD one) (PP (-NONE- *T*-1))))",
    ),
    "an extraposed clause, in the VP": (
        "(S (NP (NP (NN 0=man)) (SBAR (IN 2=who) (VBD 3=sang))) (VP (VBD 1=came)))",
        "(S (NP (NP (NN man)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came) (SBAR-1 (IN who)"
        " (VBD sang))))",
    ),
    "a clause that belongs to it": (
        "(S (NP (NP (PRP 0=It)) (S (VP (TO 3=to) (VB 4=sing)))) (VP (VBZ 1=is) (JJ 2=good)))",
        "(S (NP (NP (PRP It)) (S (-NONE- *EXP*-1))) (VP (VBZ is) (JJ good) (S-1 (VP (TO to)"
        " (VB sing)))))",
    ),
    "a clause that belongs to es": (
        "(S (NP (PPER 0=Es) (S (VVFIN 3=regnet))) (VVFIN 1=heißt) ($, 2=,))",
        "(S (NP (PPER Es) (S (-NONE- *EXP*-1))) (VVFIN heißt) ($, ,) (S-1 (VVFIN regnet)))",
    ),
    "a shared right edge": (
        "(VP (VP (VB 0=sell)) (, 1=,) (CC 2=or) (VP (VB 3=lend) (NP (NNS 5=books))) (, 4=,))",
        "(VP (VP (VB sell)) (, ,) (CC or) (VP (VB lend) (NP (-NONE- *RNR*-1))) (, ,)"
        " (NP-1 (NNS books)))",
    ),
    "a phrase around a parenthesis": (
        "(PRN (, 1=,) (S (PRP 2=she) (VP (VBD 3=said) (S (PRP 0=It) (VP (VBD 5=rained)))))"
        " (, 4=,))",
        "(S-1 (PRP It) (PRN (, ,) (S (PRP she) (VP (VBD said) (S (-NONE- *T*-1)))) (, ,))"
        " (VP (VBD rained)))",
    ),
    "a word": (
        "(S (VP (PDS 0=Das) (VVPP 3=gesagt)) (VAFIN 1=hat) (PPER 2=er) ($. 4=.))",
        "(S (PDS-1 (PDS Das)) (VAFIN hat) (PPER er) (VP (VVPP gesagt) (PDS (-NONE- *T*-1)))"
        " ($. .))",
    ),
    "two that cross each other": (
        "(S (NP (NN 0=proof) (SBAR (IN 3=that))) (VP (VBD 1=was) (VBN 2=found) (NP (CD 4=1))))",
        "(S (NP (NN proof) (SBAR (-NONE- *ICH*-1))) (VP (VBD was) (VBN found) (SBAR-1 (IN that))"
        " (NP (CD 1))))",
    ),
    "a parenthesis at the root": (
        "(ROOT (S (NP (NN 0=Regen)) (VVFIN 2=fiel)) (ITJ 1=leider))",
        "(ROOT (S (NP (NN Regen)) (ITJ-1 (ITJ leider)) (VVFIN fiel)) (ITJ (-NONE- *ICH*-1)))",
    ),
}


def plain(tree):
    """Return a tree without splits, types of traces and annotation."""
    tree = tree.copy().forget_splits()
    tree.annotation = None
    for node in tree.nodes():
        node.moved = None
    return tree


def again(tree):
    """Return what the transformation makes of a tree with traces by rule."""
    restored = restore_traces(tree)
    assert restored.gap_degree() == 0
    assert restored.words() == tree.words()
    return plain(transform(restored))


@pytest.mark.parametrize("name", CASES)
def test_traces_by_rule(name):
    crossing, expected = CASES[name]
    tree = Tree.from_string(crossing)
    restored = restore_traces(tree)
    assert restored == Tree.from_string(expected)
    assert again(tree) == tree


def test_the_demo_trees_come_back():
    for tree in map(plain, demo_trees()):
        assert again(tree) == tree


@given(trees())
def test_random_trees_come_back(tree):
    if any(node.category in TAGS for node in tree.nodes()):  # it may be there for an index
        return
    for child in tree.root.children:
        if isinstance(child, int) and is_punctuation(tree.tokens[child]):
            tree.tokens[child].tag = "NN"  # punctuation moves without a trace
    assert again(tree) == tree


def test_types_that_are_known_stay():
    tree = Tree.from_string("(S (NP (NN 0=man) (SBAR (IN 2=who))) (VP (VBD 1=came)))")
    tree.nodes()[3].moved = "*EXP*"
    assert "*EXP*-1" in str(restore_traces(tree))


def test_new_indices_are_new():
    tree = Tree.from_string("(S-2 (X (NN 0=a) (NN 2=c)) (NP-3 (VB 1=b)) (NP (-NONE- 3=*-4)))")
    restored = restore_traces(tree)
    assert str(restored) == (
        "(ROOT (S-2 (NN-5 (NN 0=a)) (NP-3 (VB 1=b)) (X (NN 2=c) (NN (-NONE- 3=*T*-5)))"
        " (NP (-NONE- 4=*-4))))"
    )


def test_a_sentence_without_words_has_no_traces():
    assert restore_traces(Tree(Node("ROOT"), [])) == Tree(Node("ROOT"), [])


def test_penn_is_read_again():
    penn, brackets = FORMATS["penn"], FORMATS["brackets"]
    for crossing, _ in CASES.values():
        tree = Tree.from_string(crossing)
        assert brackets.parse(Chunk("a.mrg", 1, penn.render(tree, 1), 1)) == restore_traces(tree)


@pytest.mark.full
@pytest.mark.parametrize("punctuation", ["leave", "low", "high", "remove"])
def test_german_trees_come_back(potsdam, punctuation):
    options = Options(punctuation=punctuation, splits=())
    for tree in read_trees([potsdam]):
        crossing = plain(transform(tree, options))
        crossing.secondary_edges = []
        found = again(crossing)
        if punctuation == "leave":  # marks at the root move without a trace
            without = Options(punctuation="remove", splits=())
            found, crossing = plain(transform(found, without)), plain(transform(crossing, without))
        assert found == crossing


@pytest.mark.full
def test_the_penn_treebank_comes_back(penn_treebank):
    for tree in penn_treebank:
        crossing = plain(transform(tree))
        assert not crossing.tokens or again(crossing) == crossing
