"""Values as a text and arrays, as models store them; reading them runs no code.

The types of fields declare what is stored. Texts, numbers and collections are JSON; arrays and
bytes are arrays, named by their places. A field with ``stored=False`` is left out. A class may
define `stored` and `restored` to store something else, and `check` to refuse values. Whatever a
file says, only declared types are made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from inspect import signature
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError, MissingError

TYPES = {
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "U16": "<u2",
    "I16": "<i2",
    "U32": "<u4",
    "I32": "<i4",
    "U64": "<u8",
    "I64": "<i8",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
}
"""The numbers in arrays, by their names in safetensors."""

# The type of the numbers of each type of arrays. We look types up and never take them apart:
# versions of NumPy differ in what `NDArray` consists of.
_ALIAS: Any = NDArray
_NUMBERS = {_ALIAS[kind]: kind for kind in (Any, *(np.dtype(text).type for text in TYPES.values()))}


Value = TypeVar("Value")
Arrays = dict[str, NDArray[Any]]
Place = tuple[str | int, ...]
Hint = Any  # a type or another annotation, such as a union

_PLAIN = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}
_ARRAY = 0  # stands for an array in JSON


class _Form(NamedTuple):
    """Functions that write values as JSON and arrays, and read them, given their place."""

    pack: Callable[[Any, Place, Arrays], Any]
    unpack: Callable[[Any, Place, Arrays], Any]


def pack(value: object, *place: str) -> tuple[str, Arrays]:
    """Return a value as JSON, and its arrays, whose names begin with a place."""
    arrays: Arrays = {}
    kind: Hint = type(value)
    packed = _form(kind).pack(value, place, arrays)
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":")), arrays


def unpack(kind: type[Value], text: str, arrays: Arrays, *place: str) -> Value:
    """Return the value of a type, with these arrays, not with copies.

    A part that is missing or has another type is a ValueError or a LookupError; something missing
    outside the file, such as a pretrained encoder, is a MissingError.
    """
    hint: Hint = kind
    try:
        value: Value = _form(hint).unpack(json.loads(text), place, arrays)
    except MissingError:
        raise
    except InputError as error:  # of a check
        raise ValueError(str(error)) from None
    return value


@cache
def _form(kind: Hint) -> _Form:
    origin: Hint = get_origin(kind) or kind
    args: Hint = get_args(kind)
    if hasattr(kind, "stored"):
        form = _form(get_type_hints(kind.stored)["return"])
        return _converted(form, kind.stored, kind.restored)
    if origin in (Union, UnionType):
        return _union([arg for arg in args if arg is not NoneType], NoneType in args)
    if origin is Literal:
        return _plain(lambda value: value in args)
    if kind in _PLAIN:
        return _plain(lambda value: type(value) in _PLAIN[kind])
    if kind in _NUMBERS:
        return _array(_NUMBERS[kind])
    if kind is bytes:
        return _converted(_array(np.uint8), lambda value: np.frombuffer(value, np.uint8), bytes)
    if not args:
        return _fields(kind)
    if origin is frozenset:
        return _converted(_sequence(args[0]), sorted, frozenset)
    if origin is tuple and args[-1] is not ...:
        return _list(list(map(_form, args)), len(args))
    if origin in (tuple, Sequence):
        return _sequence(args[0])
    if origin not in (dict, Mapping):
        raise TypeError(f"values of the type {kind} cannot be stored")
    if args[0] is str:
        form = _form(args[1])
        return _dict(lambda _: form)
    return _converted(_sequence(tuple[args]), lambda value: value.items(), dict)


def _plain(fits: Callable[[Any], bool]) -> _Form:
    return _Form(lambda value, *_: value, lambda value, *_: _checked(value, fits(value)))


def _array(dtype: Hint) -> _Form:
    def pack(value: NDArray[Any], place: Place, arrays: Arrays) -> int:
        arrays[_name(place)] = value
        return _ARRAY

    def unpack(value: int, place: Place, arrays: Arrays) -> NDArray[Any]:
        array = arrays[_name(place)]
        return _checked(array, value == _ARRAY and dtype in (Any, array.dtype.type))

    return _Form(pack, unpack)


def _name(place: Place) -> str:
    return ".".join(map(str, place))


def _sequence(kind: Hint) -> _Form:
    """Return the form of tuples of any length; tuples without arrays are read faster."""
    if kind in _PLAIN:
        kinds = _PLAIN[kind]
        return _Form(
            lambda values, *_: list(values),
            lambda values, *_: tuple(
                _checked(values, type(values) is list and set(map(type, values)).issubset(kinds))
            ),
        )
    origin: Hint = get_origin(kind)
    parts: Hint = get_args(kind)
    if origin is tuple and parts[-1] is not ...:
        return _converted(
            _list(list(map(_sequence, parts)), len(parts)),
            lambda rows: [[row[column] for row in rows] for column in range(len(parts))],
            lambda columns: tuple(zip(*columns, strict=True)),
        )
    return _list(repeat(_form(kind)))


def _list(forms: Iterable[_Form], length: int | None = None) -> _Form:
    def turn(way: int, values: Iterable[Any], place: Place, arrays: Arrays) -> list[Any]:
        pairs = enumerate(zip(forms, values, strict=False))
        return [form[way](value, (*place, number), arrays) for number, (form, value) in pairs]

    def unpack(values: Any, place: Place, arrays: Arrays) -> tuple[Any, ...]:  # noqa: ANN401
        _checked(values, type(values) is list and length in (None, len(values)))
        return tuple(turn(1, values, place, arrays))

    return _Form(partial(turn, 0), unpack)


def _dict(form_of: Callable[[str], _Form]) -> _Form:
    def turn(way: int, values: Mapping[str, Any], place: Place, arrays: Arrays) -> dict[str, Any]:
        items = values.items()
        return {key: form_of(key)[way](value, (*place, key), arrays) for key, value in items}

    return _Form(
        partial(turn, 0),
        lambda values, *rest: turn(1, _checked(values, type(values) is dict), *rest),
    )


def _fields(kind: Hint) -> _Form:
    hints = get_type_hints(kind)
    names = getattr(kind, "_fields", None) or [
        field.name for field in fields(kind) if field.metadata.get("stored", field.init)
    ]
    form = _dict({name: _form(hints[name]) for name in names}.__getitem__)
    parameters = signature(kind).parameters.values()
    required = {parameter.name for parameter in parameters if parameter.default is parameter.empty}

    def make(values: dict[str, Any]) -> Any:  # noqa: ANN401
        value = kind(**_checked(values, required <= values.keys()))
        if hasattr(value, "check"):
            value.check()
        return value

    return _Form(
        lambda value, *rest: form.pack({name: getattr(value, name) for name in names}, *rest),
        lambda *args: make(form.unpack(*args)),
    )


def _union(kinds: list[Hint], is_optional: bool) -> _Form:
    """Return the form of one type or None, or of types that are told apart by their names."""
    if is_optional:
        form = _form(kinds[0])
        return _Form(
            lambda value, *rest: None if value is None else form.pack(value, *rest),
            lambda value, *rest: None if value is None else form.unpack(value, *rest),
        )
    classes = [np.ndarray if kind in _NUMBERS else kind for kind in kinds]
    forms = {class_.__name__: _form(kind) for class_, kind in zip(classes, kinds, strict=True)}

    def unpack(value: Any, *rest: Any) -> Any:  # noqa: ANN401
        name, content = _checked(value, type(value) is list and len(value) == 2)
        return forms[_checked(name, type(name) is str)].unpack(content, *rest)

    return _Form(
        lambda value, *rest: [name := type(value).__name__, forms[name].pack(value, *rest)], unpack
    )


def _converted(form: _Form, to: Callable[[Any], Any], back: Callable[[Any], Any]) -> _Form:
    """Return the form of values that are stored as other values."""
    return _Form(
        lambda value, *rest: form.pack(to(value), *rest), lambda *args: back(form.unpack(*args))
    )


def _checked(value: Value, is_right: bool) -> Value:
    if not is_right:
        raise ValueError("a value has another type than declared")
    return value
