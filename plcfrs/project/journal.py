"""The journal of a person: a line for each action, which is on the disk before anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Any

from plcfrs.errors import InputError

Entry = dict[str, Any]


class ActionJournal:
    """A file to which actions are appended, each with fsync.

    A last line that was cut off by a crash is removed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> Iterator[Entry]:
        """Yield the actions; raise an InputError if a line is damaged."""
        if not self.path.exists():
            return
        size = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = json.loads(line)
                except ValueError:
                    raise InputError(f"{self.path}:{number}: expected a line of JSON") from None
                yield entry
                size += len(line)
        if size < self.path.stat().st_size:
            os.truncate(self.path, size)

    def append(self, entry: Entry) -> None:
        """Write an action to the disk, or raise an InputError and leave the file as it was."""
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileIO(self.path, "ab") as file:
                size = file.seek(0, os.SEEK_END)
                try:
                    if file.write(line) != len(line):
                        raise OSError(None, "the disk is full")
                    os.fsync(file.fileno())
                except OSError:
                    os.truncate(self.path, size)
                    raise
        except OSError as error:
            raise InputError(f"{self.path}: nothing was saved: {error.strerror}") from None
