"""The store of the server."""

import pytest

from plcfrs.errors import GrammarError, InputError
from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.web.store import Store, short_sentence


def test_models_of_one_name_are_told_apart_by_their_paths(demo, tmp_path):
    other = tmp_path / demo.name
    other.write_bytes(demo.read_bytes())
    assert list(Store([str(demo), str(other)]).models) == [str(demo), str(other)]
    assert list(Store([str(demo)]).models) == ["demo"]


def test_missing_files_are_errors(demo):
    with pytest.raises(GrammarError, match=r"nowhere\.plcfrs"):
        Store(["nowhere.plcfrs"])
    with pytest.raises(InputError, match=r"nowhere\.mrg"):
        Store([str(demo)], ["nowhere.mrg"])


def test_a_short_sentence_is_in_the_language(demo):
    sentence = short_sentence(Grammar.load(demo))
    assert len(sentence) < 10
    assert GrammarModel.load(demo).parse([(tag, tag) for tag in sentence]).status == "parsed"


def test_a_grammar_without_sentences_has_no_short_one():
    assert short_sentence(Grammar()) == []
