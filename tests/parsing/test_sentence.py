"""What counts as a sentence, as several ones, or as running text."""

import re
import warnings

import pytest
from demo_trees import raw_demo_trees
from quick import core

import plcfrs
from plcfrs.errors import InputError
from plcfrs.parsing.sentence import Sentence, are_several
from plcfrs.text import split_words


@pytest.fixture(scope="module")
def model():
    return plcfrs.train("grammar", "plcfrs:demo")


def forms(parse):
    return " ".join(token.form for token in parse.tree.tokens)


TEXTS = ["What should we do ?", "The captain saw the boat ."]


@core(
    1,
    "several",
    [TEXTS, [text.split() for text in TEXTS], tuple(TEXTS), ["Go", "We go ."], [["Go"]]],
    ids=str,
)
def test_a_list_of_sentences_has_a_parse_for_each(model, several):
    parses = model(several)
    expected = [text if isinstance(text, str) else " ".join(text) for text in several]
    assert [forms(parse) for parse in parses] == expected
    for refused in (model.parse, model.surprisal, Sentence.of):
        with pytest.raises(InputError, match="several sentences"):
            refused(several)


def test_trees_are_sentences_too(model):
    trees = raw_demo_trees()[:2]
    assert [parse.tree.id for parse in model(trees)] == ["demo:1", "demo:2"]
    parse = model(trees[0])
    assert parse.tree.id == "demo:1"
    assert parse.tree.tokens == [token for token in trees[0].tokens if not token.is_null]
    assert parse.tree.tokens[0] is not trees[0].tokens[0]


@core(
    1,
    "one",
    [["What", "now"], [("What", "WP"), ("now", "RB")], "What now", (), [], ["", ""]],
    ids=str,
)
def test_words_and_pairs_are_one_sentence(one):
    assert not are_several(one)
    assert Sentence.of(one).words == (
        one.split()
        if isinstance(one, str)
        else [each if isinstance(each, str) else each[0] for each in one]
    )


def test_a_text_is_not_a_list_of_letters(model):
    with pytest.raises(InputError, match="use parse"):
        model.parse_together("What now ?")


@core(
    1,
    ("text", "word"),
    [
        ("The man left.", "left."),
        ("He left, she stayed", "left,"),
        ('She said "no."', '"no."'),
        ("What now?", "now?"),
        ("What/WP now/RB ?/.", "What/WP"),
    ],
)
def test_running_text_is_warned_about_where_the_caller_is(model, text, word):
    with pytest.warns(UserWarning, match=re.escape(word)) as seen:
        model(text)
    assert seen[0].filename == __file__


@core(1, "text", ["The man left .", "U.S. sales", "Yahoo! said so .", "Stop!"])
def test_sentences_that_are_split_give_no_warning(model, text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(text)


def test_a_tokenizer_splits_text(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert forms(model.parse("The man left.", tokenizer=split_words)) == "The man left ."


class TestRunningText:
    """Included models split a text that is one sentence as they split running text."""

    @pytest.fixture
    def reader(self, model, monkeypatch):
        monkeypatch.setattr(model, "reads_text", True)
        return model

    def test_its_words_and_their_places(self, reader):
        tokens = reader("The captain can't see.").tree.tokens
        assert [token.form for token in tokens] == ["The", "captain", "ca", "n't", "see", "."]
        assert [token.start for token in tokens] == [0, 4, 12, 14, 18, 21]
        for several in (reader.parse_together, lambda texts: plcfrs.parse_corpus(reader, texts)):
            parses = several(["We go."])
            assert [forms(parse[0] if isinstance(parse, list) else parse) for parse in parses] == [
                "We go ."
            ]

    def test_a_tokenizer_or_words_come_first(self, reader):
        assert forms(reader.parse("We go.", tokenizer=str.split)) == "We go."
        assert forms(reader(["We", "go."])) == "We go."

    def test_several_sentences_are_one_with_a_warning(self, reader):
        with pytest.warns(UserWarning, match="2 sentences, but it is read as one") as warned:
            assert forms(reader("We go. Who left?")) == "We go . Who left ?"
        assert warned[0].filename == __file__

    def test_words_with_tags_get_a_warning(self, reader):
        with pytest.warns(UserWarning, match="if it is, give pairs"):
            reader("What/WP should/MD we/PRP do/VB")
