"""``plcfrs eval``: scores of constituents, or of dependencies if the files have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import click

from plcfrs.cli.command import argument, command_of, given_besides, group
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, report_rank, write_rows
from plcfrs.cli.report import Doubts, ReportOptions, ScoringOptions
from plcfrs.evaluation import (
    AttachmentScores,
    ConstructionScores,
    DependencyScores,
    ErrorSummary,
    Settings,
    attachment_table,
    main_tables,
    tables,
)
from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.bracketing import compare_trees
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.settings import setting
from plcfrs.transformation import (
    Options,
    remove_null_elements,
    remove_splits,
    to_dependencies,
    transform,
)
from plcfrs.treebank import has_dependencies
from plcfrs.treebank.reading import read_dependencies_in_place
from plcfrs.treebank.writing import Ranking
from plcfrs.trees import DependencyTree, Tree, mark_heads

_STATISTICS: dict[str, Callable[[Scored], object]] = {
    "sentence": lambda scored: scored.name,
    "length": lambda scored: scored.sentence.length,
    "gap_degree": lambda scored: scored.sentence.gap_degree,
    "gold": lambda scored: scored.scores.labelled.gold,
    "parsed": lambda scored: scored.scores.labelled.parsed,
    "matched": lambda scored: scored.scores.labelled.matched,
    "matched_unlabelled": lambda scored: scored.scores.unlabelled.matched,
    "exact": lambda scored: scored.scores.exact,
    "words": lambda scored: scored.scores.words,
    "right_tags": lambda scored: scored.scores.right_tags,
}


@dataclass(frozen=True)
class EvalOptions:
    """The options of ``plcfrs eval``."""

    gold: str = argument()
    parses: str = argument()
    scoring: ScoringOptions = group(ScoringOptions)
    partition: str | None = setting(
        None,
        "Trees that decide which sentences are discontinuous (D) and which are not (C).  "
        "[default: the gold trees]",
        metavar="FILE",
    )
    cutoff: int | None = setting(
        None,
        "Also score the sentences of at most N words separately.  [default: from --settings]",
        least=1,
    )
    breakdown: bool = setting(
        False,
        "Also show scores by category, function, null element, fan-out, gap degree and length.",
    )
    dependencies: bool = setting(False, "Also score dependencies between words, by type.")
    attachment: bool = setting(
        False,
        "Also score the head of every word (UAS), and its relation in the direct encoding (LAS). "
        "Files with dependencies, such as CoNLL-U, have these scores only.",
    )
    constructions: bool = setting(False, "Also show recall by construction, such as wh-movement.")
    errors: bool = setting(False, "Also classify errors in linguistic terms, with examples.")
    transform: bool = setting(
        False, "First turn traces of the gold trees into crossing branches, like plcfrs transform."
    )
    stats: str | None = setting(
        None, "Write a row for each sentence as TSV.", metavar="FILE", is_output=True
    )
    scorer: Literal["plcfrs", "discodop"] = setting(
        "plcfrs", "discodop: the scorer of disco-dop (see tools/install_discodop.py)."
    )
    report: ReportOptions = group(ReportOptions)
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)

    def golds(self) -> Iterator[Tree | None]:
        """Yield the gold trees, None for a malformed one."""
        for tree in progress(self.input.read_in_place([self.gold]), "scored"):
            if tree is None or not self.transform:
                yield tree
            else:
                changed = transform(tree, self.options)
                if changed.tokens or not tree.tokens:  # trees of traces are left out
                    yield remove_splits(changed)

    def dependencies_of(self, tree: Tree) -> DependencyTree:
        """Return a tree as dependencies."""
        without_nulls = remove_null_elements(tree)
        return to_dependencies(mark_heads(without_nulls, self.options.head_rules), "direct")


@command_of("eval", EvalOptions())
def command(chosen: EvalOptions) -> None:
    """Score parses against gold trees: precision, recall and F1 of constituents.

    Both files have the same sentences in the same order. A constituent is a label with the
    set of its tokens, so crossing branches count. All formats except text have the breakdown.

    Functions and null elements have scores if the parses have them (Blaheta and Charniak 2000,
    Johnson 2002); --breakdown shows them by type.

    --dependencies and --constructions give table 4 and section 5.3 of Evang and Kallmeyer (2011).
    Their types come from traces, which files with crossing branches no longer have: give gold trees
    with traces, and transform them with --transform and its options.

    Two files with dependencies (CoNLL-U, CoNLL-X) get attachment scores.

    \b
    Examples:
      plcfrs eval gold.discbracket parses.discbracket -o report.md
      plcfrs eval te.mrg parses.mrg --partition te-discontinuous.export --to markdown
      plcfrs eval wsj.mrg parses.discbracket --transform --dependencies --constructions
      plcfrs eval gold.conllu parses.conllu --attachment
    """  # noqa: D301
    kind = chosen.report.kind
    changed = replace(chosen.options, head_rules=Options().head_rules) != Options()
    if changed and not chosen.transform:
        raise click.UsageError("These options need --transform.")
    alone = chosen.dependencies or chosen.constructions or chosen.attachment
    if chosen.scoring.align and (alone or chosen.scorer == "discodop"):
        raise click.UsageError("--align works only with the scores and errors of constituents.")
    if has_dependencies([chosen.gold, chosen.parses], chosen.input.format):
        score_attachment(chosen)
        return
    scoring = _score_constituents(chosen)
    if (chosen.dependencies or chosen.constructions) and not scoring.is_reattached:
        click.echo(
            "the gold trees have no traces to reattach, so the types of dependencies and "
            "constructions are unknown: give gold trees with traces, and --transform",
            err=True,
        )
    evaluation = scoring.evaluation
    is_full = chosen.breakdown or kind != "text"
    found = tables(evaluation) if is_full else main_tables(evaluation.subsets())
    chosen.report.write(found + scoring.tables())


def _score_constituents(chosen: EvalOptions) -> Scoring:
    """Score all sentences, and warn about odd ones."""
    settings = chosen.scoring.load()
    settings = replace(settings, cutoff=chosen.cutoff or settings.cutoff)
    compare = compare_trees
    if chosen.scorer == "discodop":
        from plcfrs.interop.discodop import compare_trees_with_discodop as compare
    scoring = Scoring(
        settings,
        chosen.options.head_rules,
        DependencyScores() if chosen.dependencies else None,
        ConstructionScores() if chosen.constructions else None,
        ErrorSummary() if chosen.errors else None,
        AttachmentScores() if chosen.attachment else None,
        chosen.dependencies_of,
        compare,
    )
    input = chosen.input
    others = chosen.scoring.input_of_parses(input)
    ranking = Ranking(chosen.scoring.rank or 1)
    reference = input.read_in_place([chosen.partition]) if chosen.partition else None
    parses = ranking.choose(others.read_in_place([chosen.parses], blank_lines=True))
    sentences = scoring.run(chosen.golds(), parses, reference, input.selection)
    doubts = Doubts(settings)

    def rows() -> Iterator[list[object]]:
        for scored in input.checked(sentences, [chosen.gold]):
            doubts.add(scored)
            yield [value(scored) for value in _STATISTICS.values()]

    write_rows(chosen.stats, list(_STATISTICS), rows())
    input.report(others)
    report_rank(ranking)
    doubts.report(scoring.evaluation.all.labelled_discontinuous)
    return scoring


# The options that also apply to dependencies.
_FOR_DEPENDENCIES = (
    "gold",
    "parses",
    "attachment",
    "parses_encoding",
    "output",
    "to",
    "from",
    "text_encoding",
    "sentences",
    "max_length",
    "skip_bad",
)


def score_attachment(chosen: EvalOptions) -> None:
    """Write the scores of files with dependencies."""
    if option := given_besides(*_FOR_DEPENDENCIES):
        raise click.UsageError(f"{option} is for constituents, not for dependencies.")
    input = chosen.input
    others = chosen.scoring.input_of_parses(input)
    gold, parses = (
        read_dependencies_in_place([file], options.format, options.encoding, options.on_error)
        for file, options in ((chosen.gold, input), (chosen.parses, others))
    )
    scores = AttachmentScores()
    sources = {"gold tree": progress(gold, "scored"), "parse": parses}
    aligned = align_sentences(sources, Settings(), input.selection)
    for _, (tree, parse) in input.checked(aligned, [chosen.gold]):
        scores.add(tree, parse)
    input.report(others)
    chosen.report.write([attachment_table(scores)])
