"""Model files: arrays in a zip archive that are mapped into memory, and a header as text.

The arrays lie in the file as they do in memory, so nothing is unpacked, and processes that use the
same model share it. NumPy opens such files, too (`np.load`); nothing in them is run.
"""

from __future__ import annotations

import json
import mmap
import struct
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats.files import errors_name, write_files
from plcfrs.grammar.formats.header import check_version
from plcfrs.grammar.formats.kinds import TRANSITION_HEADER

_VERSION = 1
_KEY = "plcfrs transition"
_EXTENSION = ".npy"
_DAMAGED = "not a transition parser, or damaged or cut off; train it again"
_ALIGNMENT = 64
_LOCAL_HEADER = struct.Struct("<26xHH")  # of a member: the lengths of its name and of its extra
_EXTRA = struct.Struct("<HH")
_SIZES = 20  # bytes of the extra for the sizes of large members
_PADDING = 0xD935  # the number of extras that pad, as in Android's zipalign
_LONGEST_HEADER = 10_000  # of an array


class Contents(NamedTuple):
    """What a file has: texts and arrays by name."""

    header: dict[str, str]
    arrays: dict[str, NDArray[Any]]


def save(path: str | Path, header: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write texts and arrays; the file gets its name when it is complete.

    Raises
    ------
    GrammarError
        If the file cannot be written.
    """
    content = {_KEY: _VERSION, "arrays": list(arrays), "header": dict(header)}
    text = json.dumps(content, ensure_ascii=False)

    def write(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(zipfile.ZipInfo(TRANSITION_HEADER), text)
            for name, array in arrays.items():
                _add(archive, f"{name}{_EXTENSION}", array)

    write_files({Path(path): write})


def load(path: str | Path) -> Contents:
    """Read texts and arrays, which stay in the file until they are used.

    What is written into the arrays stays in this process.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or of another kind.
    """
    try:
        with errors_name(path), warnings.catch_warnings(), Path(path).open("rb") as file:
            warnings.simplefilter("error", UserWarning)  # of arrays that are read with a guess
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            with zipfile.ZipFile(file) as archive:
                return _parse(archive, memory)
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror or _DAMAGED}") from None
    except GrammarError:
        raise
    except Exception:  # the readers of zip archives and of arrays fail in many ways
        raise GrammarError(f"{path}: {_DAMAGED}") from None


def _add(archive: zipfile.ZipFile, name: str, array: NDArray[Any]) -> None:
    """Add an array, so that its numbers are aligned in the file."""
    member = zipfile.ZipInfo(name)
    assert archive.fp is not None
    start = archive.fp.tell() + _LOCAL_HEADER.size + len(name) + _SIZES + _EXTRA.size
    padding = -start % _ALIGNMENT
    member.extra = _EXTRA.pack(_PADDING, padding) + bytes(padding)
    with archive.open(member, "w", force_zip64=True) as file:
        npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)


def _parse(archive: zipfile.ZipFile, memory: mmap.mmap) -> Contents:
    about: dict[str, Any] = {}
    arrays = {}
    for member in archive.infolist():
        archive.open(member).close()  # which compares its two headers
        start = _start(member, memory)
        with memoryview(memory)[start : start + member.file_size] as content:
            if member.compress_type != zipfile.ZIP_STORED or zlib.crc32(content) != member.CRC:
                raise ValueError
            if member.filename == TRANSITION_HEADER:
                about = json.loads(bytes(content))
            else:
                name = member.filename.removesuffix(_EXTENSION)
                arrays[name] = _array(memory, start, content)
    check_version(about[_KEY], _VERSION)
    header = about["header"]
    if list(arrays) != about["arrays"] or not isinstance(header, dict):
        raise ValueError
    if not all(isinstance(text, str) for text in header.values()):
        raise ValueError
    return Contents(header, arrays)


def _start(member: zipfile.ZipInfo, memory: mmap.mmap) -> int:
    """Return where the content of a member starts, behind its local header."""
    name, extra = _LOCAL_HEADER.unpack_from(memory, member.header_offset)
    return int(member.header_offset + _LOCAL_HEADER.size + name + extra)


def _array(memory: mmap.mmap, start: int, content: memoryview) -> NDArray[Any]:
    """Return the array that is in a member."""
    file = BytesIO(content[:_LONGEST_HEADER])
    npy.read_magic(file)
    shape, _, kind = npy.read_array_header_1_0(file)
    size = prod(shape)
    if kind.hasobject or file.tell() + size * kind.itemsize != len(content):
        raise ValueError
    if kind.fields:  # to Numba, aligned records that are not called so are another type
        aligned = np.dtype(kind.descr, align=True)
        kind = aligned if aligned == kind else kind
    array = np.frombuffer(memory, kind, size, start + file.tell()).reshape(shape)
    return array if array.flags.aligned else array.copy()  # another program has written it
