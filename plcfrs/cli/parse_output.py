"""The files of a run of ``plcfrs parse``: trees, rows about them, the journal, and a summary.

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

from plcfrs.cli.options import say_tsv
from plcfrs.cli.resuming import Record, ResumableOutput
from plcfrs.corpus import Outcome
from plcfrs.errors import InputError
from plcfrs.grammar.nonterminal import render_ranges
from plcfrs.parsing.parse import Parse, describe_gap
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.treebank import TreeWriter, open_output
from plcfrs.treebank.writing import add_rank
from plcfrs.trees.tree import runs, span_of
from plcfrs.wording import counted

if TYPE_CHECKING:
    from plcfrs.cli.parse_command import ParseOptions


_FIGURES = ("items", "popped", "improved", "edges", "pair_tests")
_TIMES = ("estimate_seconds", "search_seconds")
COLUMNS = [
    "id",
    "rank",
    "length",
    "status",
    "fallback",
    "score",
    *_FIGURES,
    *_TIMES,
    "cpu_seconds",
    "gap",
]
POSTERIOR_COLUMNS = ["id", "category", "tokens", "probability"]
_SHOWN = 5


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

    def remaining(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """Return the sentences that an earlier run has not completed."""
        for record, sentence in self.skip(sentences):
            self.summary.add(record, tagged=sentence.tags is not None)
        return self.noting(sentences)

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
        sentence, checksum_so_far = self._noted.popleft()
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
        self.summary.add(record, tagged=sentence.tags is not None)


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


class Summary:
    """Counts of the outcomes of all sentences."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.tokens = self.items = self.unproven = 0
        self.cpu_seconds = self.lost_mass = self.gap = 0.0

    @property
    def sentences(self) -> int:
        """The number of sentences so far."""
        return self.statuses.total()

    def add(self, record: Record, *, tagged: bool) -> None:
        """Count a sentence with given tags or without."""
        self.statuses[record.status] += 1
        if record.tokens:
            self.tags["given" if tagged else "found by the parser"] += 1
        if record.fallback != "none":
            self.fallbacks[record.fallback] += 1
        if record.reason:
            self.reasons[f"{record.status} {record.reason}"] += 1
        self.tokens += record.tokens
        self.items += record.items
        self.cpu_seconds += record.cpu_seconds
        self.lost_mass = max(self.lost_mass, record.lost_mass)
        self.unproven += bool(record.gap)
        self.gap = max(self.gap, record.gap or 0.0)

    def __str__(self) -> str:
        sentences, parsed = self.sentences, self.statuses["parsed"]
        seconds = max(self.cpu_seconds, 1e-9)
        items = f"{self.items} items, " if self.items else ""  # transition parsers have none
        lines = [
            f"{parsed} of {sentences} sentences parsed, {sentences - parsed} failed",
            f"{items}{self.cpu_seconds:.2f} s CPU, "
            f"{sentences / seconds:.1f} sentences/s, {self.tokens / seconds:.0f} tokens/s",
        ]
        if len(self.tags) == 1:
            lines.append(f"tags: {next(iter(self.tags))}")
        elif self.tags:
            given = f"{self.tags['given']} of {sentences} sentences"
            lines.append(f"tags: given in {given}, else found by the parser")
        failed = {status: count for status, count in self.statuses.items() if status != "parsed"}
        if self.unproven:
            lines.append(f"{counted(self.unproven, 'parse')} {describe_gap(self.gap)}")
        if self.lost_mass:
            lines.append(
                "share of the probability of a sentence that is left out of the sums: at most "
                f"{self.lost_mass:.2g}"
            )
        if failed:
            lines.append(", ".join(f"{status}: {count}" for status, count in failed.items()))
        for fallback, count in self.fallbacks.items():
            lines.append(f"fallback {fallback}: {count}")
        for reason, count in self.reasons.most_common(_SHOWN):
            lines.append(f"  {reason}: {count}")
        if len(self.reasons) > _SHOWN:
            lines.append(f"  and {len(self.reasons) - _SHOWN} others")
        return "\n".join(lines)


def posterior_rows(parse: Parse) -> list[list[str]]:
    """Return a row with the `POSTERIOR_COLUMNS` for each constituent below the root."""
    return [
        [parse.tree.id, category, render_ranges(runs(span_of(list(positions)))), f"{chance:.4f}"]
        for category, positions, chance in (parse.posteriors or [])[1:]
    ]


def row(parse: Parse, rank: int, seconds: float) -> list[object]:
    """Return a row of statistics with the `COLUMNS`."""
    statistics, tree = parse.statistics, parse.tree
    times = [*(getattr(statistics, name) for name in _TIMES), seconds]
    return [
        tree.id,
        rank,
        len(tree.tokens),
        parse.status,
        parse.fallback,
        repr(parse.score),
        *(getattr(statistics, name) for name in _FIGURES),
        *(f"{time:.6f}" for time in times),
        "" if parse.optimality_gap is None else repr(parse.optimality_gap),
    ]


class VoteCount:
    """Counts the sentences that a parser has no votes for."""

    def __init__(self, parser: SentenceParser) -> None:
        self._parser = parser
        self._sentences = 0
        self._missing: Counter[str] = Counter()

    def noting(self, sentence: Sentence) -> Sentence:
        """Return a sentence, and count it if it has words."""
        if sentence.tokens:
            self._sentences += 1
            self._missing.update(self._parser.missing(sentence))
        return sentence

    def report(self) -> None:
        """Say how many sentences have no votes; raise if none has votes of one of the voters."""
        for name, number in self._missing.items():
            if number == self._sentences:
                raise InputError(
                    f"votes {name}: the file has none of these sentences: their words must be the "
                    "same"
                )
            click.echo(f"no votes of {name}: {number} of {self._sentences} sentences", err=True)
