"""``plcfrs compare``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import PurePath

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, report_rank
from plcfrs.cli.report import Doubts, ReportOptions, ScoringOptions
from plcfrs.evaluation import Counts, Settings, Table
from plcfrs.evaluation.comparison import (
    ComparedSentence,
    compare_parsers,
    difference,
    difference_table,
    measures_of,
    pair_table,
    score_table,
    sentence_table,
)
from plcfrs.settings import setting
from plcfrs.treebank import has_dependencies
from plcfrs.treebank.writing import Ranking
from plcfrs.wording import counted

_CORRECTED = "; p (Holm) is corrected for the number of pairs (Holm 1979)"


@dataclass(frozen=True)
class CompareOptions:
    """The options of ``plcfrs compare``."""

    gold: str = argument()
    parses: tuple[str, ...] = argument("PARSES1 PARSES2...", nargs=-1)
    scoring: ScoringOptions = group(ScoringOptions)
    samples: int = setting(10_000, "Number of random samples for each test.", least=1)
    seed: int = setting(1, "The same seed gives the same result.", least=0, metavar="S")
    show: int = setting(10, "Number of sentences that are listed.", least=0)
    report: ReportOptions = group(ReportOptions)
    input: InputOptions = group(InputOptions)


@command_of("compare", CompareOptions())
def command(chosen: CompareOptions) -> None:
    """Compare parsers pairwise, and test whether their difference in F1 may be due to chance.

    All files have the same sentences in the same order. p is the probability of a difference
    at least as large if the parsers are equally good. It is estimated by a paired bootstrap, which
    also gives the confidence interval, and by a randomization test, which swaps the parses of
    random sentences. With more than two parsers, p is also corrected for the number of pairs
    (Holm 1979). Functions and null elements are compared if any parser gives them. The last table
    lists the sentences where the parsers differ most in the number of wrong (missed or spurious)
    brackets.

    \b
    Examples:
      plcfrs compare gold.discbracket plain.discbracket refined.discbracket
      plcfrs compare gold.discbracket plain.export refined.export gap.export -o report.md
    """  # noqa: D301
    parses = chosen.parses
    if len(parses) == 1:
        raise click.UsageError(
            "There is nothing to compare: give the parses of at least two parsers."
        )
    if has_dependencies([chosen.gold, *parses], chosen.input.format):
        raise click.UsageError("Dependencies cannot be compared: score each parser with eval.")
    settings = chosen.scoring.load()
    names = _names(parses)
    sentences = _compared(chosen, names, settings)
    tables = _tables(names, sentences, chosen.samples, chosen.seed)
    if different := _most_different(sentences)[: chosen.show]:
        tables.append(sentence_table(names, different))
    files = ", ".join(f"{name}: {file}" for name, file in zip(names, parses, strict=True))
    corrected = "" if len(names) == 2 else _CORRECTED
    note = f"{counted(len(sentences), 'sentence')}; {files}{corrected}"
    chosen.report.write(tables, f"{note}\n" if chosen.report.kind == "text" else "")


def _compared(
    chosen: CompareOptions, names: Sequence[str], settings: Settings
) -> list[ComparedSentence]:
    """Score all sentences, and warn about odd ones."""
    input = chosen.input
    others = chosen.scoring.input_of_parses(input)
    rankings = [Ranking(chosen.scoring.rank or 1) for _ in names]
    gold = progress(input.read_in_place([chosen.gold]), "scored")
    parses = {
        name: ranking.choose(others.read_in_place([file], blank_lines=True))
        for name, file, ranking in zip(names, chosen.parses, rankings, strict=True)
    }
    doubts = Doubts(settings)
    sentences: list[ComparedSentence] = []
    discontinuous = Counts()
    compared = compare_parsers(gold, parses, settings, input.selection)
    for sentence in input.checked(compared, [chosen.gold]):
        sentences.append(replace(sentence, trees=()))
        doubts.add(*sentence.trees)
        for scores in sentence.scores:
            discontinuous.add(scores.labelled_discontinuous)
    input.report(others)
    for ranking in rankings:
        report_rank(ranking)
    doubts.report(discontinuous)
    return sentences


def _most_different(sentences: Sequence[ComparedSentence]) -> list[ComparedSentence]:
    """Return the sentences with different numbers of wrong brackets, most different first."""

    def difference(sentence: ComparedSentence) -> int:
        return max(sentence.wrong) - min(sentence.wrong)

    return sorted(filter(difference, sentences), key=difference, reverse=True)


def _names(files: Sequence[str]) -> list[str]:
    """Return the names of the parsers: first and second, or the names of three or more files."""
    if len(files) == 2:
        return ["first", "second"]
    paths = list(map(PurePath, files))
    for names in ([path.stem for path in paths], [path.name for path in paths]):
        if len(set(names)) == len(names):
            return names
    return [f"{number}: {file}" for number, file in enumerate(files, start=1)]


def _tables(
    names: Sequence[str], sentences: Sequence[ComparedSentence], samples: int, seed: int
) -> list[Table]:
    """Return the scores of all parsers and the differences of each pair."""
    results = {
        measure: {
            f"{names[i]} / {names[j]}": difference(sentences, measure, samples, seed, (i, j))
            for i, j in combinations(range(len(names)), 2)
        }
        for measure in measures_of(sentences)
    }
    if len(names) == 2:
        differences = {measure: next(iter(pairs.values())) for measure, pairs in results.items()}
        return [difference_table(differences)]
    pair_tables = (pair_table(measure, pairs) for measure, pairs in results.items())
    return [score_table(names, sentences), *pair_tables]
