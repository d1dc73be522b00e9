"""``plcfrs eval`` for files with dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plcfrs import __version__
from plcfrs.cli.command import given_besides
from plcfrs.cli.options import progress
from plcfrs.drawing import draw_svg
from plcfrs.evaluation import AttachmentScores, Drawing, attachment_table, render_html, wrong_words
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.scoring import Largest
from plcfrs.trees import DependencyTree

if TYPE_CHECKING:
    from plcfrs.cli.eval_command import Eval

_ALLOWED = (
    *("gold", "parses", "attachment", "parses_encoding", "output", "to", "show"),
    *("from", "text_encoding", "sentences", "max_length", "skip_bad"),
)
_MARKS = "In red frames: relations of words whose head or relation differs."
_NOTE = "The trees are from the sentences with most wrong heads and relations."


def score_attachment(chosen: Eval) -> None:
    """Write the scores of files with dependencies, and the sentences with most errors."""
    if option := given_besides(*_ALLOWED):
        raise click.UsageError(f"{option} is for constituents, not for dependencies.")
    selection = chosen.selection
    others = chosen.scoring.selection_of_parses(selection)
    gold = progress(selection.read_dependencies([chosen.gold]), "scored")
    parses = others.read_dependencies([chosen.parses])
    scores = AttachmentScores()
    worst = Largest[tuple[DependencyTree, DependencyTree]](chosen.report.show)
    for tree, parse in align_sentences({"gold tree": gold, "parse": parses}, {}):
        scores.add(tree, parse)
        worst.add(len(wrong_words(tree, parse)), (tree, parse))
    selection.report(others)
    tables = [attachment_table(scores)]

    def page() -> str:
        drawings = [_drawing(*pair) for pair in worst.items]
        notes = [f"Gold trees: {chosen.gold}. plcfrs {__version__}.", _NOTE]
        title = f"Scores of {chosen.parses}"
        return render_html(title, tables, drawings, notes, marks=_MARKS)

    chosen.report.write(tables, page)


def _drawing(gold: DependencyTree, parse: DependencyTree) -> Drawing:
    wrong = wrong_words(gold, parse)
    heading = f"{gold.id}: {len(wrong)} wrong of {len(gold.tokens)}"
    pictures = {"gold": draw_svg(gold, wrong), "parse": draw_svg(parse, wrong)}
    return Drawing(heading, pictures)
