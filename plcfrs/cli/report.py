"""Reports of scores: their options, and the sentences that they show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import click

from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import kind_of_output, output_setting
from plcfrs.evaluation import REPORTS, Counts, Settings, Table, load_settings
from plcfrs.evaluation.bracketing import has_parse
from plcfrs.evaluation.scoring import Scored
from plcfrs.settings import setting
from plcfrs.transformation import find_traces
from plcfrs.treebank import open_output
from plcfrs.wording import counted

_EXTENSIONS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json"}


@dataclass(frozen=True)
class ReportOptions:
    """Where scores are written, and how."""

    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the scores; latex has tables for the package booktabs.  [default: by file "
        "extension, else text]",
        choices=tuple(REPORTS),
    )

    @property
    def kind(self) -> str:
        """The format of the scores."""
        return self.to or kind_of_output(self.output, _EXTENSIONS)

    def write(self, tables: Iterable[Table], note: str = "") -> None:
        """Write the tables after a note."""
        with open_output(self.output) as file:
            file.write(f"{note}{REPORTS[self.kind](tables)}\n")


@dataclass(frozen=True)
class ScoringOptions:
    """What counts, and which parses are scored."""

    settings: str = setting(
        "field",
        "What counts: field, as in published tables (without punctuation); all, everything except "
        "ROOT; or a parameter file of EVALB or disco-dop.",
        metavar="field|all|FILE.prm",
    )
    rank: int | None = setting(
        None, "Score the N-best parses (parse --nbest) of rank N.  [default: 1]", least=1
    )
    parses_encoding: str | None = setting(
        None, "Encoding of the parses.  [default: --text-encoding]"
    )

    align: bool = setting(
        False,
        "Align words by their characters, for parses with another tokenization: a constituent with "
        "a part of a word has the whole word, as in jp-evalb.",
    )

    def load(self) -> Settings:
        """Return what counts."""
        return replace(load_settings(self.settings), align=self.align)

    def input_of_parses(self, input: InputOptions) -> InputOptions:
        """Return the options for reading parses, given those for reading gold trees."""
        return replace(input, encoding=self.parses_encoding or input.encoding)


class Doubts:
    """Notices gold trees that look wrong, and words whose alignment is a guess."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._have_traces = False
        self._without_parse = 0
        self._guessed: list[str] = []

    def add(self, *scored: Scored) -> None:
        """Check a sentence, which is scored for each parser."""
        gold = scored[0].gold
        self._have_traces = self._have_traces or bool(find_traces(gold))
        self._without_parse += bool(gold.tokens) and not has_parse(gold)
        if self._settings.align and not all(parse.has_same_letters for parse in scored):
            self._guessed.append(scored[0].name)

    def report(self, discontinuous: Counts) -> None:
        """Warn about gold trees that were not transformed or are parses, and about guesses."""
        if self._guessed:
            click.echo(
                f"warning: {counted(len(self._guessed), 'sentence')} with other characters in the "
                f"parse, such as {self._guessed[0]}: words are aligned by common characters",
                err=True,
            )
        if self._have_traces and discontinuous.parsed and not discontinuous.gold:
            click.echo(
                "warning: the gold trees have traces but no crossing branches, and the parses have "
                "crossing branches: use plcfrs transform for the gold trees, or eval --transform",
                err=True,
            )
        if self._without_parse:
            unparsed = counted(self._without_parse, "gold tree")
            click.echo(f"warning: {unparsed} with NOPARSE: are GOLD and PARSES swapped?", err=True)
