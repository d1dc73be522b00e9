"""Files that are complete or absent, their compression, and the versions of their formats."""

from __future__ import annotations

import errno
import fcntl
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

# The first bytes of files that are not text in UTF-8, what these files are, and what to do.
_FOREIGN = (
    (
        rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){8}|(?:\0[^\0]){8}",
        "this is UTF-16: convert it to utf-8, for example with iconv -f utf-16 -t utf-8",
    ),
    (rb"BZh", "this is compressed with bzip2: unpack it first, for example with bunzip2"),
    (rb"\xfd7zXZ\0", "this is compressed with xz: unpack it first, for example with unxz"),
    (rb"\x28\xb5\x2f\xfd", "this is compressed with zstd: unpack it, for example with unzstd"),
    (rb"\x1f\x8b", "this is compressed with gzip: unpack it, or give it a name that ends in .gz"),
    (rb"PK\x03\x04", "this is a zip file: unpack it, or give it a name that ends in .zip"),
    (rb"7z\xbc\xaf", "this is a 7-Zip archive: unpack it first"),
    (rb".{257}ustar", "this is a tar archive: unpack it first"),
    (rb"%PDF", "this is a PDF, not a text file"),
)
_COMPILED = rb".{6}\0\0\{\"__metadata__.{,100}\"kind\": \"treebank\""
UNMAPPABLE = "a compiled treebank must be an uncompressed file, not part of an archive or a pipe"
"""The error for a compiled treebank that cannot be mapped into memory."""

_MODELS = (
    (_COMPILED, UNMAPPABLE),
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
    """Return the text of a file, and whether it was compressed with gzip."""
    try:
        data = model_path(path).read_bytes()
        packed = data.startswith(_GZIP_MAGIC)
        return (gzip.decompress(data) if packed else data).decode(), packed
    except (EOFError, gzip.BadGzipFile, zlib.error):
        how = remedy(path, "extract it again")
        raise GrammarError(f"{path}: the file is damaged or cut off; {how}") from None
    except UnicodeDecodeError:
        what = kind_of_foreign(data) or "neither a grammar nor a trained parser"
        raise GrammarError(f"{path}: not a plcfrs model ({what})") from None
    except FileNotFoundError as error:
        raise MissingFileError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None


def hold(path: Path, taken: str) -> IO[str]:
    """Keep other processes from holding a file, until it is closed.

    Raises
    ------
    InputError
        If another process holds it, with the message `taken`, or it cannot be written.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        file = path.open("w")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(taken) from None
    return file


def read_utf8(path: str | Path, what: str) -> str:
    """Return the text of a file that people write; errors say `what` it has, such as settings."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: {what} must be in utf-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot read {what}: {error.strerror}") from None


def read_start(path: Path) -> bytes:
    """Return the first bytes of a file, uncompressed; none if it is damaged or not a file."""
    path = INCLUDED.get(str(path), path)  # plcfrs:demo comes here, too, but is not a file
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            packed = file.peek(2).startswith(_GZIP_MAGIC)
            return (gzip.GzipFile(fileobj=file) if packed else file).read(_START_SIZE)
    except (OSError, EOFError, zlib.error):
        return b""


def kind_of_foreign(start: bytes) -> str:
    r"""Say that a file is not text in UTF-8, and what to do; for text, return "".

    >>> kind_of_foreign(b"\x1f\x8b\x08"), kind_of_foreign(b"The cook sleeps .")
    ('this is compressed with gzip: unpack it, or give it a name that ends in .gz', '')
    """
    return _meaning(_FOREIGN, start)


def is_compiled_treebank(start: bytes) -> bool:
    """Whether a file begins like a compiled treebank."""
    return re.match(_COMPILED, start, re.DOTALL) is not None


def kind_of_model(start: bytes) -> str:
    """Say that a file is a grammar or a trained parser, not a treebank; for others, return "".

    >>> kind_of_model(b"plcfrs: 1")
    'this is a grammar, not a treebank'
    """
    if start.startswith(_GZIP_MAGIC):
        with suppress(zlib.error):
            start = zlib.decompressobj(31).decompress(start, _START_SIZE)
    return _meaning(_MODELS, start)


def _meaning(meanings: Iterable[tuple[bytes, str]], start: bytes) -> str:
    return next((text for pattern, text in meanings if re.match(pattern, start, re.DOTALL)), "")


def write_texts(texts: dict[Path, str], pack: bool = False) -> None:
    """Write files, compressed if `pack` or ``.gz``; they get their names when all are complete."""
    contents: dict[Path, Content] = {}
    for path, text in texts.items():
        data = text.encode()
        # The same grammar must give the same file: leave the time out.
        contents[path] = gzip.compress(data, mtime=0) if pack or path.suffix == ".gz" else data
    write_files(contents)


def write_files(contents: Mapping[Path, Content]) -> None:
    """Write files; they get their names when all are complete.

    Pipes and devices are written directly; a link stays a link. A full disk is an OSError, any
    other failure a GrammarError.
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
    """Raise an InputError if the folder of an output file does not exist."""
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
    """Name the file in errors of a full disk; Python does not know it while it writes."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def errors_name(place: object) -> Iterator[None]:
    """Begin the messages of grammar errors with a place, such as the name of a file."""
    try:
        yield
    except GrammarError as error:
        raise GrammarError(f"{place}: {error}") from None


def check_version(version: object, supported: int) -> None:
    """Raise a GrammarError, with advice, if this plcfrs does not read this version of a format."""
    number = str(version)
    if number == str(supported):
        return
    if not number.isdecimal() or len(number) > 8:
        raise GrammarError(f"unknown format {version!r}: this plcfrs reads format {supported}")
    if int(number) < supported:
        age, advice = "an earlier", "train it again with 'plcfrs train'"
    else:
        age, advice = "a newer", "upgrade with pip install --upgrade plcfrs"
    raise GrammarError(
        f"written by {age} plcfrs in format {number}, but this one reads format {supported}: "
        f"{advice}"
    )
