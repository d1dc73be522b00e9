"""Reports of scores: their options, and the sentences that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, Generic, TypeVar

import click

from plcfrs.cli.options import rank_option
from plcfrs.cli.output import kind_of_output
from plcfrs.evaluation import REPORTS, Counts
from plcfrs.evaluation.sentences import has_parse
from plcfrs.text import counted
from plcfrs.transformation import find_traces
from plcfrs.treebank import open_output
from plcfrs.trees import Tree

Command = TypeVar("Command", bound=Callable[..., None])
Item = TypeVar("Item")

_EXTENSIONS = {
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
}


def report_options(command: Command) -> Command:
    """Add -o, --to and --show; the command gets them as `output`, `to` and `show`."""

    @click.option(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="Output file.  [default: standard output]",
    )
    @click.option(
        "--to",
        type=click.Choice([*REPORTS, "html"]),
        help="Format of the scores; latex has tables for the package booktabs, html is one page "
        "with all tables, plots and drawn trees.  [default: by file extension, else text]",
    )
    @click.option(
        "--show",
        type=click.IntRange(min=0),
        metavar="N",
        default=10,
        show_default=True,
        help="Number of sentences that are listed or drawn.",
    )
    @wraps(command)
    def wrapped(output: str, to: str | None, **others: Any) -> None:  # noqa: ANN401 (the command's)
        command(output=output, to=to or kind_of_output(output, _EXTENSIONS), **others)

    return wrapped  # type: ignore[return-value]


def scoring_options(command: Command) -> Command:
    """Add --settings, --rank and --parses-encoding; the command gets `settings_name` and these."""
    command = click.option(
        "--parses-encoding",
        metavar="TEXT",
        help="Encoding of the parses.  [default: --text-encoding]",
    )(command)
    command = rank_option("Score the N-best parses (parse --nbest) of rank N.  [default: 1]")(
        command
    )
    return click.option(
        "--settings",
        "settings_name",
        default="field",
        show_default=True,
        metavar="field|all|FILE.prm",
        help="What counts: field, as in published tables (no punctuation); all, everything except "
        "ROOT; or a parameter file of EVALB or disco-dop.",
    )(command)


def write_report(output: str, text: str) -> None:
    """Write a report to a file or to standard output."""
    with open_output(output) as file:
        file.write(f"{text}\n")


class Passing(Generic[Item]):
    """An iterable that remembers its last item.

    `itertools.tee` would keep dozens of trees, and take a tenth longer.
    """

    last: Item

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            self.last = item
            yield item


class GoldTrees(Passing[Tree]):
    """Gold trees on their way to a scorer, which may not be what the user means."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        super().__init__(trees)
        self._have_traces = False
        self._without_parse = 0

    def __iter__(self) -> Iterator[Tree]:
        for tree in super().__iter__():
            self._have_traces = self._have_traces or bool(find_traces(tree))
            self._without_parse += not has_parse(tree)
            yield tree

    def report(self, discontinuous: Counts) -> None:
        """Warn of gold trees that were not transformed, or that are parses.

        Parameters
        ----------
        discontinuous : Counts
            Those of discontinuous constituents.
        """
        if self._have_traces and discontinuous.parsed and not discontinuous.gold:
            click.echo(
                "warning: the gold trees have traces but no crossing branches, and the parses have "
                "crossing branches: use plcfrs transform for the gold trees, or eval --transform",
                err=True,
            )
        if self._without_parse:
            unparsed = counted(self._without_parse, "gold tree")
            click.echo(f"warning: {unparsed} with NOPARSE: are GOLD and PARSES swapped?", err=True)


class Largest(Generic[Item]):
    """The largest of all added items; of equal ones, the first."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._found: list[tuple[int, Item]] = []

    def add(self, size: int, item: Item) -> None:
        """Keep an item if it is large enough."""
        if size:
            self._found.append((size, item))
            self._found.sort(key=lambda pair: -pair[0])
            del self._found[self.number :]

    @property
    def items(self) -> list[Item]:
        """The items, the largest first."""
        return [item for _, item in self._found]
