"""Lexicons with signatures in formats that cannot hold them."""

import pytest
from exchange import there_and_back, written

from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag

S, A = Nonterminal("S"), tag("A")
RULES = {Rule(S, (A,), ((0,),)): 0.25, Rule(S, (A, A), ((0, 1),)): 0.75}
LEXICON = Lexicon({"dog": {A: 1}, "cat": {A: 3}}, {"lower -": {A: 4}})


@pytest.mark.parametrize("extension", [".rules", ".rcg", ".pmcfg"])
def test_signatures_are_lost(tmp_path, extension):
    grammar = Grammar(RULES, LEXICON, S, "probabilities")
    back = there_and_back(grammar, extension)
    assert back.rules == grammar.rules
    assert back.lexicon == Lexicon(LEXICON.probabilities())
    assert written(tmp_path, grammar, extension)[1] == "dog\tA 0.25\ncat\tA 0.75\n"
