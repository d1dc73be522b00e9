"""The file format of all learned models: texts, and arrays that are mapped into memory.

It is a safetensors file, which other programs can open, too; loading it runs no code. Processes
that use the same model share its arrays.

The library of safetensors only checks the file: it would copy arrays when it reads, and write
texts in random order.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from plcfrs.errors import GrammarError, MissingFileError
from plcfrs.storage.files import check_version, errors_name, write_files
from plcfrs.storage.included import model_path, remedy
from plcfrs.storage.stored_values import TYPES, pack, unpack

_VERSION = 3
_DAMAGED = "not a trained model, or damaged or cut off"
_UNFIT = "this version of plcfrs cannot read it"
_FOREIGN = "a safetensors file of another program, not a plcfrs model"

# The file begins with the length of the header, which is JSON. The highest bytes of this number
# are zero; no text has zero bytes.
_LENGTH = 8
_START = b"\0\0\0{"
_METADATA = "__metadata__"
DEFAULT_KIND = "grammar"
"""The kind of all files that are not learned models, and of parsers in experiments by default."""
_ALIGNMENT = 64

# Arrays of 16-bit numbers with more bytes are compressed, which saves a third: they are the weights
# of millions of features. They are not mapped into memory.
_LARGE = 1 << 24
_FAST = 1  # a third of the time, and hardly larger
_COMPRESSED = "compressed"  # their shapes, in the header

MODEL = "model"
"""The name of the parser among the values; checkpoints have further values."""

COMPLETION = "completion"
"""The kind of models of `plcfrs.completion`, and their name among the values of a parser."""

_NAMES = {np.dtype(text): name for name, text in TYPES.items()}

Value = TypeVar("Value")


class ModelFile(NamedTuple):
    """The contents of a model file."""

    kind: str  # of the model, such as "refined" or "gap"
    header: dict[str, str]  # texts by names other than "plcfrs", "kind" and "checksum"
    arrays: dict[str, NDArray[Any]]  # of numbers

    @classmethod
    def of(cls, kind: str, **parts: object) -> ModelFile:
        """Return the contents of a file with some values, see `pack`."""
        texts: dict[str, str] = {}
        arrays: dict[str, NDArray[Any]] = {}
        for name, part in parts.items():
            texts[name], part_arrays = pack(part, *_path(name))
            arrays |= part_arrays
        return cls(kind, texts, arrays)

    def read(self, name: str, kind: type[Value]) -> Value:
        """Return one of the values; for its errors see `unpack`."""
        return unpack(kind, self.header[name], self.arrays, *_path(name))


def _path(name: str) -> tuple[str, ...]:
    return () if name == MODEL else (name,)


def save(path: str | Path, model_file: ModelFile) -> None:
    """Write a model, always to the same bytes; the file gets its name when it is complete."""
    parts = _parts(model_file)
    write_files({Path(path): lambda file: file.writelines(parts)})


def to_bytes(model_file: ModelFile) -> bytes:
    """Return what `save` writes."""
    return b"".join(_parts(model_file))


def from_bytes(data: bytes) -> ModelFile:
    """Return the model of bytes; a ValueError or LookupError says that they are damaged."""
    return _parse(bytearray(data))


def _parts(model_file: ModelFile) -> list[Any]:
    """Return the parts of a file: bytes, and the memory of arrays."""
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
    return [len(text).to_bytes(_LENGTH, "little"), text, *(each.data for each in arrays.values())]


def load(path: str | Path) -> ModelFile:
    """Read a model; its arrays are read when used, and changes to them stay in this process."""
    with opened(path) as contents:
        return contents


@contextmanager
def opened(path: str | Path) -> Iterator[ModelFile]:
    """Read a model as `load` does, for a ``with`` block that makes something of its contents.

    A ValueError or LookupError of the block becomes a GrammarError: this version cannot read the
    file. Other exceptions are defects of plcfrs, since the checksum of the file is right.
    """
    contents = _read(path)
    with errors_name(path):
        try:
            yield contents
        except (ValueError, LookupError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise GrammarError(f"{_UNFIT} ({reason}); {_remedy(path)}") from error


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
    """Turn errors of reading into GrammarErrors that name the file and say what to do."""
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


def _parse(memory: mmap.mmap | bytearray) -> ModelFile:
    data = _LENGTH + int.from_bytes(memory[:_LENGTH], "little")
    entries = json.loads(memory[_LENGTH:data])
    header = entries.pop(_METADATA)
    check_version(header.pop("plcfrs"), _VERSION)
    arrays = {}
    for name, entry in entries.items():
        shape, (start, _) = entry["shape"], entry["data_offsets"]
        array = np.frombuffer(memory, TYPES[entry["dtype"]], prod(shape), data + start)
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
