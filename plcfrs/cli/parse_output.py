"""The files of a run of ``plcfrs parse``: trees, rows about them, and the journal of all."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import TextIO

from plcfrs.cli.parse_summary import COLUMNS, POSTERIOR_COLUMNS, Summary, posterior_rows, row
from plcfrs.cli.resuming import Resumption
from plcfrs.corpus import Outcome
from plcfrs.corpus.journal import NOTHING, Record
from plcfrs.treebank import TreeWriter, open_output
from plcfrs.treebank.ranks import add_rank
from plcfrs.trees import Tree


class ParseOutput:
    """Writes the outcome of each sentence; to be used in a ``with`` statement."""

    def __init__(
        self,
        path: str,
        format: str | None,
        stats: str | None,
        posteriors: str | None,
        *,
        ranked: bool,
        resume: bool,
    ) -> None:
        self.summary = Summary()
        self._ranked = ranked
        self._path, self._format = path, format
        self._stats, self._posteriors = stats, posteriors
        files = [name for name in (path, stats, posteriors) if name is not None]
        self._run = Resumption(files, resume=resume)
        self._rows: TextIO | None = None
        self._constituents: TextIO | None = None

    def __enter__(self) -> ParseOutput:
        with ExitStack() as files:
            last = files.enter_context(self._run.kept())
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

    def __exit__(self, *error: object) -> None:
        self._files.__exit__(*error)  # type: ignore[arg-type]

    def remaining(self, trees: Iterator[Tree]) -> Iterator[Tree]:
        """Return the sentences to parse, after those that an earlier run has completed."""
        for record, tree in self._run.skip(trees):
            self.summary.add(record, tagged=_is_tagged(tree))
        return self._run.noting(trees)

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
        sentence, checksum_so_far = self._run.next_read()
        record = Record(
            checksum_so_far,
            self._trees.count,
            self._trees.flush() if self._run.is_noted else 0,
            self._run.size(self._rows),
            best.status,
            best.reason,
            len(best.tree.tokens),
            best.statistics.items,
            outcome.cpu_seconds,
            best.lost_mass,
            best.fallback,
            best.gap,
            self._run.size(self._constituents),
        )
        self._run.add(record)
        self.summary.add(record, tagged=_is_tagged(sentence))


def _write_rows(file: TextIO | None, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to a file, if it is wanted."""
    if file is not None:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def _is_tagged(tree: Tree) -> bool:
    return all(token.tag for token in tree.tokens)
