"""The trees of grammars in order, against all trees that a naive search finds."""

from collections import Counter
from itertools import islice
from math import exp

import nltk
import pytest
from grammar_strategies import grammars
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import generation
from nltk.parse.generate import generate
from quick import examples

from plcfrs.grammar import Grammar, Nonterminal, Rule, enumerate_trees, tag

S, A, B = Nonterminal("S"), Nonterminal("A"), Nonterminal("B")
WORD = tag("a")
CATALAN = Grammar({Rule(S, (S, S), ((0, 1),)): 1, Rule(S, (WORD,), ((0,),)): 1}, start=S)
LENGTH = 3


def found(grammar, order="shortest", **limits):
    return [
        (" ".join(tree.words), str(tree.derivation), round(tree.log_probability, 6))
        for tree in enumerate_trees(grammar, order, **limits)
    ]


@examples(60)
@given(grammars(), st.sampled_from(["shortest", "probable"]))
def test_all_trees_up_to_a_length(grammar, order):
    naive = [each for n in range(1, LENGTH + 1) for each in generation.trees(grammar, n)]
    assume(len(naive) < 5000)
    trees = list(enumerate_trees(grammar, order, max_length=LENGTH))
    assert Counter((" ".join(tree.words), tree.derivation) for tree in trees) == Counter(
        (words, derivation) for words, derivation, _ in naive
    )
    expected = {derivation: p for _, derivation, p in naive}
    assert [tree.probability for tree in trees] == pytest.approx(
        [expected[tree.derivation] for tree in trees]
    )
    lengths = [len(tree.words) if order == "shortest" else 0 for tree in trees]
    costs = [round(-tree.log_probability, 6) for tree in trees]
    keys = list(zip(lengths, costs, strict=True))
    assert keys == sorted(keys)


@examples(60)
@given(grammars(), st.sampled_from(["shortest", "probable"]))
def test_each_sentence_once_with_its_best_tree(grammar, order):
    best: dict[str, float] = {}
    for n in range(1, LENGTH + 1):
        for words, _, p in generation.trees(grammar, n):
            best[words] = max(p, best.get(words, 0))
    trees = list(enumerate_trees(grammar, order, max_length=LENGTH, once=True))
    assert len(trees) == len(best)
    assert {" ".join(tree.words): tree.probability for tree in trees} == pytest.approx(best)


@examples(30)
@given(grammars(max_rank=2), st.integers(1, 3))
def test_all_trees_up_to_a_depth(grammar, depth):
    limits = {"max_length": LENGTH, "max_depth": depth}
    every = list(enumerate_trees(grammar, max_length=LENGTH))
    fitting = [tree for tree in every if tree.depth <= depth]
    assert sorted(found(grammar, **limits)) == sorted(
        (" ".join(t.words), str(t.derivation), round(t.log_probability, 6)) for t in fitting
    )
    sentences = {words for words, _, _ in found(grammar, **limits, once=True)}
    assert sentences == {" ".join(tree.words) for tree in fitting}


def test_as_nltk_generates():
    cfg = nltk.CFG.fromstring("""
    S -> NP VP
    NP -> D N | D N PP | R
    PP -> P NP
    VP -> V NP | V
    D -> 'the'
    N -> 'boat' | 'man'
    P -> 'in'
    R -> 'she'
    V -> 'sees' | 'sleeps'
    """)
    grammar = Grammar(start=S)
    tags = {production.lhs() for production in cfg.productions() if production.is_lexical()}
    for production in cfg.productions():
        lhs, rhs = production.lhs(), production.rhs()
        if lhs in tags:
            grammar.lexicon.add(tag(str(lhs)), rhs[0])
        else:
            children = tuple(tag(str(c)) if c in tags else Nonterminal(str(c)) for c in rhs)
            grammar.add(Rule(Nonterminal(str(lhs)), children, (tuple(range(len(rhs))),)))
    for depth in (2, 3, 4):  # NLTK also counts tags and words
        expected = {" ".join(words) for words in generate(cfg, depth=depth + 2)}
        assert {words for words, _, _ in found(grammar, max_depth=depth)} == expected


def test_numbers_of_trees_and_of_sentences():
    assert Counter(len(tree.words) for tree in enumerate_trees(CATALAN, max_length=6)) == {
        1: 1, 2: 1, 3: 2, 4: 5, 5: 14, 6: 42,
    }  # fmt: skip
    sentences = islice(enumerate_trees(CATALAN, once=True), 25)  # the last has 4 ** 24 trees
    assert [len(tree.words) for tree in sentences] == list(range(1, 26))


def test_cycles_of_unary_rules_end():
    rules = [Rule(S, (A,), ((0,),)), Rule(A, (S,), ((0,),)), Rule(A, (WORD,), ((0,),))]
    assert [words for words, _, _ in found(Grammar(dict.fromkeys(rules, 1), start=S))] == ["a"]


def test_symbols_without_words_do_no_harm():
    rules = [
        Rule(S, (WORD,), ((0,),)),
        Rule(S, (A, S), ((0, 1),)),
        Rule(A, (A,), ((0,),)),
        Rule(B, (WORD,), ((0,),)),
    ]
    assert [words for words, _, _ in found(Grammar(dict.fromkeys(rules, 1), start=S))] == ["a"]
    assert found(Grammar({Rule(S, (S,), ((0,),)): 1}, start=S)) == []


def test_words_count():
    grammar = Grammar({Rule(S, (WORD, WORD), ((0, 1),)): 1}, start=S)
    grammar.lexicon.add(WORD, "x", 3)
    grammar.lexicon.add(WORD, "y", 1)
    trees = list(enumerate_trees(grammar, "probable"))
    assert [(" ".join(tree.words), round(exp(tree.log_probability), 6)) for tree in trees] == [
        ("x x", 0.5625), ("y x", 0.1875), ("x y", 0.1875), ("y y", 0.0625),
    ]  # fmt: skip
