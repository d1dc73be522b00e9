"""Running text is parsed sentence by sentence, and tokens know their places in it."""

from io import StringIO
from itertools import count, islice

import pytest

from plcfrs.parsing.registry import load_model
from plcfrs.trees import Token

TEXT = "News\n\nThe captain can\u2019t see (the boat).\r\nWho will \u201chelp\u201d her?\n"


@pytest.fixture(scope="module")
def model(trained):
    return load_model(trained("gap"))


def written(parses, text):
    return [[text[token.start : token.end] for token in parse.tree.tokens] for parse in parses]


def test_tokens_know_their_places(model):
    parses = list(model.parse_text(TEXT))
    assert written(parses, TEXT) == [
        ["News"],
        ["The", "captain", "ca", "n\u2019t", "see", "(", "the", "boat", ")", "."],
        ["Who", "will", "\u201c", "help", "\u201d", "her", "?"],
    ]
    forms = [token.form for token in parses[1].tree.tokens]
    assert forms[3:6] == ["n't", "see", "-LRB-"]
    assert all(token.tag for parse in parses for token in parse.tree.tokens)


def test_a_file_makes_no_difference(model):
    parses = list(model.parse_text(TEXT))
    again = list(model.parse_text(StringIO(TEXT, newline="")))
    assert [parse.tree for parse in again] == [parse.tree for parse in parses]
    assert written(again, TEXT) == written(parses, TEXT)


@pytest.mark.full
def test_several_processes_make_no_difference(model):
    texts = [TEXT, "", "We sing."] * 3
    assert [[parse.tree for parse in each] for each in model.pipe(texts, jobs=2)] == [
        [parse.tree for parse in each] for each in model.pipe(texts)
    ]
    parses = list(model.parse_text(TEXT))
    assert written(model.parse_text(TEXT, jobs=2), TEXT) == written(parses, TEXT)


def test_each_text_has_its_parses(model):
    texts = ["", "We sing.", " \n", TEXT, "\u00ad"]
    found = list(model.pipe(texts))
    assert [len(parses) for parses in found] == [0, 1, 0, 3, 0]
    assert written(found[3], TEXT) == written(model.parse_text(TEXT), TEXT)


def test_texts_come_with_what_belongs_to_them(model):
    found = model.pipe([("We sing.", 1), ("", None), ("Who? We.", "b")], as_tuples=True)
    assert [(len(parses), context) for parses, context in found] == [(1, 1), (0, None), (2, "b")]


def test_texts_are_read_as_they_are_needed(model):
    read = []

    def texts():
        for number in count():
            read.append(number)
            yield "We sing."

    assert len(list(islice(model.pipe(texts()), 10))) == 10
    assert len(read) < 1000


def test_places_do_not_make_tokens_differ():
    assert Token("a", "DT", start=0, end=1) == Token("a", "DT")
