"""How a command that was interrupted continues: its journal, and what makes it the same run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from plcfrs import __version__
from plcfrs.cli.options import progress
from plcfrs.corpus.journal import NOTHING, Journal, Record, checksum
from plcfrs.errors import InputError
from plcfrs.grammar.formats import files_of
from plcfrs.storage.files import check_folder, digest_of
from plcfrs.treebank.writing import flushed
from plcfrs.trees import Tree

# Options that do not change what is written: a run may be resumed with other values.
_INDIFFERENT = ("output", "jobs", "scheduler", "resume")


def this_run() -> dict[str, str]:
    """Return what the output of the present command depends on: model, input and options."""
    run = {"version of plcfrs": __version__}
    for name, value in click.get_current_context().params.items():
        if name in _INDIFFERENT or value in (None, False, ()):
            continue
        if name == "model":
            run["model"] = digest_of(files_of(str(value)))
        elif name == "sources":
            run["input"] = " ".join(value)
        else:
            run[f"--{name.replace('_', '-')}"] = str(value)
    return run


class ResumableOutput:
    """The output of a run, and its journal, until it is complete, beside the first of the files.

    To be used in a ``with`` statement.
    """

    def __init__(self, paths: Sequence[str | None], *, resume: bool) -> None:
        names = [name for name in paths if name is not None]
        for name in names:
            check_folder(name)
        self._path, self._resume = names[0], resume
        self._journal: Journal | None = None
        if all(map(_can_be_resumed, names)):
            target = Path(self._path).resolve()
            self._journal = Journal(target.with_name(f"{target.name}.progress"), this_run())
        elif resume:
            raise InputError("--resume needs files: give one with -o, without .gz")
        self._read: deque[tuple[Tree, int]] = deque()
        self._checksum = 0
        self.done = 0

    def __enter__(self) -> None:
        with ExitStack() as files:
            self.open(files, files.enter_context(self._kept()) or NOTHING)
            self._files = files.pop_all()

    def __exit__(self, *error: object) -> None:
        self._files.__exit__(*error)  # type: ignore[arg-type]

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the files, to go on after the last complete sentence."""
        raise NotImplementedError

    def write(self, outcome: Any) -> None:  # noqa: ANN401 (of a sentence)
        """Write the outcome of the next sentence."""
        raise NotImplementedError

    def write_all(
        self, outcomes: Generator[object, None, None], what: str, total: Callable[[], int | None]
    ) -> None:
        """Write the outcomes of all sentences that are left, with a progress bar."""
        with closing(outcomes):
            for outcome in progress(outcomes, what, total, self.done):
                self.write(outcome)

    @contextmanager
    def _kept(self) -> Iterator[Record | None]:
        """Start or continue the journal; remove it if the run is complete or has done nothing."""
        journal = self._journal
        if journal is None:
            yield None
            return
        if self._resume:
            journal.resume()
        try:
            if not self._resume:
                journal.start()  # an interrupt may come as soon as the file is there
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

    def skip(self, trees: Iterator[Tree]) -> Iterator[tuple[Record, Tree]]:
        """Yield the sentences that an earlier run has completed."""
        for record in self._journal.records() if self._journal else ():
            tree = next(trees, None)
            self._checksum = checksum(tree, self._checksum) if tree else -1
            self.done += 1
            if tree is None or self._checksum != record.checksum:
                raise InputError(
                    f"sentence {self.done} of the input is not the one that was read earlier: "
                    "leave --resume out to start again"
                )
            yield record, tree
        if self._resume:
            click.echo(f"resuming after sentence {self.done}", err=True)

    def noting(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the sentences to read, and note their checksums."""
        for tree in trees:
            self._checksum = checksum(tree, self._checksum)
            self._read.append((tree, self._checksum))
            yield tree

    def next_read(self) -> tuple[Tree, int]:
        """Return the next noted sentence, and the checksum so far."""
        return self._read.popleft()

    def add(self, record: Record) -> None:
        """Note that a sentence is complete."""
        if self._journal is not None:
            self._journal.add(record)

    def size(self, file: TextIO | None) -> int:
        """Return the size of a file, if there is a journal to note it."""
        return flushed(file) if self._journal and file else 0


def _can_be_resumed(name: str) -> bool:
    """Return whether a run that writes a file can be continued."""
    path = Path(name)
    return name != "-" and path.suffix != ".gz" and (path.is_file() or not path.exists())
