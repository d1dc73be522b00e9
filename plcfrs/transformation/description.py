"""The transformation that a model states for its trees, and the way back to the options."""

from __future__ import annotations

from collections.abc import Mapping

from plcfrs.errors import InputError
from plcfrs.settings import from_texts, to_texts
from plcfrs.transformation.presets import Options
from plcfrs.trees.heads import PACKAGED, collins, read_head_rules

_OF_A_FILE = "of a file"


def describe(options: Options) -> dict[str, str]:
    """Return what a model states about the transformation of its trees, the default rules excepted.

    >>> describe(Options(splits=(), punctuation="low"))["splits"]
    'none'
    """
    stated = to_texts(options)
    if options.head_rules != collins():
        known = (name for name in PACKAGED if read_head_rules(name) == options.head_rules)
        stated["head-rules"] = next(known, _OF_A_FILE)
    if options.corrections:
        stated["corrections"] = _OF_A_FILE
    return stated


def options_of(stated: Mapping[str, str]) -> Options:
    """Return the stated options: the inverse of `describe`; rules in a file of their own are lost.

    >>> options_of(describe(Options(splits=(), punctuation="low")))
    Options(splits=(), punctuation='low')
    """
    for name in ("head-rules", "corrections"):
        if stated.get(name) == _OF_A_FILE:
            what = name.replace("-", " ")
            raise InputError(f"the {what} of its treebank were in a file of their own")
    return from_texts(Options(), stated)
