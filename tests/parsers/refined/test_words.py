"""Words in refined grammars, by worked examples."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag
from plcfrs.grammar.words import Form, WordClasses, WordModel
from plcfrs.parsers.refined.grammar import RefinedGrammar, RefinedLexicon

NN, NE, VB = (tag(name) for name in ("NN", "NE", "VB"))
S = Nonterminal("S")
COUNTS = {
    ("ferry", NN): 6,
    ("run", NN): 2,
    ("run", VB): 4,
    ("tug", NN): 1,
    ("oar", NN): 2,
    ("Ems", NE): 3,
    ("row", VB): 1,
    ("row", NN): 1,
}


def grammar_with(counts) -> RefinedGrammar:
    """Return a grammar whose words seen three times or less are rare."""
    grammar = Grammar({Rule(S, (symbol,), ((0,),)): 1.0 for symbol in (NN, NE, VB)}, start=S)
    seen: Counter = Counter()
    for (word, _), count in counts.items():
        seen[Form(word, False)] += count
    classes = WordClasses.learn(seen)
    pairs: dict = {}
    for (word, symbol), count in counts.items():
        grammar.lexicon.add(symbol, word, count)
        pair = symbol, classes.of_sentence(["0", word])[1]
        pairs[pair] = pairs.get(pair, 0.0) + count
    return RefinedGrammar(grammar, classes, pairs)


@pytest.fixture
def refined():
    return grammar_with(COUNTS)


def test_words_have_the_tags_of_a_plain_grammar(refined):
    # Rare words in lower case: tug, oar and row, four times NN and once VB.
    signatures = {"lower -": {NN: 4, VB: 1}, "Capital -": {NE: 3}}
    plain = WordModel(Lexicon(refined.grammar.lexicon.words, signatures))
    words = ["0", "ferry", "run", "quay", "row", "Ulm", "eBay"]
    assert RefinedLexicon(refined).tags(words) == plain.tags(words)


def test_a_treebank_without_rare_words():
    assert RefinedLexicon(grammar_with({("run", VB): 9})).tags(["eBay", "run"]) == [{}, {VB: 0.0}]


@given(st.dictionaries(st.sampled_from(list(COUNTS)), st.integers(1, 5), min_size=1))
def test_costs_are_never_negative(counts):
    """The search needs that (Knuth 1977)."""
    words = RefinedLexicon(grammar_with(counts))
    for candidates in words.tags([word for word, _ in counts]):
        assert candidates
        assert all(cost >= 0 for cost in candidates.values())


def test_which_pair_stands_for_a_word(refined):
    number = {pair: place for place, pair in enumerate(refined.pairs)}
    words = ["0", "run", "tug", "ferry", "Ems", "eBay"]
    _, run, tug, ferry, ems, unknown = RefinedLexicon(refined).pairs(words)
    assert run == {NN: number[NN, "run"], VB: number[VB, "run"]}
    assert tug == {NN: number[NN, "lower -"], VB: number[VB, "lower -"]}
    # Seen only as a noun; as a verb it has the class of its signature.
    assert ferry == {NN: number[NN, "ferry"], VB: number[VB, "lower -"]}
    assert ems == {NE: number[NE, "Capital -"]}
    assert unknown == {}
