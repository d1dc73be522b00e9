"""``plcfrs transform``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import inf

import click

from plcfrs.cli.command import command_of, group
from plcfrs.cli.input import InputOptions
from plcfrs.cli.lengths import DerivationTable
from plcfrs.cli.options import format_setting, output_setting, treebanks_argument
from plcfrs.cli.output import progress, saved, write_rows
from plcfrs.grammar import Markovization, Order, binarize_tree, unbinarize_tree
from plcfrs.grammar.markovization import horizontal_setting, vertical_setting
from plcfrs.settings import setting
from plcfrs.transformation import (
    Anomaly,
    DiscontinuityTable,
    Options,
    ReattachmentTable,
    merge_nodes,
)
from plcfrs.transformation.presets import WH, change_all
from plcfrs.treebank import TreeWriter
from plcfrs.wording import counted

_SHOWN = 5


@dataclass(frozen=True)
class TransformOptions:
    """The options of ``plcfrs transform``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = output_setting()
    to: str | None = format_setting()
    write_splits: bool = setting(False, "Print category splits, as in S^WH.")
    table: str | None = setting(
        None, "Write the table of gap degrees as CSV.", metavar="FILE", is_output=True
    )
    statistics: bool = setting(False, "Print statistics of discontinuity.")
    derivations: bool = setting(
        False,
        "Print how many transitions each transition system needs to build the trees.",
    )
    anomalies: str | None = setting(
        None, "Write a row for each odd annotation as TSV.", metavar="FILE", is_output=True
    )
    merge: bool = setting(
        False, "Only undo --continuous split, also in a parser's output (disco-dop: mergedisc)."
    )
    binarization: Order | None = setting(None, "Binarize the trees, with labels such as @VP>S+NP.")
    horizontal: float = horizontal_setting()
    vertical: float = vertical_setting()
    unbinarize: bool = setting(False, "Only undo --binarization, also in a parser's output.")
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)

    def check(self) -> None:
        """Raise if options do not go together."""
        if self.merge and self.unbinarize:
            raise click.UsageError("--merge and --unbinarize exclude each other: give only one.")
        if self.binarization is None and (self.horizontal, self.vertical) != (inf, 1):
            raise click.UsageError("--horizontal and --vertical need --binarization.")
        if self.derivations and (self.merge or self.unbinarize):
            raise click.UsageError("--derivations excludes --merge and --unbinarize.")


@command_of("transform", TransformOptions())
def command(chosen: TransformOptions) -> None:
    """Turn the traces of a treebank into crossing branches, and change its trees in other ways.

    Prints on stderr how often each type of trace was reattached, and the gap degrees of the
    trees, like table 1 of Evang and Kallmeyer (2011). --statistics adds gap degrees,
    ill-nestedness and edge degrees by category (Maier and Lichte 2011). --derivations adds
    table 6 of Coavoux and Crabbé (2017).

    \b
    Examples:
      plcfrs transform nltk:treebank -o wsj.discbracket --table table1.csv
      plcfrs transform tiger.xml --attach-low --punctuation low --pair-marks \\
        --head-rules negra --statistics -o tiger.export
      plcfrs transform parses.mrg --merge -o parses.discbracket
      plcfrs transform wsj.discbracket --binarization head-outward --horizontal 1 \\
        -o binary.discbracket
    """  # noqa: D301
    chosen.check()
    anomalies: list[Anomaly] = []
    lengths = DerivationTable() if chosen.derivations else None
    counts = ReattachmentTable()
    discontinuity = DiscontinuityTable()
    trees_with_splits = 0
    trees = progress(chosen.input.read(chosen.treebanks), "transform")
    inverse = unbinarize_tree if chosen.unbinarize else merge_nodes if chosen.merge else None
    transformed = map(inverse, trees) if inverse else change_all(trees, chosen.options, anomalies)
    if chosen.statistics:
        transformed = discontinuity.watch(transformed)
    with saved(TreeWriter(chosen.output, chosen.to), chosen.output, chosen.input) as output:
        for tree in counts.watch(transformed):
            if lengths:
                lengths.add(tree)
            if not chosen.write_splits:
                nodes = tree.nodes()
                trees_with_splits += any(node.split == WH for node in nodes)
                for node in nodes:
                    node.split = ""
            if order := chosen.binarization:
                how = Markovization(order, chosen.horizontal, chosen.vertical)
                tree = binarize_tree(tree, how)
            output.write(tree)
    chosen.input.report()
    if counts.instances.total():
        click.echo(counts, err=True)
    elif not (chosen.statistics or inverse):
        click.echo(_without_traces(counts), err=True)
    if chosen.statistics:
        click.echo(discontinuity, err=True)
    if lengths:
        click.echo(lengths, err=True)
    _summarise(anomalies, trees_with_splits)
    header, *rows = counts.rows()
    write_rows(chosen.table, header, rows, ",")
    write_rows(chosen.anomalies, list(Anomaly._fields), anomalies)


def _without_traces(counts: ReattachmentTable) -> str:
    """Return the gap degrees of the table as one line."""
    (_, _, *names), *_, (_, _, *total) = counts.rows()
    figures = (f"{name}: {figure}" for name, figure in zip(names, total, strict=True))
    return f"no traces were reattached; {', '.join(figures)}"


def _summarise(anomalies: list[Anomaly], trees_with_splits: int) -> None:
    """Say how many trees have lost a split that needs their traces, and what is odd."""
    if trees_with_splits:
        click.echo(
            f"category split S^{WH} not written (in {counted(trees_with_splits, 'tree')}): train "
            "grammars on the original treebank, or add --write-splits",
            err=True,
        )
    sentences = defaultdict(list)
    for anomaly in anomalies:
        sentences[anomaly.kind].append(anomaly.sentence)
    for kind, places in sentences.items():
        more = ", ..." if len(places) > _SHOWN else ""
        click.echo(f"{kind}: {len(places)} ({', '.join(places[:_SHOWN])}{more})", err=True)
