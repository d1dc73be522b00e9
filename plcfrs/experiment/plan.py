"""What an experiment is: sets of trees, parsers, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plcfrs.chart.search import Budget
from plcfrs.evaluation import Settings
from plcfrs.experiment.published import Published
from plcfrs.transformation import Options
from plcfrs.treebank.selection import Selection

Kind = Literal[
    "reattachment",
    "brackets",
    "parsers",
    "seeds",
    "dependencies",
    "constructions",
    "errors",
    "breakdown",
    "trees",
]


@dataclass(frozen=True)
class TreeSet:
    """Some trees of the treebank, transformed.

    Parameters
    ----------
    files : tuple of str
        Names that `plcfrs.treebank.read_trees` knows.
    format : str, optional
    encoding : str
    selection : Selection
        By the numbers of the trees in all files, and the lengths of sentences.
    transformation : Options
    """

    files: tuple[str, ...]
    format: str | None
    encoding: str
    selection: Selection
    transformation: Options


@dataclass(frozen=True)
class ParserPlan:
    """A parser: how its model is made, of what, and what it parses.

    Parameters
    ----------
    kind : str
        Its family.
    training, test : str
        Names of sets.
    development : str, optional
        The set by which the best round of the training is chosen.
    settings, options : dataclass
        How the family trains, and how it parses.
    objective : str, optional
    gold_tags : bool
        Whether the tags of the test set are taken.
    budget : Budget
        Of a sentence.
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


@dataclass(frozen=True)
class ScorePlan:
    """Tables of scores, or pictures.

    Parameters
    ----------
    kind : str
        One of the keys of `plcfrs.experiment.scores.KINDS`.
    title : str
    gold : dict of str to tuple of str
        The sets that are scored against, with the parsers that are scored.
    partition : str, optional
        The set that says which sentences are discontinuous.
    settings : Settings
        Which brackets count.
    show : int
        How many examples of each error are listed, or trees drawn.
    published : Published, optional
        Figures to stand beside ours.
    """

    kind: Kind
    title: str
    gold: dict[str, tuple[str, ...]]
    partition: str | None
    settings: Settings
    show: int
    published: Published | None

    @property
    def parsers(self) -> list[str]:
        """All parsers that are scored."""
        return list(dict.fromkeys(name for names in self.gold.values() for name in names))

    @property
    def only_gold(self) -> tuple[str, tuple[str, ...]]:
        """The gold set with its parsers, of a kind that has one."""
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
