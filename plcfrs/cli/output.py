"""Output files of trees and rows of statistics, called FILE.part until they are complete."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TypeVar

import click

from plcfrs.errors import InputError
from plcfrs.treebank import DependencyWriter, TreeWriter, open_output

Writer = TypeVar("Writer", bound=TreeWriter | DependencyWriter)


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


@contextmanager
def saved(writer: Writer, path: str) -> Iterator[Writer]:
    """Open a file for trees; if the run is interrupted, say where the finished trees are."""
    try:
        with writer:
            yield writer
    except KeyboardInterrupt:
        if path != "-" and writer.count:
            click.echo(f"the finished trees are in {path}.part", err=True)
        raise


def say_tsv(path: str | None) -> None:
    """Say that a table is TSV if the name of its file promises something else."""
    suffix = PurePath((path or "").removesuffix(".gz")).suffix.lower()
    if suffix not in ("", ".tsv", ".tab", ".txt"):
        click.echo(f"{path}: written as TSV, whatever the name says", err=True)


def write_rows(
    path: str | None, header: list[str], rows: Iterable[Sequence[object]], delimiter: str = "\t"
) -> None:
    """Write rows as they come; without a path, only go through them."""
    if path is None:
        deque(rows, maxlen=0)
        return
    with open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
