"""Output that is complete or called FILE.part: trees, and rows of statistics."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from plcfrs.treebank import TreeWriter, open_output


@contextmanager
def tree_output(path: str, format: str | None) -> Iterator[TreeWriter]:
    """Open a file for trees; if the run is interrupted, say where the finished ones are."""
    writer = TreeWriter(path, format)
    try:
        with writer:
            yield writer
    except KeyboardInterrupt:
        if path != "-" and writer.count:
            click.echo(f"the finished trees are in {path}.part", err=True)
        raise


@contextmanager
def row_output(
    path: str | None, header: list[str], delimiter: str = "\t"
) -> Iterator[Callable[[Sequence[object]], object]]:
    """Open a file for rows and yield the function that writes one; it does nothing if no path."""
    if path is None:
        yield lambda _: None
        return
    with open_output(path) as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        yield writer.writerow
