"""What substates stand for."""

import numpy as np
import pytest
from demo_trees import demo_trees
from refining import train_product

from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.grammar.words import WordClasses
from plcfrs.parsers.refined.grammar import RefinedGrammar, compile_trees
from plcfrs.parsers.refined.kernel import Refinement
from plcfrs.parsers.refined.substates import substates
from plcfrs.parsers.refined.training import Schedule

S, A, X = Nonterminal("S"), Nonterminal("A"), tag("X")
PAIR, UNARY, LEAF = Rule(S, (A, A), ((0, 1),)), Rule(A, (A,), ((0,),)), Rule(A, (X,), ((0,),))


@pytest.fixture
def refined():
    """S -> A A, A -> A | X with two substates of A; X is "x", or rarely "y"."""
    grammar = Grammar({PAIR: 4, UNARY: 8, LEAF: 8}, start=S)
    entries = [(0, 0, 0, 0.5), (0, 0, 1, 0.25), (0, 1, 1, 0.25)]  # S -> A A
    entries += [(0, 0, 0, 0.2), (0, 1, 0, 0.3), (1, 1, 0, 0.5)]  # A -> A
    entries += [(0, 0, 0, 0.5), (1, 0, 0, 0.5)]  # A -> X
    state, left, right, probability = zip(*entries, strict=True)
    refinement = Refinement(
        np.array([1, 2, 1], np.int32),
        np.array([0, 3, 6, 8]),
        np.array(state, np.int16),
        np.array(left, np.int16),
        np.array(right, np.int16),
        np.array(probability),
        np.array([0, 1, 2]),
        np.array([0.75, 0.25]),
    )
    classes = WordClasses(frozenset(["x", "y"]), frozenset())
    return RefinedGrammar(grammar, classes, {(X, "x"): 6, (X, "y"): 2}, (refinement,))


def test_worked_example(refined):
    # Below S there are 0.75 + 0.5 of A-0 and 0.25 + 0.5 of A-1. Each A-0 makes 0.2 more of itself:
    # 1.25 / 0.8 = 1.5625 in all; these make 0.3 of A-1 each: (0.75 + 0.46875) / 0.5 = 2.4375.
    frequent, other = substates(refined, refined.refinements[0], A, most=5)
    assert (frequent.number, other.number) == (1, 0)
    assert frequent.share == pytest.approx(2.4375 / 4)
    assert other.share == pytest.approx(1.5625 / 4)
    assert [(choice.rule, choice.probability) for choice in other.choices] == [
        (UNARY, 0.5),
        (LEAF, 0.5),
    ]
    assert (other.choices[0].substates, other.choices[0].share) == ((1,), 0.6)
    (top,) = substates(refined, refined.refinements[0], S, most=5)
    assert (top.share, top.choices) == (1.0, [(PAIR, 1.0, (0, 0), 0.5)])


def test_words_of_a_tag(refined):
    (only,) = substates(refined, refined.refinements[0], X, most=5)
    assert only == (0, 1.0, [("x", 0.75), ("y", 0.25)])
    (shorter,) = substates(refined, refined.refinements[0], X, most=1)
    assert shorter.choices == [("x", 0.75)]


@pytest.mark.full
def test_a_trained_grammar():
    training = compile_trees(demo_trees()[:40])
    refined = train_product(training, Schedule(cycles=2), [1])
    refinement = refined.refinements[0]
    for symbol, number in zip(refined.symbols, refinement.states, strict=True):
        found = substates(refined, refinement, symbol, most=10_000)
        assert sorted(substate.number for substate in found) == list(range(number))
        assert sum(substate.share for substate in found) == pytest.approx(1)
        for substate in found:
            probabilities = [choice.probability for choice in substate.choices]
            assert probabilities == sorted(probabilities, reverse=True)
            assert sum(probabilities) == pytest.approx(1)
