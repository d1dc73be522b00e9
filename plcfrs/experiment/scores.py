"""The tables and pictures of an experiment: each kind in `KINDS` is a function."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, cycle
from math import inf
from statistics import mean, median, quantiles, stdev
from typing import Any, TypeVar

from plcfrs.drawing import draw_svg
from plcfrs.errors import InputError
from plcfrs.evaluation import (
    ConstructionScores,
    DependencyScores,
    Scores,
    Settings,
    Table,
    compare_sentences,
    construction_table,
    dependency_table,
    differences,
    main_tables,
)
from plcfrs.evaluation.comparison import compare_parsers, difference, pair_table
from plcfrs.evaluation.report import Cell
from plcfrs.evaluation.scoring import Scored, Scoring
from plcfrs.experiment.folder import CPU, MEMORY, Result, read_lines, read_tree_lines
from plcfrs.experiment.plan import Experiment, Published, ScorePlan
from plcfrs.forest.posteriors import BINS, calibration_error, calibration_points, reliability
from plcfrs.transformation import ReattachmentTable, remove_splits
from plcfrs.trees import Tree
from plcfrs.wording import suggestion

Counted = TypeVar("Counted")

_PAPER = " (paper)"
_SEED = re.compile(r"\W*\bseed\W*\d+")


@dataclass(frozen=True)
class Performance:
    """The model, parses and scores of a parser on a gold set."""

    model: Result
    parses: Result
    scored: Sequence[Scored]

    def scores(self, longest: float = inf) -> dict[str, Cell]:
        """Return all scores of sentences of limited length, by name."""
        total = Scores()
        for scored in self.scored:
            if scored.sentence.length <= longest:
                total.add(scored.scores)
        constituents, discontinuous, sentences = main_tables({"": total})
        named = constituents.rows | {f"Disc. {row}": c for row, c in discontinuous.rows.items()}
        return {name: cell for name, (cell,) in (named | sentences.rows).items()}

    @cached_property
    def milliseconds(self) -> list[float]:
        """The CPU time of each sentence."""
        return [1000 * line["cpu_seconds"] for line in read_lines(self.parses.path)]

    def cell(self, column: str) -> Cell:
        """Return the value in a column."""
        name, limit, longest = column.partition(" <= ")
        if name in SCORES:
            return self.scores(int(longest) if limit else inf)[name]
        return FIGURES[name](self)


_BRACKET_SCORES = ("LP", "LR", "LF1", "UP", "UR", "UF1")

SCORES = [
    *(f"{part}{score}" for part in ("", "Disc. ") for score in _BRACKET_SCORES),
    "Exact match",
    "Tagging accuracy",
]
"""The columns with scores; ``LF1 <= 40`` limits the length of sentences."""

FIGURES: dict[str, Callable[[Performance], Cell]] = {
    "Rules": lambda each: each.model.figures.get("rules"),
    "Bin. rules": lambda each: each.model.figures.get("binarized"),
    "Sentences": lambda each: each.parses.figures["sentences"],
    "Parsed": lambda each: each.parses.figures["parsed"],
    "CPU ms": lambda each: median(each.milliseconds),
    "CPU ms, 95%": lambda each: quantiles(each.milliseconds, n=20)[-1],
    "CPU ms, longest": lambda each: max(each.milliseconds),
    "Sentences/s": lambda each: 1000 / mean(each.milliseconds),
    "Peak MB": lambda each: each.parses.figures.get(MEMORY),
    "Training CPU s": lambda each: each.model.figures.get(CPU),
    "Training peak MB": lambda each: each.model.figures.get(MEMORY),
    "File MB": lambda each: each.model.path.stat().st_size / 1e6,
}
"""The other columns: sizes, time and memory. `CPU ms` is the median of the sentences."""

DECIMALS = dict.fromkeys(("Peak MB", "Training peak MB", "Sentences/s"), 0)
"""The number of decimals in these columns; others have two."""

OVERVIEWS: dict[str, tuple[str, ...]] = {
    "parsers": (
        "Rules",
        "Bin. rules",
        "Sentences",
        "Parsed",
        "LP",
        "LR",
        "LF1",
        "Exact match",
        "Disc. LF1",
        "CPU ms",
        "Peak MB",
    ),
    "seeds": ("LF1", "LF1 <= 40", "Disc. LF1", "CPU ms", "Peak MB"),
}
"""The kinds of tables whose columns can be chosen, with their usual columns."""


def check_columns(plan: ScorePlan) -> None:
    """Raise an InputError if a table cannot have the chosen columns."""
    known = [*SCORES, *FIGURES] if plan.kind in OVERVIEWS else []
    for column in plan.columns:
        name, limit, longest = column.partition(" <= ")
        if name not in known or (limit and not (name in SCORES and longest.isdecimal())):
            raise InputError(f"unknown column {column!r}{suggestion(known)}")


def is_score(column: str) -> bool:
    """Whether a column has scores."""
    return column.partition(" <= ")[0] in SCORES


@dataclass(frozen=True)
class Results:
    """The results of the earlier stages, by the names of sets and parsers."""

    experiment: Experiment
    trees: Mapping[str, Result]
    models: dict[str, Result] = field(default_factory=dict)
    parses: dict[str, Result] = field(default_factory=dict)

    def inputs(self, plan: ScorePlan) -> list[Result]:
        """Return all results that a table depends on."""
        inputs = [self.trees[name] for name in plan.gold]
        if plan.partition:
            inputs.append(self.trees[plan.partition])
        for parser in plan.parsers:
            inputs += [self.models[parser], self.parses[parser]]
        return inputs

    def gold(self, name: str) -> Iterator[Tree]:
        """Yield the trees of a set."""
        return read_tree_lines(self.trees[name].path)

    def parsed(self, name: str) -> Iterator[Tree]:
        """Yield the parses of a parser."""
        return read_tree_lines(self.parses[name].path)

    def scored(self, plan: ScorePlan, gold: str, parser: str, **what: Any) -> Scoring:  # noqa: ANN401
        """Score a parser; `what` else is counted besides brackets."""
        scoring = self._scoring(gold, plan, what)
        deque(self._run(scoring, plan, gold, parser), maxlen=0)
        return scoring

    def performance(self, plan: ScorePlan, gold: str, parser: str) -> Performance:
        """Return the performance of a parser."""
        scored = [*self._run(self._scoring(gold, plan, {}), plan, gold, parser)]
        return Performance(self.models[parser], self.parses[parser], scored)

    def _scoring(self, gold: str, plan: ScorePlan, what: Mapping[str, Any]) -> Scoring:
        rules = self.experiment.sets[gold].transformation.head_rules
        return Scoring(plan.settings, rules, **what)

    def _run(self, scoring: Scoring, plan: ScorePlan, gold: str, parser: str) -> Iterator[Scored]:
        reference = self.gold(plan.partition) if plan.partition else None
        return scoring.run(self.gold(gold), self.parsed(parser), reference)


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
        evaluations = {name: results.scored(plan, gold, name).evaluation for name in chosen}
        subsets: dict[str, dict[str, Scores]] = {
            gold: {name: scores.all for name, scores in evaluations.items()},
            f"{gold}_C": {name: scores.continuous for name, scores in evaluations.items()},
            f"{gold}_D": {name: scores.discontinuous for name, scores in evaluations.items()},
        }
        for subset, scores in subsets.items():
            constituents, *_ = main_tables(scores)
            for score in _BRACKET_SCORES:
                cells = dict(zip(constituents.columns, constituents.rows[score], strict=True))
                rows[f"{subset} {score}"] = [cells.get(name) for name in parsers]
    rows["Rules"] = [results.models[name].figures.get("rules") for name in parsers]
    rows["Bin. rules"] = [results.models[name].figures.get("binarized") for name in parsers]
    rows["Items"] = [results.parses[name].figures.get("items") or None for name in parsers]
    return [Table(plan.title, parsers, rows)]


def parsers(plan: ScorePlan, results: Results) -> list[Table]:
    """Show sizes, scores, time and memory, a row for each parser."""
    columns = plan.columns or OVERVIEWS["parsers"]
    has_one_set_each = len(plan.pairs) == len(plan.parsers)
    rows = {}
    for gold, parser in plan.pairs:
        performance = results.performance(plan, gold, parser)
        name = parser if has_one_set_each else f"{parser}, {gold}"
        rows[name] = [performance.cell(column) for column in columns]
    return [Table(plan.title, list(columns), rows, DECIMALS)]


def seeds(plan: ScorePlan, results: Results) -> list[Table]:
    """Show means and deviations of parsers whose names differ only in ``seed 1``, ``seed 2`` ..."""
    chosen = plan.columns or OVERVIEWS["seeds"]
    (overview,) = parsers(replace(plan, columns=chosen), results)
    columns = ["Seeds"]
    for column in chosen:
        columns += [column, f"+- {column}"] if is_score(column) else [column]
    rows: dict[str, list[Cell]] = {}
    for name, group in _groups(overview.rows).items():
        rows[name] = [len(group)]
        for place, column in enumerate(chosen):
            values = [
                cell
                for seed in group
                if isinstance(cell := overview.rows[seed][place], int | float)
            ]
            rows[name].append(mean(values) if values else None)
            if is_score(column):
                rows[name].append(stdev(values) if len(values) > 1 else None)
    return [Table(plan.title, columns, rows, DECIMALS)]


def _groups(names: Iterable[str]) -> dict[str, list[str]]:
    """Return names without their seeds, each with all its names that have a seed."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_SEED.sub("", name), []).append(name)
    return groups


