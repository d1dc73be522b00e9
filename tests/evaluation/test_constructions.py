"""Constructions: recognised in a sentence, found in a parse or not; then the real sample."""

from collections import Counter
from textwrap import dedent

import pytest
import trace_examples as examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trace_examples import context_free, corpora, discontinuous, parse

from plcfrs.evaluation.attachment import (
    CONSTRUCTIONS,
    ConstructionScores,
    construction_of,
    construction_table,
    constructions,
    dependencies,
    gap_openings,
    words_of,
)
from plcfrs.evaluation.report import render_text
from plcfrs.trees import Node, no_parse
from plcfrs.trees.heads import is_punctuation
from plcfrs.trees.tree import positions


def test_recognised():
    for text, expected in [
        (examples.WH, "wh-movement: What in VP of do"),
        (examples.FRONTED, "fronted quotations: it rained in VP of said"),
        (examples.SURROUNDING, "surrounding quotations: it rained in VP of said"),
        (examples.FRONTING, "other fronting: of these in NP of one"),
        (examples.ICH, "ICH: who sang in NP of man"),
        (examples.EXP, "EXP: to sing in NP of it"),
        (examples.RAISING, "right node raising: old books in VP of lend"),
    ]:
        tree = discontinuous(text)
        assert [show(tree, *found) for found in constructions(tree)] == [expected]


def show(tree, name, place):
    words = " ".join(tree.tokens[position].form for position in positions(place.words))
    return f"{name}: {words} in {place.mother} of {tree.tokens[place.head].form}"


def test_a_phrase_that_opens_no_gap_does_not_count():
    assert list(constructions(discontinuous(examples.WH_SUBJECT))) == []
    assert list(constructions(context_free(examples.WH))) == []


def test_a_phrase_that_fills_its_mother_opens_a_gap_above():
    tree = parse("(S (VP (NP (WHNP (WP 0=what))) (VB 2=do)) (PRP 1=I))")
    tree.root.nodes[0].nodes[0].nodes[0].nodes[0].moved = "*T*"
    assert [show(tree, *found) for found in constructions(tree)] == [
        "wh-movement: what in VP of do"
    ]


def test_names():
    for category, moved, expected in [
        ("WHPP", "*T*", "wh-movement"),
        ("SQ", "*T*", "fronted quotations"),
        ("FRAG", "*T*", "fronted quotations"),
        ("ADJP", "*T*", "other fronting"),
        ("FRAG", "*T*-PRN", "surrounding quotations"),
        ("WHNP", "*RNR*", "right node raising"),
        ("SBAR", "*ICH*", "ICH"),
        ("SBAR", "*EXP*", "EXP"),
    ]:
        assert construction_of(Node(category, moved=moved)) == expected


FOUND = {
    "the same tree": "(SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) "
    "(. 4=?))",
    "another label": "(SBARQ (SQ (VP (NP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) "
    "(. 4=?))",
    "other mistakes": "(X (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should)) "
    "(Y (PRP 2=I) (. 4=?)))",
    "punctuation inside": "(SQ (VP (WHNP (WP 0=What) (. 4=?)) (VB 3=do)) (MD 1=should) "
    "(NP (PRP 2=I)))",
}
NOT_FOUND = {
    "no gap": "(SBARQ (WHNP (WP 0=What)) (SQ (MD 1=should) (NP (PRP 2=I)) (VP (VB 3=do))) (. 4=?))",
    "another head": "(SBARQ (VP (WHNP (WP 0=What)) (VP (PRP 2=I))) (MD 1=should) (VB 3=do) "
    "(. 4=?))",
    "another mother": "(SBARQ (SQ (X (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) "
    "(. 4=?))",
    "no such phrase": "(SBARQ (SQ (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) "
    "(. 4=?))",
    "more words": "(SBARQ (SQ (VP (WHNP (WP 0=What) (PRP 2=I)) (VB 3=do)) (MD 1=should)) (. 4=?))",
}


