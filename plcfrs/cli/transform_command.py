"""``plcfrs transform``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import click

from plcfrs.cli.options import (
    Selection,
    output_options,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.output import row_output, tree_output
from plcfrs.transform import Anomaly, Options, ReattachmentTable, remove_splits, transform_all

_SHOWN = 5


@click.command("transform")
@treebanks_argument
@output_options
@click.option("--write-splits", is_flag=True, help="Print category splits, as in S^WH.")
@click.option("--table", metavar="FILE", help="Write the table of gap degrees as CSV.")
@click.option("--anomalies", metavar="FILE", help="Write odd annotations, one a line, as TSV.")
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    to: str | None,
    write_splits: bool,
    table: str | None,
    anomalies: str | None,
    options: Options,
    selection: Selection,
) -> None:
    """Turn the traces of a treebank into crossing branches.

    Prints on stderr how often each type of trace was reattached and the gap degrees of the
    trees, as table 1 of Evang and Kallmeyer (2011).

    \b
    Example:
      plcfrs transform nltk:treebank -o wsj.discbracket --table table1.csv
    """  # noqa: D301
    found: list[Anomaly] = []
    counts = ReattachmentTable()
    trees = progress(selection.read(treebanks), "transform")
    with tree_output(output, to) as writer:
        for tree in counts.watch(transform_all(trees, options, found)):
            if not write_splits:
                remove_splits(tree)
            writer.write(tree)
    selection.report()
    click.echo(counts, err=True)
    _summarise(found)
    header, *rows = counts.rows()
    _write_rows(table, header, rows, ",")
    _write_rows(anomalies, list(Anomaly._fields), found, "\t")


def _summarise(anomalies: list[Anomaly]) -> None:
    sentences = defaultdict(list)
    for anomaly in anomalies:
        sentences[anomaly.kind].append(anomaly.sentence)
    for kind, places in sentences.items():
        more = ", ..." if len(places) > _SHOWN else ""
        click.echo(f"{kind}: {len(places)} ({', '.join(places[:_SHOWN])}{more})", err=True)


def _write_rows(
    path: str | None, header: list[str], rows: Iterable[Sequence[str]], delimiter: str
) -> None:
    with row_output(path, header, delimiter) as write_row:
        for row in rows:
            write_row(row)
