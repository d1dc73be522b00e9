import pytest
from quick import core

from plcfrs.errors import InputError
from plcfrs.transformation import Options
from plcfrs.transformation.presets import describe, options_of
from plcfrs.trees.heads import negra

SOME = {
    "default": Options(),
    "context-free": Options(reattach=(), splits=(), keep_sbar=True),
    "german": Options(head_rules=negra(), punctuation="low", attach_low=True, pair_marks=True),
    "continuous": Options(continuous="raise", reattach=("*T*",)),
}


@core(1, "options", SOME.values(), ids=SOME)
def test_stated_options_are_read_again(options):
    assert options_of(describe(options)) == options


def test_what_is_not_stated_is_usual():
    assert options_of({"binarization": "none"}) == Options()


def test_a_file_cannot_be_known():
    stated = describe(Options(corrections={"a": []}))
    with pytest.raises(
        InputError, match="the corrections of its treebank came from a separate file"
    ):
        options_of(stated)
    assert describe(Options(head_rules={}))["head-rules"] == "of a file"
    with pytest.raises(InputError, match="punctuation"):
        options_of({"punctuation": "sideways"})
