"""How an interrupted run continues: its journal, and the check that it is the same run.

The journal says which parts of the output are complete. It lies beside the output until all of it
is complete. The first line describes the run, so that a different run cannot continue it by
mistake. Each part then has a line, which is written after its output: the last whole line tells
what is complete, however the run ended.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from plcfrs.errors import InputError
from plcfrs.storage.files import full_disk_names

AnyRecord = TypeVar("AnyRecord", bound=NamedTuple)


class Journal(Generic[AnyRecord]):
    """The records of complete parts of a run; `last` is the last record, or None.

    A run continues an earlier run only if both depend on the same things.
    """

    def __init__(self, path: Path, run: Mapping[str, str], record: type[AnyRecord]) -> None:
        self.path = path
        self.last: AnyRecord | None = None
        self._run = dict(run)
        self._type = record
        self._file: FileIO | None = None

    def start(self) -> None:
        """Start a new journal; raise an InputError if it cannot be written."""
        self._open("wb")
        self._append(self._run)

    def resume(self) -> None:
        """Continue or start a journal; raise an InputError if it is from a different run."""
        size = 0
        if self.path.exists():
            with self.path.open("rb") as file:
                header = file.readline()
                self._check(header)
                size = len(header)
                for line in file:
                    record = self._record(line)
                    if record is None:
                        break
                    self.last = record
                    size += len(line)
        if self.last is None:
            self.start()
            return
        self._open("ab")
        os.truncate(self.path, size)

    def records(self) -> Iterator[AnyRecord]:
        """Yield the records; `resume` has removed a line that was cut off."""
        with self.path.open("rb") as file:
            file.readline()
            yield from filter(None, map(self._record, file))

    def add(self, record: AnyRecord) -> None:
        """Note that a part is complete; its output must have been flushed."""
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
            return  # the earlier run ended while it wrote this line
        check_same_run(self.path, earlier, self._run)

    def _record(self, line: bytes) -> AnyRecord | None:
        """Return the record of a line, or None if it was cut off."""
        if not line.endswith(b"\n"):
            return None
        try:
            return self._type(*json.loads(line))
        except (ValueError, TypeError):
            return None


def check_same_run(path: str | Path, earlier: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise an InputError if an earlier run depended on other things than this run."""
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            what = f"the {name}" if name.endswith(" set") else name
            raise InputError(
                f"{path}: this run differs from the earlier one in {what} "
                f"({_shown(earlier.get(name))}, now {_shown(now.get(name))}): leave out --resume "
                "to start again"
            )


def _shown(value: str | None) -> str:
    return "none" if value is None else value if len(value) <= 40 else f"{value[:12]}..."
