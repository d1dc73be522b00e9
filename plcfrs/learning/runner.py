"""The training of one model of any family, round by round.

A family defines a `Trainer`. The `Runner` does the rest: it scores each round, keeps the best one,
and writes checkpoints, so an interrupted training can continue.
"""

from __future__ import annotations

import csv
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.settings import to_texts
from plcfrs.storage.continuing import check_same_run
from plcfrs.storage.files import full_disk_names
from plcfrs.storage.model_file import MODEL, ModelFile, opened, save
from plcfrs.trees import Tree, no_parse
from plcfrs.trees.notation import render_discbracket
from plcfrs.trees.training_set import TrainingSet

if TYPE_CHECKING:
    from typing_extensions import Self


class Parsed(Protocol):
    """A parse of a sentence."""

    @property
    def tree(self) -> Tree:
        """The tree of the parse."""


class Completion(Protocol):
    """What gives parses functions and null elements."""

    @property
    def functions(self) -> object:
        """What decides about functions, if anything does."""


class Model(Protocol):
    """A parser that a runner can score and save."""

    training_set: frozenset[int]
    completion: Any

    def parse_together(self, sentences: Sequence[Any], /) -> Sequence[Sequence[Parsed]]:
        """Return the parses of each sentence, the best first."""

    def calibrated(self, sentences: Sequence[Tree], gold: Sequence[Tree]) -> Self:
        """Return the parser with probabilities that fit a development set."""

    def save(self, path: str) -> None:
        """Write the parser to a file."""


AnyModel = TypeVar("AnyModel", bound=Model)
Step = Callable[[], object]
"""What a trainer calls after each of its steps."""


