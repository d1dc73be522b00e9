"""``plcfrs compare``."""

from __future__ import annotations

from dataclasses import replace

import click

from plcfrs.cli.options import Selection, progress, selection_options
from plcfrs.cli.report import Largest, Passing, report_options, scoring_options, write_report
from plcfrs.drawing import draw_svg
from plcfrs.evaluation import (
    REPORTS,
    Drawing,
    Settings,
    draw_differences,
    load_settings,
    render_html,
)
from plcfrs.evaluation.comparison import (
    MEASURES,
    ComparedSentence,
    compare_parsers,
    difference,
    difference_table,
    sentence_table,
)
from plcfrs.trees import Tree

_Seen = tuple[ComparedSentence, Tree, Tree, Tree]
_NOTE = (
    "p is the probability of such a difference between parsers that are equally good. Trees are "
    "those of the sentences where one parser has most constituents more wrong than the other."
)


@click.command("compare")
@click.argument("gold")
@click.argument("first", metavar="PARSES1")
@click.argument("second", metavar="PARSES2")
@scoring_options
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    metavar="N",
    default=10_000,
    show_default=True,
    help="For each test.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="S",
    default=1,
    show_default=True,
    help="The same seed gives the same result.",
)
@report_options
@selection_options
def command(
    gold: str,
    first: str,
    second: str,
    settings_name: str,
    samples: int,
    seed: int,
    parses_encoding: str | None,
    output: str,
    to: str,
    show: int,
    selection: Selection,
) -> None:
    """Compare two parsers: whether the difference of their F1 is due to chance.

    The three files have the same sentences in the same order. p is the probability of such a
    difference between parsers that are equally good: by a paired bootstrap, which also gives
    the interval of confidence, and by exchanging the parses of random sentences. Then come the
    sentences where one parser has most brackets more wrong than the other, missed or spurious.

    \b
    Examples:
      plcfrs compare gold.discbracket plain.discbracket refined.discbracket
      plcfrs compare gold.discbracket plain.discbracket refined.discbracket -o report.html
    """  # noqa: D301
    settings = load_settings(settings_name)
    others = replace(selection, encoding=parses_encoding or selection.encoding)
    trees = (
        Passing(progress(selection.read([gold]), "scored")),
        Passing(others.read([first])),
        Passing(others.read([second])),
    )
    sentences = []
    different = Largest[_Seen](show)
    for sentence in compare_parsers(*trees, settings):
        sentences.append(sentence)
        seen = sentence, trees[0].last, trees[1].last, trees[2].last
        different.add(abs(sentence.wrong[0] - sentence.wrong[1]), seen)
    selection.bad += others.bad
    selection.report()
    results = {measure: difference(sentences, measure, samples, seed) for measure in MEASURES}
    found = [difference_table(results)]
    if different.items:
        found.append(sentence_table(sentence for sentence, *_ in different.items))
    note = f"{len(sentences)} sentences; first: {first}, second: {second}"
    if to == "html":
        drawings = [_drawing(*seen, settings) for seen in different.items]
        notes = [f"{note}. Gold trees: {gold}. Settings: {settings_name}.", _NOTE]
        write_report(output, render_html("Comparison of two parsers", found, drawings, notes))
    else:
        report = REPORTS[to](found)
        write_report(output, f"{note}\n{report}" if to == "text" else report)


def _drawing(
    sentence: ComparedSentence, gold: Tree, first: Tree, second: Tree, settings: Settings
) -> Drawing:
    heading = "{}: {} wrong in the first parse, {} in the second".format(
        sentence.name, *sentence.wrong
    )
    return draw_differences(heading, gold, {"first": first, "second": second}, settings, draw_svg)
