"""The plan of an experiment (sets of trees, parsers, tables), and its tables and pictures.

Each kind of table is a function, entered in `KINDS`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean, stdev
from typing import Any, TypeVar

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.drawing import draw_svg
from plcfrs.evaluation import (
    ConstructionScores,
    DependencyScores,
    Drawing,
    ErrorSummary,
    Evaluation,
    Scores,
    Settings,
    Table,
    compare_sentences,
    construction_table,
    dependency_table,
    draw_differences,
    error_table,
    example_table,
    load_settings,
    main_tables,
    tables,
)
from plcfrs.evaluation.report import Cell
from plcfrs.evaluation.scoring import Scoring
from plcfrs.experiment.folder import Result, read_tree_lines
from plcfrs.settings import file_setting, setting
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options, ReattachmentTable, remove_splits
from plcfrs.treebank.reading import Selection
from plcfrs.trees import Tree


@dataclass(frozen=True)
class TreeSet:
    """Some trees of the treebank, transformed; their numbers are counted over all files."""

    files: tuple[str, ...]
    format: str | None
    encoding: str
    selection: Selection
    transformation: Options


@dataclass(frozen=True)
class ParserPlan:
    """A parser: how its model is made, from which sets of trees, and which set it parses.

    The development set chooses the best round of the training; the budget is for each sentence.
    """

    kind: str = DEFAULT_KIND
    training: str = setting("", "The set to learn from.", is_needed=True)
    test: str = setting("", "The set to parse.", is_needed=True)
    development: str | None = setting(None, "The set by which the best round is chosen.")
    settings: Any = None
    options: Any = None
    objective: str | None = setting(None, "What is wanted of a parse.")
    gold_tags: bool = setting(True, "Whether the parser gets tags.")
    budget: Budget = DEFAULT

    @property
    def members(self) -> tuple[str, ...]:
        """The parsers, or files of models, that it combines."""
        return getattr(self.settings, "members", ())


@dataclass(frozen=True)
class Published:
    """The figures of a table in a paper by row and column, None where the paper has none."""

    columns: list[str]
    rows: dict[str, list[Cell]]


@dataclass(frozen=True)
class ScorePlan:
    """A plan of tables of scores, or of pictures; `gold` has the parsers scored against each set.

    The set `partition` decides which sentences are discontinuous; `show` is the number of examples.
    """

    kind: str
    title: str = setting("", "Of the table; by default the kind.")
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    partition: str | None = setting(None, "The set that says what is discontinuous.")
    settings: Settings = file_setting("field", "Which brackets count.", load_settings)
    show: int = setting(5, "Number of examples or pictures.", least=1)
    published: Published | None = None

    @property
    def parsers(self) -> list[str]:
        """All scored parsers."""
        return list(dict.fromkeys(name for names in self.gold.values() for name in names))

    @property
    def only_gold(self) -> tuple[str, tuple[str, ...]]:
        """The gold set with its parsers, for kinds with a single gold set."""
        ((gold, parsers),) = self.gold.items()
        return gold, parsers


@dataclass(frozen=True)
class Experiment:
    """A whole experiment; see `plcfrs.experiment.load_experiment`."""

    title: str = setting("", "Of the reports; by default the name of the file.")
    sets: dict[str, TreeSet] = field(default_factory=dict)
    parsers: dict[str, ParserPlan] = field(default_factory=dict)
    scores: tuple[ScorePlan, ...] = ()
    count_items: bool = setting(False, "Parse once more, to count items as in the paper.")


Counted = TypeVar("Counted")

_PAPER = " (paper)"
_SEED = re.compile(r"\W*\bseed\W*\d+")


@dataclass(frozen=True)
class Results:
    """The results of the earlier stages, by the names of sets and parsers."""

    experiment: Experiment
    trees: Mapping[str, Result]
    models: Mapping[str, Result]
    parses: Mapping[str, Result]
    items: Mapping[str, Result]

    def used(self, plan: ScorePlan) -> list[Result]:
        """Return all results that a table depends on."""
        found = [self.trees[name] for name in plan.gold]
        if plan.partition:
            found.append(self.trees[plan.partition])
        for parser in plan.parsers:
            stages = (self.models, self.parses, self.items)
            found += [stage[parser] for stage in stages if parser in stage]
        return found

    def gold(self, name: str) -> Iterator[Tree]:
        """Yield the trees of a set."""
        return read_tree_lines(self.trees[name].path)

    def parsed(self, name: str) -> Iterator[Tree]:
        """Yield the parses of a parser."""
        return read_tree_lines(self.parses[name].path)

    def evaluate(self, plan: ScorePlan, gold: str, parser: str) -> Evaluation:
        """Compare the brackets of a parser with those of a set."""
        return self.scored(plan, gold, parser).evaluation

    def scored(self, plan: ScorePlan, gold: str, parser: str, **what: Any) -> Scoring:  # noqa: ANN401
        """Score a parser: `what` is counted besides brackets."""
        rules = self.experiment.sets[gold].transformation.head_rules
        reference = self.gold(plan.partition) if plan.partition else None
        scoring = Scoring(plan.settings, rules, **what)
        deque(scoring.run(self.gold(gold), self.parsed(parser), reference), maxlen=0)
        return scoring


def reattachment(plan: ScorePlan, results: Results) -> list[Table]:
    """Count types of traces and the gap degrees of their trees: table 1 of the paper."""
    counts = ReattachmentTable()
    for tree in results.gold(plan.only_gold[0]):
        counts.add(tree)
    (_, *columns), *rows = counts.rows()
    cells: dict[str, list[Cell]] = {
        name: [int(count) if count.isdecimal() else None for count in figures]
        for name, *figures in rows
    }
    return [Table(plan.title, columns, cells)]


def brackets(plan: ScorePlan, results: Results) -> list[Table]:
    """Score brackets of all sentences, C and D, and count rules: tables 2 and 3 of the paper."""
    parsers = plan.parsers
    rows: dict[str, list[Cell]] = {}
    for gold, chosen in plan.gold.items():
        evaluations = {name: results.evaluate(plan, gold, name) for name in chosen}
        subsets: dict[str, dict[str, Scores]] = {
            gold: {name: found.all for name, found in evaluations.items()},
            f"{gold}_C": {name: found.continuous for name, found in evaluations.items()},
            f"{gold}_D": {name: found.discontinuous for name, found in evaluations.items()},
        }
        for subset, scores in subsets.items():
            constituents, *_ = main_tables(scores)
            for score in ("LP", "LR", "LF1", "UP", "UR", "UF1"):
                cells = dict(zip(constituents.columns, constituents.rows[score], strict=True))
                rows[f"{subset} {score}"] = [cells.get(name) for name in parsers]
    rows["Rules"] = [_figure(results.models[name], "rules") for name in parsers]
    rows["Bin. rules"] = [_figure(results.models[name], "binarized") for name in parsers]
    if results.experiment.count_items:
        rows["Items"] = [_figure(results.items.get(name), "items") for name in parsers]
    return [Table(plan.title, parsers, rows)]


def parsers(plan: ScorePlan, results: Results) -> list[Table]:
    """Show sizes, scores and times, a row for each parser."""
    columns = ["Rules", "Bin. rules", "Sentences", "Parsed", "LP", "LR", "LF1", "Exact match"]
    columns += ["Disc. LF1", "ms CPU a sentence"]
    rows: dict[str, list[Cell]] = {}
    gold, names = plan.only_gold
    for name in names:
        found = results.evaluate(plan, gold, name)
        constituents, discontinuous, sentences = main_tables({"": found.all})
        rows[name] = [
            _figure(results.models[name], "rules"),
            _figure(results.models[name], "binarized"),
            _figure(results.parses[name], "sentences"),
            _figure(results.parses[name], "parsed"),
            *(constituents.rows[score][0] for score in ("LP", "LR", "LF1")),
            sentences.rows["Exact match"][0],
            discontinuous.rows["LF1"][0],
            _milliseconds(results.parses[name]),
        ]
    return [Table(plan.title, columns, rows)]


def seeds(plan: ScorePlan, results: Results) -> list[Table]:
    """Show means and deviations of parsers whose names differ only in ``seed 1``, ``seed 2`` ..."""
    gold, names = plan.only_gold
    groups: dict[str, list[dict[str, float]]] = {}
    for name in names:
        found = results.evaluate(plan, gold, name)
        short = {} if found.cutoff is None else {f"LF1 <= {found.cutoff}": found.short.labelled.f1}
        row = {
            "LF1": found.all.labelled.f1,
            **short,
            "Disc. LF1": found.all.labelled_discontinuous.f1,
            "ms CPU a sentence": _milliseconds(results.parses[name]),
        }
        groups.setdefault(_SEED.sub("", name), []).append(row)
    columns = ["Seeds", *(name for key in row for name in (key, f"+- {key}"))]
    rows: dict[str, list[Cell]] = {}
    for name, group in groups.items():
        rows[name] = [len(group)]
        for key in row:
            values = [each[key] for each in group]
            rows[name] += [mean(values), stdev(values) if len(values) > 1 else None]
    return [Table(plan.title, columns, rows)]


def dependencies(plan: ScorePlan, results: Results) -> list[Table]:
    """Count the correct dependencies by type: table 4 of the paper."""
    counted = _counts_of_parsers(plan, results, "dependencies", DependencyScores)
    return [replace(dependency_table(counted), title=plan.title)]


def constructions(plan: ScorePlan, results: Results) -> list[Table]:
    """Count the correct constructions: section 5.3 of the paper."""
    counted = _counts_of_parsers(plan, results, "constructions", ConstructionScores)
    return [replace(construction_table(counted), title=plan.title)]


def errors(plan: ScorePlan, results: Results) -> list[Table]:
    """Classify the errors of each parser in linguistic terms, with examples."""
    gold, names = plan.only_gold
    found = []
    for name in names:
        summary = ErrorSummary(plan.show)
        results.scored(plan, gold, name, errors=summary)
        found += _with_title(
            f"{plan.title}, {name}", [error_table(summary), example_table(summary)]
        )
    return found


def breakdown(plan: ScorePlan, results: Results) -> list[Table]:
    """Show all tables of ``plcfrs eval``, for each parser."""
    gold, names = plan.only_gold
    found = []
    for name in names:
        found += _with_title(f"{plan.title}, {name}", tables(results.evaluate(plan, gold, name)))
    return found


def trees(plan: ScorePlan, results: Results) -> list[Drawing]:
    """Draw the sentences with the most wrong brackets of all parsers together."""
    gold, names = plan.only_gold
    compared = [
        compare_sentences(results.gold(gold), results.parsed(name), plan.settings) for name in names
    ]
    wrong = [sum(sum(one.wrong) for one in sentences) for sentences in zip(*compared, strict=True)]
    worst = sorted(range(len(wrong)), key=lambda number: -wrong[number])[: plan.show]
    golds = map(remove_splits, results.gold(gold))
    sentences = zip(golds, *map(results.parsed, names), strict=True)
    drawn = {}
    for number, (tree, *parses) in enumerate(sentences):
        if number in worst:
            heading = f"{tree.id}, wrong brackets: {wrong[number]}"
            captioned = dict(zip(names, parses, strict=True))
            drawn[number] = draw_differences(heading, tree, captioned, plan.settings, draw_svg)
    return [drawn[number] for number in worst]


KINDS: dict[str, Callable[[ScorePlan, Results], Sequence[Table | Drawing]]] = {
    kind.__name__: kind
    for kind in (
        reattachment,
        brackets,
        parsers,
        seeds,
        dependencies,
        constructions,
        errors,
        breakdown,
        trees,
    )
}


def _counts_of_parsers(
    plan: ScorePlan, results: Results, what: str, kind: Callable[[], Counted]
) -> dict[str, Counted]:
    gold, names = plan.only_gold
    scores = {name: kind() for name in names}
    for name, counted in scores.items():
        results.scored(plan, gold, name, **{what: counted})
    return scores


def _milliseconds(result: Result) -> float:
    return 1000 * result.figures["cpu seconds"] / result.figures["sentences"]


def _figure(result: Result | None, name: str) -> Cell:
    return result.figures.get(name) if result else None


def _with_title(title: str, found: list[Table]) -> list[Table]:
    return [replace(table, title=f"{title}: {table.title}") for table in found]


def beside(table: Table, published: Published) -> Table:
    """Return a table beside a published one, which decides the order of rows and columns.

    Missing cells are None. Rows and columns that only our table has come last.

    >>> ours = Table("Table 2", ["Tr", "Te"], {"LP": [1.5, 2.5]})
    >>> both = beside(ours, Published(["MST", "Tr"], {"LP": [5.5, 6.5], "LR": [7.5, None]}))
    >>> both.columns
    ['MST (paper)', 'Tr', 'Tr (paper)', 'Te']
    >>> both.rows
    {'LP': [5.5, 1.5, 6.5, 2.5], 'LR': [7.5, None, None, None]}
    """
    ours, theirs = _cells_of(table), _cells_of(published)
    columns: list[tuple[str, dict[tuple[str, str], Cell], str]] = []
    for column in published.columns:
        if column in table.columns:
            columns.append((column, ours, column))
        columns.append((column + _PAPER, theirs, column))
    columns += [
        (column, ours, column) for column in table.columns if column not in published.columns
    ]
    rows = [*published.rows, *(row for row in table.rows if row not in published.rows)]
    return Table(
        table.title,
        [heading for heading, _, _ in columns],
        {row: [cells.get((row, column)) for _, cells, column in columns] for row in rows},
        table.decimals,
    )


def _cells_of(table: Table | Published) -> dict[tuple[str, str], Cell]:
    """Return the cells of a table by row and column."""
    return {
        (row, column): cell
        for row, cells in table.rows.items()
        for column, cell in zip(table.columns, cells, strict=True)
    }
