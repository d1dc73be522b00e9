"""The plan of an experiment: sets of trees, parsers, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plcfrs.chart.budget import Budget
from plcfrs.evaluation import Settings
from plcfrs.experiment.published import Published
from plcfrs.transformation import Options
from plcfrs.treebank.selection import Selection


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

    kind: str
    training: str
    test: str
    development: str | None
    settings: Any
    options: Any
    objective: str | None
    gold_tags: bool
    budget: Budget

    @property
    def members(self) -> tuple[str, ...]:
        """The parsers, or files of models, that it combines."""
        return getattr(self.settings, "members", ())


@dataclass(frozen=True)
class ScorePlan:
    """A plan of tables of scores, or of pictures; `gold` has the parsers scored against each set.

    The set `partition` decides which sentences are discontinuous; `show` is the number of examples.
    """

    kind: str
    title: str
    gold: dict[str, tuple[str, ...]]
    partition: str | None
    settings: Settings
    show: int
    published: Published | None

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

    title: str
    sets: dict[str, TreeSet]
    parsers: dict[str, ParserPlan]
    scores: tuple[ScorePlan, ...]
    count_items: bool
