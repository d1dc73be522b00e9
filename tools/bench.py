"""What parsers are trained and tested on, and parsers side by side: a row for each of them.

A table is data: columns by their names, each a function of what the models of a row did, mostly
one model a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import click
import measuring
import yaml
from measuring import Report, Run, scores_of, timed

import plcfrs
from plcfrs import PRESETS, Budget, GrammarModel, Parse, Recipe, SentenceParser, Tree
from plcfrs.cli.options import transform_options
from plcfrs.evaluation.comparison import Difference, compare_parsers, difference
from plcfrs.transformation import Options, transform_all

# Files of NLTK's sample of the Penn Treebank.
TRAINING = [f"nltk:treebank/wsj_{block:03d}*" for block in range(16)]
DEVELOPMENT = ["nltk:treebank/wsj_016*", "nltk:treebank/wsj_017*"]
TEST = ["nltk:treebank/wsj_018*", "nltk:treebank/wsj_019*"]

ON_SAMPLE = "NLTK's sample of the Penn Treebank: trained on files 0001-0159, tested on 0180-0199"

# What the benchmarks run, by tool.
RUNS = yaml.safe_load(Path(__file__).with_name("runs.yaml").read_text(encoding="utf-8"))

LENGTHS = {"<= 25": 25, "<= 40": 40, "all": None}
TAGS = {"gold": True, "own": False}


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
    """Trees for training and trees to score on: of any treebank the last tenth."""

    treebank: str | None
    options: Options
    files: list[str]

    def __str__(self) -> str:
        if self.treebank is not None:
            name = Path(self.treebank).name
            return f"{name}: trained on the first nine tenths, tested on the last"
        return ON_SAMPLE if self.files == TEST else ON_SAMPLE.replace("0180-0199", "0160-0179")

    def parts(self, splits: Sequence[str] | None = None) -> tuple[list[Tree], list[Tree]]:
        """Return both, with those of the splits at the most."""
        wanted = self.options.splits
        chosen = tuple(split for split in wanted if splits is None or split in splits)
        options = replace(self.options, splits=chosen)
        if self.treebank is None:
            return read(TRAINING, options), read(self.files, options)
        trees = read([self.treebank], options)
        border = len(trees) * 9 // 10
        return trees[:border], trees[border:]

    def reported_parts(self, report: Report) -> tuple[list[Tree], list[Tree]]:
        """Return both, and report how many trees they have."""
        training, test = self.parts()
        report.fact("trees", f"{len(training):,} to train on, {len(test)} to parse")
        return training, test


def read(names: Iterable[str], options: Options) -> list[Tree]:
    """Read trees, and transform them."""
    return list(transform_all(plcfrs.read_trees(names), options))


def on_treebank(title: str, **defaults: object) -> measuring.Decorator:
    """Make a function a command that gets a report and a source; give options other defaults."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @measuring.benchmark(title, **defaults)
        @click.argument("treebank", required=False)
        @click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
        @transform_options
        @wraps(function)
        def command(
            report: Report,
            treebank: str | None,
            development: bool,
            options: Options,
            **values: Any,  # noqa: ANN401 (of any benchmark)
        ) -> None:
            source = Source(treebank, options, DEVELOPMENT if development else TEST)
            function(report, source, **values)

        return command

    return decorate


def grammars(
    source: Source, budget: Budget, others: Mapping[str, Recipe] | None = None
) -> Iterator[tuple[str, GrammarModel, list[Tree]]]:
    """Yield a parser for each preset and each other recipe, with the trees that it parses."""
    recipes = {name: (recipe, made_with.splits) for name, (made_with, recipe) in PRESETS.items()}
    for name, recipe in (others or {}).items():
        recipes[name] = recipe, source.options.splits
    for name, (recipe, splits) in recipes.items():
        training, test = source.parts(splits)
        yield name, GrammarModel(recipe.grammar(training), budget=budget), test


def trained(
    kind: str,
    trees: list[Tree],
    settings: object = None,
    **values: Any,  # noqa: ANN401 (of any family)
) -> tuple[Any, float]:
    """Train a parser, and return it with the CPU time."""
    return timed(lambda: plcfrs.train(kind, trees, settings, **values))


def parse_each(
    model: SentenceParser, trees: Iterable[Tree], training: float = 0.0, *, tagged: bool = True
) -> Outcome:
    """Parse the tokens of trees one after the other, with tags or without."""
    return Outcome(
        model, [measuring.timed_parse(model, tree, tagged=tagged) for tree in trees], training
    )


def parse_together(model: SentenceParser, trees: list[Tree], *, tagged: bool = True) -> list[Run]:
    """Parse the tokens of all trees at once, with tags or without; each gets the mean time."""
    sentences = [measuring.sentence_of(tree, tagged=tagged) for tree in trees]
    found, seconds = timed(lambda: [best for best, *_ in model.parse_together(sentences)])
    milliseconds = 1000 * seconds / len(trees)
    return [Run(tree, milliseconds, parse) for tree, parse in zip(trees, found, strict=True)]


def decreed(model: object, gold: list[Tree], found: Iterable[Tree]) -> Outcome:
    """Return what a model would have done if these were its parses."""
    pairs = zip(gold, found, strict=True)
    return Outcome(model, [Run(tree, 0.0, Parse(other, "parsed")) for tree, other in pairs])


def compared(*pair: Outcome) -> Difference:
    """Test whether the difference between two parsers of the same trees is due to chance."""
    parses = {str(n): [run.parse.tree for run in each.runs] for n, each in enumerate(pair)}
    return difference(list(compare_parsers([run.gold for run in pair[0].runs], parses)))


def over(figure: Callable[[Outcome], float]) -> Column:
    """Return a column with the mean of a figure and its standard deviation."""
    return lambda outcomes: measuring.over_seeds([figure(each) for each in outcomes])


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
TRAINING_TIME: dict[str, Column] = {"training, s": mean_of(lambda each: each.training)}
RATE: dict[str, Column] = {"sentences/s": mean_of(rate)}
PARSED: dict[str, Column] = {
    "parsed": lambda outcomes: (
        f"{mean(measuring.parsed(each.runs) for each in outcomes):g} of {len(outcomes[0].runs)}"
    )
}
SPREAD: dict[str, Column] = {
    "median / p95 / max, ms": lambda outcomes: measuring.spread(outcomes[0].runs)
}
