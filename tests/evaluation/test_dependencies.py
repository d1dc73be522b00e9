"""Dependencies: examples by hand, then against heads found by the naive transformation."""

import copy
from importlib.resources import files
from textwrap import dedent

import naive_transform as naive
import pytest
import trace_examples as examples
from bracket import read
from demo_trees import raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees
from trace_examples import context_free, corpora, discontinuous

from plcfrs.errors import InputError
from plcfrs.evaluation.attachment import (
    DependencyScores,
    dependencies,
    dependency_table,
    dependency_types,
)
from plcfrs.evaluation.report import render_text
from plcfrs.transformation import Options, transform
from plcfrs.trees import no_parse


def in_words(tree):
    """Return dependencies as 'dependent < governor', in the order of the sentence."""
    forms = [token.form for token in tree.tokens]
    return [f"{forms[one]} < {forms[other]}" for one, other in sorted(dependencies(tree).items())]


def types_in_words(text):
    tree = discontinuous(text)
    forms = [token.form for token in tree.tokens]
    governors = dependencies(tree)
    return {
        f"{forms[word]} < {forms[governors[word]]}": name
        for word, name in dependency_types(tree).items()
    }


def test_crossing_branches():
    assert in_words(discontinuous(examples.WH)) == [
        "What < do",
        "I < should",
        "do < should",
        "? < should",
    ]


def test_context_free():
    # SBARQ has SQ as its head, so that What depends on the head of SQ.
    assert in_words(context_free(examples.WH)) == [
        "What < should",
        "I < should",
        "do < should",
        "? < should",
    ]


def test_types():
    for text, expected in [
        (examples.WH, {"What < do": "*T*"}),
        (examples.WH_SUBJECT, {"that < fell": "*T*"}),
        (examples.FRONTED, {"rained < said": "*T*"}),
        (examples.SURROUNDING, {"rained < said": "*T*-PRN"}),
        (examples.FRONTING, {"of < one": "*T*"}),
        (examples.RAISING, {"books < lend": "*RNR*"}),
        (examples.ICH, {"sang < man": "*ICH*", "who < sang": "*T*"}),
        (examples.EXP, {"to < it": "*EXP*"}),
    ]:
        assert types_in_words(text) == expected


def test_the_largest_phrase_counts():
    tree = read("(VP (VB know) (S (VP (VB go))))")
    tree.root.nodes[0].nodes[0].moved = "*T*"
    tree.root.nodes[0].nodes[0].nodes[0].moved = "*ICH*"
    assert dependency_types(tree) == {1: "*T*"}


def test_score():
    gold = [discontinuous(examples.WH), discontinuous(examples.ICH)]
    parses = [context_free(examples.WH), context_free(examples.ICH)]
    scores = DependencyScores.of(gold, parses)
    # Lost: What < do; sang < man (it has who < came, and sang < who) and who < sang.
    assert scores.gold == {"*T*": 2, "*ICH*": 1, "other": 6}
    assert +scores.found == {"other": 6}
    assert scores.recall() == pytest.approx(100 * 6 / 9)
    assert (scores.recall("*T*"), scores.recall("other"), scores.recall("*EXP*")) == (0, 100, 100)


def test_sentence_without_a_parse():
    gold = discontinuous(examples.WH)
    scores = DependencyScores.of([gold], [no_parse(gold.tokens)])
    assert scores.gold.total() == 4
    assert scores.found.total() == 0


def test_null_elements():
    gold = discontinuous(examples.WH)
    with pytest.raises(InputError, match="has null elements"):
        DependencyScores.of([gold], [read(examples.WH)])


def test_different_sentences():
    gold = discontinuous(examples.WH)
    with pytest.raises(InputError, match=r"sentence 1 .*has a gold tree but no parse"):
        DependencyScores.of([gold], [])
    with pytest.raises(InputError, match="word 1 is 'What' in the gold tree, 'it' in the parse"):
        DependencyScores.of([gold], [discontinuous(examples.EXP)])


def test_table():
    gold = [discontinuous(examples.WH), discontinuous(examples.ICH)]
    parses = [context_free(examples.WH), context_free(examples.ICH)]
    columns = {"Tr": DependencyScores.of(gold, parses), "Tr'": DependencyScores.of(gold, gold)}
    assert render_text([dependency_table(columns)]) == dedent("""\
        Dependencies  gold     Tr     Tr'
        *T*              2      0       2
        *T*-PRN          0      0       0
        *ICH*            1      0       1
        *EXP*            0      0       0
        *RNR*            0      0       0
        other            6      6       6
        total            9      6       9
        recall           -  66.67  100.00""")


