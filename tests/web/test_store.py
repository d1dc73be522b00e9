"""The store of the server."""

import pytest

from plcfrs.errors import GrammarError, InputError
from plcfrs.grammar import Grammar
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.web.store import Store, short_sentence


def test_models_of_one_name_are_told_apart_without_their_folders(demo, transitions, tmp_path):
    other, gap = tmp_path / demo.name, tmp_path / "demo.gap"
    other.write_bytes(demo.read_bytes())
    gap.write_bytes(transitions.read_bytes())
    assert list(Store([str(demo)]).models) == ["demo"]
    assert list(Store([str(demo), str(gap)]).models) == ["demo.plcfrs", "demo.gap"]
    assert list(Store([str(demo), str(other)]).models) == ["demo.plcfrs", "demo.plcfrs (2)"]


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
