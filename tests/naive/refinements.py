"""Random refinements of random grammars, with sentences and their derivations."""

from __future__ import annotations

from itertools import islice, product
from random import Random
from typing import NamedTuple

import numpy as np
from grammar_strategies import TAGS, grammars, sentences_of
from hypothesis import assume
from hypothesis import strategies as st

from naive.latent import (
    Event,
    Model,
    States,
    What,
    events_of,
    number_of_assignments,
    symbols_of,
)
from naive.parser import Candidates, enumerate_derivations
from naive.sums import without_unary_cycles
from plcfrs.grammar import Derivation, Grammar, Lexicon, Nonterminal, Rule
from plcfrs.grammar.words import WordClasses
from plcfrs.parsers.refined.grammar import RefinedGrammar
from plcfrs.parsers.refined.kernel import Events, Refinement

COSTS = st.sampled_from([0.0, 0.5, 3.25])

# Two frequent words, and a rare one with a signature.
WORDS = ("x", "y", "rare")
CLASSES = WordClasses(frozenset("xy"), frozenset({"lower -"}))

MAXIMAL_DERIVATIONS = 60
MAXIMAL_ASSIGNMENTS = 1_500

S, X, Y, VP = Nonterminal("S"), Nonterminal("X"), Nonterminal("Y"), Nonterminal("VP", 2)
A, B, C = TAGS
AMBIGUOUS = {
    Rule(S, (X,), ((0,),)): 2.0,
    Rule(S, (Y,), ((0,),)): 1.0,
    Rule(X, (A, X), ((0, 1),)): 1.0,
    Rule(X, (X, X), ((0, 1),)): 2.0,
    Rule(X, (VP, B), ((0, 1, 0),)): 3.0,
    Rule(Y, (X, B), ((0, 1),)): 1.0,
    Rule(Y, (VP, A), ((0, 1, 0),)): 2.0,
    Rule(VP, (A, X), ((0,), (1,))): 1.0,
    **{Rule(X, (word,), ((0,),)): 1.0 for word in TAGS},
}


@st.composite
def ambiguous(draw: st.DrawFn) -> tuple[Grammar, Candidates]:
    """A grammar that gives most sentences several parses, with other rules, and a sentence."""
    grammar = draw(grammars(max_rank=2, touching=False))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=2, max_size=4))
    rules = {**grammar.rules, **AMBIGUOUS} if draw(st.booleans()) else AMBIGUOUS
    return Grammar(rules, start=S), [{symbol: 0.0} for symbol in tags]


@st.composite
def any_grammar(draw: st.DrawFn) -> tuple[Grammar, Candidates]:
    """A random grammar, and a sentence of it."""
    grammar = draw(grammars(max_rank=2, touching=False))
    return grammar, draw(sentences_of(grammar, 5))


class Case(NamedTuple):
    """A refined grammar, a sentence with a parse, and all derivations of the sentence."""

    refined: RefinedGrammar
    words: list[str]
    tags: Candidates
    derivations: list[Derivation]

    @property
    def classes(self) -> list[str]:
        """The classes of the words."""
        return self.refined.classes.of_sentence(self.words)


@st.composite
def cases(draw: st.DrawFn, most: int = 3, number: int = 1, zeros: float = 0.0) -> Case:
    """Sentences of random grammars with random refinements.

    Parameters
    ----------
    most : int
        Substates of a symbol.
    number : int
        How many refinements.
    zeros : float
        The fraction of zeros among the probabilities.
    """
    grammar, tags = draw(st.one_of(ambiguous(), ambiguous(), any_grammar()))
    grammar = without_unary_cycles(at_most(1e6, grammar))
    for candidates in tags:
        candidates.update(draw(st.dictionaries(st.sampled_from(TAGS), COSTS, max_size=2)))
    words = [draw(st.sampled_from(WORDS)) for _ in tags]
    found = [
        derivation
        for _, derivation in islice(enumerate_derivations(grammar, tags), MAXIMAL_DERIVATIONS)
    ]
    assume(0 < len(found) < MAXIMAL_DERIVATIONS)
    random = Random(draw(st.integers(0, 2**32)))
    refined = with_words(grammar, random)
    classes = refined.classes.of_sentence(words)
    trees = [events_of(derivation, classes) for derivation in found]
    refined.refinements = tuple(
        random_refinement(refined, trees, most, zeros, random) for _ in range(number)
    )
    return Case(refined, words, tags, found)


