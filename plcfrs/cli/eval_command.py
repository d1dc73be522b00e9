"""``plcfrs eval``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import click

from plcfrs import __version__
from plcfrs.cli.attachment import Attachment, check_options
from plcfrs.cli.closer_look import CloserLook
from plcfrs.cli.options import (
    Selection,
    progress,
    report_rank,
    selection_options,
    transform_options,
)
from plcfrs.cli.output import row_output
from plcfrs.cli.report import (
    GoldTrees,
    Largest,
    Passing,
    report_options,
    scoring_options,
    write_report,
)
from plcfrs.evaluation import (
    REPORTS,
    AttachmentScores,
    ConstructionScores,
    DependencyScores,
    ErrorSummary,
    Sentence,
    compare_sentences,
    load_settings,
    main_tables,
    render_html,
    summarize,
    tables,
)
from plcfrs.transformation import Options, remove_splits, transform_all
from plcfrs.treebank import has_dependencies
from plcfrs.treebank.ranks import Ranking

_STATISTICS = [
    "sentence",
    "length",
    "gap_degree",
    "gold",
    "parsed",
    "matched",
    "matched_unlabelled",
    "exact",
    "words",
    "right_tags",
]

_NOTES = [
    "LP, LR, LF1: labelled precision, recall and F1 of constituents; UP, UR, UF1: unlabelled. "
    "D, C: sentences with and without a discontinuity in the gold trees (or in the partition).",
    "The trees are from the parsed sentences with most wrong constituents.",
]


@click.command("eval")
@click.argument("gold")
@click.argument("parses")
@scoring_options
@click.option(
    "--partition",
    metavar="FILE",
    help="Trees that decide which sentences are discontinuous (D) and which are not (C).  "
    "[default: the gold trees]",
)
@click.option(
    "--cutoff",
    type=click.IntRange(1),
    metavar="N",
    help="Also score the sentences of at most N words separately.  [default: from --settings]",
)
@click.option(
    "--breakdown",
    is_flag=True,
    help="Also show scores by category, fan-out, gap degree and length.",
)
@click.option(
    "--dependencies", is_flag=True, help="Also score dependencies between words, by type."
)
@click.option(
    "--attachment",
    is_flag=True,
    help="Also score the head of every word (UAS), and its relation in the direct encoding (LAS). "
    "Files with dependencies, such as CoNLL-U, have these scores only.",
)
@click.option(
    "--constructions", is_flag=True, help="Also show recall by construction, such as wh-movement."
)
@click.option(
    "--errors", is_flag=True, help="Also classify errors in linguistic terms, with examples."
)
@click.option(
    "--transform",
    "transformed",
    is_flag=True,
    help="First turn traces of the gold trees into crossing branches, like plcfrs transform.",
)
@click.option("--stats", metavar="FILE", help="Write a row for each sentence as TSV.")
@click.option(
    "--scorer",
    type=click.Choice(["plcfrs", "discodop"]),
    default="plcfrs",
    show_default=True,
    help="discodop: the scorer of disco-dop (see tools/install_discodop.py).",
)
@report_options
@transform_options
@selection_options
@click.pass_context
def command(
    context: click.Context,
    gold: str,
    parses: str,
    settings_name: str,
    rank: int | None,
    partition: str | None,
    cutoff: int | None,
    breakdown: bool,
    dependencies: bool,
    attachment: bool,
    constructions: bool,
    errors: bool,
    transformed: bool,
    stats: str | None,
    scorer: str,
    parses_encoding: str | None,
    output: str,
    to: str,
    show: int,
    options: Options,
    selection: Selection,
) -> None:
    """Score parses against gold trees: precision, recall and F1 of constituents.

    Both files have the same sentences in the same order. A constituent is a label with the
    set of its tokens, so crossing branches count. All formats except text have the breakdown.

    --dependencies and --constructions give table 4 and section 5.3 of Evang and Kallmeyer (2011).
    Their types come from the traces, which files with crossing branches do not keep. So give gold
    trees with traces, and transform them with --transform and its options.

    Two files with dependencies (CoNLL-U, CoNLL-X) get attachment scores.

    \b
    Examples:
      plcfrs eval gold.discbracket parses.discbracket -o report.html
      plcfrs eval te.mrg parses.mrg --partition te-discontinuous.export --to markdown
      plcfrs eval wsj.mrg parses.discbracket --transform --dependencies --constructions
      plcfrs eval gold.conllu parses.conllu --attachment
    """  # noqa: D301
    if not transformed and replace(options, head_rules=Options().head_rules) != Options():
        raise click.UsageError("These options need --transform: add it.")
    others = replace(selection, encoding=parses_encoding or selection.encoding)
    if has_dependencies([gold, parses], selection.format):
        check_options(context)
        scores = Attachment(show)
        trees = progress(selection.read_dependencies([gold]), "scored")
        scores.add(trees, others.read_dependencies([parses]))
        selection.bad += others.bad
        selection.report()
        scores.report(gold, parses, output, to)
        return
    settings = load_settings(settings_name)
    settings = replace(settings, cutoff=cutoff or settings.cutoff)
    compare = compare_sentences
    if scorer == "discodop":
        from plcfrs.interop.discodop import compare_with_discodop as compare
    look = CloserLook(
        settings,
        options.head_rules,
        DependencyScores() if dependencies else None,
        ConstructionScores() if constructions else None,
        ErrorSummary() if errors else None,
        AttachmentScores() if attachment else None,
        Largest(show) if to == "html" else None,
    )
    gold_trees = progress(selection.read([gold]), "scored")
    if transformed:
        gold_trees = map(remove_splits, transform_all(gold_trees, options))
    ranking = Ranking(rank or 1)
    golds, parsed = GoldTrees(gold_trees), Passing(others.read_rank([parses], ranking))
    reference = selection.read([partition]) if partition else None
    sentences = look.watch(compare(golds, parsed, settings, reference), golds, parsed)
    with row_output(stats, _STATISTICS) as write:
        evaluation = summarize(_noted(sentences, write) if stats else sentences, settings)
    selection.bad += others.bad
    selection.report()
    report_rank(ranking)
    golds.report(evaluation.all.labelled_discontinuous)
    look.report()
    found = tables(evaluation) if breakdown or to != "text" else main_tables(evaluation.subsets())
    found += look.tables()
    if to == "html":
        notes = [f"Gold trees: {gold}. Settings: {settings_name}. plcfrs {__version__}.", *_NOTES]
        write_report(output, render_html(f"Scores of {parses}", found, look.drawings(), notes))
    else:
        write_report(output, REPORTS[to](found))


def _noted(
    sentences: Iterable[Sentence], write: Callable[[Sequence[object]], object]
) -> Iterator[Sentence]:
    for sentence in sentences:
        scores = sentence.scores()
        write(
            [
                sentence.id or sentence.number,
                sentence.length,
                sentence.gap_degree,
                scores.labelled.gold,
                scores.labelled.parsed,
                scores.labelled.matched,
                scores.unlabelled.matched,
                scores.exact,
                scores.words,
                scores.right_tags,
            ]
        )
        yield sentence
