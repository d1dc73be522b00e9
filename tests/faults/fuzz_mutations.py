"""Random changes that make small valid files invalid, or nearly valid."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.storage.model_file import load, save

_CHANGES_AT_ONCE = (1, 1, 1, 2, 3, 6)
_MOST_BYTES = 1 << 16
_DEPTHS = (2, 10, 100, 2000)
_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_PIECES = re.compile(rb"[\w.]+|\s+|[^\w\s]")

# Pieces that readers may stumble over: one on each line, with the escapes of Python.
_FILE = Path(__file__).parent / "fuzz_seeds" / "snippets.txt"
_SNIPPETS = [
    *(bytes([byte]) for byte in range(32)),
    *(b"9" * digits for digits in (400, 5000)),
    *(line.decode("unicode_escape").encode("latin-1") for line in _FILE.read_bytes().splitlines()),
]


def mutated_text(content: bytes, random: Random) -> bytes:
    """Return a text with a few changes: of bytes, of pieces such as words, of lines."""
    for _ in range(random.choice(_CHANGES_AT_ONCE)):
        change = random.choice(_CHANGES)
        content = change(content, random)[:_MOST_BYTES]
    return content


def mutated_gzip(content: bytes, random: Random) -> bytes:
    """Return a gzip file with a changed text or, now and then, changed bytes."""
    with suppress(Exception):  # it was damaged before
        if random.random() >= 0.3:
            text = mutated_text(gzip.decompress(content), random)
            return gzip.compress(text, compresslevel=1, mtime=0)
    return mutated_text(content, random)


def mutated_zip(content: bytes, random: Random) -> bytes:
    """Return a zip archive with a changed or missing member, or with changed bytes."""
    members: dict[str, bytes] = {}
    with suppress(Exception), zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if random.random() < 0.2 or not members:  # it may have been damaged before
        return mutated_text(content, random)
    name = random.choice(sorted(members))
    if random.random() < 0.1:
        del members[name]
    else:
        members[name] = mutated_text(members[name], random)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return file.getvalue()


def mutated_model(content: bytes, random: Random) -> bytes:
    """Return a model file with a changed or missing text or array, or with changed bytes.

    Except in the last case, the checksum is correct.
    """
    if random.random() < 0.2:
        return mutated_text(content, random)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(content)
        model = load(path)
        parts: list[dict[str, Any]] = [part for part in (model.header, model.arrays) if part]
        part = random.choice(parts)
        name = random.choice(sorted(part))
        value = part.pop(name)
        if random.random() < 0.9:
            part[name] = _changed_part(value, random)
        save(path, model)
        return path.read_bytes()


def _changed_part(value: str | NDArray[Any], random: Random) -> str | NDArray[Any]:
    if isinstance(value, str):
        return mutated_text(value.encode(), random).decode(errors="replace")
    if random.random() < 0.2:
        return value[: random.randint(0, len(value))]
    changed = bytearray(value.tobytes())
    for _ in range(random.randint(1, 4)):  # a few bytes, so that the result is still an array
        if changed:
            changed[random.randrange(len(changed))] = random.choice([0, 1, 127, 128, 255])
    return np.frombuffer(bytes(changed), value.dtype).reshape(value.shape)


def _flip(content: bytes, random: Random) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _put(piece: bytes, content: bytes, random: Random) -> bytes:
    place = random.randint(0, len(content))
    return content[:place] + piece + content[place:]


def _insert(content: bytes, random: Random) -> bytes:
    return _put(random.choice(_SNIPPETS), content, random)


def _replace(content: bytes, random: Random) -> bytes:
    pieces = _PIECES.findall(content)
    if pieces:
        pieces[random.randrange(len(pieces))] = random.choice([*_SNIPPETS, random.choice(pieces)])
    return b"".join(pieces)


def _replace_number(content: bytes, random: Random) -> bytes:
    numbers = [*_NUMBER.finditer(content)]
    if not numbers:
        return content
    number = random.choice(numbers)
    other = random.choice(numbers)[0]
    value = int(float(number[0][:15]))
    text = random.choice([other, b"%d" % (value + random.choice([-1, 1])), b"0", b"-1", b"9" * 20])
    return content[: number.start()] + text + content[number.end() :]


def _range(content: bytes, random: Random) -> tuple[int, int]:
    length = random.choice([1, 3, 10, 100, len(content)])
    left = random.randint(0, len(content))
    return left, min(len(content), left + random.randint(0, length))


def _delete(content: bytes, random: Random) -> bytes:
    left, right = _range(content, random)
    return content[:left] + content[right:]


def _move(content: bytes, random: Random) -> bytes:
    left, right = _range(content, random)
    return _put(content[left:right], content[:left] + content[right:], random)


def _repeat(content: bytes, random: Random) -> bytes:
    """Repeat a short part many times, to nest it deeply."""
    left, right = _range(content, random)
    right = min(right, left + 30)
    return content[:left] + content[left:right] * random.choice(_DEPTHS) + content[right:]


def _cut(content: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def _lines(content: bytes, random: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.choice(["delete", "double", "swap", "join"]):
        case "delete":
            del lines[one]
        case "double":
            lines.insert(other, lines[one])
        case "swap":
            lines[one], lines[other] = lines[other], lines[one]
        case "join":
            lines[one] = lines[one].rstrip(b"\r\n") + random.choice([b"", b" ", b"\r", b"\r\n"])
    return b"".join(lines)


_CHANGES = (
    _flip,
    _insert,
    _replace,
    _replace_number,
    _delete,
    _move,
    _repeat,
    _cut,
    _lines,
    _lines,
    _replace,
    _insert,
)
