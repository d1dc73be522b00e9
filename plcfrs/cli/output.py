"""The output of commands: files of trees and rows, and a progress bar."""

from __future__ import annotations

import csv
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, TypeVar

import click

from plcfrs.cli.input import InputOptions
from plcfrs.cli.overwriting import check_kept
from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank import open_output
from plcfrs.treebank.writing import Ranking, SentenceWriter
from plcfrs.trees import DependencyTree, Tree

Item = TypeVar("Item")


class TreeOutput:
    """Writes trees; with --skip-bad, it skips and counts trees that the format cannot hold."""

    def __init__(self, writer: SentenceWriter[Any], *, skip_bad: bool) -> None:
        self._writer = writer
        self._skip_bad = skip_bad
        self.skipped = 0
        self.tokens = 0

    def write(self, tree: Tree | DependencyTree) -> None:
        """Write a tree, or skip it."""
        try:
            self._writer.write(tree)
            self.tokens += len(tree.tokens)
        except TreebankError as error:
            if not self._skip_bad:
                raise
            self.skipped += 1
            click.echo(f"plcfrs: skipped: {error}", err=True)


@contextmanager
def saved(writer: SentenceWriter[Any], path: str, input: InputOptions) -> Iterator[TreeOutput]:
    """Open a file for the trees of an input, and say what is lost.

    If the run is interrupted, say where the finished trees are.
    """
    output = TreeOutput(writer, skip_bad=input.skip_bad)
    try:
        with writer:
            yield output
            check_kept(writer.loss or input.tokens != output.tokens)
        if writer.loss:
            click.echo(writer.loss, err=True)
        if output.skipped:
            click.echo(f"trees skipped that cannot be written: {output.skipped}", err=True)
    except KeyboardInterrupt:
        if path != "-" and writer.count:
            click.echo(f"the finished trees are in {path}.part", err=True)
        raise


def write_rows(
    path: str | None, header: list[str], rows: Iterable[Sequence[object]], delimiter: str = "\t"
) -> None:
    """Write rows as they come; without a path, consume them."""
    if path is None:
        deque(rows, maxlen=0)
        return
    with open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def kind_of_output(path: str, kinds: Mapping[str, str]) -> str:
    """Return the kind of output by its file extension; text for ``.txt`` or no extension.

    >>> kind_of_output("a.svg.gz", {".svg": "svg"}), kind_of_output("-", {})
    ('svg', 'text')
    """
    extension = PurePath(path.removesuffix(".gz")).suffix.lower()
    if extension not in ("", ".txt", *kinds):
        raise InputError(
            f"{path}: unknown extension: use {', '.join([*kinds, '.txt'])}, or choose a format "
            "with --to"
        )
    return kinds.get(extension, "text")


def say_tsv(path: str | None) -> None:
    """Say that a table is TSV if the extension of its file says something else."""
    suffix = PurePath((path or "").removesuffix(".gz")).suffix.lower()
    if suffix not in ("", ".tsv", ".tab", ".txt"):
        click.echo(f"{path}: written as TSV, whatever the name says", err=True)


def report_rank(ranking: Ranking) -> None:
    """Say on stderr how many sentences have no parse of a rank."""
    if ranking.shorter:
        click.echo(ranking, err=True)


def progress(
    items: Iterable[Item], what: str, count: Callable[[], int | None] = lambda: None, done: int = 0
) -> Iterator[Item]:
    """Yield the items; if stderr is a terminal, show a progress bar there.

    With the number of all items, including those already done, it estimates the remaining time.
    Items are counted only if there is a bar.
    """
    if not sys.stderr.isatty():  # Ctrl-C while tqdm starts, even disabled, prints a traceback
        yield from items
        return
    from tqdm import tqdm  # here, for a fast start

    options: dict[str, Any] = {"desc": what, "total": count(), "initial": done}
    yield from tqdm(items, **options, unit=" sentences", leave=False)
