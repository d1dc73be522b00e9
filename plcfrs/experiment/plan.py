"""The plan of an experiment: sets of trees, parsers, and tables of scores."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from plcfrs.budget import DEFAULT, Budget
from plcfrs.evaluation import Settings, load_settings
from plcfrs.evaluation.report import Cell
from plcfrs.settings import change_settings, file_setting, setting, settings_of
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.treebank.reading import Selection

_FEW = 100  # trees of each set of a small experiment
_ROUNDS = ("epochs", "cycles")


@dataclass(frozen=True)
class TreeSet:
    """Some transformed trees of a treebank; trees are numbered across all files.

    With `every`, only every N-th tree is kept, up to `most` trees.
    """

    files: tuple[str, ...]
    format: str | None
    encoding: str
    selection: Selection
    transformation: Options
    every: int = 1
    skip_bad: bool = False
    most: int | None = None


@dataclass(frozen=True)
class ParserPlan:
    """A parser: how its model is made, from which sets of trees, and which set it parses.

    The development set chooses the best round of the training; the budget is for each sentence.
    """

    kind: str = DEFAULT_KIND
    training: str | None = setting(None, "The set to learn from.")
    test: str = setting("", "The set to parse.", is_needed=True)
    development: str | None = setting(None, "The set by which the best round is chosen.")
    model: str | None = setting(None, "A parser above, or a model file, instead of a training.")
    silver: str | None = setting(None, "A parser above whose parses are also learned from.")
    seeds: int | None = setting(None, "How many models are trained.", least=1)
    settings: Any = None
    options: Any = None
    objective: str | None = setting(None, "What the parser maximizes.")
    gold_tags: bool = setting(True, "Whether the parser gets tags.")
    safe: float | None = setting(
        None, "The least probability of a constituent.", least=0, most=1, fraction=True
    )
    budget: Budget = DEFAULT

    @property
    def members(self) -> tuple[str, ...]:
        """The parsers, or model files, that it combines."""
        return getattr(self.settings, "members", ())


@dataclass(frozen=True)
class Published:
    """The figures of a table in a paper by row and column; None where the paper has none."""

    columns: list[str]
    rows: dict[str, list[Cell]]


@dataclass(frozen=True)
class ScorePlan:
    """A plan of tables of scores, or of pictures; `gold` has the parsers scored against each set.

    The set `partition` decides which sentences are discontinuous; `show` sentences are drawn.
    """

    kind: str
    title: str = setting("", "The title of the table; by default the kind.")
    gold: dict[str, tuple[str, ...]] = field(default_factory=dict)
    partition: str | None = setting(None, "The set that decides what is discontinuous.")
    settings: Settings = file_setting("field", "Which brackets count.", load_settings)
    columns: tuple[str, ...] = setting((), "The columns of the table.")
    show: int = setting(5, "Number of sentences that are drawn.", least=1)
    published: Published | None = None

    @property
    def parsers(self) -> list[str]:
        """All scored parsers."""
        return list(dict.fromkeys(name for _, name in self.pairs))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each gold set with each parser that is scored against it."""
        return [(gold, name) for gold, names in self.gold.items() for name in names]

    @property
    def only_gold(self) -> tuple[str, tuple[str, ...]]:
        """The gold set with its parsers, for kinds with a single gold set."""
        ((gold, parsers),) = self.gold.items()
        return gold, parsers


@dataclass(frozen=True)
class Experiment:
    """A whole experiment; see `plcfrs.experiment.load_experiment`."""

    title: str = setting("", "The title of the reports; by default the name of the file.")
    about: str = setting("", "What is measured on what data.")
    sets: dict[str, TreeSet] = field(default_factory=dict)
    parsers: dict[str, ParserPlan] = field(default_factory=dict)
    scores: tuple[ScorePlan, ...] = ()

    def small(self) -> Experiment:
        """Return the experiment with few trees and one round of each training, to try it."""
        return replace(
            self,
            sets={name: replace(trees, most=_FEW) for name, trees in self.sets.items()},
            parsers={
                name: replace(plan, settings=plan.settings and _one_round(plan.settings))
                for name, plan in self.parsers.items()
            },
        )


def _one_round(settings: Any) -> Any:  # noqa: ANN401 (of any family)
    rounds = [option.option for option in settings_of(settings) if option.option in _ROUNDS]
    return change_settings(settings, dict.fromkeys(rounds, 1))
