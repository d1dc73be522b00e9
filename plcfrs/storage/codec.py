"""Values as a text and arrays, and back: the types of fields declare what is stored.

Texts, numbers and collections are JSON; arrays and bytes are arrays, named by the paths to them. A
field with ``stored=False`` is left out. By `stored` and `restored`, a class may say that something
else is stored, and by `check`, which values are valid. Only declared types are ever made, so
reading a file never runs anything that the file chooses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache, partial
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import InputError, MissingError

Value = TypeVar("Value")
Arrays = dict[str, NDArray[Any]]
Path = tuple[str | int, ...]
Hint = Any  # a type or another annotation, such as a union

_PLAIN = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}
_ARRAY = 0  # stands for an array in JSON


class _Form(NamedTuple):
    """How values become JSON, given their path and where arrays go; and how they are read."""

    pack: Callable[[Any, Path, Arrays], Any]
    unpack: Callable[[Any, Path, Arrays], Any]


def pack(value: object, *path: str) -> tuple[str, Arrays]:
    """Return a value as JSON, and its arrays, whose names begin with a path."""
    arrays: Arrays = {}
    kind: Hint = type(value)
    found = _form(kind).pack(value, path, arrays)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")), arrays


def unpack(kind: type[Value], text: str, arrays: Arrays, *path: str) -> Value:
    """Return the value of a type, with the given arrays themselves.

    A missing or damaged part may raise any exception: a MissingError for something outside the
    file, such as a pretrained encoder, a GrammarError for a grammar.
    """
    hint: Hint = kind
    try:
        value: Value = _form(hint).unpack(json.loads(text), path, arrays)
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
        return _other(form, kind.stored, kind.restored)
    if origin in (Union, UnionType):
        return _union([each for each in args if each is not NoneType], NoneType in args)
    if origin is Literal:
        return _plain(lambda value: value in args)
    if kind in _PLAIN:
        return _plain(lambda value: type(value) in _PLAIN[kind])
    if origin is np.ndarray:
        return _array(get_args(args[1])[0])
    if kind is bytes:
        return _other(_array(np.uint8), lambda value: np.frombuffer(value, np.uint8), bytes)
    if not args:
        return _fields(kind)
    if origin is frozenset:
        return _other(_sequence(args[0]), sorted, frozenset)
    if not issubclass(origin, Mapping):
        is_fixed = origin is tuple and args[-1] is not ...
        return _list(list(map(_form, args)), len(args)) if is_fixed else _sequence(args[0])
    if args[0] is str:
        return _dict(lambda _: _form(args[1]))
    return _other(_sequence(tuple[args]), lambda value: value.items(), dict)


def _plain(fits: Callable[[Any], bool]) -> _Form:
    return _Form(lambda value, *_: value, lambda value, *_: _checked(value, fits(value)))


def _array(dtype: Hint) -> _Form:
    def pack(value: NDArray[Any], path: Path, arrays: Arrays) -> int:
        arrays[_name(path)] = value
        return _ARRAY

    def unpack(value: int, path: Path, arrays: Arrays) -> NDArray[Any]:
        array = arrays[_name(path)]
        return _checked(array, value == _ARRAY and dtype in (Any, array.dtype.type))

    return _Form(pack, unpack)


def _name(path: Path) -> str:
    return ".".join(map(str, path))


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
        return _other(
            _list(list(map(_sequence, parts)), len(parts)),
            lambda rows: [[row[column] for row in rows] for column in range(len(parts))],
            lambda columns: tuple(zip(*columns, strict=True)),
        )
    return _list(repeat(_form(kind)))


def _list(forms: Iterable[_Form], length: int | None = None) -> _Form:
    def turn(way: int, values: Iterable[Any], path: Path, arrays: Arrays) -> list[Any]:
        pairs = enumerate(zip(forms, values, strict=False))
        return [form[way](value, (*path, place), arrays) for place, (form, value) in pairs]

    def unpack(values: Any, path: Path, arrays: Arrays) -> tuple[Any, ...]:  # noqa: ANN401
        _checked(values, type(values) is list and length in (None, len(values)))
        return tuple(turn(1, values, path, arrays))

    return _Form(partial(turn, 0), unpack)


def _dict(form_of: Callable[[str], _Form]) -> _Form:
    def turn(way: int, values: Mapping[str, Any], path: Path, arrays: Arrays) -> dict[str, Any]:
        items = values.items()
        return {key: form_of(key)[way](value, (*path, key), arrays) for key, value in items}

    return _Form(partial(turn, 0), partial(turn, 1))


def _fields(kind: Hint) -> _Form:
    hints = get_type_hints(kind)
    names = getattr(kind, "_fields", None) or [
        each.name for each in fields(kind) if each.metadata.get("stored", each.init)
    ]
    form = _dict({name: _form(hints[name]) for name in names}.__getitem__)

    def make(values: dict[str, Any]) -> Any:  # noqa: ANN401
        made = kind(**values)
        if hasattr(made, "check"):
            made.check()
        return made

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
    forms = {kind.__name__: _form(kind) for kind in kinds}
    return _Form(
        lambda value, *rest: [name := type(value).__name__, forms[name].pack(value, *rest)],
        lambda value, *rest: forms[value[0]].unpack(value[1], *rest),
    )


def _other(form: _Form, to: Callable[[Any], Any], back: Callable[[Any], Any]) -> _Form:
    return _Form(
        lambda value, *rest: form.pack(to(value), *rest), lambda *args: back(form.unpack(*args))
    )


def _checked(value: Value, is_right: bool) -> Value:
    if not is_right:
        raise ValueError("a value of another type than declared")
    return value
