"""The file format of all learned models: texts, and arrays that are mapped into memory.

It is a safetensors file, which other programs can open, too; loading it runs no code. Processes
that use the same model share its arrays.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from plcfrs.errors import GrammarError, MissingFileError, PlcfrsError
from plcfrs.storage.codec import Value, pack, unpack
from plcfrs.storage.files import check_version, errors_name, write_files

_VERSION = 3
_DAMAGED = "not a trained model, or damaged or cut off; train it again"
_FOREIGN = "a safetensors file of another program, not a model of plcfrs"
_EARLIER = (
    "written by plcfrs 0.1, whose models can no longer be read: train it again with 'plcfrs train'"
)

# The models of plcfrs 0.1 were zip archives, which have the name of their first member here.
_ZIP, _NAME = b"PK\x03\x04", 30
_FIRST_MEMBERS = (b"plcfrs-transition.json", b"header.npy")

# The file begins with the length of the header, which is JSON. The highest bytes of that number
# are zero, which no text has.
_LENGTH = 8
_START = b"\0\0\0{"
_METADATA = "__metadata__"
_GRAMMAR = "grammar"  # the kind of all files that are not learned models
_ALIGNMENT = 64

MODEL = "model"
"""The name of the value that makes a parser; checkpoints have more values."""

_TYPES = {
    **{"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4"},
    **{"U64": "<u8", "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8"},
}
_NAMES = {np.dtype(text): name for name, text in _TYPES.items()}


class ModelFile(NamedTuple):
    """The contents of a file."""

    kind: str  # of the model, such as "refined" or "gap"
    header: dict[str, str]  # texts by names other than "plcfrs", "kind" and "checksum"
    arrays: dict[str, NDArray[Any]]  # of numbers

    @classmethod
    def of(cls, kind: str, **parts: object) -> ModelFile:
        """Return the contents of a file with some values, see `plcfrs.storage.codec`."""
        texts: dict[str, str] = {}
        arrays: dict[str, NDArray[Any]] = {}
        for name, part in parts.items():
            texts[name], found = pack(part, *_path(name))
            arrays |= found
        return cls(kind, texts, arrays)

    def read(self, name: str, kind: type[Value]) -> Value:
        """Return one of the values; for its errors see `plcfrs.storage.codec.unpack`."""
        return unpack(kind, self.header[name], self.arrays, *_path(name))


def _path(name: str) -> tuple[str, ...]:
    return () if name == MODEL else (name,)


def save(path: str | Path, model_file: ModelFile) -> None:
    """Write a model, always to the same bytes; the file gets its name when it is complete."""
    arrays = _ordered(model_file.arrays)
    ordered = model_file._replace(arrays=arrays)
    metadata = {"plcfrs": str(_VERSION), "kind": model_file.kind, "checksum": _checksum(ordered)}
    header: dict[str, object] = {_METADATA: metadata | dict(sorted(model_file.header.items()))}
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
    """Read a model as `load` does; an error inside the ``with`` block becomes one of the file."""
    with _errors_of(path):
        with Path(path).open("rb") as file:
            _check_not_earlier(file)
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        with safe_open(path, "numpy") as content:  # which checks types, shapes and places
            _check_not_foreign(content.metadata())
        yield _parse(memory)


def is_learned(path: str | Path) -> bool:
    """Whether a file is a learned model; another file may be a grammar."""
    return kind_of(path) != _GRAMMAR


def kind_of(path: str | Path) -> str:
    """Return the kind of model in a file; "grammar" if it is not a learned model."""
    with _errors_of(path), Path(path).open("rb") as file:
        _check_not_earlier(file)
        if not file.read(_LENGTH + 1).endswith(_START):
            return _GRAMMAR
        with safe_open(path, "numpy") as content:
            metadata = content.metadata()
        _check_not_foreign(metadata)
        check_version(metadata["plcfrs"], _VERSION)
        return str(metadata["kind"])


@contextmanager
def _errors_of(path: str | Path) -> Iterator[None]:
    try:
        with errors_name(path):
            yield
    except PlcfrsError:
        raise
    except FileNotFoundError as error:
        raise MissingFileError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror or _DAMAGED}") from None
    except Exception:  # a damaged file may fail in many ways
        raise GrammarError(f"{path}: {_DAMAGED}") from None


def _check_not_earlier(file: IO[bytes]) -> None:
    start = file.read(_NAME + max(map(len, _FIRST_MEMBERS)))
    file.seek(0)
    if start.startswith(_ZIP) and start[_NAME:].startswith(_FIRST_MEMBERS):
        raise GrammarError(_EARLIER)


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
    return model_file


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
