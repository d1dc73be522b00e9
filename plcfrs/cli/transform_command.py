"""``plcfrs transform``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from typing import get_args

import click

from plcfrs.binarization import Markovization, Order, binarize_tree, unbinarize_tree
from plcfrs.cli.options import (
    Selection,
    memory_options,
    output_options,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.output import row_output, tree_output
from plcfrs.transformation import (
    Anomaly,
    DiscontinuityTable,
    Options,
    ReattachmentTable,
    merge_nodes,
    remove_splits,
    transform_all,
)
from plcfrs.transition.lengths import DerivationTable

_SHOWN = 5


@click.command("transform")
@treebanks_argument
@output_options
@click.option("--write-splits", is_flag=True, help="Print category splits, as in S^WH.")
@click.option("--table", metavar="FILE", help="Write the table of gap degrees as CSV.")
@click.option("--statistics", is_flag=True, help="Print statistics of discontinuity.")
@click.option(
    "--derivations",
    is_flag=True,
    help="Print how many transitions each transition system needs to build the trees.",
)
@click.option("--anomalies", metavar="FILE", help="Write a row for each odd annotation as TSV.")
@click.option(
    "--merge",
    is_flag=True,
    help="Only undo --continuous split, also in a parser's output (disco-dop: mergedisc).",
)
@click.option(
    "--binarize",
    "order",
    type=click.Choice(get_args(Order)),
    help="Binarize the trees, with labels such as @VP>S+NP.",
)
@memory_options("inf")
@click.option("--unbinarize", is_flag=True, help="Only undo --binarize, also in a parser's output.")
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    to: str | None,
    write_splits: bool,
    table: str | None,
    statistics: bool,
    derivations: bool,
    anomalies: str | None,
    merge: bool,
    order: Order | None,
    horizontal: float,
    vertical: float,
    unbinarize: bool,
    options: Options,
    selection: Selection,
) -> None:
    """Turn the traces of a treebank into crossing branches, and change its trees in other ways.

    Prints on stderr how often each type of trace was reattached and the gap degrees of the
    trees, like table 1 of Evang and Kallmeyer (2011). --statistics adds gap degrees,
    ill-nestedness and edge degrees by category (Maier and Lichte 2011). --derivations adds
    table 6 of Coavoux and Crabbé (2017).

    \b
    Examples:
      plcfrs transform nltk:treebank -o wsj.discbracket --table table1.csv
      plcfrs transform tiger.xml --attach-low --punctuation low --balance \\
        --head-rules negra --statistics -o tiger.export
      plcfrs transform parses.mrg --merge -o parses.discbracket
      plcfrs transform wsj.discbracket --binarize head-outward --horizontal 1 -o binary.discbracket
    """  # noqa: D301
    if merge and unbinarize:
        raise click.UsageError("--merge and --unbinarize exclude each other: give only one.")
    if order is None and (horizontal, vertical) != (inf, 1):
        raise click.UsageError("--horizontal and --vertical need --binarize.")
    if derivations and (merge or unbinarize):
        raise click.UsageError("--derivations excludes --merge and --unbinarize.")
    found: list[Anomaly] = []
    lengths = DerivationTable()
    counts = ReattachmentTable()
    discontinuity = DiscontinuityTable()
    trees = progress(selection.read(treebanks), "transform")
    inverse = unbinarize_tree if unbinarize else merge_nodes if merge else None
    transformed = map(inverse, trees) if inverse else transform_all(trees, options, found)
    with tree_output(output, to) as writer:
        for tree in discontinuity.watch(counts.watch(transformed)):
            if derivations:
                lengths.add(tree)
            if not write_splits:
                tree = remove_splits(tree)
            if order:
                tree = binarize_tree(tree, Markovization(order, horizontal, vertical))
            writer.write(tree)
    selection.report()
    if counts.instances.total():
        click.echo(counts, err=True)
    elif not (statistics or inverse):
        click.echo(_without_traces(counts), err=True)
    if statistics:
        click.echo(discontinuity, err=True)
    if derivations:
        click.echo(lengths, err=True)
    _summarise(found)
    header, *rows = counts.rows()
    _write_rows(table, header, rows, ",")
    _write_rows(anomalies, list(Anomaly._fields), found, "\t")


def _without_traces(counts: ReattachmentTable) -> str:
    """Return the gap degrees of the table as one line."""
    (_, _, *names), *_, (_, _, *total) = counts.rows()
    figures = (f"{name}: {figure}" for name, figure in zip(names, total, strict=True))
    return f"no traces were reattached; {', '.join(figures)}"


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
