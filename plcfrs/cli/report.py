"""Reports of scores: their options, and the sentences that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import click

from plcfrs.cli.options import Selection, kind_of_output, output_setting
from plcfrs.evaluation import REPORTS, Counts, Table
from plcfrs.evaluation.bracketing import has_parse
from plcfrs.evaluation.scoring import Passing
from plcfrs.settings import setting
from plcfrs.transformation import find_traces
from plcfrs.treebank import open_output
from plcfrs.trees import Tree
from plcfrs.wording import counted

_EXTENSIONS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html"}


@dataclass(frozen=True)
class ReportOptions:
    """Where scores are written, and how."""

    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the scores; latex has tables for the package booktabs, html is one page with "
        "all tables, plots and drawn trees.  [default: by file extension, else text]",
        choices=(*REPORTS, "html"),
    )
    show: int = setting(10, "Number of sentences that are listed or drawn.", least=0)

    @property
    def kind(self) -> str:
        """The format of the scores."""
        return self.to or kind_of_output(self.output, _EXTENSIONS)

    def write(self, tables: Iterable[Table], page: Callable[[], str], note: str = "") -> None:
        """Write the page, if HTML is wanted; otherwise the tables after a note."""
        text = page() if self.kind == "html" else REPORTS[self.kind](tables)
        with open_output(self.output) as file:
            file.write(f"{note}{text}\n")


@dataclass(frozen=True)
class ScoringOptions:
    """What counts, and which parses."""

    settings: str = setting(
        "field",
        "What counts: field, as in published tables (no punctuation); all, everything except ROOT; "
        "or a parameter file of EVALB or disco-dop.",
        metavar="field|all|FILE.prm",
    )
    rank: int | None = setting(
        None, "Score the N-best parses (parse --nbest) of rank N.  [default: 1]", least=1
    )
    parses_encoding: str | None = setting(
        None, "Encoding of the parses.  [default: --text-encoding]"
    )

    def selection_of_parses(self, selection: Selection) -> Selection:
        """Return the selection of parses that belongs to a selection of gold trees."""
        return replace(selection, encoding=self.parses_encoding or selection.encoding)


class GoldTrees(Passing[Tree]):
    """Gold trees on their way to a scorer; it notices if they look like the wrong ones."""

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
        """Warn of gold trees that were not transformed, or that are parses."""
        if self._have_traces and discontinuous.parsed and not discontinuous.gold:
            click.echo(
                "warning: the gold trees have traces but no crossing branches, and the parses have "
                "crossing branches: use plcfrs transform for the gold trees, or eval --transform",
                err=True,
            )
        if self._without_parse:
            unparsed = counted(self._without_parse, "gold tree")
            click.echo(f"warning: {unparsed} with NOPARSE: are GOLD and PARSES swapped?", err=True)
