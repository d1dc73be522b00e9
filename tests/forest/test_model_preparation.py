"""The sentence that prepares a model."""

from demo_trees import demo_trees

from plcfrs.forest.preparation import easy_sentence, short_sentence
from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel


def test_a_short_sentence_is_in_the_language():
    model = GrammarModel.train(demo_trees())
    sentence = easy_sentence(model)
    assert len(sentence.tokens) < 10
    assert model.parse(sentence).status == "parsed"


def test_a_grammar_without_sentences_has_no_short_one():
    assert short_sentence(Grammar()) == []
