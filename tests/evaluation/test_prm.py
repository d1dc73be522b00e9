"""Settings in the format of EVALB: every key, and errors in files."""

import re

import pytest

from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, FIELD, Settings, load_settings
from plcfrs.evaluation.prm import parse_settings
from plcfrs.trees.heads import PUNCTUATION_TAGS


def test_every_key():
    lines = """
##------------------------------------------##
## Debug mode                               ##
##------------------------------------------##
DEBUG 1
  # it may print too much
MAX_ERROR 10
CUTOFF_LEN 25
LABELED 0
DISC_ONLY 1
DELETE_ROOT_PRETERMS 1
LA 0
TED 0
DEP 0

DELETE_LABEL TOP
DELETE_LABEL   ``\t
DELETE_LABEL #
DELETE_LABEL_FOR_LENGTH -NONE-
DELETE_WORD ...
QUOTE_LABEL ''
EQ_LABEL ADVP PRT
EQ_WORD Dr. Doctor
"""
    assert parse_settings(lines.splitlines()) == Settings(
        ignored_labels=frozenset(["TOP", "``", "#"]),
        ignored_tags=frozenset(["TOP", "``", "#"]),
        equal_labels={"PRT": "ADVP"},
        ignored_words=frozenset(["..."]),
        equal_words={"Doctor": "Dr."},
        uncounted_tags=frozenset(["-NONE-"]),
        cutoff=25,
        labelled=False,
        discontinuous_only=True,
        ignore_root_tokens=True,
    )


def test_defaults_are_those_of_evalb():
    assert parse_settings([]) == Settings(cutoff=40)


def test_equal_labels_form_classes():
    settings = parse_settings(["EQ_LABEL A B", "EQ_LABEL C D", "EQ_LABEL D B", "EQ_LABEL X X"])
    assert settings.equal_labels == dict.fromkeys("ABD", "C")


def test_what_is_equal_to_an_ignored_label_is_ignored():
    settings = parse_settings(["EQ_LABEL A B", "EQ_LABEL B C", "DELETE_LABEL B"])
    assert settings.ignored_labels == frozenset("ABC")
    assert settings.ignored_tags == frozenset("B")


def test_packaged():
    assert load_settings("field") == FIELD
    assert load_settings("all") == ALL
    assert ALL.ignored_labels == {"ROOT", "NOPARSE"}
    assert not ALL.ignored_words
    # The brackets of the Penn Treebank are words for the field.
    assert PUNCTUATION_TAGS - FIELD.ignored_tags == {"-LRB-", "-RRB-"}
    assert {"TOP", "VROOT", "NOPARSE", "-NONE-"} < FIELD.ignored_labels
    assert {"...", "«", "$", "&"} < FIELD.ignored_words
    assert FIELD.equal_labels == {"PRT": "ADVP"}
    assert FIELD.cutoff == 40


def test_what_is_wrong_is_named_with_file_and_line(tmp_path):
    for line, message in [
        ("DELETE_LABLE NP", "unknown key 'DELETE_LABLE': is it one of DELETE_LABEL, DELETE_LABEL_"),
        ("import os", "unknown key 'import': is it one of"),
        ("CUTOFF_LEN 40 # words", "CUTOFF_LEN takes one value, not 3: '40 # words'"),
        ("DELETE_LABEL", "DELETE_LABEL takes one value, not 0: ''"),
        ("EQ_LABEL ADVP", "EQ_LABEL takes two values, not 1: 'ADVP'"),
        ("EQ_LABEL A B C", "EQ_LABEL takes two values, not 3: 'A B C'"),
        ("CUTOFF_LEN __import__('os')", "CUTOFF_LEN takes a number, not \"__import__('os')\""),
        ("CUTOFF_LEN 4²", "CUTOFF_LEN takes a number, not '4²'"),
        ("CUTOFF_LEN " + "1" * 5000, "CUTOFF_LEN takes a number"),
        ("CUTOFF_LEN -1", "CUTOFF_LEN takes a number, not '-1'"),
        ("LABELED 2", "LABELED must be 0 or 1, not 2"),
        ("TED 1", "TED: the tree edit distance is not computed: set it to 0"),
    ]:
        path = tmp_path / "mine.prm"
        path.write_text(f"# Mine\n\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=re.escape(f"{path}:3: {message}")):
            load_settings(path)


def test_twice():
    with pytest.raises(InputError, match=r"settings:2: LABELED occurs twice"):
        parse_settings(["LABELED 1", "LABELED 0"])
    assert parse_settings(["DEBUG -1"]) == Settings(cutoff=40)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"no\.prm: cannot be read.*settings are field, all or"):
        load_settings(tmp_path / "no.prm")
    path = tmp_path / "latin.prm"
    path.write_bytes("DELETE_WORD «\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.prm: settings must be in utf-8"):
        load_settings(path)


def test_a_byte_order_mark_is_no_key(tmp_path):
    path = tmp_path / "bom.prm"
    path.write_text("DELETE_LABEL X\r\n", encoding="utf-8-sig")
    assert load_settings(str(path)).ignored_labels == {"X"}