def test_found():
    for name in FOUND:
        scores = ConstructionScores.of([discontinuous(examples.WH)], [parse(FOUND[name])])
        assert scores.found == {"wh-movement": 1}


def test_not_found():
    for name in NOT_FOUND:
        scores = ConstructionScores.of([discontinuous(examples.WH)], [parse(NOT_FOUND[name])])
        assert scores.gold == {"wh-movement": 1}
        assert scores.found.total() == 0


def test_tags_of_the_parse_do_not_say_what_is_punctuation():
    other = parse(FOUND["the same tree"].replace("(WP 0=What)", "(, 0=What)"))
    scores = ConstructionScores.of([discontinuous(examples.WH)], [other])
    assert scores.recall("wh-movement") == 100


def test_sentence_without_a_parse():
    gold = discontinuous(examples.ICH)
    scores = ConstructionScores.of([gold], [no_parse(gold.tokens)])
    assert (scores.recall("ICH"), scores.recall("EXP")) == (0, 100)


def test_table():
    scores = ConstructionScores(
        Counter({"wh-movement": 129, "EXP": 14}), Counter({"wh-movement": 108, "EXP": 2})
    )
    none = ConstructionScores(scores.gold)
    assert render_text([construction_table({"Tr": none, "Tr'": scores})]) == dedent("""\
        Constructions           gold  Tr  Tr'
        wh-movement              129   0  108
        fronted quotations         0   0    0
        surrounding quotations     0   0    0
        other fronting             0   0    0
        right node raising         0   0    0
        ICH                        0   0    0
        EXP                       14   0    2""")


def naive_gap_openers(tree):
    """Return (words, category, governing head) of all phrases that open a gap, the slow way."""
    parents = tree.parents()
    counted = {i for i, token in enumerate(tree.tokens) if not is_punctuation(token)}

    def below(node):
        return {i for c in node.children for i in ({c} if isinstance(c, int) else below(c))}

    def blocks(places):
        return sum(place - 1 not in places for place in places)

    def head(node):
        """The one word of a phrase whose governor is not in the phrase, or has none."""
        governors = dependencies(tree)
        (found,) = [i for i in below(node) if governors.get(i) not in below(node)]
        return found

    found = set()
    for node in tree.nodes():
        mother = parents.get(node)
        while mother is not None and below(mother) & counted == below(node) & counted:
            mother = parents.get(mother)
        if mother is not None and blocks(below(mother)) > blocks(below(mother) - below(node)):
            found.add((frozenset(below(node) & counted), mother.category, head(mother)))
    return found


@given(trees())
def test_as_naive(tree):
    found = {place for _, place in gap_openings(tree, words_of(tree))}
    assert {
        (frozenset(positions(words)), mother, head) for words, mother, head in found
    } == naive_gap_openers(tree)


@given(trees(), st.data())
def test_a_tree_has_all_its_constructions(tree, data):
    for node in tree.nodes()[1:]:
        node.moved = data.draw(st.sampled_from([None, "*T*", "*T*-PRN", "*RNR*", "*EXP*"]))
    scores = ConstructionScores.of([tree], [tree])
    assert scores.gold == scores.found
    assert set(scores.gold) <= set(CONSTRUCTIONS)
    assert tree.gap_degree() or not scores.gold


@pytest.mark.full
def test_penn_treebank_sample(penn_treebank):
    gold, without_crossing = corpora(penn_treebank)
    itself = ConstructionScores.of(gold, gold)
    assert [itself.gold[name] for name in CONSTRUCTIONS] == [279, 354, 77, 7, 5, 117, 44]
    assert itself.gold == itself.found
    assert +ConstructionScores.of(gold, without_crossing).found == Counter()
    # Of at most 25 tokens, as in the paper, which has 129, 142, 31, 6, 4, 30, 14.
    short = [tree for tree in gold if len(tree.tokens) <= 25]
    found = ConstructionScores.of(short, short).gold
    assert [found[name] for name in CONSTRUCTIONS] == [94, 175, 25, 2, 2, 37, 23]
