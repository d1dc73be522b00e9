"""The training of a transition parser: scores after each epoch, the best one kept, and resuming."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from plcfrs.errors import GrammarError, InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.pipeline.transition import Tags, TransitionModel
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import load, save
from plcfrs.transition.settings import Settings
from plcfrs.transition.tagger import Tagger, jackknifed_tags
from plcfrs.transition.training import Training
from plcfrs.treebank.discbracket import render
from plcfrs.trees import Tree

# What stands before the names of the training in a file, beside those of the model.
_TRAINING = "training."
_RUN, _BEST = "run", "best"

_DEFAULT = Settings()


class Epoch(NamedTuple):
    """What an epoch has come to.

    Parameters
    ----------
    number : int
        From 1.
    sentences : int
    mistakes : int
        Sentences that were not parsed as they should be.
    seconds : float
        Of CPU, without the development set.
    f1, discontinuous_f1 : float or None
        On the development set, if there is one.
    is_best : bool
        Whether no earlier epoch has an F1 as high.
    """

    number: int
    sentences: int
    mistakes: int
    seconds: float
    f1: float | None
    discontinuous_f1: float | None
    is_best: bool


class Learning:
    """Training epoch by epoch, of which the best one is kept.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed, with heads; they are changed.
    settings : Settings
    tags : {"gold", "jackknifed"}
        Which tags the parser learns from. It also says whether the sentences of the
        development set are parsed with their tags or with those of the tagger.
    development : sequence of Tree
        By whose F1 the best epoch is chosen; without any, the last one is.
    options : mapping of str to str
        How the trees were made, for people.

    Attributes
    ----------
    model : TransitionModel
        That of the best epoch; before the first one there is none.
    best : int
        The number of that epoch.

    Raises
    ------
    TreebankError
        If there are no trees.
    """

    model: TransitionModel

    def __init__(
        self,
        trees: Sequence[Tree],
        settings: Settings = _DEFAULT,
        tags: Tags = "gold",
        development: Sequence[Tree] = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        self._development = development
        self._tags = tags
        self._options = dict(options or {})
        self._run = {
            **settings.header(),
            "tags": tags,
            "training set": _checksum(trees),
            "development set": _checksum(development),
        }
        sentences = [tree.tokens for tree in trees]
        self._tagger = Tagger.train(sentences, settings.seed)
        if tags == "jackknifed":
            found = jackknifed_tags(sentences, seed=settings.seed)
            for tokens, names in zip(sentences, list(found), strict=True):
                for token, name in zip(tokens, names, strict=True):
                    token.tag = name
        self.training = Training(trees, settings)
        self.best = 0
        self._best_f1 = 0.0

    def run_epoch(self) -> Epoch:
        """Learn from all trees once, score the parser, and keep it if it is the best so far."""
        report = self.training.run_epoch()
        options = {**self._options, "tags": self._tags, "epochs": str(report.epoch)}
        model = TransitionModel(self.training.parser(), self._tagger, options)
        f1, discontinuous = self._score(model) if self._development else (None, None)
        is_best = f1 is None or self.best == 0 or f1 > self._best_f1
        if is_best:
            self.model, self.best, self._best_f1 = model, report.epoch, f1 or 0.0
        return Epoch(*report, f1, discontinuous, is_best)

    @property
    def epochs(self) -> int:
        """How many epochs there have been."""
        return self.training.epoch

    def save(self, path: str | Path) -> None:
        """Write the best model with all that is needed to go on; it can be loaded as a model, too.

        Raises
        ------
        GrammarError
            If the file cannot be written.
        """
        contents = self.model.contents()
        texts = {
            **self.training.header(),
            _RUN: json.dumps(self._run),
            _BEST: json.dumps([self.best, self._best_f1]),
        }
        header = {f"{_TRAINING}{name}": text for name, text in texts.items()}
        arrays = {f"{_TRAINING}{name}": each for name, each in self.training.arrays().items()}
        contents.header.update(header)
        contents.arrays.update(arrays)
        save(path, contents)

    def resume(self, path: str | Path) -> None:
        """Go on behind the last epoch of an earlier run, to the same result.

        Raises
        ------
        GrammarError
            If the file is missing, damaged or of another kind.
        InputError
            If the earlier run had other trees or settings.
        """
        contents = load(path)
        _, header, arrays = contents.part(_TRAINING)
        try:
            with errors_name(path):
                _compare(path, json.loads(header[_RUN]), self._run)
                model = TransitionModel.from_contents(contents)
                best, best_f1 = json.loads(header[_BEST])
                self.training.resume(header, {name: each.copy() for name, each in arrays.items()})
        except (KeyError, ValueError, TypeError):
            raise GrammarError(f"{path}: no training can go on from it: it is damaged") from None
        self.model, self.best, self._best_f1 = model, int(best), float(best_f1)

    def _score(self, model: TransitionModel) -> tuple[float, float]:
        tagged = self._tags == "gold"
        parses = (model.parse_tokens(tree.tokens, tagged=tagged) for tree in self._development)
        scores = score(self._development, (parse.tree for parse in parses))
        return scores.labelled.f1, scores.labelled_discontinuous.f1


def _checksum(trees: Iterable[Tree]) -> str:
    """Return a number for trees."""
    text = "".join(render(tree, 1) for tree in trees)
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _compare(path: str | Path, earlier: Mapping[str, str], now: Mapping[str, str]) -> None:
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            raise InputError(
                f"{path}: the earlier run had another {name} ({earlier.get(name)}, now "
                f"{now.get(name)}): it cannot be continued; leave --resume out to begin anew"
            )
