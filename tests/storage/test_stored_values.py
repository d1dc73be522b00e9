"""Values as a text and arrays: they come back, with declared types only."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from stored import REFUSED, reread
from typing_extensions import TypeAliasType

from plcfrs.errors import InputError, MissingError
from plcfrs.storage import stored_values
from plcfrs.storage.stored_values import pack, unpack


class Spelling(NamedTuple):
    word: str

    def stored(self) -> str:
        return self.word[::-1]

    @staticmethod
    def restored(text: str) -> "Spelling":
        return Spelling(text[::-1])


class Pair(NamedTuple):
    label: Literal["a", "b"] | None
    number: int

    def check(self):
        if self.number == 13:
            raise InputError("not this number")


@dataclass(frozen=True)
class Part:
    text: bytes
    scale: float = 1.0
    passes: int = field(default=9, metadata={"stored": False})


@dataclass(eq=False)
class Whole:
    parts: tuple[Part | Pair, ...]
    words: tuple[str, ...]
    known: frozenset[str]
    counts: Mapping[tuple[Spelling, bool], float]
    seen: dict[tuple[str | None, str], Sequence[int]]
    arrays: Mapping[str, NDArray[np.float32]]
    weights: NDArray[np.int64] | None
    any: NDArray[Any]
    fixed: tuple[int, str] = (1, "x")


def text(**options):
    return st.text(st.characters(exclude_categories=["Cs"]), **options)


WHOLES = st.builds(
    Whole,
    st.lists(
        st.builds(Part, st.binary(), st.floats(allow_nan=False), st.just(9))
        | st.builds(Pair, st.sampled_from(["a", "b", None]), st.integers(14))
    ).map(tuple),
    st.lists(text()).map(tuple),
    st.frozensets(text()),
    st.dictionaries(st.tuples(st.builds(Spelling, text()), st.booleans()), st.floats(0, 9)),
    st.dictionaries(
        st.tuples(st.none() | text(), text()), st.lists(st.integers(), min_size=1).map(tuple)
    ),
    st.dictionaries(text(), st.just(np.ones(2, np.float32))),
    st.none() | st.just(np.arange(3)),
    st.just(np.zeros((2, 2), bool)),
)


def content_of(whole):
    """Return what can be compared."""
    content, arrays = pack(whole)
    return content, {name: (each.dtype, each.tolist()) for name, each in arrays.items()}


@given(WHOLES)
def test_values_come_back(whole):
    again = reread(whole)
    assert content_of(again) == content_of(whole)
    for name in ("parts", "words", "known", "counts", "seen", "fixed"):
        assert getattr(again, name) == getattr(whole, name)
    assert (again.weights is None) == (whole.weights is None)


WHOLE = Whole(
    (Part(b"abc"), Pair("a", 1)),
    ("x", "y"),
    frozenset("ab"),
    {(Spelling("ab"), True): 2.0},
    {("a", "b"): (1, 2), (None, "c"): (0,)},
    {"one": np.zeros(2, np.float32)},
    None,
    np.zeros(1),
)


def test_the_text_and_the_names_of_arrays():
    content, arrays = pack(WHOLE, "model")
    assert json.loads(content) == {
        "parts": [["Part", {"text": 0, "scale": 1.0}], ["Pair", {"label": "a", "number": 1}]],
        "words": ["x", "y"],
        "known": ["a", "b"],
        "counts": [[["ba"], [True]], [2.0]],
        "seen": [[["a", None], ["b", "c"]], [[1, 2], [0]]],
        "arrays": {"one": 0},
        "weights": None,
        "any": 0,
        "fixed": [1, "x"],
    }
    assert list(arrays) == ["model.parts.0.text", "model.arrays.one", "model.any"]


def test_arrays_are_not_copied():
    content, arrays = pack(WHOLE)
    assert unpack(Whole, content, arrays).any is WHOLE.any


Scalar = TypeVar("Scalar", bound=np.generic)


def test_the_types_of_arrays_may_be_type_aliases(monkeypatch):
    """As in NumPy 2.5, and as in whatever comes after it: files stay as they are."""
    alias = TypeAliasType("NDArray", np.ndarray[Any, np.dtype[Scalar]], type_params=(Scalar,))
    numbers = {alias[kind]: kind for kind in stored_values._NUMBERS.values() if kind is not Any}
    values = {"x": np.ones(2, np.float32)}, np.zeros(3, np.float32)
    stored = []
    for form, known in ((NDArray, stored_values._NUMBERS), (alias, numbers)):
        monkeypatch.setattr(stored_values, "_NUMBERS", known)
        types = [("one", Mapping[str, form[np.float32]]), ("other", form[np.float32] | Part)]
        content, arrays = pack(make_dataclass("Both", types)(*values))
        again = unpack(make_dataclass("Both", types), content, arrays)
        assert again.other is arrays["other"]
        stored.append((content, list(arrays)))
    assert stored[0] == stored[1]
    assert json.loads(stored[0][0]) == {"one": {"x": 0}, "other": ["ndarray", 0]}


def test_what_has_no_form_is_said_before_anything_is_stored():
    with pytest.raises(TypeError, match="cannot be stored"):
        pack(make_dataclass("Bad", [("one", set[str])])({"x"}))


def test_other_types_than_declared_are_refused():
    for path, other in [
        *(("words", other) for other in (None, 7, "xy", {"x": 1}, ["x", 1], ["x", None], [["x"]])),
        *(("fixed", other) for other in ([1], [1, "x", 2], ["x", 1], [True, "x"], [1.0, "x"], 7)),
        *(("parts", other) for other in ([["Whole", {}]], [["Part", {}]], ["Part"], [7], [[]])),
        ("parts", [["Part", {"text": 0, "scale": "1"}]]),
        ("parts", [["Part", {"text": 0, "passes": 1}]]),
        ("parts", [["Part", {"text": 0, "other": 1}]]),
        ("parts", [["Pair", {"label": "c", "number": 1}]]),
        ("parts", [["Pair", {"label": ["a"], "number": 1}]]),
        ("parts", [["Pair", {"label": "a", "number": 13}]]),
        ("counts", [[["ba"], [1]], [2.0]]),
        ("counts", [[["ba"], [True, True]], [2.0]]),
        ("counts", [[["ba"], [True]], []]),
        ("seen", [[["a"], ["b"]], [[1.5]]]),
        ("seen", {}),
        ("arrays", {"one": 1}),
        ("arrays", {"other": 0}),
        ("arrays", []),
        ("weights", 0),
        ("any", None),
        ("other", 1),
    ]:
        with pytest.raises(REFUSED):
            reread(WHOLE, {path: other})


def test_arrays_of_other_types_are_refused():
    with pytest.raises(ValueError, match="another type than declared"):
        reread(WHOLE, arrays={"arrays.one": np.zeros(2)})
    with pytest.raises(KeyError):
        reread(WHOLE, arrays={"any": None})
    assert reread(WHOLE, arrays={"any": np.zeros(2, np.uint8)}).any.dtype == np.uint8


def test_what_is_missing_is_said():
    class Encoder(NamedTuple):
        name: str

        def check(self):
            raise MissingError("no such encoder")

    with pytest.raises(MissingError, match="no such encoder"):
        reread(Encoder("x"))
