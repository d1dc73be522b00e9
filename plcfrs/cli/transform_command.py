"""``plcfrs transform``, and its table of derivations in all transition systems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf

import click

from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, output_setting, progress, saved, write_rows
from plcfrs.grammar import Markovization, Order, binarize_tree, unbinarize_tree
from plcfrs.grammar.markovization import horizontal_setting, vertical_setting
from plcfrs.parsing.registry import Length, families
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
from plcfrs.trees import Node, Token, Tree
from plcfrs.wording import aligned, counted

_SHOWN = 5
_WORD = Tree(Node("ROOT", children=[0], head=0), [Token("word", "TAG")])


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
    annotation: bool = setting(
        False, "Keep null elements and the places of moved phrases, for --to json and penn."
    )
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
    transformed = (
        map(inverse, trees)
        if inverse
        else change_all(trees, chosen.options, anomalies, annotation=chosen.annotation)
    )
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


@dataclass(slots=True)
class _Column:
    """The derivations of one system."""

    transitions: int = 0
    longest: int = 0
    moves: int = 0
    most: int = 0
    longest_possible: str = ""

    def add(self, length: Length) -> None:
        self.transitions += length.transitions
        self.longest = max(self.longest, length.transitions)
        self.moves += length.moves
        self.most = max(self.most, length.most)


class DerivationTable:
    """Table 6 of Coavoux and Crabbé (2017): transitions in derivations, without FINISH and IDLE.

    SR-SWAP makes its swaps one by one, SR-CSWAP all at once.

    >>> from plcfrs.trees import Node, Token
    >>> tokens = [Token(form, "XY") for form in ("Darüber", "muss", "nachgedacht", "werden")]
    >>> phrase = Node("VP", children=[Node("VP", children=[0, 2], head=1), 3], head=1)
    >>> table = DerivationTable()
    >>> table.add(Tree(Node("ROOT", children=[phrase, 1], head=1), tokens))
    >>> print(table)
                              SR-GAP  SR-CGAP     SR-SWAP  SR-CSWAP  SKIPSHIFT  set-based
    longest possible      (n² + n)/2   4n - 2  n² - n + 1               2n - 1     4n - 2
    longest                        8       14          11        11          7         14
    gaps, swaps or skips           1        1           2         2          2          1
    most at once                   1        1           1         1          1          1
    transitions a token         2.00     3.50        2.75      2.75       1.75       3.50
    """

    def __init__(self) -> None:
        self._families = [family.lengths for family in families().values() if family.lengths]
        self.columns = {
            name: _Column(longest_possible=length.longest_possible)
            for lengths in self._families
            for name, length in lengths(_WORD).items()
        }
        self.tokens = 0

    def add(self, tree: Tree) -> None:
        """Count the derivations of a tree whose heads are marked."""
        self.tokens += len(tree.tokens)
        for lengths in self._families:
            for name, length in lengths(tree).items():
                self.columns[name].add(length)

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees, and count the derivations of each."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the rows, a header first."""
        columns = list(self.columns.values())
        tokens = max(1, self.tokens)
        return [
            ["", *self.columns],
            ["longest possible", *(column.longest_possible for column in columns)],
            ["longest", *(f"{column.longest:,}" for column in columns)],
            ["gaps, swaps or skips", *(f"{column.moves:,}" for column in columns)],
            ["most at once", *(f"{column.most:,}" for column in columns)],
            ["transitions a token", *(f"{column.transitions / tokens:.2f}" for column in columns)],
        ]

    def __str__(self) -> str:
        return aligned(self.rows())
