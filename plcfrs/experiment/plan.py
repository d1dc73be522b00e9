"""What an experiment is: sets of trees, parsers, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from plcfrs.binarization import Markovization
from plcfrs.chart import Strategy
from plcfrs.evaluation import Settings
from plcfrs.experiment.published import Published
from plcfrs.extraction import Recipe
from plcfrs.pipeline import Fallback
from plcfrs.pipeline.transition import Tags
from plcfrs.refinement import Schedule
from plcfrs.transformation import Options
from plcfrs.transition.settings import Settings as TransitionSettings
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
class Refinement:
    """How a refined grammar is trained."""

    schedule: Schedule
    seeds: tuple[int, ...]
    markovization: Markovization


@dataclass(frozen=True)
class Transitions:
    """How a transition parser is trained.

    Parameters
    ----------
    settings : TransitionSettings
    epochs : int
    tags : {"gold", "jackknifed"}
    development : str, optional
        The set by which the best epoch is chosen.
    """

    settings: TransitionSettings
    epochs: int
    tags: Tags
    development: str | None


@dataclass(frozen=True)
class ParserPlan:
    """A parser: how its model is made, of what, and what it parses.

    Parameters
    ----------
    training, test : str
        Names of sets.
    model : Recipe, Refinement or Transitions
    strategy : {"astar", "knuth"}
    objective : str, optional
    gold_tags : bool
        Whether the tags of the test set are taken.
    max_items, max_seconds : float
        The budget of a sentence.
    fallback : {"none", "flat", "partial"}
        What a sentence without a parse becomes.
    """

    training: str
    test: str
    model: Recipe | Refinement | Transitions
    strategy: Strategy
    objective: str | None
    gold_tags: bool
    max_items: float
    max_seconds: float
    fallback: Fallback


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
