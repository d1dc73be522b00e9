"""The counts of the parts of a treebank, merged in order, are those of the whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recipe_strategies import RECIPES
from strategies import trees

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag
from plcfrs.trees.heads import mark_heads


def in_order(grammar):
    """Return all contents of a grammar, with their order."""
    lexicon = grammar.lexicon
    tables = (lexicon.words, lexicon.initial, lexicon.signatures)
    words = [[(word, [*tags.items()]) for word, tags in table.items()] for table in tables]
    return [*grammar.rules.items()], words, grammar.weights, grammar.options


@given(st.lists(trees(), max_size=6), RECIPES, st.data())
def test_merged_parts_are_the_whole(treebank, recipe, data):
    treebank = list(map(mark_heads, treebank))
    merged = Grammar()
    start = 0
    while start < len(treebank):
        end = data.draw(st.integers(start + 1, len(treebank)))
        merged.merge(recipe.count(treebank[start:end]))
        start = end
    whole = recipe.count(treebank)
    assert in_order(merged) == in_order(whole)
    if treebank:
        assert in_order(recipe.estimate(merged)) == in_order(recipe.extract(treebank))


def test_new_rules_and_words_come_last():
    s, np, nn = Nonterminal("S"), Nonterminal("NP"), tag("NN")
    first = Grammar({Rule(s, (np,), ((0,),)): 1}, Lexicon({"dog": {nn: 1}}))
    second = Grammar(
        {Rule(np, (nn,), ((0,),)): 2, Rule(s, (np,), ((0,),)): 3},
        Lexicon({"ferry": {nn: 1}, "dog": {tag("NP"): 1, nn: 4}}),
    )
    first.merge(second)
    assert [(str(rule), count) for rule, count in first.rules.items()] == [
        ("S -> NP [0]", 4),
        ("NP -> NN [0]", 2),
    ]
    assert first.lexicon.words == {"dog": {nn: 5, tag("NP"): 1}, "ferry": {nn: 1}}
    assert list(first.lexicon.words) == ["dog", "ferry"]
    assert second.lexicon.words["dog"] == {tag("NP"): 1, nn: 4}


def test_probabilities_are_not_merged():
    with pytest.raises(GrammarError, match="only grammars with counts can be merged"):
        Grammar().merge(Grammar(weights="probabilities"))


def test_start_symbols_must_agree():
    with pytest.raises(GrammarError, match="start with ROOT and S cannot be merged"):
        Grammar().merge(Grammar(start=Nonterminal("S")))
