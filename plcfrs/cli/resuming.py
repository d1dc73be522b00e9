"""A run of a command on sentences, which can be interrupted and continued."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import click

from plcfrs import __version__
from plcfrs.cli.output import is_folder, progress
from plcfrs.errors import InputError
from plcfrs.grammar.formats import files_of
from plcfrs.parsing.sentence import Sentence
from plcfrs.storage.continuing import Journal
from plcfrs.storage.files import check_folder, digest_of
from plcfrs.treebank.writing import flushed


class Record(NamedTuple):
    """A complete sentence, with the number of trees and the sizes of the files (bytes) up to it.

    The checksum covers this sentence and all before it; the other fields are for the summary.
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
    fixed_cost: float | None = None


NOTHING = Record(0, 0, 0, 0, "", "", 0, 0, 0.0, 0.0)
"""Where the first sentence begins."""


def checksum(sentence: Sentence, before: int) -> int:
    """Return the checksum of a sentence and all before it, given the checksum before it."""
    texts = (text for token in sentence.tokens for text in (token.form, token.tag))
    fixed = sentence.fixed.required if sentence.fixed else ()
    fields = [sentence.id, *texts, *map(str, fixed)]
    return zlib.crc32("\0".join(fields).encode("utf-8", "surrogatepass"), before)


# Options that do not change the output: a run may be resumed with other values.
_IRRELEVANT = ("output", "jobs", "scheduler", "resume")


def this_run() -> dict[str, str]:
    """Return what the output of this command depends on: model, input and options."""
    run = {"version of plcfrs": __version__}
    for name, value in click.get_current_context().params.items():
        if name in _IRRELEVANT or value in (None, False, ()):
            continue
        if name == "model":
            run["model"] = digest_of(files_of(str(value)))
        elif name == "sources":
            run["input"] = " ".join(value)
        else:
            run[f"--{name.replace('_', '-')}"] = str(value)
    return run


class Run:
    """A run of a command on sentences: its files, and its journal beside the first of them.

    The journal exists until the run is complete. Use it in a ``with`` statement.
    """

    def __init__(self, paths: Sequence[str | None], *, resume: bool) -> None:
        names = [name for name in paths if name is not None]
        for name in names:
            check_folder(name)
        self._path, self._resume = names[0], resume
        self._journal: Journal[Record] | None = None
        if all(map(_can_be_resumed, names)):
            target = Path(self._path).resolve()
            self._journal = Journal(target.with_name(f"{target.name}.progress"), this_run(), Record)
        elif resume:
            raise InputError("--resume needs files: give one with -o, without .gz")
        self._pending: deque[tuple[Sentence, int]] = deque()  # read, with the checksum so far
        self._checksum = 0
        self.done = 0

    def __enter__(self) -> None:
        with ExitStack() as files:
            self.open(files, files.enter_context(self._kept()) or NOTHING)
            self._files = files.pop_all()

    def __exit__(self, *error: object) -> None:
        self._files.__exit__(*error)  # type: ignore[arg-type]

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the files after the last complete sentence."""
        raise NotImplementedError

    def write(self, outcome: Any, sentence: Sentence, checksum: int) -> Record:  # noqa: ANN401
        """Write the outcome of a sentence, and return its record."""
        raise NotImplementedError

    def count(self, record: Record, sentence: Sentence) -> None:
        """Count a complete sentence, including those of an earlier run."""

    def remaining(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """Return the sentences that an earlier run has not completed."""
        for record in self._journal.records() if self._journal else ():
            sentence = next(sentences, None)
            self._checksum = checksum(sentence, self._checksum) if sentence else -1
            self.done += 1
            if sentence is None or self._checksum != record.checksum:
                raise InputError(
                    f"sentence {self.done} of the input has changed since the earlier run: leave "
                    "out --resume to start again"
                )
            self.count(record, sentence)
        if self._resume:
            click.echo(f"resuming after sentence {self.done}", err=True)
        return self._noted(sentences)

    def _noted(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        for sentence in sentences:
            self._checksum = checksum(sentence, self._checksum)
            self._pending.append((sentence, self._checksum))
            yield sentence

    def write_all(
        self, outcomes: Generator[object, None, None], what: str, total: Callable[[], int | None]
    ) -> None:
        """Write the outcomes of all remaining sentences, with a progress bar."""
        with closing(outcomes):
            for outcome in progress(outcomes, what, total, self.done):
                sentence, checksum_so_far = self._pending.popleft()
                record = self.write(outcome, sentence, checksum_so_far)
                if self._journal is not None:
                    self._journal.add(record)
                self.count(record, sentence)

    @contextmanager
    def _kept(self) -> Iterator[Record | None]:
        """Start or continue the journal; remove it if the run is complete or without results."""
        journal = self._journal
        if journal is None:
            yield None
            return
        if self._resume:
            journal.resume()
        try:
            if not self._resume:
                journal.start()  # here, since an interrupt may come as soon as the file exists
            yield journal.last
        except BaseException:
            journal.close()
            if journal.last is None:
                journal.remove()
            else:
                click.echo(
                    f"the finished sentences are in {self._path}.part: to continue, run the same "
                    "command with --resume",
                    err=True,
                )
            raise
        journal.remove()

    def size(self, file: TextIO | None) -> int:
        """Return the size of a file, for the journal, if there is one."""
        return flushed(file) if self._journal and file else 0


def _can_be_resumed(name: str) -> bool:
    """Whether a run that writes this file can be continued."""
    path = Path(name)
    is_regular = path.is_file() or not (path.exists() or is_folder(name))
    return name != "-" and path.suffix != ".gz" and is_regular
