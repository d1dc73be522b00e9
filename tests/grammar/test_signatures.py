"""Signatures of rare words, with their tags."""

from plcfrs.grammar import Lexicon, tag
from plcfrs.grammar.words import learn_signatures

NN, VB, NE = (tag(name) for name in ("NN", "VB", "NE"))


def test_rare_words_are_counted_by_their_signatures():
    lexicon = Lexicon()
    lexicon.add(NN, "ferry", 4)  # frequent
    lexicon.add(NN, "tug", 2)
    lexicon.add(VB, "tug", 1)
    lexicon.add(VB, "row", 1)
    lexicon.add(NE, "Ems", 2)
    learn_signatures(lexicon)
    assert lexicon.signatures == {"lower -": {NN: 2, VB: 2}, "Capital -": {NE: 2}}


def test_words_at_the_beginning_of_sentences_are_counted_apart():
    lexicon = Lexicon()
    lexicon.add(NE, "Ems")
    lexicon.add(NE, "Ems", is_initial=True)
    lexicon.add(VB, "Row", is_initial=True)
    assert lexicon.words["Ems"] == {NE: 2}
    learn_signatures(lexicon)
    assert lexicon.signatures == {"Capital -": {NE: 1}, "Capital first -": {NE: 1, VB: 1}}
    assert lexicon.initial == {}


def test_words_that_are_all_frequent():
    lexicon = Lexicon({"ferry": {NN: 4}})
    learn_signatures(lexicon)
    assert lexicon == Lexicon({"ferry": {NN: 4}})
