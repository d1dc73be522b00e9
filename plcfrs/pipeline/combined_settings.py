"""What can be chosen when parsers are combined, and when a combined parser parses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plcfrs.pipeline.grammar_parser import FallbackOptions
from plcfrs.settings import check_settings, setting


@dataclass(frozen=True)
class WeightSettings:
    """Settings of learning weights."""

    tags: Literal["given", "own"] = setting(
        "given",
        "Whether the weights are for sentences with given tags or for words alone (own).",
    )
    votes: tuple[str, ...] = setting(
        (),
        "Parses of the development set by another program, a treebank of any format, that vote: "
        "NAME=FILE, or FILE alone if it is called like the voter.",
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
class CombinedSettings(WeightSettings):
    """Settings of combining parsers."""

    members: tuple[str, ...] = setting(
        (), "The files of the parsers; the first one with a grammar makes the forests."
    )


@dataclass(frozen=True)
class CombinedOptions(FallbackOptions):
    """Options of parsing with a combined parser."""

    without: tuple[str, ...] = setting(
        (), "Members that are not asked, which is faster: the names of their files, no extension."
    )
    votes: tuple[str, ...] = setting(
        (), "Parses of the input by the other programs that vote: NAME=FILE, as in combining."
    )
