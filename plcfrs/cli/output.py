"""Output that is complete or called FILE.part: trees, and rows of statistics."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath

import click

from plcfrs.errors import InputError
from plcfrs.treebank import TreeWriter, open_output


def kind_of_output(path: str, kinds: Mapping[str, str]) -> str:
    """Return what is written to a file, by its extension; text, if it is ``.txt`` or there is none.

    Raises
    ------
    InputError
        If nothing is written with this extension.

    Examples
    --------
    >>> kind_of_output("a.svg.gz", {".svg": "svg"}), kind_of_output("-", {})
    ('svg', 'text')
    """
    extension = PurePath(path.removesuffix(".gz")).suffix.lower()
    if extension not in ("", ".txt", *kinds):
        raise InputError(
            f"{path}: nothing is written with this extension: name a file in "
            f"{', '.join([*kinds, '.txt'])}, or say with --to what it is"
        )
    return kinds.get(extension, "text")


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
