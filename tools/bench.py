"""Parsers side by side: the trees that they are trained and tested on, and a row for each of them.

A table is data: columns by their names, each a function of what the models of a row did, mostly
one model a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from statistics import mean
from typing import Any, NamedTuple, ParamSpec

import click
import measuring
from measuring import Report, Run, over_seeds, scores_of, sentence_of, timed
from splits import DEVELOPMENT, LENGTHS, TEST, described, parts

from plcfrs.cli.options import transform_options
from plcfrs.parsing.parse import Parse
from plcfrs.parsing.registry import train
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.transformation import Options
from plcfrs.trees import Tree

TAGS = {"gold": True, "own": False}

Values = ParamSpec("Values")


class Outcome(NamedTuple):
    """A model, the CPU time of its training, and its parses; if there are two kinds, the others."""

    model: Any
    runs: list[Run]
    training: float = 0.0
    others: Sequence[Run] = ()


Column = Callable[[Sequence[Outcome]], str]
Row = tuple[Sequence[str], Sequence[Outcome]]


@dataclass(frozen=True)
class Source:
    """The trees that the arguments of a benchmark name."""

    treebank: str | None
    options: Options
    files: list[str]

    def __str__(self) -> str:
        return described(self.treebank, self.files)

    def parts(self, splits: Sequence[str] | None = None) -> tuple[list[Tree], list[Tree]]:
        """Return trees for training and trees to score on, with those of the splits at the most."""
        wanted = self.options.splits
        chosen = tuple(split for split in wanted if splits is None or split in splits)
        return parts(self.treebank, replace(self.options, splits=chosen), self.files)

    def reported_parts(self, report: Report) -> tuple[list[Tree], list[Tree]]:
        """Return the parts, and report how many trees they have."""
        training, test = self.parts()
        report.fact("trees", f"{len(training):,} to train on, {len(test)} to parse")
        return training, test


def on_treebank(
    title: str, **defaults: object
) -> Callable[[Callable[Values, None]], Callable[..., None]]:
    """Make a function a command that gets a report and a source; give options other defaults."""

    def decorate(benchmark: Callable[..., None]) -> Callable[..., None]:
        @click.command(context_settings={"default_map": defaults})
        @click.argument("treebank", required=False)
        @click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
        @transform_options
        @measuring.reports(title)
        @wraps(benchmark)
        def command(
            report: Report,
            treebank: str | None,
            development: bool,
            options: Options,
            **values: Any,  # noqa: ANN401 (of any benchmark)
        ) -> None:
            source = Source(treebank, options, DEVELOPMENT if development else TEST)
            benchmark(report, source, **values)

        return command

    return decorate


def compare(
    report: Report,
    caption: str,
    names: Sequence[str],
    columns: Mapping[str, Column],
    rows: Iterable[Row],
) -> None:
    """Report a table whose rows have names and outcomes."""
    report.table(caption, *names, *columns)
    for cells, outcomes in rows:
        add_row(report, cells, columns, outcomes)


def add_row(
    report: Report,
    names: Sequence[str],
    columns: Mapping[str, Column],
    outcomes: Sequence[Outcome],
) -> None:
    """Add a row to the last table."""
    report.row(*names, *(column(outcomes) for column in columns.values()))


def trained(
    kind: str,
    trees: list[Tree],
    settings: object = None,
    **values: Any,  # noqa: ANN401 (of any family)
) -> tuple[Any, float]:
    """Train a parser, and return it with the CPU time."""
    return timed(lambda: train(kind, trees, settings, **values))


def parse_together(model: SentenceParser, trees: list[Tree], *, tagged: bool = True) -> list[Run]:
    """Parse the tokens of all trees at once, with tags or without; each gets the mean time."""
    sentences = [sentence_of(tree, tagged=tagged) for tree in trees]
    found, seconds = timed(lambda: [best for best, *_ in model.parse_together(sentences)])
    milliseconds = 1000 * seconds / len(trees)
    return [Run(tree, milliseconds, parse) for tree, parse in zip(trees, found, strict=True)]


def decreed(gold: list[Tree], found: list[Tree]) -> list[Run]:
    """Return trees as if they had been parsed."""
    return [Run(tree, 0.0, Parse(other, "parsed")) for tree, other in zip(gold, found, strict=True)]


def over(figure: Callable[[Outcome], float]) -> Column:
    """Return a column with the mean of a figure and its standard deviation."""
    return lambda outcomes: over_seeds([figure(each) for each in outcomes])


def mean_of(figure: Callable[[Outcome], float], digits: int = 0) -> Column:
    """Return a column with the mean of a figure."""
    return lambda outcomes: f"{mean(map(figure, outcomes)):,.{digits}f}"


def f1(longest: int | None = None, runs: str = "runs") -> Column:
    """Return a column with the labelled F1 of sentences of limited length."""
    return over(lambda each: scores_of(getattr(each, runs), longest).labelled.f1)


def discontinuous_f1(longest: int | None = None, runs: str = "runs") -> Column:
    """Return a column with the labelled F1 of discontinuous constituents."""
    return over(lambda each: scores_of(getattr(each, runs), longest).labelled_discontinuous.f1)


def right_tags(runs: str = "runs") -> Column:
    """Return a column with the share of words that have got the tag of the treebank."""
    return over(
        lambda each: 100 * mean(right for _, right in measuring.tags_right(getattr(each, runs)))
    )


def rate(each: Outcome) -> float:
    """Return how many sentences were parsed in a second."""
    return 1000 * len(each.runs) / sum(run.milliseconds for run in each.runs)


def times(outcomes: Iterable[Outcome], longest: int = 40) -> list[float]:
    """Return the times of all sentences of limited length, in milliseconds."""
    return [run.milliseconds for each in outcomes for run in each.runs if run.length <= longest]


BY_LENGTH: dict[str, Column] = {
    **{f"F1 {name}": f1(longest) for name, longest in LENGTHS.items()},
    "disc. F1": discontinuous_f1(),
}
BOTH_BY_LENGTH: dict[str, Column] = {
    f"{name}: {what}": figure(longest)
    for name, longest in LENGTHS.items()
    for what, figure in (("F1", f1), ("disc.", discontinuous_f1))
}
TRAINING: dict[str, Column] = {"training, s": mean_of(lambda each: each.training)}
RATE: dict[str, Column] = {"sentences/s": mean_of(rate)}
PARSED: dict[str, Column] = {
    "parsed": lambda outcomes: (
        f"{mean(measuring.parsed(each.runs) for each in outcomes):g} of {len(outcomes[0].runs)}"
    )
}
SPREAD: dict[str, Column] = {
    "median / p95 / max, ms": lambda outcomes: measuring.spread(outcomes[0].runs)
}
