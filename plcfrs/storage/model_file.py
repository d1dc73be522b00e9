"""The file format of all learned models: texts, and arrays that are mapped into memory.

It is a safetensors file, which other programs can open, too; loading it runs no code. Processes
that use the same model share its arrays.

The types of fields declare what is stored. Texts, numbers and collections are JSON; arrays and
bytes are arrays, named by their places. A field with ``stored=False`` is left out. By `stored` and
`restored`, a class may say that something else is stored, and by `check`, which values are valid.
Only declared types are ever made, so reading a file never runs anything that the file chooses.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache, partial
from inspect import signature
from itertools import repeat
from math import prod
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    IO,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from plcfrs.errors import GrammarError, InputError, MissingError, MissingFileError
from plcfrs.storage.files import check_version, errors_name, write_files
from plcfrs.storage.included import model_path, remedy

_VERSION = 3
_DAMAGED = "not a trained model, or damaged or cut off"
_UNFIT = "this version of plcfrs cannot read it"
_FOREIGN = "a safetensors file of another program, not a model of plcfrs"

# The file begins with the length of the header, which is JSON. The highest bytes of that number
# are zero, which no text has.
_LENGTH = 8
_START = b"\0\0\0{"
_METADATA = "__metadata__"
DEFAULT_KIND = "grammar"
"""The kind of all files that are not learned models, and of parsers in experiments by default."""
_ALIGNMENT = 64

# Larger arrays of 16-bit numbers, in bytes, are compressed, which takes a third away: they are the
# weights of millions of features. They are not mapped into memory.
_LARGE = 1 << 24
_FAST = 1  # hardly larger, in a third of the time
_COMPRESSED = "compressed"  # their shapes, in the header

MODEL = "model"
"""The name of the value that makes a parser; checkpoints have more values."""

_TYPES = {
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
_NAMES = {np.dtype(text): name for name, text in _TYPES.items()}

# The numbers of each type of arrays. We never take such a type apart: how `NDArray` is made of
# other types differs from one version of NumPy to another.
_ALIAS: Any = NDArray
_NUMBERS = {_ALIAS[kind]: kind for kind in (Any, *(dtype.type for dtype in _NAMES))}


Value = TypeVar("Value")
Arrays = dict[str, NDArray[Any]]
Place = tuple[str | int, ...]
Hint = Any  # a type or another annotation, such as a union

_PLAIN = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}
_ARRAY = 0  # stands for an array in JSON


class ModelFile(NamedTuple):
    """The contents of a file."""

    kind: str  # of the model, such as "refined" or "gap"
    header: dict[str, str]  # texts by names other than "plcfrs", "kind" and "checksum"
    arrays: dict[str, NDArray[Any]]  # of numbers

    @classmethod
    def of(cls, kind: str, **parts: object) -> ModelFile:
        """Return the contents of a file with some values, see `pack`."""
        texts: dict[str, str] = {}
        arrays: dict[str, NDArray[Any]] = {}
        for name, part in parts.items():
            texts[name], found = pack(part, *_path(name))
            arrays |= found
        return cls(kind, texts, arrays)

    def read(self, name: str, kind: type[Value]) -> Value:
        """Return one of the values; for its errors see `unpack`."""
        return unpack(kind, self.header[name], self.arrays, *_path(name))


def _path(name: str) -> tuple[str, ...]:
    return () if name == MODEL else (name,)


def save(path: str | Path, model_file: ModelFile) -> None:
    """Write a model, always to the same bytes; the file gets its name when it is complete."""
    stored = _compressed(model_file)
    arrays = stored.arrays
    metadata = {"plcfrs": str(_VERSION), "kind": stored.kind, "checksum": _checksum(stored)}
    header: dict[str, object] = {_METADATA: metadata | dict(sorted(stored.header.items()))}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": array.shape,
            "data_offsets": (start, end),
        }
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(_LENGTH + len(text)) % _ALIGNMENT)

    def write(file: IO[bytes]) -> None:
        file.write(len(text).to_bytes(_LENGTH, "little") + text)
        for array in arrays.values():
            file.write(array.data)

    write_files({Path(path): write})


def load(path: str | Path) -> ModelFile:
    """Read a model; its arrays stay in the file until they are used, changes in this process."""
    with opened(path) as contents:
        return contents


@contextmanager
def opened(path: str | Path) -> Iterator[ModelFile]:
    """Read a model as `load` does, for a ``with`` block that makes something of its contents.

    They are what has been written, since their checksum is right: where the block raises anything
    but a ValueError or a LookupError of a check, plcfrs is wrong, not the file.
    """
    contents = _read(path)
    with errors_name(path):
        try:
            yield contents
        except (ValueError, LookupError) as error:
            found = f"{type(error).__name__}: {error}"
            raise GrammarError(f"{_UNFIT} ({found}); {_remedy(path)}") from error


def _read(path: str | Path) -> ModelFile:
    file_path = model_path(path)
    with _errors_of(path):
        with file_path.open("rb") as file:
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        with safe_open(file_path, "numpy") as content:  # which checks types, shapes and places
            _check_not_foreign(content.metadata())
        return _parse(memory)


def kind_of(path: str | Path) -> str:
    """Return the kind of model in a file; "grammar" if it is not a learned model."""
    file_path = model_path(path)
    with _errors_of(path), file_path.open("rb") as file:
        if not file.read(_LENGTH + 1).endswith(_START):
            return DEFAULT_KIND
        with safe_open(file_path, "numpy") as content:
            metadata = content.metadata()
        _check_not_foreign(metadata)
        check_version(metadata["plcfrs"], _VERSION)
        return str(metadata["kind"])


@contextmanager
def _errors_of(path: str | Path) -> Iterator[None]:
    """Let an error name a file that may be damaged."""
    try:
        with errors_name(path):
            yield
    except FileNotFoundError as error:
        raise MissingFileError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None
    except (SafetensorError, ValueError, KeyError):
        raise GrammarError(f"{path}: {_DAMAGED}; {_remedy(path)}") from None


def _remedy(path: str | Path) -> str:
    return remedy(path, "train it again")


def _check_not_foreign(metadata: Mapping[str, str] | None) -> None:
    if "plcfrs" not in (metadata or {}):
        raise GrammarError(_FOREIGN)


def _parse(memory: mmap.mmap) -> ModelFile:
    data = _LENGTH + int.from_bytes(memory[:_LENGTH], "little")
    about = json.loads(memory[_LENGTH:data])
    header = about.pop(_METADATA)
    check_version(header.pop("plcfrs"), _VERSION)
    arrays = {}
    for name, each in about.items():
        shape, (start, _) = each["shape"], each["data_offsets"]
        array = np.frombuffer(memory, _TYPES[each["dtype"]], prod(shape), data + start)
        # Another program may have written an unaligned file.
        arrays[name] = (array if array.flags.aligned else array.copy()).reshape(shape)
    checksum = header.pop("checksum")
    model_file = ModelFile(header.pop("kind"), header, arrays)
    if checksum != _checksum(model_file):
        raise ValueError
    for name, shape in json.loads(header.pop(_COMPRESSED, "{}")).items():
        numbers = bytearray(zlib.decompress(arrays[name].data))  # so that they can be changed
        arrays[name] = np.frombuffer(numbers, "<u2").reshape(shape)
    return model_file


def _compressed(model_file: ModelFile) -> ModelFile:
    """Return what is written for a model: large arrays of 16-bit numbers are compressed."""
    arrays = _ordered(model_file.arrays)
    shapes = {
        name: array.shape
        for name, array in arrays.items()
        if array.dtype == np.uint16 and array.nbytes > _LARGE
    }
    if not shapes:
        return model_file._replace(arrays=arrays)
    compressed = {
        name: np.frombuffer(zlib.compress(arrays[name].data, _FAST), np.uint8) for name in shapes
    }
    header = model_file.header | {_COMPRESSED: json.dumps(shapes)}
    return model_file._replace(header=header, arrays=_ordered(arrays | compressed))


def _ordered(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return arrays in the order of the file: the widest numbers first, so that all are aligned."""
    written = {
        name: np.asarray(array, array.dtype.newbyteorder("<"), order="C")
        for name, array in arrays.items()
    }
    return dict(sorted(written.items(), key=lambda item: (-item[1].itemsize, item[0])))


