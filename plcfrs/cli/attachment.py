"""``plcfrs eval`` for files with dependencies."""

from __future__ import annotations

from collections.abc import Iterable

import click

from plcfrs import __version__
from plcfrs.cli.command import given_besides
from plcfrs.cli.report import write_report
from plcfrs.drawing import draw_svg
from plcfrs.evaluation import (
    REPORTS,
    AttachmentScores,
    Drawing,
    attachment_table,
    render_html,
    wrong_words,
)
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.scoring import Largest
from plcfrs.trees import DependencyTree

_ALLOWED = (
    *("gold", "parses", "attachment", "parses_encoding", "output", "to", "show"),
    *("from", "text_encoding", "sentences", "max_length", "skip_bad"),
)
_MARKS = "In red frames: relations of words whose head or relation differs."
_NOTE = "The trees are from the sentences with most wrong heads and relations."


class Attachment:
    """The scores of files with dependencies, and the sentences with most errors."""

    def __init__(self, show: int) -> None:
        self.scores = AttachmentScores()
        self._worst = Largest[tuple[DependencyTree, DependencyTree]](show)

    def add(self, gold: Iterable[DependencyTree], parses: Iterable[DependencyTree]) -> None:
        """Count sentences."""
        for tree, parse in align_sentences({"gold tree": gold, "parse": parses}, {}):
            self.scores.add(tree, parse)
            self._worst.add(len(wrong_words(tree, parse)), (tree, parse))

    def report(self, gold: str, parses: str, output: str, to: str) -> None:
        """Write the scores."""
        tables = [attachment_table(self.scores)]
        if to != "html":
            write_report(output, REPORTS[to](tables))
            return
        drawings = [_drawing(*pair) for pair in self._worst.items]
        notes = [f"Gold trees: {gold}. plcfrs {__version__}.", _NOTE]
        title = f"Scores of {parses}"
        write_report(output, render_html(title, tables, drawings, notes, marks=_MARKS))


def check_options() -> None:
    """Raise if an option is given that is for constituents."""
    if option := given_besides(*_ALLOWED):
        raise click.UsageError(f"{option} is for constituents, not for dependencies.")


def _drawing(gold: DependencyTree, parse: DependencyTree) -> Drawing:
    wrong = wrong_words(gold, parse)
    heading = f"{gold.id}: {len(wrong)} wrong of {len(gold.tokens)}"
    pictures = {"gold": draw_svg(gold, wrong), "parse": draw_svg(parse, wrong)}
    return Drawing(heading, pictures)