def test_nothing():
    assert DependencyScores().recall() == 100
    assert dependency_table({"Tr": DependencyScores()}).rows["recall"] == [None, 100]


@given(trees())
def test_each_word_but_one_depends_on_another_and_all_on_the_head_of_the_sentence(tree):
    governors = dependencies(tree)
    words = set(range(len(tree.tokens)))
    (head,) = words - set(governors)
    for word in words:
        path = [word]
        while path[-1] != head:
            path.append(governors[path[-1]])
            assert len(path) <= len(words)


@given(trees(), st.data())
def test_recall_is_the_share_of_equal_governors(tree, data):
    for node in tree.nodes():
        node.moved = data.draw(st.sampled_from([None, None, "*T*", "*ICH*"]))
    parse = copy.deepcopy(tree)
    for node in parse.nodes()[1:]:
        node.category = data.draw(st.sampled_from([node.category, "NP", "PP"]))
    scores = DependencyScores.of([tree], [parse])
    one, other = dependencies(tree), dependencies(parse)
    assert scores.gold.total() == len(tree.tokens) - 1
    assert scores.found.total() == len(set(one.items()) & set(other.items()))
    types = dependency_types(tree)
    assert scores.gold["other"] == sum(word not in types for word in one)


def naive_dependencies(thing):
    """Return (dependent, governor, type) of a transformed tree of the naive transformation."""
    found = {}
    for node in reversed(naive.nodes(thing)):
        head = naive.lexical_head(node)["at"]
        for child in node["children"]:
            dependent = naive.lexical_head(child)["at"]
            if dependent != head:
                found[dependent] = head
    types = {}
    for node in reversed(naive.nodes(thing)):  # larger phrases later
        if node["moved"]:
            types[naive.lexical_head(node)["at"]] = node["moved"]
    return {(one, other, types.get(one, "other")) for one, other in found.items()}


def assert_as_naive(raw, nested, types):
    raw = transform(raw, Options(reattach=types))
    naive.transform(nested, types=types)
    if raw.tokens:
        names = dependency_types(raw)
        found = {(one, other, names.get(one, "other")) for one, other in dependencies(raw).items()}
        assert found == naive_dependencies(nested)


@core(1, "types", [naive.TYPES, ()])
def test_packaged_trees_as_naive(types):
    text = (files("plcfrs") / "data" / "demo.mrg").read_text(encoding="utf-8")
    pairs = zip(raw_demo_trees(), naive.read(text), strict=True)
    assert len([assert_as_naive(*pair, types) for pair in pairs]) == 140


@pytest.mark.full
@pytest.mark.parametrize("types", [naive.TYPES, ()])
def test_penn_treebank_sample_as_naive(types, penn_treebank):
    from nltk.corpus import treebank

    nested = [tree for name in treebank.fileids() for tree in naive.read(treebank.raw(name))]
    for raw, other in zip(penn_treebank, nested, strict=True):
        assert_as_naive(raw, other, types)


@pytest.mark.full
def test_penn_treebank_sample(penn_treebank):
    gold, without_crossing = corpora(penn_treebank)
    itself = DependencyScores.of(gold, gold)
    assert itself.recall() == 100
    assert itself.gold == itself.found
    # As often as phrases were reattached: no two have the same head.
    assert itself.gold == {
        "*T*": 1276,
        "*T*-PRN": 77,
        "*ICH*": 121,
        "*EXP*": 44,
        "*RNR*": 20,
        "other": 88632,
    }
    # Local dependencies can be lost, too: a relative clause with a moved subject has its wh-word as
    # the head of SBAR, until the word moves into the clause. And some non-local ones are kept: a
    # fronted clause depends on 'said' from the S as well as from the VP.
    scores = DependencyScores.of(gold, without_crossing)
    assert +scores.found == {"*T*": 384, "*ICH*": 30, "*RNR*": 1, "other": 87526}
    for tree, other in zip(gold, without_crossing, strict=True):
        if tree.tokens and not any(node.moved for node in tree.nodes()):
            assert dependencies(tree) == dependencies(other)
