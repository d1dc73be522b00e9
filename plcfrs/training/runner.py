"""One training, of any family: scores after each round, the best model kept, checkpoints."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic

from plcfrs.errors import GrammarError, InputError
from plcfrs.evaluation import score
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import ModelFile, load, save
from plcfrs.training.trainer import AnyModel, Step, Trainer, checksum
from plcfrs.trees import Tree, no_parse

# What stands before the names of the training in a checkpoint, beside those of the model.
_TRAINING = "training."
_IDENTITY, _DONE, _BEST = "training.identity", "training.done", "training.best"


@dataclass(frozen=True)
class Round:
    """What a round of a training has come to.

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
        Whether its model is kept: no earlier one has an F1 as high, or there is nothing to score.
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
        cells = [f"{name} {_shown(value)}" for name, value in self.figures.items()]
        if self.f1 is not None:
            cells.append(f"F1 {self.f1:.2f}, discontinuous {self.discontinuous_f1:.2f}")
        return f"{self.unit} {self.number}: {', '.join(cells)}".rstrip(": ")


class Runner(Generic[AnyModel]):
    """The rounds of a training, of which the best one is kept.

    Parameters
    ----------
    trainer : Trainer
    development : sequence of Tree
        By whose F1 the best round is chosen; without any, the last one is.
    checkpoint : str or Path, optional
        Where the state is written after each round; it is a model, too, the best so far.
    log : str or Path, optional
        A TSV file that gets a row for each round.

    Attributes
    ----------
    best : int or None
        The number of the round whose model is kept.

    Raises
    ------
    InputError
        If a checkpoint is wanted of a family that cannot go on from one.
    """

    def __init__(
        self,
        trainer: Trainer[AnyModel],
        development: Sequence[Tree] = (),
        *,
        checkpoint: str | Path | None = None,
        log: str | Path | None = None,
    ) -> None:
        self.trainer = trainer
        self.best: int | None = None
        self._model: AnyModel | None = None
        self._best_f1 = 0.0
        self._done: int | None = None
        self._development = [_words_of(tree, gold_tags=trainer.gold_tags) for tree in development]
        self._gold = development
        self._identity = {**trainer.identity, "development set": checksum(development)}
        self._checkpoint = Path(checkpoint) if checkpoint and trainer.can_resume else None
        self._log = Path(log) if log else None

    @property
    def done(self) -> int | None:
        """The number of the last round that is complete; None before the first one."""
        return self._done

    @property
    def left(self) -> range:
        """The numbers of the rounds that are to be done."""
        rounds = self.trainer.rounds
        return rounds if self._done is None else range(self._done + 1, rounds.stop)

    @property
    def model(self) -> AnyModel:
        """The model of the best round so far; without a development set, of all that is learned.

        Raises
        ------
        InputError
            Before the first round.
        """
        if self._done is None:
            raise InputError(f"there is no model before the first {self.trainer.unit}")
        if self._model is None:
            self._model = self.trainer.model()
        return self._model

    def rounds(self, step: Step = lambda: None) -> Iterator[Round]:
        """Do the rounds that are left, and tell of each what it has come to.

        Parameters
        ----------
        step : callable
            Called after each step of a round.
        """
        for number in self.left:
            if not self._gold:
                self._model = None  # until somebody asks for it: two of them may be large
            figures = self.trainer.run(number, step)
            model = self.trainer.model() if self._gold else None
            f1, discontinuous = self._score(model) if model else (None, None)
            is_best = f1 is None or self.best is None or f1 > self._best_f1
            if is_best:
                self._model, self.best, self._best_f1 = model, number, f1 or 0.0
            self._done = number
            done = Round(self.trainer.unit, number, figures, f1, discontinuous, is_best)
            if self._checkpoint is not None:
                self.save(self._checkpoint)
            if self._log is not None:
                _write_row(self._log, done, is_first=number == self.trainer.rounds[0])
            yield done

    def run(self) -> AnyModel:
        """Do all rounds that are left, and return the best model."""
        for _ in self.rounds():
            pass
        return self.model

    def save(self, path: str | Path) -> None:
        """Write the best model with all that is needed to go on; it can be loaded as a model, too.

        Raises
        ------
        InputError
            Before the first round.
        GrammarError
            If the file cannot be written.
        """
        # Families whose training can be resumed have models that are learned.
        contents: ModelFile = self.model.contents()  # type: ignore[attr-defined]
        texts, arrays = self.trainer.state()
        texts = {f"{_TRAINING}{name}": text for name, text in texts.items()}
        arrays = {f"{_TRAINING}{name}": array for name, array in arrays.items()}
        texts[_IDENTITY] = json.dumps(self._identity)
        texts[_DONE] = str(self._done)
        texts[_BEST] = json.dumps([self.best, self._best_f1])
        save(
            path,
            ModelFile(contents.kind, {**contents.header, **texts}, {**contents.arrays, **arrays}),
        )

    def resume(self, path: str | Path) -> None:
        """Go on behind the last round of an earlier run, to the same result.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or of another kind.
        InputError
            If the earlier run had other trees or settings.
        """
        contents = load(path)
        about, state = contents.header, contents.part(_TRAINING)
        try:
            with errors_name(path):
                _compare(path, json.loads(about[_IDENTITY]), self._identity)
                best, best_f1 = json.loads(about[_BEST])
                done, best, best_f1 = int(about[_DONE]), int(best), float(best_f1)
                model = self.trainer.load(contents)
                self.trainer.restore(state.header, state.arrays)
        except (KeyError, ValueError, TypeError):
            raise GrammarError(f"{path}: no training can go on from it: it is damaged") from None
        self._model, self._done, self.best, self._best_f1 = model, done, best, best_f1

    def _score(self, model: AnyModel) -> tuple[float, float]:
        parses = (model.parse(tree) for tree in self._development)
        scores = score(self._gold, (parse.tree for parse in parses))
        return scores.labelled.f1, scores.labelled_discontinuous.f1


def _words_of(tree: Tree, *, gold_tags: bool) -> Tree:
    """Return a tree of the development set as the parser gets it."""
    if gold_tags:
        return tree
    return no_parse([replace(token, tag="") for token in tree.tokens], tree.id)


def _compare(path: str | Path, earlier: Mapping[str, str], now: Mapping[str, str]) -> None:
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            raise InputError(
                f"{path}: the earlier run had another {name} ({earlier.get(name)}, now "
                f"{now.get(name)}): leave --resume out to begin anew"
            )


def _write_row(path: Path, done: Round, *, is_first: bool) -> None:
    """Add a row to the log, which begins anew with the first round."""
    row = {done.unit: done.number, **done.cells(), "best": int(done.is_best)}
    with path.open("w" if is_first else "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), delimiter="\t", lineterminator="\n")
        if is_first:
            writer.writeheader()
        writer.writerow(row)


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