def significance(plan: ScorePlan, results: Results) -> list[Table]:
    """Test whether parsers differ from the first parser; seeds are compared one by one."""
    gold, names = plan.only_gold
    first, *others = _groups(names).values()
    differences = {}
    for name, other in ((a, b) for group in others for a, b in zip(cycle(first), group)):
        pair = {parser: results.parsed(parser) for parser in (name, other)}
        sentences = list(compare_parsers(results.gold(gold), pair, plan.settings))
        differences[f"{other} - {name}"] = difference(sentences)
    return [replace(pair_table("LF1", differences), title=plan.title)]


def calibration(plan: ScorePlan, results: Results) -> list[Table]:
    """Show how many constituents have each probability, and how many of them are right."""
    gold, names = plan.only_gold
    columns = ["Error", *(f"{low / BINS:g}-{(low + 1) / BINS:g}" for low in range(BINS))]
    rows: dict[str, list[Cell]] = {}
    for name in names:
        lines = read_lines(results.parses[name].path)
        points = (
            calibration_points(tree, line.get("posteriors", []))
            for tree, line in zip(results.gold(gold), lines, strict=True)
        )
        bins = reliability(chain.from_iterable(points))
        by_number = {round(BINS * bin.low): bin for bin in bins}
        all_bins = [by_number.get(number) for number in range(BINS)]
        rows[name] = [None, *(bin and bin.number for bin in all_bins)]
        rows[f"{name}, right"] = [
            100 * calibration_error(bins),
            *(bin and 100 * bin.right for bin in all_bins),
        ]
    return [Table(plan.title, columns, rows)]


