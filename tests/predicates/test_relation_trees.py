"""Dependencies with the relations of Johansson and Nugues, in CoNLL-U."""

import re

import pytest
from bracket import read
from hypothesis import given
from strategies import trees

from plcfrs.predicates import relation_tree, relations
from plcfrs.treebank import read_dependencies, write_dependencies
from plcfrs.treebank.conll import render_conllu
from plcfrs.trees import Node, Token, Tree

UNIVERSAL = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"


def check(text):
    """Check a sentence by the rules of the CoNLL-U format."""
    *lines, blank, end = text.split("\n")
    assert (blank, end) == ("", "")
    comments = [line for line in lines if line.startswith("#")]
    rows = [line.split("\t") for line in lines[len(comments) :]]
    (written,) = (line[9:] for line in comments if line.startswith("# text = "))
    assert all(len(row) == 10 and all(row) for row in rows)
    assert [row[0] for row in rows] == [str(number + 1) for number in range(len(rows))]
    heads = [int(row[6]) for row in rows]
    assert [row[7] for row in rows if row[6] == "0"] == ["ROOT"]
    for number in range(len(rows)):
        steps = 0
        while number >= 0:
            number, steps = heads[number] - 1, steps + 1
            assert steps <= len(rows)
    for row in rows:
        assert row[3] in UNIVERSAL.split()
        edges = [edge.split(":", 1) for edge in row[8].split("|")]
        places = [int(head) for head, _ in edges]
        assert places == sorted(places)
        assert max(places) <= len(rows)
        assert int(row[0]) not in places
        assert [row[6], row[7]] in edges
        assert all(re.fullmatch(r"[A-Z]+(-[A-Z]+)?(:[a-z]+)?", name) for _, name in edges)
    blanks = ["" if "SpaceAfter=No" in row[9] else " " for row in rows]
    joined = "".join(row[1] + blank for row, blank in zip(rows, blanks, strict=True))
    assert joined.strip() == written.strip()
    return rows


def edges(tree):
    return [
        f"{token.form} {relation} {tree.tokens[head - 1].form if head else '-'}"
        for token, head, relation in zip(tree.tokens, tree.heads, tree.relations, strict=True)
    ]


def test_heads_of_the_scheme():
    tree = read(
        "(S (SBAR-TMP (IN while) (S (NP-SBJ (PRP it)) (VP (MD may) (VP (VB rain))))) (, ,)"
        " (NP-SBJ (NP (NNP Ms.) (NNP Ode) (POS 's)) (NN cat)) (VP (VBZ wants) (S"
        " (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB eat) (NP (NP (NNS eggs)) (, ,) (NP (NN ham))"
        " (CC and) (NP (NN fish))) (PP-LOC (IN in) (NP (NN bed))))))) (. .))"
    )
    assert edges(relation_tree(tree)) == [
        "while TMP wants",
        "it SBJ may",
        "may SUB while",
        "rain VC may",
        ", P wants",
        "Ms. NAME Ode",
        "Ode NMOD cat",
        "'s SUFFIX Ode",
        "cat SBJ wants",
        "wants ROOT -",
        "to OPRD wants",
        "eat IM to",
        "eggs OBJ eat",
        ", P eggs",
        "ham COORD eggs",
        "and COORD ham",
        "fish CONJ and",
        "in LOC eat",
        "bed PMOD in",
        ". P wants",
    ]


def test_an_antecedent_all_of_which_has_moved():
    odd = read(
        "(S (NP-SBJ (NN goats) (NP (-NONE- *ICH*-1))) (VP (VBP sing)) (S (S-1 (S-1 (VB eat)))))"
    )
    assert edges(relation_tree(odd)) == ["goats SBJ sing", "sing ROOT -", "eat NMOD goats"]


def test_gaps_and_appositions():
    gapped = read(
        "(S (S (NP-SBJ-1 (NP (NNP Ada)) (, ,) (NP (DT a) (NN cook)) (, ,)) (VP (VBD ate)"
        " (NP-TMP-2 (NN today)))) (CC and) (S (NP-SBJ=1 (NNP Bo)) (ADVP-TMP=2 (RB later))))"
    )
    assert edges(relation_tree(gapped))[3:] == [
        "cook APPO Ada",
        ", P Ada",
        "ate ROOT -",
        "today TMP ate",
        "and COORD ate",
        "Bo GAP-SBJ and",
        "later GAP-TMP and",
    ]


def test_columns(tmp_path):
    tree = read(
        "(S (NP-SBJ-1 (PRP They)) (VP (MD ca) (RB n't) (VP (VB be) (VP (VBN seen)"
        " (NP (-NONE- *-1))))) (. .) (-RRB- -RRB-))"
    )
    starts = [0, 5, 7, 11, 14, 0, 18, 19]
    for token, start in zip(tree.tokens, starts, strict=True):
        if not token.is_null:
            length = 1 if token.form == "-RRB-" else len(token.form)
            token.start, token.end = start, start + length
    rows = check(render_conllu(relation_tree(tree)))
    assert [row[3] for row in rows] == ["PRON", "AUX", "ADV", "AUX", "VERB", "PUNCT", "PUNCT"]
    assert [row[1] for row in rows][-1] == ")"
    assert [row[8] for row in rows][:2] == ["2:SBJ|5:OBJ:passive", "0:ROOT"]
    assert ["SpaceAfter=No" in row[9] for row in rows] == [0, 1, 0, 0, 1, 1, 0]
    write_dependencies([relation_tree(tree)], tmp_path / "a.conllu")
    (again,) = read_dependencies(tmp_path / "a.conllu")
    assert again == relation_tree(tree)


def test_sentences_without_words_have_no_relations():
    empty = Tree(Node("ROOT"), [])
    assert relations(empty) == []
    assert relation_tree(empty).heads == []


@given(tree=trees())
def test_any_tree_has_relations(tree):
    for node in tree.root.nodes[:1]:
        node.functions = ("SBJ",)
    tree.root.children.append(len(tree.tokens))
    tree.tokens.append(Token("*", "-NONE-"))
    before = tree.copy()
    rows = check(render_conllu(relation_tree(tree)))
    assert len(rows) == len(tree.words())
    assert all(0 <= each.position < len(rows) for each in relations(tree))
    assert tree == before


@pytest.mark.full
def test_the_penn_treebank(penn_treebank):
    for tree in penn_treebank:
        rows = check(render_conllu(relation_tree(tree)))
        assert [row[4] for row in rows] == [t.tag for t in tree.tokens if not t.is_null]


@pytest.mark.full
def test_conllu_reads_what_is_written(first_penn_trees):
    parse = pytest.importorskip("conllu").parse
    for tree in first_penn_trees:
        (sentence,) = parse(render_conllu(relation_tree(tree)))
        assert [token["form"] for token in sentence] == relation_tree(tree).words()
        assert sentence.metadata["text"] == " ".join(relation_tree(tree).words())
        assert sentence.to_tree().token["deprel"] == "ROOT"
        assert all((t["deprel"], t["head"]) in t["deps"] for t in sentence)
