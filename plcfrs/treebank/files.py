"""Finding the files that users name, and reading their lines."""

from __future__ import annotations

import codecs
import glob
import gzip
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from fnmatch import fnmatchcase
from functools import partial
from importlib.resources import files
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import IO, NamedTuple

from plcfrs.errors import InputError, MissingFileError, TreebankError
from plcfrs.storage.files import kind_of_foreign, kind_of_model
from plcfrs.treebank.format import Format

STANDARD = "-"
STANDARD_INPUT = "stdin"  # its name in messages
NLTK, DEMO = "nltk:treebank", "plcfrs:demo"
PROJECT = "project.toml"
"""The file of settings in the folder of an annotation project."""

_HEADER_LINES = 20
_NO_TREEBANK = re.compile(r"\.|(?:README|LICEN[CS]E|COPYING|NOTICE|CHANGE|AUTHORS)", re.IGNORECASE)
_PLAIN_TEXT = (".txt", ".tokens", ".md")  # beside trees, these are notes or the text of the trees
_START = 1 << 16
_BLOCK = 1 << 20
_DAMAGE = (
    OSError,
    EOFError,
    UnicodeDecodeError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    RuntimeError,  # of a zip file: a password, or an unknown version or compression
)
_Path = Path | zipfile.Path
_NUMBER = re.compile(r"(?<![^./\\])[0-9]+(?![^./\\])")
_DIGITS = 20


class Source(NamedTuple):
    """A file that can be read."""

    name: str  # the name in messages; its extension may tell the format
    open: Callable[[], AbstractContextManager[IO[bytes]]]  # opens it in binary mode
    is_stream: bool = False  # whether it can be read only once: standard input, a pipe

    @property
    def stem(self) -> str:
        """The name without folder and extension, the beginning of tree identifiers."""
        return PurePath(uncompressed(self.name)).stem


def uncompressed(name: str) -> str:
    """Return a file name without ``.gz``."""
    return name.removesuffix(".gz")


def find_sources(names: Iterable[str], extensions: tuple[str, ...]) -> list[Source]:
    """Return the named files in order; directories and zip files are searched by extension."""
    sources: list[Source] = []
    for name in names:
        try:
            members = _read_list(Path(name[1:])) if name.startswith("@") else [name]
            for member in members:
                sources.extend(_find(member, extensions))
        except MissingFileError:
            raise
        except _DAMAGE as error:
            raise InputError(f"{name}: cannot be read: {_reason(error)}") from None
    return sources


def read_lines(source: Source, format: Format, encoding: str) -> Iterator[str]:
    """Yield the lines of a file with their line ends.

    A line that is not in the encoding is read in the declared one (for XML, the declared one is
    tried first). If both fail, its bytes become surrogates, so that an error can name the tree.
    """
    number = 0
    try:
        with source.open() as raw, _unpacked(source.name, raw) as file:
            header = list(islice(file, _HEADER_LINES))
            start = b"".join(header)
            _check_start(source, start, format)
            encodings = _encodings(start, format, encoding)
            # Many lines at once from a disk, one by one from a pipe or an archive.
            is_on_disk = isinstance(file, BufferedReader) and not source.is_stream
            blocks = iter(partial(file.readlines, _START if is_on_disk else 1), [])
            lines = (_decoded(block, encodings) for block in chain([header], blocks))
            for number, line in enumerate(chain.from_iterable(lines), start=1):
                yield line.removeprefix("\ufeff") if number == 1 else line
    except InputError as error:
        raise TreebankError(f"wrong header: {error}", source.name) from None
    except _DAMAGE as error:
        place = number + 1 if number else None
        raise TreebankError(f"cannot be read: {_reason(error)}", source.name, place) from None


def _check_start(source: Source, start: bytes, format: Format) -> None:
    """Raise a TreebankError that says what a file is, if it is not a treebank or a text."""
    may_be_text = format.may_be_empty and b"\0" not in start and not start.startswith(b"\x1f")
    what = ("" if may_be_text else kind_of_model(start)) or kind_of_foreign(start)
    if what:
        raise TreebankError(what, source.name)


def read_start(source: Source) -> bytes:
    """Return the first bytes of a file, or none if it can be read only once."""
    if source.is_stream:
        return b""
    try:
        with source.open() as raw, _unpacked(source.name, raw) as file:
            return file.read(_START)
    except _DAMAGE as error:
        raise TreebankError(f"cannot be read: {_reason(error)}", source.name) from None


def read_blocks(source: Source) -> Iterator[bytes]:
    """Yield the bytes of a file, without unpacking it."""
    try:
        with source.open() as file:
            while data := file.read(_BLOCK):
                yield data
    except _DAMAGE as error:
        raise TreebankError(f"cannot be read: {_reason(error)}", source.name) from None


def check_encoding(encoding: str) -> str:
    """Return an encoding, or raise an InputError if Python lacks it or it changes line ends."""
    try:
        usable = "(\n".encode(encoding).endswith(b"(\n")
    except (LookupError, UnicodeError):
        usable = False
    if not usable:
        raise InputError(f"encoding {encoding!r} cannot be used: convert the file to utf-8")
    return encoding


