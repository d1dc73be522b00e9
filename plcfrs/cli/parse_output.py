"""The files of a run of ``plcfrs parse``: trees, rows about them, and the journal of all."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TextIO

from plcfrs.cli.parse_summary import (
    COLUMNS,
    POSTERIOR_COLUMNS,
    Summary,
    posterior_rows,
    row,
)
from plcfrs.cli.resuming import can_be_resumed, kept
from plcfrs.corpus import Outcome
from plcfrs.corpus.journal import NOTHING, Journal, Record, checksum
from plcfrs.errors import InputError
from plcfrs.treebank import TreeWriter, open_output
from plcfrs.treebank.ranks import add_rank
from plcfrs.treebank.writing import flushed
from plcfrs.trees import Tree


class ParseOutput:
    """Writes the outcome of each sentence; to be used in a ``with`` statement.

    If trees and rows go to regular files, there is a journal beside them until they are
    complete.

    Parameters
    ----------
    path, format
        As for `TreeWriter`.
    stats : str, optional
        The file of the rows of statistics.
    posteriors : str, optional
        The file of the rows of constituents.
    run : mapping of str to str
        The model, the input and the options of the run; see `Journal`.
    ranked : bool
        Whether the identifiers of trees end in their rank.
    resume : bool
        Whether to continue an earlier run.

    Raises
    ------
    InputError
        If a file cannot be written, or the earlier run was a different one.
    """

    def __init__(
        self,
        path: str,
        format: str | None,
        stats: str | None,
        posteriors: str | None,
        run: Mapping[str, str],
        *,
        ranked: bool,
        resume: bool,
    ) -> None:
        self._ranked = ranked
        self.summary = Summary()
        self._path = path
        self._format = format
        self._stats = stats
        self._posteriors = posteriors
        self._resume = resume
        self._journal: Journal | None = None
        if all(can_be_resumed(name) for name in (path, stats, posteriors) if name is not None):
            target = Path(path).resolve()
            self._journal = Journal(target.with_name(f"{target.name}.progress"), run)
        elif resume:
            raise InputError("--resume needs files: give one with -o, without .gz")
        self._rows: TextIO | None = None
        self._constituents: TextIO | None = None
        # For each sentence being parsed: its checksum, and whether its tags are given.
        self._read: deque[tuple[int, bool]] = deque()
        self._checksum = 0

    def __enter__(self) -> ParseOutput:
        with ExitStack() as files:
            last = None
            if self._journal is not None:
                last = files.enter_context(kept(self._journal, self._path, resume=self._resume))
            done = last or NOTHING
            writer = TreeWriter(self._path, self._format, count=done.trees, size=done.tree_bytes)
            self._trees = files.enter_context(writer)
            if self._stats is not None:
                self._rows = files.enter_context(open_output(self._stats, size=done.row_bytes))
            if self._posteriors is not None:
                self._constituents = files.enter_context(
                    open_output(self._posteriors, size=done.posterior_bytes)
                )
            if last is None:
                _write_rows(self._rows, [COLUMNS])
                _write_rows(self._constituents, [POSTERIOR_COLUMNS])
            self._files = files.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._files.__exit__(kind, error, traceback)

    def skip(self, trees: Iterator[Tree]) -> None:
        """Skip the sentences that an earlier run has completed, and count them.

        Raises
        ------
        InputError
            If the earlier run parsed other sentences.
        """
        for record in self._journal.records() if self._journal else ():
            tree = next(trees, None)
            self._checksum = checksum(tree, self._checksum) if tree else -1
            if self._checksum != record.checksum:
                raise InputError(
                    f"sentence {self.summary.sentences + 1} of the input is not the one that was "
                    "parsed earlier: leave --resume out to start again"
                )
            self.summary.add(record, tagged=tree is not None and _is_tagged(tree))

    def noting(self, trees: Iterator[Tree]) -> Iterator[Tree]:
        """Yield the sentences to parse, and note their checksums."""
        for tree in trees:
            self._checksum = checksum(tree, self._checksum)
            self._read.append((self._checksum, _is_tagged(tree)))
            yield tree

    def write(self, outcome: Outcome) -> None:
        """Write the outcome of the next sentence."""
        best = outcome.parses[0]
        for rank, parse in enumerate(outcome.parses, start=1):
            tree = parse.tree
            if self._ranked:
                tree = replace(tree, id=add_rank(tree.id, rank))
            self._trees.write(tree)
            _write_rows(self._rows, [row(parse, rank, outcome.cpu_seconds)])
            _write_rows(self._constituents, posterior_rows(parse))
        checksum_so_far, tagged = self._read.popleft()
        record = Record(
            checksum_so_far,
            self._trees.count,
            self._trees.flush() if self._journal else 0,
            self._flushed(self._rows),
            best.status,
            best.reason,
            len(best.tree.tokens),
            best.statistics.items,
            outcome.cpu_seconds,
            best.lost_mass,
            best.fallback,
            best.optimality_gap,
            self._flushed(self._constituents),
        )
        if self._journal is not None:
            self._journal.add(record)
        self.summary.add(record, tagged=tagged)

    def _flushed(self, file: TextIO | None) -> int:
        """Return the size of a file of rows, if there is a journal to note it."""
        return flushed(file) if self._journal and file else 0


def _write_rows(file: TextIO | None, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to a file, if it is wanted."""
    if file is not None:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def _is_tagged(tree: Tree) -> bool:
    return all(token.tag for token in tree.tokens)