def at_most(highest: float, grammar: Grammar) -> Grammar:
    """Return the grammar without counts that are so high that other rules have no probability."""
    rules = {rule: min(count, highest) for rule, count in grammar.rules.items()}
    return Grammar(rules, start=grammar.start)


def with_words(grammar: Grammar, random: Random) -> RefinedGrammar:
    """Return the grammar with all words for all of its tags."""
    tags = [symbol for symbol in grammar.nonterminals() if symbol.kind == "tag"]
    counts = {word: {tag: random.choice([1, 2, 10]) for tag in tags} for word in WORDS}
    grammar = Grammar(grammar.rules, Lexicon(counts), grammar.start)
    pairs = {
        (tag, CLASSES.of_sentence([word])[0]): float(count)
        for word, of_tags in counts.items()
        for tag, count in of_tags.items()
    }
    return RefinedGrammar(grammar, CLASSES, pairs)


def random_refinement(
    refined: RefinedGrammar, trees: list[list[Event]], most: int, zeros: float, random: Random
) -> Refinement:
    """Return substates with probabilities, few enough for all trees together to be enumerated."""
    symbols = refined.symbols
    states = {symbol: random.randint(1, most) for symbol in symbols}
    states[refined.grammar.start] = 1
    model = Model(states, {})
    while sum(number_of_assignments(model, tree) for tree in trees) > MAXIMAL_ASSIGNMENTS:
        states[max(symbols, key=lambda symbol: states[symbol])] -= 1
        assume(max(states.values()) > 1)
    rules = random_tables(refined.grammar.rules, states, zeros, random)
    pairs = random_tables(refined.pairs, states, zeros, random)
    return refinement_of(Model(states, rules | pairs), refined)


def random_tables(whats, states, zeros, random):
    """Return probabilities of all sizes for all choices of states, some of them 0."""
    found: dict[What, dict[States, float]] = {}
    totals: dict = {}
    for what in whats:
        mother = symbols_of(what)[0]
        found[what] = {}
        for chosen in product(*(range(states[symbol]) for symbol in symbols_of(what))):
            number = 0.0 if random.random() < zeros else random.random() ** 4
            found[what][chosen] = number
            totals[mother, chosen[0]] = totals.get((mother, chosen[0]), 0.0) + number
    return {
        what: {
            chosen: number / (totals[symbols_of(what)[0], chosen[0]] or 1.0)
            for chosen, number in table.items()
        }
        for what, table in found.items()
    }


def refinement_of(model: Model, refined: RefinedGrammar) -> Refinement:
    """Return tables as arrays for the kernels, without zeros."""
    rules = [
        [(*(*chosen, 0)[:3], number) for chosen, number in model.probability[rule].items()]
        for rule in refined.grammar.rules
    ]
    rules = [[entry for entry in entries if entry[-1] > 0] for entries in rules]
    columns = np.array([entry for entries in rules for entry in entries]).reshape(-1, 4).T
    pairs = [list(model.probability[pair].values()) for pair in refined.pairs]
    return Refinement(
        np.array([model.states[symbol] for symbol in refined.symbols], np.int32),
        np.cumsum([0, *map(len, rules)], dtype=np.int64),
        *(column.astype(np.int16) for column in columns[:3]),
        columns[3].copy(),
        np.cumsum([0, *map(len, pairs)], dtype=np.int64),
        np.array([number for numbers in pairs for number in numbers]),
    )


def kernel_events(refined: RefinedGrammar, trees: list[list[Event]]) -> Events:
    """Return trees as arrays for the kernels."""
    symbols = {symbol: number for number, symbol in enumerate(refined.symbols)}
    numbers = {rule: number for number, rule in enumerate(refined.grammar.rules)}
    numbers |= {pair: number for number, pair in enumerate(refined.pairs)}
    rows = [
        (symbols[symbols_of(what)[0]], numbers[what], *([*nodes[1:], -1, -1][:2]))
        for tree in trees
        for what, nodes in tree
    ]
    columns = np.array(rows, np.int32).reshape(-1, 4).T
    start = np.cumsum([0, *map(len, trees)], dtype=np.int64)
    return Events(start, *map(np.ascontiguousarray, columns))
