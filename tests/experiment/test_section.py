"""Errors in a file are one line: the file, the key, the possible values."""

import re

import pytest
from quick import core

from plcfrs.errors import InputError
from plcfrs.experiment import load_experiment

TREES = "treebank: {path: 'plcfrs:demo'}\nsets: {Tr: }\n"
START = f"{TREES}scores: []\n"
PARSER = "parsers: {p: {training: Tr, test: Tr}}\n"
WRONG = {
    "": r"nothing is not a mapping",
    "- a": r"\['a'\] is not a mapping",
    "2: 3": r"the key 2 is not text",
    "a: [1": r":1|:2",
    "title: [a]": r"title: \['a'\] is not text",
    "titel: a": r"unknown key 'titel': is it title\?",
    "a: 1\na: 2": r":1: the key 'a' occurs twice",
    "a: &b [1]\nc: *b": r":2: references such as \*name are not allowed",
    "a: &a [*a]": r":1: references",
    f"a: {'[' * 9}{']' * 9}": r"more than 8 levels",
    f"a: {'[' * 100_000}": r"more than 8 levels",
    "!!python/object/apply:os.getcwd []": r"could not determine a constructor",
    "a: 2011-99-99": r"not YAML: month must be in 1..12",
    "{sets: {Tr: }, scores: []}": r"the key 'treebank' is missing",
    "{treebank: {}, sets: {}, scores: []}": r"treebank: the key 'path' is missing",
    "treebank: {path: 'plcfrs:demo'}": r"the key 'sets' is missing",
    TREES: r"the key 'scores' is missing",
    START + "parsers: {p: {training: Tr}}": r"parsers, p: the key 'test' is missing",
    START + "parsers: {p: {training: Te, test: Tr}}": r"training: unknown value 'Te'.* Tr\?",
    START + "parsers: {p: {binarisation: no}}": r"parsers, p: unknown key .*binarization\?",
    START + "parsers: {p/q: {training: Tr, test: Tr}}": r"p/q: the name is also a file name",
    START + "parsers: {p: {grid: {vertical: [1]}}}": r"must contain \{vertical\}",
    START + "parsers: {'{vertical}': {grid: {vertical: 1}}}": r"expected a list of values",
    TREES + PARSER + "scores: [{kind: bracket}]": r"scores 1: kind: .* brackets\?",
    TREES + PARSER + "scores: [{gold: Tr}]": r"scores 1: the key 'kind' is missing: one of",
    TREES + PARSER + "scores: [{kind: brackets, gold: Te}]": r"gold: unknown value 'Te'",
    TREES + PARSER + "scores: [{kind: brackets, gold: Tr, parsers: [q]}]": r"value 'q'.* p\?",
    TREES
    + PARSER
    + "scores: [{kind: brackets, gold: Tr, parsers: []}]": r"expected at least one parser",
    TREES + PARSER + "scores: [{kind: trees, gold: {Tr: [p]}}]": r"needs the name of one set: Tr",
    TREES + "scores: [{kind: brackets, gold: Tr}]": r"parsers: expected at least one parser",
    TREES
    + PARSER
    + "scores: [{kind: parsers, without: ['*']}]": r"parsers: expected at least one parser of: p",
    TREES + PARSER + "scores: [{kind: parsers, columns: [F1]}]": r"unknown column 'F1': is",
    TREES + PARSER + "scores: [{kind: parsers, columns: [Rules <= 9]}]": r"column 'Rules <= 9'",
    TREES + PARSER + "scores: [{kind: trees, gold: Tr, columns: [LF1]}]": r"unknown column 'LF1'",
    "treebank: {path: $NO_SUCH_TREES}": r":1: \$NO_SUCH_TREES: set this environment variable",
    START + "parsers: {p: {test: Tr}}": r"p: the key 'training' is missing: one of Tr",
    START + "parsers: {p: {test: Tr, model: q}}": r"p: model: 'q' is neither a parser nor a file",
    START + "parsers: {p: {training: Tr, test: Tr, seeds: 2}}": r"seeds: .* has no seed",
}
PARSER_OPTIONS = {
    "vertical: two": r"vertical: 'two' is not a whole number of at least 1, or inf",
    "horizontal: 1": r"horizontal: needs a binarization of trees: head-outward",
    "preset: markov": r"preset: unknown value 'markov': is it markov-v1h1\?",
    "kind: refined, estimator: factored": r"unknown key 'estimator'",
    "kind: refined, objective: mcp": r"objective: unknown value 'mcp'",
    "cycles: 1": r"unknown key 'cycles'",
}
SET_OPTIONS = {
    "max-length: 0": r"sets, Tr: max-length: 0 is not a whole number of at least 1",
    "max-length: yes": r"max-length: True is not a whole number",
    "sentences: 1..2": r"sentences: '1..2' is not a number or a range",
    "files: training": r"files: unknown value 'training': there are none",
    "transformation: foo": r"transformation: unknown value 'foo': there are none",
    "every: 0": r"every: 0 is not a whole number of at least 1",
}


def message(write, text):
    path = write(text)
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@core(5, ("text", "expected"), WRONG.items(), ids=range(len(WRONG)))
def test_wrong_files(write, text, expected):
    assert re.search(expected, message(write, text))


@core(2, ("option", "expected"), PARSER_OPTIONS.items())
def test_wrong_options_of_a_parser(write, option, expected):
    text = START + f"parsers: {{p: {{training: Tr, test: Tr, {option}}}}}\n"
    assert re.search(expected, message(write, text))


@core(2, ("option", "expected"), SET_OPTIONS.items())
def test_wrong_options_of_a_set(write, option, expected):
    text = f"treebank: {{path: 'plcfrs:demo'}}\nsets: {{Tr: {{{option}}}}}\nscores: []\n"
    assert re.search(expected, message(write, text))


def test_files_that_are_not_text(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"title: \xe9")
    with pytest.raises(InputError, match=r"latin.yaml: not a text file in utf-8"):
        load_experiment(tmp_path / "latin.yaml")
    with pytest.raises(InputError, match=r"none.yaml: cannot be read: No such file"):
        load_experiment(tmp_path / "none.yaml")


def test_figures_that_are_none(write):
    text = TREES + PARSER + "scores: [{kind: brackets, gold: Tr, published: %s}]"
    rows = {
        "{columns: [a], rows: {LP: [1, 2]}}": "LP: expected a list of 1 figures",
        "{columns: [a], rows: {LP: [x]}}": "'x' is not a figure",
        "{column: [a]}": "unknown key 'column': is it columns?",
    }
    for published, expected in rows.items():
        assert expected in message(write, text % published)
