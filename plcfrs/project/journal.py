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


class NotSavedError(InputError):
    """An action that could not be written to the disk, which is full, for example."""


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
                size += len(line)
                if line.strip():
                    yield self._entry(line, number)
        if size < self.path.stat().st_size:
            os.truncate(self.path, size)

    def append(self, entry: Entry) -> None:
        """Write an action to the disk, or raise an InputError and leave the file as it was."""
        try:
            line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
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
            raise NotSavedError(f"{self.path}: nothing was saved: {error.strerror}") from None
        except UnicodeEncodeError:
            raise InputError("nothing was saved: half of a character is missing") from None

    def _entry(self, line: bytes, number: int) -> Entry:
        try:
            entry: Entry = json.loads(line)
            if {"sentence", "revisions", "changes"} <= entry.keys() and entry["operation"]["do"]:
                return entry
        except (ValueError, LookupError, TypeError, AttributeError):
            pass
        raise InputError(f"{self.path}:{number}: expected the line of an action")
