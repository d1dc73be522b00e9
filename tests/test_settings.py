"""Settings: the values of their fields, and messages about wrong values."""

from dataclasses import dataclass
from math import inf
from typing import Literal

import pytest
from quick import core

from plcfrs.errors import InputError
from plcfrs.settings import change_settings, check_settings, setting, settings_of


@dataclass(frozen=True)
class Search:
    beam: int = setting(4, "How many derivations are kept.", least=1, most=100)
    siblings: float = setting(inf, "How many siblings are remembered.", least=0)
    smoothing: float = setting(0.5, "How much is smoothed.", least=0, most=1, fraction=True)
    update: Literal["early", "late"] | None = setting(None, "When it learns.")
    features: tuple[str, ...] = setting((), "What it sees.", choices=("words", "tags"))
    order: str = setting("left", "In which order.")
    keep_all: bool = setting(False, "Whether all are kept.")

    def __post_init__(self) -> None:
        check_settings(self)


def test_settings_are_made_of_names_and_values():
    values = {"beam": 8, "siblings": "inf", "features": "words,tags", "keep-all": True}
    expected = Search(beam=8, features=("words", "tags"), keep_all=True)
    assert change_settings(Search(), values) == expected
    assert change_settings(Search(), {"features": ["tags"]}).features == ("tags",)


@core(
    3,
    ("name", "value", "message"),
    [
        ("beam", 0, "beam: 0 is not a whole number from 1 to 100"),
        ("beam", True, "beam: True is not a whole number from 1 to 100"),
        ("beam", 2.5, "beam: 2.5 is not a whole number from 1 to 100"),
        ("siblings", -1, "siblings: -1 is not a whole number of at least 0, or inf"),
        ("siblings", 1.5, "siblings: 1.5 is not a whole number of at least 0, or inf"),
        ("smoothing", 1.5, "smoothing: 1.5 is not a number from 0 to 1"),
        ("update", "now", "update: 'now' is not one of early, late"),
        ("features", "words,sounds", "features: 'sounds' is not one of words, tags, none"),
        ("order", 7, "order: 7 is not text"),
        ("keep-all", "yes", "keep-all: 'yes' is not true or false"),
        (
            "keepall",
            True,
            "there is no setting keepall: expected one of beam, siblings, smoothing, update",
        ),
    ],
)
def test_what_is_not_possible_is_named(name, value, message):
    with pytest.raises(InputError) as error:
        change_settings(Search(), {name: value})
    assert str(error.value).startswith(message)


def test_a_number_without_bounds_is_named_without_them():
    @dataclass(frozen=True)
    class Shift:
        words: int = setting(0, "How far to shift.")

    (words,) = settings_of(Shift)
    assert words.expected == "a whole number"


def test_what_a_field_may_be_is_told_by_its_type():
    beam, siblings, _, update, features, *_ = settings_of(Search)
    assert (beam.type, beam.least, beam.optional) == (int, 1, False)
    assert (siblings.type, siblings.fraction, siblings.default) == (float, False, inf)
    assert (update.choices, update.optional) == (("early", "late"), True)
    assert (features.type, features.help) == (tuple, "What it sees.")
