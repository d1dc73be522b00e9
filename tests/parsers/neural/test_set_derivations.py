"""Configurations and transitions: invariants, worked examples, and trees that come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_walks import golds, legal_transitions, mask, plain_trees, random_walk, written

from plcfrs.errors import InputError, TreebankError
from plcfrs.parsers.neural.configuration import (
    CombineSets,
    LabelFocus,
    NoLabel,
    Shift,
    apply,
    constituents_of,
    inventory,
    legal,
    run,
    tree_of,
)
from plcfrs.parsers.neural.oracle import static_oracle
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Node, Token, Tree

# Table 2 of Coavoux and Cohen (2019): So what 's a parent to do ?
PARENT = written(
    "SH/- SH/WHNP SH/- SH/- SH/- C3/NP C2/- SH/- SH/- C1/VP C5/VP C2/SQ C0/- SH/- C0/SBARQ"
)
PARENT_SETS = {
    mask(1): "WHNP",
    mask(3, 4): "NP",
    mask(1, 6): "VP",
    mask(1, 5, 6): "VP",
    mask(*range(1, 7)): "SQ",
    mask(*range(8)): "SBARQ",
}


def derived(tree):
    """Return the tree that its static derivation builds, and check the number of steps."""
    length = len(tree.tokens)
    derivation = static_oracle(constituents_of(tree), length)
    assert len(derivation) == 4 * length - 2
    built = run(derivation, length)[-1].constituents
    assert len(built) == len(dict(built))
    return tree_of(dict(built), tree.tokens)


@given(plain_trees())
def test_random_trees_come_back(tree):
    assert derived(tree) == tree


def test_ill_nested_trees_of_high_fan_out_come_back():
    parts = [Node("A", children=[0, 2, 4, 6]), Node("B", children=[1, 3, 5, 7])]
    inner = Node("C", children=[8, 11])
    tree = Tree(Node("ROOT", children=[*parts, inner, 9, 10]), [Token("a", "A")] * 12)
    assert derived(tree) == tree


@pytest.mark.full
def test_all_trees_of_the_treebanks_come_back(penn_treebank, potsdam):
    trees = list(transform_all(penn_treebank, Options(splits=())))
    trees += transform_all(read_trees(potsdam))
    assert len(trees) > 3914 + 2100
    for tree in trees:
        for node in tree.nodes():
            node.functions, node.index, node.gap_index = (), None, None
        assert derived(tree) == tree


def test_the_example_of_the_paper():
    assert static_oracle(PARENT_SETS, 8) == PARENT
    configurations = run(PARENT, 8)
    assert len(PARENT) == 30
    assert configurations[-1].is_final
    assert dict(configurations[-1].constituents) == PARENT_SETS
    assert configurations[18].memory == (mask(0), mask(1), mask(2, 3, 4), mask(5))


def test_one_token():
    assert list(map(str, static_oracle({1: "ROOT+NP"}, 1))) == ["SHIFT", "LABEL-ROOT+NP"]
    configurations = run([Shift(), LabelFocus("ROOT+NP")], 1)
    assert [each.is_final for each in configurations] == [False, False, True]
    assert not legal(configurations[1], NoLabel())


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_random_walks_keep_the_invariants_and_end_in_a_tree(length, random):
    configurations, transitions = random_walk(random, length)
    assert len(transitions) == 4 * length - 2
    for number, configuration in enumerate(configurations):
        sets = [*configuration.memory, *[configuration.focus] * (number > 0)]
        assert sum(sets) == (1 << configuration.next) - 1
        assert sum(part.bit_count() for part in sets) == configuration.next
        assert [part.bit_length() for part in sets] == sorted(part.bit_length() for part in sets)
        assert configuration.focus.bit_length() == configuration.next
        assert configuration.steps == number
        assert bool(legal_transitions(configuration)) != configuration.is_final
    last = configurations[-1]
    assert (last.memory, last.focus, last.next) == ((), (1 << length) - 1, length)
    built = dict(last.constituents)
    built[last.focus] = "ROOT"
    assert constituents_of(tree_of(built, [Token("a", "A")] * length)) == built


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_all_other_transitions_are_refused(length, random):
    everything = [Shift(), NoLabel(), LabelFocus("X"), *map(CombineSets, range(length))]
    for configuration in random_walk(random, length)[0]:
        allowed = [each for each in everything if legal(configuration, each)]
        if configuration.is_final:
            assert allowed == []
        elif configuration.steps % 2:
            full = configuration.focus == (1 << length) - 1
            assert allowed == ([LabelFocus("X")] if full else [NoLabel(), LabelFocus("X")])
        else:
            first = [
                min(token for token in range(length) if part >> token & 1)
                for part in configuration.memory
            ]
            shift = [Shift()] * (configuration.next < length)
            assert allowed == [*shift, *map(CombineSets, sorted(first))]
        for transition in set(everything) - set(allowed):
            number = configuration.steps + 1
            with pytest.raises(InputError, match=f"transition {number}, {transition}, is not"):
                apply(configuration, transition)


def test_long_sentences_need_no_recursion():
    length = 1000
    tree = Tree(Node("ROOT", children=[*range(length)]), [Token("a", "A")] * length)
    assert derived(tree) == tree


def test_labels_of_collapsed_chains_come_back():
    inner = Node("ROOT", children=[Node("A+B", split="X^Y", children=[0])])
    tree = Tree(Node("ROOT", children=[Node("S", children=[inner, 1])]), [Token("a", "A")] * 2)
    gold = constituents_of(tree)
    assert gold == {0b1: r"\ROOT+A\+B^X\^Y", 0b11: "ROOT+S"}
    assert tree_of(gold, tree.tokens) == tree
    assert inventory([gold]) == ("", "ROOT+S", r"\ROOT+A\+B^X\^Y")


def test_trees_without_a_top_or_with_empty_nodes_are_refused():
    tokens = [Token("a", "A")] * 2
    for constituents in ({0b1: "ROOT"}, {0b11: "S"}):
        with pytest.raises(InputError, match="it must begin with ROOT"):
            tree_of(constituents, tokens)
    with pytest.raises(TreebankError, match="a node NP is empty"):
        constituents_of(Tree(Node("ROOT", children=[0, 1, Node("NP")]), tokens))


@given(golds(8))
def test_sisters_are_joined_as_soon_as_possible(pair):
    """At no structure step is there a sister in memory when the next token is shifted."""
    gold, length = pair
    derivation = static_oracle(gold, length)
    for configuration, transition in zip(run(derivation, length), derivation, strict=False):
        if transition == Shift() and configuration.focus:
            mothers = [
                min((each for each in gold if each & part == part != each), default=0)
                for part in (*configuration.memory, configuration.focus)
            ]
            assert mothers[-1] not in mothers[:-1]


def test_text():
    texts = [str(each) for each in (Shift(), CombineSets(3), LabelFocus("NP"), NoLabel())]
    assert NoLabel() != Shift()
    assert texts == ["SHIFT", "COMBINE-3", "LABEL-NP", "NO-LABEL"]
