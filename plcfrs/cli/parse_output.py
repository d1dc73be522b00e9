"""The files of a run of ``plcfrs parse``: trees, rows about them, and the journal of all.

Sentences without votes of other programs are counted and reported.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

import click

from plcfrs.cli.output import say_tsv
from plcfrs.cli.parse_summary import COLUMNS, POSTERIOR_COLUMNS, Summary, posterior_rows, row
from plcfrs.cli.resuming import ResumableOutput
from plcfrs.corpus import Outcome
from plcfrs.corpus.journal import Record
from plcfrs.errors import InputError
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.treebank import TreeWriter, open_output
from plcfrs.treebank.writing import add_rank
from plcfrs.trees import Tree

if TYPE_CHECKING:
    from plcfrs.cli.parse_command import ParseOptions


class ParseOutput(ResumableOutput):
    """The trees, statistics and constituents of each sentence."""

    def __init__(self, chosen: ParseOptions) -> None:
        super().__init__((chosen.output, chosen.stats, chosen.posteriors), resume=chosen.resume)
        for path in (chosen.stats, chosen.posteriors):
            say_tsv(path)
        self.summary = Summary()
        self._chosen = chosen

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the files, to go on after the last complete sentence."""
        chosen = self._chosen
        writer = TreeWriter(chosen.output, chosen.to, count=done.trees, size=done.tree_bytes)
        self._trees = files.enter_context(writer)
        self._rows = _open_rows(files, chosen.stats, COLUMNS, done.row_bytes)
        self._constituents = _open_rows(
            files, chosen.posteriors, POSTERIOR_COLUMNS, done.posterior_bytes
        )

    def remaining(self, trees: Iterator[Tree]) -> Iterator[Tree]:
        """Return the sentences that an earlier run has not completed."""
        for record, tree in self.skip(trees):
            self.summary.add(record, tagged=_is_tagged(tree))
        return self.noting(trees)

    def write(self, outcome: Outcome) -> None:
        """Write the outcome of the next sentence."""
        best = outcome.parses[0]
        for rank, parse in enumerate(outcome.parses, start=1):
            least = self._chosen.min_posterior
            tree = parse.tree if least is None else parse.safe_tree(least)
            if self._chosen.nbest is not None:
                tree = replace(tree, id=add_rank(tree.id, rank))
            self._trees.write(tree)
            _write_rows(self._rows, [row(parse, rank, outcome.cpu_seconds)])
            _write_rows(self._constituents, posterior_rows(parse))
        sentence, checksum_so_far = self.next_read()
        record = Record(
            checksum_so_far,
            self._trees.count,
            self._trees.flush() if self._journal else 0,
            self.size(self._rows),
            best.status,
            best.reason,
            len(best.tree.tokens),
            best.statistics.items,
            outcome.cpu_seconds,
            best.lost_mass,
            best.fallback,
            best.optimality_gap,
            self.size(self._constituents),
        )
        self.add(record)
        self.summary.add(record, tagged=_is_tagged(sentence))


def _open_rows(files: ExitStack, path: str | None, columns: list[str], size: int) -> TextIO | None:
    """Open a file of rows, if it is wanted, with its header if it is new."""
    if path is None:
        return None
    file = files.enter_context(open_output(path, size=size))
    if not size:
        _write_rows(file, [columns])
    return file


def _write_rows(file: TextIO | None, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to a file, if it is wanted."""
    if file is not None:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def _is_tagged(tree: Tree) -> bool:
    return all(token.tag for token in tree.tokens)


class VoteCount:
    """Counts the sentences that a parser has no votes for."""

    def __init__(self, parser: SentenceParser) -> None:
        self._parser = parser
        self._sentences = 0
        self._missing: Counter[str] = Counter()

    def noting(self, tree: Tree) -> Tree:
        """Return a sentence, and count it if it has words."""
        if tree.tokens:
            self._sentences += 1
            self._missing.update(self._parser.missing(tree))
        return tree

    def report(self) -> None:
        """Say how many sentences have no votes; raise if none has votes of one of the voters."""
        for name, number in self._missing.items():
            if number == self._sentences:
                raise InputError(
                    f"votes {name}: the file has none of these sentences: their words must be the "
                    "same"
                )
            click.echo(f"no votes of {name}: {number} of {self._sentences} sentences", err=True)
