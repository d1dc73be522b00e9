"""The journal of a run: which sentences are complete, so that a later run resumes after them.

It lies beside the output until the output is complete. The first line describes the run, so that a
different run cannot continue it by mistake. Each sentence then has a line, written after its trees:
the last whole line tells what is complete, however a run ends.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from plcfrs.errors import InputError
from plcfrs.storage.files import full_disk_names
from plcfrs.trees import Tree


class Record(NamedTuple):
    """A complete sentence, with the number of trees and the sizes of the files (bytes) up to it.

    The checksum is of this sentence and all before it; the other fields are for the summary.
    """

    checksum: int
    trees: int
    tree_bytes: int
    row_bytes: int
    status: str
    reason: str
    tokens: int
    items: int
    cpu_seconds: float
    lost_mass: float
    fallback: str = "none"
    gap: float | None = None
    posterior_bytes: int = 0


NOTHING = Record(0, 0, 0, 0, "", "", 0, 0, 0.0, 0.0)
"""Where the first sentence begins."""


class Journal:
    """Which sentences of a run are complete; `last` is the last one, None at the beginning.

    A run continues an earlier one only if model, input and options are the same.
    """

    def __init__(self, path: Path, run: Mapping[str, str]) -> None:
        self.path = path
        self.last: Record | None = None
        self._run = dict(run)
        self._file: FileIO | None = None

    def start(self) -> None:
        """Start a new journal; raise an InputError if it cannot be written."""
        self._open("wb")
        self._append(self._run)

    def resume(self) -> None:
        """Continue a journal or start one; raise an InputError if it is of a different run."""
        size = 0
        if self.path.exists():
            with self.path.open("rb") as file:
                size = len(file.readline())
                file.seek(0)
                if size:
                    self._check(file.readline())
                for line in file:
                    record = _record(line)
                    if record is None:
                        break
                    self.last = record
                    size += len(line)
        if self.last is None:
            self.start()
            return
        self._open("r+b")
        assert self._file is not None
        self._file.truncate(size)
        self._file.seek(size)

    def records(self) -> Iterator[Record]:
        """Yield the records up to the last one."""
        last = self.last
        if last is None:
            return
        with self.path.open("rb") as file:
            file.readline()
            for record in map(_record, file):
                if record is None:
                    return
                yield record
                if record == last:
                    return

    def add(self, record: Record) -> None:
        """Note that a sentence is complete; its trees must have been flushed."""
        self._append(record)
        self.last = record

    def close(self) -> None:
        """Close the file, and keep it."""
        if self._file is not None:
            self._file.close()

    def remove(self) -> None:
        """Close the file, if it could be opened, and remove it."""
        if self._file is not None:
            self._file.close()
            self.path.unlink(missing_ok=True)

    def _open(self, mode: str) -> None:
        try:
            # Without a buffer, so that closing the file does not repeat a failed write.
            self._file = FileIO(self.path, mode)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None

    def _append(self, content: object) -> None:
        assert self._file is not None
        line = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        with full_disk_names(self.path):
            written = self._file.write(line)
        if written != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))

    def _check(self, header: bytes) -> None:
        try:
            earlier = json.loads(header)
        except ValueError:
            return  # the earlier run ended before it had begun
        for key in {**earlier, **self._run}:
            if earlier.get(key) != self._run.get(key):
                raise InputError(
                    f"{self.path}: this run differs from the earlier one in {key} "
                    f"({_shown(earlier.get(key))}, now {_shown(self._run.get(key))}): it cannot be "
                    "continued; leave --resume out to start again"
                )


def checksum(item: Tree, before: int) -> int:
    """Return the checksum of a sentence and all before it, given the checksum before it."""
    fields = [item.id, *(text for token in item.tokens for text in (token.form, token.tag))]
    return zlib.crc32("\0".join(fields).encode("utf-8", "surrogatepass"), before)


def _record(line: bytes) -> Record | None:
    """Return the record of a line, None if it was cut off."""
    if not line.endswith(b"\n"):
        return None
    try:
        return Record(*json.loads(line))
    except (ValueError, TypeError):
        return None


def _shown(value: str | None) -> str:
    return "none" if value is None else value if len(value) <= 40 else f"{value[:12]}..."
