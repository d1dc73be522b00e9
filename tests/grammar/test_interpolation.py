"""Smoothing over h and v: probabilities, new symbols, and a count by hand."""

from collections import defaultdict
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core
from strategies import trees

from plcfrs.errors import GrammarError
from plcfrs.grammar import (
    Grammar,
    Markovization,
    binarize_tree,
    derivation_of,
    extract,
    interpolated,
)
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.heads import mark_heads

TREEBANKS = st.lists(trees(), min_size=1, max_size=5)
MARKOVIZATIONS = st.builds(
    Markovization,
    st.sampled_from(["head-outward", "left-to-right", "right-to-left"]),
    st.sampled_from([0, 1, 2, 3]),
    st.sampled_from([1, 2, 3, inf]),
)


def flat(tags):
    node = Node("NP", children=list(range(len(tags))))
    return Tree(Node("ROOT", children=[node]), [Token(tag.lower(), tag) for tag in tags])


def markovized(treebank, markovization):
    return extract(binarized(treebank, markovization))


def binarized(treebank, markovization):
    return [binarize_tree(mark_heads(tree), markovization) for tree in treebank]


@given(TREEBANKS, MARKOVIZATIONS)
def test_probabilities_sum_to_one(treebank, markovization):
    grammar = interpolated(markovized(treebank, markovization))
    grammar.check()
    totals = defaultdict(float)
    for rule, probability in grammar.probabilities().items():
        totals[rule.lhs] += probability
    assert all(total == pytest.approx(1) for total in totals.values())
    symbols = {child for rule in grammar.rules for child in rule.rhs if child.kind != "tag"}
    assert symbols - totals.keys() == set()


@given(TREEBANKS, MARKOVIZATIONS)
def test_rules_that_were_seen_stay_and_more_are_possible(treebank, markovization):
    treebank = binarized(treebank, markovization)
    grammar = extract(treebank)
    smoothed = interpolated(grammar)
    assert grammar.rules.keys() <= smoothed.rules.keys()
    seen = sum(grammar.rules.values())
    assert seen == sum(len(derivation_of(tree).rules()) for tree in treebank)


def test_counts_by_hand():
    grammar = markovized(
        [flat("ABCD"), flat("ABCD"), flat("EBFD")], Markovization("left-to-right", 2)
    )
    found = {str(rule): p for rule, p in interpolated(grammar).rules.items()}
    # After A and B: twice C; n = 2, d = 1. After B: twice C, once F; n = 3, d = 2.
    assert found["@NP+A+B -> C D [0 1]"] == pytest.approx(2 / 3)
    assert found["@NP+A+B -> @NP+*+B [0]"] == pytest.approx(1 / 3)
    assert found["@NP+E+B -> F D [0 1]"] == pytest.approx(1 / 2)
    assert found["@NP+*+B -> C D [0 1]"] == pytest.approx(2 / 5)
    assert found["@NP+*+B -> F D [0 1]"] == pytest.approx(1 / 5)
    assert found["@NP+*+B -> @NP+* [0]"] == pytest.approx(2 / 5)
    # After anything: B three times, with its memory; C, D twice; F, D once.
    assert found["@NP+* -> B @NP+*+B [0 1]"] == pytest.approx(3 / 6)
    assert found["@NP+* -> C D [0 1]"] == pytest.approx(2 / 6)


def test_categories_forget_their_ancestors():
    tree = flat("AB")
    tree.root.children = [Node("S", children=tree.root.children), Node("NP", children=[2])]
    tree.tokens.append(Token("c", "C"))
    grammar = interpolated(markovized([tree], Markovization("left-to-right", 1, 2)))
    found = {str(rule): p for rule, p in grammar.rules.items()}
    assert found["NP>S -> A B [0 1]"] == found["NP>S -> @NP+start [0]"] == 1 / 2
    assert found["@NP+start -> A B [0 1]"] == found["@NP+start -> C [0]"] == 1 / 2
    assert found["S>ROOT -> NP>S [0]"] == 1  # an S is always below ROOT: nothing to share


SEQUENCES = ["ABCD", "ABCD", "EBFD", "EBD", "EBBBD"]


@core(1, "tags", ["ABCD", "EBCD", "ABFD", "EBD", "EBBBCD", "ABBD", "ABBE", "EBBD"])
def test_the_sum_over_the_ways_to_forget_is_the_interpolated_probability(tags):
    treebank = [flat(sequence) for sequence in SEQUENCES]
    grammar = interpolated(markovized(treebank, Markovization("left-to-right", 1)))
    assert _inside(grammar, tuple(tags)) == pytest.approx(_naive(tags))


def _naive(tags: str) -> float:
    """Interpolate the children after one sibling with those after any."""
    followers = defaultdict(list)
    for sequence in SEQUENCES:
        for before, event in _events(sequence):
            followers[before].append(event)
            if before:
                followers["any"].append(event)
    probability = 1.0
    for before, event in _events(tags):
        seen = followers[before]
        weight = len(seen) / (len(seen) + len(set(seen))) if before else 1
        probability *= weight * seen.count(event) / len(seen) + (1 - weight) * followers[
            "any"
        ].count(event) / len(followers["any"])
    return probability


def _events(tags: str) -> list[tuple[str, str]]:
    """The children generated: one tag and more to come, or the last two; and the tag before."""
    events = [f"{tag}..." for tag in tags[:-2]] + [tags[-2:]]
    return list(zip(["", *tags[:-2]], events, strict=True))


def _inside(grammar: Grammar, tags: tuple[str, ...]) -> float:
    """The probability of tags, where all rules are right-branching: a walk from left to right."""
    chart = defaultdict(float)
    chart[grammar.start, 0] = 1.0
    final = 0.0
    for place in range(len(tags) + 1):
        waiting = [(symbol, p) for (symbol, at), p in chart.items() if at == place]
        while waiting:
            symbol, p = waiting.pop()
            for rule, q in grammar.rules.items():
                if rule.lhs != symbol:
                    continue
                words = [child.category for child in rule.rhs if child.kind == "tag"]
                if tuple(words) != tags[place : place + len(words)]:
                    continue
                rest = [child for child in rule.rhs if child.kind != "tag"]
                if rest and not words:
                    waiting.append((rest[0], p * q))
                elif rest:
                    chart[rest[0], place + len(words)] += p * q
                elif place + len(words) == len(tags):
                    final += p * q
    return final


def test_probabilities_cannot_be_smoothed():
    with pytest.raises(GrammarError, match="no counts"):
        interpolated(Grammar(weights="probabilities"))