def _find(name: str, extensions: tuple[str, ...]) -> list[Source]:
    if name == STANDARD:
        if sys.stdin is None:
            raise InputError("standard input is closed: give a file")
        return [Source(STANDARD_INPUT, lambda: nullcontext(sys.stdin.buffer), is_stream=True)]
    if name == DEMO:
        demo = files("plcfrs") / "data" / "demo.mrg"
        return [Source(demo.name, lambda: demo.open("rb"))]
    if name == NLTK or name.startswith(f"{NLTK}/"):
        return _find_in_nltk(name, name.removeprefix(NLTK).removeprefix("/") or "*")
    if name and Path(name).exists():
        return _find_in_files(Path(name), extensions)
    matches = glob.glob(name, recursive=True)  # noqa: PTH207 (Path.glob takes no absolute ones)
    if not matches and name.startswith("plcfrs:"):
        raise InputError(f"{name}: the only included treebank is {DEMO}")
    if not matches:
        hint = ", nothing matches" * ("*" in name)
        hint += "; write a sentence to a file or a pipe" * (" " in name)
        raise MissingFileError(f"{name}: no such file{hint}")
    return [
        source
        for match in sorted(matches, key=_padded)
        for source in _find_in_files(Path(match), extensions)
    ]


def _find_in_files(path: Path, extensions: tuple[str, ...]) -> list[Source]:
    members: list[tuple[PurePath, Source]]
    if path.is_dir():
        if (path / PROJECT).is_file():
            return [_source(str(file), file) for file in _trees_of_project(path)]
        members = [(file, _source(str(file), file)) for file in path.rglob("*") if file.is_file()]
    elif path.suffix == ".zip":
        members = _find_in_zip(path)
    else:
        return [_source(str(path), path)]
    chosen = [
        (file, source)
        for file, source in sorted(members, key=lambda member: PurePath(_padded(str(member[0]))))
        if uncompressed(file.name).endswith(extensions) and not _NO_TREEBANK.match(file.name)
    ]
    trees = [
        (file, source)
        for file, source in chosen
        if not uncompressed(file.name).endswith(_PLAIN_TEXT)
    ]
    if not chosen:
        what = "directory" if path.is_dir() else "zip file"
        expected = ", ".join(f"*{extension}" for extension in extensions)
        raise InputError(f"{path}: no treebank files in this {what} (looked for {expected})")
    return [source for _, source in trees or chosen]


def _trees_of_project(folder: Path) -> list[Path]:
    """Return the files with the adjudicated trees of a project, or with those of its only person.

    If these people have no trees yet, raise an InputError, too.
    """
    people = sorted({path.parent.name for path in folder.glob("trees/*/*.jsonl")})
    if not people:
        raise InputError(f"{folder}: this project has no trees yet")
    if "gold" not in people and len(people) != 1:
        expected = f"{folder}/trees/{people[0]}"
        raise InputError(
            f"{folder}: this project has trees of {len(people)} people: give {expected}"
        )
    return documents_in(folder / "trees" / ("gold" if "gold" in people else people[0]))


def documents_in(folder: Path) -> list[Path]:
    """Return the files of a folder of a project, in the order of the text."""
    return sorted(folder.glob("*.jsonl"), key=lambda path: _padded(path.stem))


def _padded(name: str) -> str:
    """Return a name with zeros before numbers, so that 2.xml comes before 10.xml.

    Only numbers between dots get zeros: maz-13946.xml and maz-8288.xml stay in alphabetical order.
    """
    return _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), name)


def _find_in_zip(path: Path) -> list[tuple[PurePath, Source]]:
    # One archive for all members: opening it reads the table of contents.
    archive = zipfile.ZipFile(path)
    return [
        (PurePath(name), Source(f"{path}/{name}", partial(archive.open, name)))
        for name in archive.namelist()
        if not name.endswith("/")
    ]


def _find_in_nltk(name: str, pattern: str) -> list[Source]:
    import nltk.data  # here, because it is slow to import

    try:
        # NLTK needs the slash to find a folder in its zip file.
        pointer = nltk.data.find("corpora/treebank/combined/")
    except (LookupError, zipfile.BadZipFile):
        raise TreebankError(
            "NLTK's sample of the Penn Treebank is not installed (see NLTK_DATA): "
            "python -m nltk.downloader treebank",
            name,
        ) from None
    packed = isinstance(pointer, nltk.data.ZipFilePathPointer)
    folder: _Path = (
        zipfile.Path(pointer.zipfile.filename, pointer.entry) if packed else Path(pointer)
    )
    members: list[_Path] = [*folder.iterdir()]
    sources = [
        _source(f"{NLTK}/{file.name}", file)
        for file in sorted(members, key=lambda file: file.name)
        if file.name.endswith(".mrg") and fnmatchcase(file.name, pattern)
    ]
    if not sources:
        raise InputError(f"{name}: no file of NLTK's sample matches; they are wsj_0001.mrg, ...")
    return sources


def _source(name: str, path: _Path) -> Source:
    return Source(name, lambda: path.open("rb"), is_stream=not path.is_file())


def _read_list(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _unpacked(name: str, raw: IO[bytes]) -> AbstractContextManager[IO[bytes] | gzip.GzipFile]:
    return gzip.GzipFile(fileobj=raw) if name.endswith(".gz") else nullcontext(raw)


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "a name in it is not utf-8"
    return getattr(error, "strerror", None) or str(error)


def _encodings(start: bytes, format: Format, encoding: str) -> list[str]:
    encodings = [encoding]
    if format.encoding_declaration and (found := format.encoding_declaration.search(start)):
        declared = check_encoding(found[1].decode("ascii"))
        encodings = [declared, encoding] if format.declaration_first else [encoding, declared]
    return ["utf-8", *encodings] if start.startswith(codecs.BOM_UTF8) else encodings


def _decoded(block: list[bytes], encodings: list[str]) -> list[str]:
    with suppress(UnicodeDecodeError):
        return [line.decode(encodings[0]) for line in block]
    return [_decode(line, encodings) for line in block]


def _decode(line: bytes, encodings: list[str]) -> str:
    for encoding in encodings:
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("utf-8", "surrogateescape")
