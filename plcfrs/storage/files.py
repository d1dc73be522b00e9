"""Files that are complete or absent, compressed or not, and the versions of their formats."""

from __future__ import annotations

import errno
import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from plcfrs.errors import GrammarError, InputError, MissingFileError
from plcfrs.storage.included import INCLUDED, model_path, remedy

_GZIP_MAGIC = b"\x1f\x8b"
_START_SIZE = 1 << 12
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)

_READ_SIZE = 1 << 20

# How files begin that are no text in UTF-8, what they are, and what to do.
_FOREIGN = (
    (
        rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){8}|(?:\0[^\0]){8}",
        "this is UTF-16: convert it to utf-8, as with iconv -f utf-16 -t utf-8",
    ),
    (rb"BZh", "this is compressed by bzip2: unpack it first, as with bunzip2"),
    (rb"\xfd7zXZ\0", "this is compressed by xz: unpack it first, as with unxz"),
    (rb"\x28\xb5\x2f\xfd", "this is compressed by zstd: unpack it first, as with unzstd"),
    (rb"\x1f\x8b", "this is compressed by gzip: unpack it, or give it a name that ends in .gz"),
    (rb"PK\x03\x04", "this is a zip file: unpack it, or give it a name that ends in .zip"),
    (rb"7z\xbc\xaf", "this is a 7-Zip archive: unpack it first"),
    (rb".{257}ustar", "this is a tar archive: unpack it first"),
    (rb"%PDF", "this is a PDF, not a text file"),
)
_COMPILED = rb".{6}\0\0\{\"__metadata__.{,100}\"kind\": \"treebank\""
OF_ITS_OWN = "a compiled treebank must be a file of its own, neither packed nor in a pipe"
"""What is wrong with one that cannot be mapped into memory."""

_MODELS = (
    (_COMPILED, OF_ITS_OWN),
    (rb".{6}\0\0\{\"", "this is a trained parser, not a treebank"),
    (
        rb"\{\"plcfrs\"|(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n|---\s)*plcfrs\s*:"
        rb"|C:[0-9.]+ |fun[0-9]+ : |(?:[^\t\n]+\t){2,}[01,]+\t[0-9]+(?:[./][0-9e-]+)?\r?\n",
        "this is a grammar, not a treebank",
    ),
)

Content = bytes | Callable[[IO[bytes]], object]
"""The content of a file, or a function that writes it."""


def read_text(path: Path) -> tuple[str, bool]:
    """Return the text of a file, and whether it was compressed by gzip."""
    try:
        data = model_path(path).read_bytes()
        packed = data.startswith(_GZIP_MAGIC)
        return (gzip.decompress(data) if packed else data).decode(), packed
    except (EOFError, gzip.BadGzipFile, zlib.error):
        how = remedy(path, "extract it again")
        raise GrammarError(f"{path}: the file is damaged or cut off; {how}") from None
    except UnicodeDecodeError:
        what = kind_of_foreign(data) or "neither a grammar nor a trained parser"
        raise GrammarError(f"{path}: not a model of plcfrs ({what})") from None
    except FileNotFoundError as error:
        raise MissingFileError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None


def read_utf8(path: str | Path, what: str) -> str:
    """Return the text of a file that people write; an InputError says what is in it."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: {what} must be in utf-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot read {what}: {error.strerror}") from None


def read_start(path: Path) -> bytes:
    """Return the first bytes of a file, uncompressed; none if it is damaged or not a file."""
    path = INCLUDED.get(str(path), path)  # plcfrs:demo, too, is read here, and is no file
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            packed = file.peek(2).startswith(_GZIP_MAGIC)
            return (gzip.GzipFile(fileobj=file) if packed else file).read(_START_SIZE)
    except (OSError, EOFError, zlib.error):
        return b""


def kind_of_foreign(start: bytes) -> str:
    """Say what a file is that begins like no text in UTF-8, and what to do; else nothing.

    >>> kind_of_foreign(b"BZh91AY&SY"), kind_of_foreign(b"The cook sleeps .")
    ('this is compressed by bzip2: unpack it first, as with bunzip2', '')
    """
    return _first_meaning(_FOREIGN, start)


def is_compiled_treebank(start: bytes) -> bool:
    """Whether a file begins like a compiled treebank."""
    return re.match(_COMPILED, start, re.DOTALL) is not None


def kind_of_model(start: bytes) -> str:
    """Say that a file begins like a grammar or a trained parser, if so.

    >>> kind_of_model(b"plcfrs: 1")
    'this is a grammar, not a treebank'
    """
    if start.startswith(_GZIP_MAGIC):
        with suppress(zlib.error):
            start = zlib.decompressobj(31).decompress(start, _START_SIZE)
    return _first_meaning(_MODELS, start)


def _first_meaning(table: Iterable[tuple[bytes, str]], start: bytes) -> str:
    return next((what for how, what in table if re.match(how, start, re.DOTALL)), "")


def write_texts(texts: dict[Path, str], pack: bool = False) -> None:
    """Write files, compressed if `pack` or ``.gz``; they get their names when all are complete."""
    contents: dict[Path, Content] = {}
    for path, text in texts.items():
        data = text.encode()
        # Without the time, the same grammar gives the same file.
        contents[path] = gzip.compress(data, mtime=0) if pack or path.suffix == ".gz" else data
    write_files(contents)


def write_files(contents: Mapping[Path, Content]) -> None:
    """Write files; they get their names when all are complete.

    A file that is not regular (a pipe, a device) is written at once, and a link stays a link. A
    full disk is an OSError, any other failure a GrammarError.
    """
    parts: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            if path.is_file() or not path.exists():
                target = path.resolve()
                parts[target] = target.with_name(f"{target.name}.part")
                _write(parts[target], content)
            else:
                _write(path, content)
        for path, part in parts.items():
            part.replace(path)
    except BaseException as error:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
        if not isinstance(error, OSError):
            raise
        if error.errno in _FULL:
            error.filename = str(path)
            raise
        reason = f"cannot be written: {error.strerror}"
        if not path.parent.is_dir():
            reason = f"there is no folder {path.parent}"
        raise GrammarError(f"{path}: {reason}") from None


def check_folder(path: str | Path) -> None:
    """Raise an InputError if the folder of a file that is to be written does not exist."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")


def _write(path: Path, content: Content) -> None:
    with path.open("wb") as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            content(file)


def digest_of(paths: Iterable[Path]) -> str:
    """Return a hash of the contents of files, without reading them into memory at once."""
    digest = hashlib.sha256()
    for path in paths:
        with model_path(path).open("rb") as file:
            while part := file.read(_READ_SIZE):
                digest.update(part)
    return digest.hexdigest()


@contextmanager
def full_disk_names(path: object) -> Iterator[None]:
    """Let errors of a full disk name a file: Python does not know it while it writes."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def errors_name(place: object) -> Iterator[None]:
    """Put a place, such as the name of a file, before the message of a grammar error."""
    try:
        yield
    except GrammarError as error:
        raise GrammarError(f"{place}: {error}") from None


def check_version(found: object, known: int) -> None:
    """Raise a GrammarError, with advice, if the version of a file is not the known one."""
    version = str(found)
    if version == str(known):
        return
    if version.isdecimal() and len(version) < 9:
        age, remedy = ("a newer", "upgrade with pip install --upgrade plcfrs")
        if int(version) < known:
            age, remedy = ("an earlier", "train it again with 'plcfrs train'")
        raise GrammarError(
            f"written in format {version} by {age} plcfrs; this one reads format {known}: {remedy}"
        )
    raise GrammarError(f"grammar format {found!r}; this plcfrs reads format {known}")