def _checksum(model_file: ModelFile) -> str:
    kind, header, arrays = model_file
    shapes = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    checksum = zlib.crc32(json.dumps([kind, sorted(header.items()), shapes]).encode())
    for array in arrays.values():
        checksum = zlib.crc32(array.data, checksum)
    return f"{checksum:08x}"


class _Form(NamedTuple):
    """How values become JSON, given their place and where arrays go; and how they are read."""

    pack: Callable[[Any, Place, Arrays], Any]
    unpack: Callable[[Any, Place, Arrays], Any]


def pack(value: object, *place: str) -> tuple[str, Arrays]:
    """Return a value as JSON, and its arrays, whose names begin with a place."""
    arrays: Arrays = {}
    kind: Hint = type(value)
    found = _form(kind).pack(value, place, arrays)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")), arrays


def unpack(kind: type[Value], text: str, arrays: Arrays, *place: str) -> Value:
    """Return the value of a type, with the given arrays themselves.

    A part that is missing or of another type is a ValueError or a LookupError; something missing
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
        return _other(form, kind.stored, kind.restored)
    if origin in (Union, UnionType):
        return _union([each for each in args if each is not NoneType], NoneType in args)
    if origin is Literal:
        return _plain(lambda value: value in args)
    if kind in _PLAIN:
        return _plain(lambda value: type(value) in _PLAIN[kind])
    if kind in _NUMBERS:
        return _array(_NUMBERS[kind])
    if kind is bytes:
        return _other(_array(np.uint8), lambda value: np.frombuffer(value, np.uint8), bytes)
    if not args:
        return _fields(kind)
    if origin is frozenset:
        return _other(_sequence(args[0]), sorted, frozenset)
    if origin is tuple and args[-1] is not ...:
        return _list(list(map(_form, args)), len(args))
    if origin in (tuple, Sequence):
        return _sequence(args[0])
    if origin not in (dict, Mapping):
        raise TypeError(f"values of the type {kind} cannot be stored")
    if args[0] is str:
        form = _form(args[1])
        return _dict(lambda _: form)
    return _other(_sequence(tuple[args]), lambda value: value.items(), dict)


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
        return _other(
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
        each.name for each in fields(kind) if each.metadata.get("stored", each.init)
    ]
    form = _dict({name: _form(hints[name]) for name in names}.__getitem__)
    parameters = signature(kind).parameters.values()
    needed = {each.name for each in parameters if each.default is each.empty}

    def make(values: dict[str, Any]) -> Any:  # noqa: ANN401
        made = kind(**_checked(values, needed <= values.keys()))
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
    classes = [np.ndarray if kind in _NUMBERS else kind for kind in kinds]
    forms = {each.__name__: _form(kind) for each, kind in zip(classes, kinds, strict=True)}

    def unpack(value: Any, *rest: Any) -> Any:  # noqa: ANN401
        name, content = _checked(value, type(value) is list and len(value) == 2)
        return forms[_checked(name, type(name) is str)].unpack(content, *rest)

    return _Form(
        lambda value, *rest: [name := type(value).__name__, forms[name].pack(value, *rest)], unpack
    )


def _other(form: _Form, to: Callable[[Any], Any], back: Callable[[Any], Any]) -> _Form:
    return _Form(
        lambda value, *rest: form.pack(to(value), *rest), lambda *args: back(form.unpack(*args))
    )


def _checked(value: Value, is_right: bool) -> Value:
    if not is_right:
        raise ValueError("a value of another type than declared")
    return value
