"""The transformation that a model states for its trees, and the way back to the options."""

from __future__ import annotations

from collections.abc import Mapping

from plcfrs.errors import InputError
from plcfrs.transformation.presets import Continuous, Options, Punctuation
from plcfrs.trees.heads import PACKAGED, collins, read_head_rules

_OF_A_FILE = "of a file"


def describe(options: Options) -> dict[str, str]:
    """Return what a model states about the transformation of its trees.

    Head rules are stated unless they are those of Collins (1999), corrections if there are any.

    >>> describe(Options(splits=(), punctuation="low"))["splits"]
    'none'
    """
    stated = {
        "reattached": _joined(options.reattach),
        "unary SBAR": "kept" if options.keep_sbar else "removed",
        "splits": _joined(options.splits),
        "punctuation": options.punctuation,
        "attached low": _yes_or_no(options.attach_low),
        "balanced": _yes_or_no(options.pair_marks),
        "continuous": options.continuous,
    }
    if options.head_rules != collins():
        known = (name for name in PACKAGED if read_head_rules(name) == options.head_rules)
        stated["head rules"] = next(known, _OF_A_FILE)
    if options.corrections:
        stated["corrections"] = _OF_A_FILE
    return stated


def options_of(stated: Mapping[str, str]) -> Options:
    """Return the stated options: the inverse of `describe`; rules in a file of their own are lost.

    >>> options_of(describe(Options(splits=(), punctuation="low")))
    Options(splits=(), punctuation='low')
    """
    for name in ("head rules", "corrections"):
        if stated.get(name) == _OF_A_FILE:
            raise InputError(f"the {name} of its treebank were in a file of their own")
    default = describe(Options())
    values = {**default, "head rules": "collins", **stated}
    punctuation: Punctuation = values["punctuation"]  # type: ignore[assignment]
    continuous: Continuous = values["continuous"]  # type: ignore[assignment]
    return Options(
        reattach=_split(values["reattached"]),
        keep_sbar=values["unary SBAR"] == "kept",
        splits=_split(values["splits"]),
        head_rules=read_head_rules(values["head rules"]),
        punctuation=punctuation,  # checked by Options
        attach_low=values["attached low"] == "yes",
        pair_marks=values["balanced"] == "yes",
        continuous=continuous,
    )


def _joined(names: tuple[str, ...]) -> str:
    return ",".join(names) or "none"


def _split(names: str) -> tuple[str, ...]:
    return () if names == "none" else tuple(names.split(","))


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
