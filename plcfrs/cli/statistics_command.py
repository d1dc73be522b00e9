"""``plcfrs statistics``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress
from plcfrs.evaluation import Table
from plcfrs.evaluation.report import Cell, render_json, render_text
from plcfrs.query.statistics import (
    COUNTED,
    TreebankStatistics,
    compare_statistics,
    statistics_of,
)
from plcfrs.settings import setting
from plcfrs.transformation import transform_all


@dataclass(frozen=True)
class StatisticsOptions:
    """The options of ``plcfrs statistics``."""

    treebank: str = argument("TREEBANK")
    other: str = argument("[OTHER]", default="")
    transform: bool = setting(
        False, "First turn traces into crossing branches, like plcfrs transform."
    )
    top: int = setting(10, "Show up to N values of each kind.", least=1)
    json: bool = setting(False, "Print JSON with all values.")
    input: InputOptions = group(InputOptions)


@command_of("statistics", StatisticsOptions())
def command(chosen: StatisticsOptions) -> None:
    """Count what a treebank has, or compare two treebanks.

    Counts trees, tokens, constituents, functions, tags and words; fan-outs, gap degrees, what is
    in the gaps, and types of traces; and the lengths of sentences. Rates are per million tokens,
    or per million trees. Null elements are not tokens, and ROOT is not a constituent.

    With two treebanks, the values that distinguish them most come first, by log-likelihood (Rayson
    and Garside 2000): above 3.84 a difference is significant at p < 0.05, above 15.13 at p <
    0.0001.

    \b
    Examples:
      plcfrs statistics tiger.xml
      plcfrs statistics nltk:treebank --transform --json > wsj.json
      plcfrs statistics brown/ switchboard/ --top 20
    """  # noqa: D301
    names = [name for name in (chosen.treebank, chosen.other) if name]
    treebanks = [_count(name, chosen) for name in names]
    chosen.input.report()
    tables = list(_tables(names, treebanks, None if chosen.json else chosen.top))
    if chosen.json:
        click.echo(render_json(tables))
    else:
        click.echo("\n\n".join(render_text([table]) for table in tables))


def _count(name: str, chosen: StatisticsOptions) -> TreebankStatistics:
    trees = progress(chosen.input.read([name]), "count")
    return statistics_of(transform_all(trees) if chosen.transform else trees)


def _tables(
    names: Sequence[str], treebanks: Sequence[TreebankStatistics], top: int | None
) -> Iterator[Table]:
    """Yield a table of sizes, and a table for all that is counted and that any treebank has."""
    names = [PurePath(name).name for name in names]
    if len({*names}) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    sizes = [treebank.summary() for treebank in treebanks]
    yield Table("sizes", [*names], {row: [size[row] for size in sizes] for row in sizes[0]})
    headings = [heading for name in names for heading in (name, f"{name} per million")]
    headings += ["log-likelihood"] * (len(names) > 1)
    for counted in COUNTED:
        rows = compare_statistics(counted, *treebanks)
        shown: dict[str, list[Cell]] = {value: [*rows[value]] for value in list(rows)[:top]}
        title = counted if len(shown) == len(rows) else f"{counted} ({top} of {len(rows)})"
        if rows:
            yield Table(title, headings, shown)
