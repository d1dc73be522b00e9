"""Random trees occur as often as the grammar says."""

from collections import Counter
from itertools import product
from math import comb, exp, sqrt
from random import Random

import pytest
from grammar_strategies import TAGS, grammars
from hypothesis import assume, given
from naive import generation
from quick import examples

from plcfrs import ChartParser
from plcfrs.chart.forest import count_derivations, inside_outside
from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Nonterminal, Rule, TreeSampler, binarize, enumerate_trees, tag

S, A, B, X = Nonterminal("S"), Nonterminal("A"), Nonterminal("B", 2), Nonterminal("X")
WORD, OTHER = tag("a"), tag("b")
DRAWN = 4000


def check_frequencies(grammar: Grammar, max_length: int, expected: dict[str, float]) -> None:
    """Compare drawn trees with the weights of all trees: chi-square, four deviations at most."""
    sampler, random = TreeSampler(grammar, max_length), Random(7)
    drawn = [sampler.draw(random) for _ in range(DRAWN)]
    counts = Counter(f"{tree.derivation} {' '.join(tree.words)}" for tree in drawn)
    assert counts.keys() <= expected.keys()
    total = sum(expected.values())
    wanted = {tree: DRAWN * weight / total for tree, weight in expected.items()}
    pooled = [tree for tree, number in wanted.items() if number < 5]
    pairs = [(counts[tree], number) for tree, number in wanted.items() if number >= 5]
    if pooled:
        pairs.append((sum(counts[tree] for tree in pooled), sum(wanted[tree] for tree in pooled)))
    statistic = sum((found - number) ** 2 / number for found, number in pairs if number)
    degrees = len(pairs) - 1
    assert statistic < degrees + 4 * sqrt(2 * max(degrees, 1))
    for tree in drawn[:50]:
        assert tree.probability == pytest.approx(
            expected[f"{tree.derivation} {' '.join(tree.words)}"]
        )


def all_trees(grammar: Grammar, max_length: int) -> dict[str, float]:
    return {
        f"{derivation} {words}": p
        for length in range(1, max_length + 1)
        for words, derivation, p in generation.trees(grammar, length)
    }


def test_frequencies_with_gaps():
    rules = {
        Rule(S, (B, A), ((0, 1, 0),)): 3,
        Rule(S, (B, S), ((0, 0, 1),)): 1,
        Rule(S, (A,), ((0,),)): 2,
        Rule(B, (WORD, B, OTHER), ((0, 1), (1, 2))): 1,
        Rule(B, (WORD, OTHER), ((0,), (1,))): 2,
        Rule(A, (A, OTHER), ((0, 1),)): 1,
        Rule(A, (WORD,), ((0,),)): 2,
    }
    grammar = Grammar(rules, start=S)
    for word, number in (("x", 3), ("y", 1)):
        grammar.lexicon.add(WORD, word, number)
    grammar.lexicon.add(OTHER, "z")
    check_frequencies(grammar, 6, all_trees(grammar, 6))


def test_probability_lost_to_infinite_derivations():
    """S becomes words with probability 1/9 only, and X never does."""
    rules = {
        Rule(S, (S, S), ((0, 1),)): 0.8,
        Rule(S, (WORD,), ((0,),)): 0.1,
        Rule(S, (X, WORD), ((0, 1),)): 0.1,
        Rule(X, (X, X), ((0, 1),)): 1.0,
    }
    grammar = Grammar(rules, start=S, weights="probabilities")
    sampler, random = TreeSampler(grammar, 6), Random(3)
    lengths = Counter(len(sampler.draw(random).words) for _ in range(DRAWN))
    masses = {n: comb(2 * n - 2, n - 1) / n * 0.8 ** (n - 1) * 0.1**n for n in range(1, 7)}
    for n, mass in masses.items():
        share = mass / sum(masses.values())
        assert abs(lengths[n] - DRAWN * share) < 4 * sqrt(DRAWN * share) + 1


def test_cycles_of_unary_rules():
    rules = {Rule(S, (A,), ((0,),)): 1, Rule(A, (S,), ((0,),)): 0.4, Rule(A, (WORD,), ((0,),)): 0.6}
    grammar = Grammar(rules, start=S, weights="probabilities")
    sampler, random = TreeSampler(grammar), Random(5)
    sizes = Counter(len(sampler.draw(random).derivation.rules()) // 2 for _ in range(DRAWN))
    for size in range(1, 6):
        expected = DRAWN * 0.6 * 0.4 ** (size - 1)
        assert abs(sizes[size] - expected) < 4 * sqrt(expected)


@examples(40)
@given(grammars())
def test_each_length_has_the_sum_of_its_sentences(grammar):
    """The sums are those of the parser's forests, which include cycles of unary rules."""
    parser = ChartParser(binarize(grammar))
    sums = [0.0] * 4
    try:
        for length in (1, 2, 3):
            for words in product(TAGS, repeat=length):
                forest = parser.forest([{word: 0.0} for word in words])
                if forest is not None:
                    sums[length] += exp(inside_outside(forest).log_probability)
        assume(any(sums))
        sampler = TreeSampler(grammar, 3)
    except GrammarError:
        assume(False)
    assert sampler.lengths == pytest.approx(sums, rel=1e-3)


@examples(40)
@given(grammars(max_rank=2))
def test_ambiguity_is_the_number_of_trees(grammar):
    parser = ChartParser(binarize(grammar))
    trees = Counter(tree.words for tree in enumerate_trees(grammar, max_length=3))
    for words, number in list(trees.items())[:20]:
        forest = parser.forest([{tag(word): 0.0} for word in words])
        assert count_derivations(forest) in (number, float("inf"))


def test_a_seed_gives_the_same_trees():
    grammar = Grammar({Rule(S, (S, WORD), ((0, 1),)): 1, Rule(S, (WORD,), ((0,),)): 1}, start=S)
    trees = grammar.sample(20, seed=3)
    assert trees == grammar.sample(20, seed=3) != grammar.sample(20, seed=4)
    assert [tree.id for tree in trees] == [str(number) for number in range(1, 21)]
    assert max(len(tree.tokens) for tree in grammar.sample(50, max_length=2)) == 2


def test_trees_are_as_parsers_print_them():
    wide = Nonterminal("@X", 2, kind="intermediate")
    rules = {
        Rule(S._replace(split="WH"), (WORD, wide), ((1, 0, 1),)): 1,
        Rule(wide, (WORD, OTHER), ((0,), (1,))): 1,
        Rule(Nonterminal("ROOT"), (S._replace(split="WH"),), ((0,),)): 1,
    }
    (tree,) = Grammar(rules).sample()
    assert str(tree) == "(ROOT (S (a 0=a) (a 1=a) (b 2=b)))"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({Rule(S, (X, WORD), ((0, 1),)): 1, Rule(X, (X,), ((0,),)): 1}, "no sentences of up to 9"),
        ({Rule(S, (WORD,) * 10, (tuple(range(10)),)): 1}, "no sentences of up to 9 words"),
        ({Rule(S, (S,), ((0,),)): 1, Rule(S, (WORD,), ((0,),)): 1}, "cycle of unary rules"),
        ({Rule(X, (WORD,), ((0,),)): 1}, "the start symbol S has no rules"),
    ],
)
def test_what_cannot_be_drawn(rules, message):
    with pytest.raises(GrammarError, match=message):
        TreeSampler(Grammar(rules, start=S, weights="probabilities"), 9)