class Trainer(ABC, Generic[AnyModel]):
    """The training of one model, round by round.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees.
    settings : dataclass
        Of the family.
    about : mapping of str to str
        How the trees were made, for people.

    Attributes
    ----------
    unit : str
        The name of a round: "cycle", "epoch".
    rounds : range
        The numbers of the rounds.
    steps : int
        The number of steps in a round, for a progress bar.
    can_resume : bool
        Whether training can resume from `state`.
    parser : type
        The class of the model, for a training that can resume.
    gold_tags : bool
        Whether the sentences of the development set keep their tags.
    training_set : TrainingSet
        The sentences of the trees; empty if the model notes them itself.
    patience : int or None
        The number of rounds without a better score that end the training; None for all rounds.

    Raises
    ------
    TreebankError
        If there are no trees.
    """

    unit: ClassVar[str] = "round"
    can_resume: ClassVar[bool] = False
    parser: ClassVar[Any] = None
    rounds: range = range(1, 2)
    steps: int = 1
    gold_tags: bool = True
    patience: int | None = None
    training_set: TrainingSet = TrainingSet()

    def __init__(self, trees: Sequence[Tree], settings: Any, about: Mapping[str, str]) -> None:  # noqa: ANN401 (a dataclass)
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        self.settings = settings
        self.about = dict(about)
        self.steps = len(trees)
        self.training_set = TrainingSet.of(trees)
        self._checksum = checksum(trees) if self.can_resume else ""

    @abstractmethod
    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Run one round, and return its figures for people.

        Parameters
        ----------
        number : int
            The number of the round.
        step : callable
            Called after each step; its exceptions end the training.
        """

    @abstractmethod
    def model(self) -> AnyModel:
        """Return the model after the rounds so far."""

    def with_functions(self, model: AnyModel) -> AnyModel:
        """Return the model with what else it learns about functions; most models learn nothing."""
        return model

    @property
    def facts(self) -> Mapping[str, float]:
        """The facts about the model that no round changes, such as the size of its grammar."""
        return {}

    @property
    def introduction(self) -> Sequence[str]:
        """The lines about the training that people see before it starts."""
        return ()

    @property
    def identity(self) -> Mapping[str, str]:
        """Everything that the training depends on; it must be the same when a run resumes."""
        if not self.can_resume:
            return {}
        return {**self._decisive(), "training set": self._checksum}

    def _decisive(self) -> Mapping[str, str]:
        """Return the settings that a round depends on."""
        return to_texts(self.settings)

    @property
    def state(self) -> Any:  # noqa: ANN401 (each family has its own)
        """What a checkpoint contains, so that training can resume."""
        return None

    def restore(self, state: Any) -> None:  # noqa: ANN401
        """Continue from a state.

        Raises
        ------
        Exception
            Of any kind, if the state is damaged.
        """


def checksum(trees: Iterable[Tree]) -> str:
    """Return a checksum that identifies a set of trees."""
    value = 0
    for tree in trees:
        value = zlib.crc32(render_discbracket(tree).encode("utf-8", "surrogatepass"), value)
    return f"{value:08x}"


# The names of values in a checkpoint, which also has a model.
_PROGRESS, _STATE = "progress", "state"


class TrainingProgress(NamedTuple):
    """The progress of a training: what it depends on, the last round, and the best one."""

    identity: Mapping[str, str]
    done: int | None
    best: int | None
    best_f1: float


@dataclass(frozen=True)
class Round:
    """The results of a round of training.

    Parameters
    ----------
    unit : str
        "cycle", "epoch".
    number : int
    figures : mapping of str to number
        Of the family.
    f1, discontinuous_f1 : float or None
        On the development set, if there is one.
    is_best : bool
        Whether the runner keeps its model: no earlier round has as high an F1, or there is no
        development set.
    """

    unit: str
    number: int
    figures: Mapping[str, float]
    f1: float | None
    discontinuous_f1: float | None
    is_best: bool

    def cells(self) -> dict[str, float]:
        """Return the figures by their names, with the scores."""
        cells = dict(self.figures)
        if self.f1 is not None and self.discontinuous_f1 is not None:
            cells |= {"F1": self.f1, "discontinuous F1": self.discontinuous_f1}
        return cells

    def __str__(self) -> str:
        cells = [f"{name} {_figure(value)}" for name, value in self.figures.items()]
        if self.f1 is not None:
            cells.append(f"F1 {self.f1:.2f}, discontinuous {self.discontinuous_f1:.2f}")
        return f"{self.unit} {self.number}: {', '.join(cells)}".rstrip(": ")


class Runner(Generic[AnyModel]):
    """Runs the rounds of a training and keeps the best one.

    Parameters
    ----------
    trainer : Trainer
    development : sequence of Tree
        The best round is the one with the best F1 on them; without them, the last round.
    checkpoint : str or Path, optional
        The file of the best model after each round, with the state if training can resume.
    log : str or Path, optional
        A TSV file that gets a row for each round.

    Attributes
    ----------
    best : int or None
        The number of the round whose model is kept.
    done : int or None
        The number of the last complete round; None before the first one.

    Raises
    ------
    InputError
        If the trainer has patience, but there is no development set.
    """

    def __init__(
        self,
        trainer: Trainer[AnyModel],
        development: Sequence[Tree] = (),
        *,
        checkpoint: str | Path | None = None,
        log: str | Path | None = None,
    ) -> None:
        if trainer.patience is not None and not development:
            raise InputError("patience: add a development set (--dev) to score on")
        self.trainer = trainer
        self.best: int | None = None
        self._model: AnyModel | None = None
        self._best_f1 = 0.0
        self.done: int | None = None
        self._development = [_as_parsed(tree, gold_tags=trainer.gold_tags) for tree in development]
        self._gold = development
        self._identity = {**trainer.identity, "development set": checksum(development)}
        self._checkpoint = Path(checkpoint) if checkpoint else None
        self._log = Path(log) if log else None

    @property
    def left(self) -> range:
        """The numbers of the remaining rounds."""
        rounds, patience = self.trainer.rounds, self.trainer.patience
        if self.done is None or self.best is None:
            return rounds
        if patience is not None and self.done - self.best >= patience:
            return rounds[:0]
        return range(self.done + 1, rounds.stop)

    @property
    def model(self) -> AnyModel:
        """The model of the best round so far, or of the last one without a development set.

        Raises
        ------
        InputError
            Before the first round.
        """
        if self.done is None:
            raise InputError(f"there is no model before the first {self.trainer.unit}")
        if self._model is None:
            self._model = self.trainer.model()
        return self._model

    def finish(self, completion: Completion | None = None) -> AnyModel:
        """Return the best model, calibrated on the development set if there is one.

        Parameters
        ----------
        completion : Completion, optional
            What the model gets, unless it has one. If it has functions, the model learns them, too.
        """
        model = self.model
        if self._gold:
            model = model.calibrated(self._development, self._gold)
        if completion and completion.functions:
            model = self.trainer.with_functions(model)
        model.training_set |= self.trainer.training_set
        if completion:
            model.completion = model.completion or completion
        return model

    def rounds(self, step: Step = lambda: None) -> Iterator[Round]:
        """Run the remaining rounds, and yield the results of each.

        Parameters
        ----------
        step : callable
            Called after each step of a round.
        """
        while left := self.left:
            number = left[0]
            if not self._gold:
                self._model = None  # made on demand: two models may not fit into memory
            figures = self.trainer.run(number, step)
            model = self.trainer.model() if self._gold else None
            f1, discontinuous = self._score(model) if model else (None, None)
            is_best = f1 is None or self.best is None or f1 > self._best_f1
            if is_best:
                self._model, self.best, self._best_f1 = model, number, f1 or 0.0
            self.done = number
            done = Round(self.trainer.unit, number, figures, f1, discontinuous, is_best)
            if self._checkpoint is not None:
                self.save(self._checkpoint)
            if self._log is not None:
                with full_disk_names(self._log):
                    _write_row(self._log, done, is_first=number == self.trainer.rounds[0])
            yield done

    def run(self, completion: Completion | None = None) -> AnyModel:
        """Run all remaining rounds, and return the best model; see `finish`."""
        for _ in self.rounds():
            pass
        return self.finish(completion)

    def save(self, path: str | Path) -> None:
        """Write the best model so far, with the training state if training can resume.

        Raises
        ------
        InputError
            Before the first round.
        GrammarError
            If the file cannot be written.
        """
        model: Any = self.model
        if not self.trainer.can_resume:
            model.save(path)
            return
        progress = TrainingProgress(self._identity, self.done, self.best, self._best_f1)
        contents = {MODEL: model.contents, _PROGRESS: progress, _STATE: self.trainer.state}
        save(path, ModelFile.of(model.kind, **contents))

    def resume(self, path: str | Path) -> None:
        """Resume after the last round of an earlier run; the result is the same as without a stop.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or of another kind.
        InputError
            If the earlier run had other trees or settings.
        """
        with opened(path) as file:
            if _PROGRESS not in file.header:
                raise GrammarError("a model, not a checkpoint: leave out --resume to start again")
            progress = file.read(_PROGRESS, TrainingProgress)
            check_same_run(path, progress.identity, self._identity)
            model = self.trainer.parser.of(file.read(MODEL, self.trainer.parser.contents_type))
            self.trainer.restore(file.read(_STATE, type(self.trainer.state)))
        self._model, (_, self.done, self.best, self._best_f1) = model, progress

    def _score(self, model: AnyModel) -> tuple[float, float]:
        from plcfrs.evaluation import score

        parses = model.parse_together(self._development)
        scores = score(self._gold, (best.tree for best, *_ in parses))
        return scores.labelled.f1, scores.labelled_discontinuous.f1


def _as_parsed(tree: Tree, *, gold_tags: bool) -> Tree:
    """Return a tree of the development set with the tags that the parser may see."""
    if gold_tags:
        return tree
    return no_parse([replace(token, tag="") for token in tree.tokens], tree.id)


def _write_row(path: Path, done: Round, *, is_first: bool) -> None:
    """Add a row to the log; the first round starts a new log."""
    row = {done.unit: done.number, **done.cells(), "best": int(done.is_best)}
    with path.open("w" if is_first else "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), delimiter="\t", lineterminator="\n")
        if is_first:
            writer.writeheader()
        writer.writerow(row)


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