def dependencies(plan: ScorePlan, results: Results) -> list[Table]:
    """Count the correct dependencies by type: table 4 of the paper."""
    counted = _counts_of_parsers(plan, results, "dependencies", DependencyScores)
    return [replace(dependency_table(counted), title=plan.title)]


def constructions(plan: ScorePlan, results: Results) -> list[Table]:
    """Count the correct constructions: section 5.3 of the paper."""
    counted = _counts_of_parsers(plan, results, "constructions", ConstructionScores)
    return [replace(construction_table(counted), title=plan.title)]


@dataclass(frozen=True)
class Drawing:
    """Pictures of a sentence, side by side.

    Parameters
    ----------
    heading : str
    pictures : mapping of str to str
        SVG by caption.
    """

    heading: str
    pictures: Mapping[str, str]


def draw_differences(
    heading: str,
    gold: Tree,
    parses: Mapping[str, Tree],
    settings: Settings,
) -> Drawing:
    """Return pictures of a gold tree and its parses, with their differences marked.

    Parameters
    ----------
    heading : str
    gold : Tree
    parses : mapping of str to Tree
        By caption.
    settings : Settings
    """
    wrong = {caption: differences(gold, parse, settings) for caption, parse in parses.items()}
    pictures = {"gold": draw_svg(gold, set().union(*(missed for missed, _ in wrong.values())))}
    for caption, (_, spurious) in wrong.items():
        pictures[caption] = draw_svg(parses[caption], spurious)
    return Drawing(heading, pictures)


def trees(plan: ScorePlan, results: Results) -> list[Drawing]:
    """Draw the sentences with the most wrong brackets, summed over all parsers."""
    gold, names = plan.only_gold
    compared = [
        compare_sentences(results.gold(gold), results.parsed(name), plan.settings) for name in names
    ]
    wrong = [sum(sum(parse.wrong) for parse in parses) for parses in zip(*compared, strict=True)]
    worst = sorted(range(len(wrong)), key=lambda number: -wrong[number])[: plan.show]
    golds = map(remove_splits, results.gold(gold))
    sentences = zip(golds, *map(results.parsed, names), strict=True)
    drawn = {}
    for number, (tree, *parses) in enumerate(sentences):
        if number in worst:
            heading = f"{tree.id}, wrong brackets: {wrong[number]}"
            captioned = dict(zip(names, parses, strict=True))
            drawn[number] = draw_differences(heading, tree, captioned, plan.settings)
    return [drawn[number] for number in worst]


KINDS: dict[str, Callable[[ScorePlan, Results], Sequence[Table | Drawing]]] = {
    kind.__name__: kind
    for kind in (
        reattachment,
        brackets,
        parsers,
        seeds,
        significance,
        calibration,
        dependencies,
        constructions,
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


def beside(table: Table, published: Published) -> Table:
    """Return our table beside a published one, in the order of its rows and columns.

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
