"""A set-based parser with a neural network (Coavoux and Cohen 2019), and its training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from plcfrs.errors import GrammarError, TreebankError
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import some
from plcfrs.neural.inputs import read_inputs
from plcfrs.neural.parser import SetParse, SetParser
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.settings import Settings
from plcfrs.pipeline.beam import BeamModel, BeamOptions, explain_transitions
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.parse import Parse
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.set_steps import rows_of
from plcfrs.storage.model_file import ModelFile, Part
from plcfrs.tagging.tagger import Tagger
from plcfrs.training import Step, Trainer, checksum
from plcfrs.transformation import Options, remove_splits
from plcfrs.trees import Token, Tree

KIND = "set-based"

# Prefixes of the names of each part in a file.
PARSER, TAGGER = "parser.", "tagger."
_ABOUT = "about"


class SetBasedModel(BeamModel[SetParser, SetParse]):
    """A set-based parser and, if tags are its input, a tagger for words without tags.

    Every sentence has a parse. The n-best parses are those in the beam, the most probable first, so
    there are at most as many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    parser : SetParser
    tagger : Tagger or None
        None if the parser itself finds the tags.
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default that of the settings.
    """

    kind = KIND
    together = 2_000

    def __init__(
        self,
        parser: SetParser,
        tagger: Tagger | None,
        about: Mapping[str, str],
        beam: int | None = None,
    ) -> None:
        super().__init__(parser, about, beam)
        self.tagger = tagger

    @classmethod
    def of(cls, contents: ModelFile, beam: int | None = None) -> SetBasedModel:
        """Return the model with the contents of a file.

        Raises
        ------
        GrammarError
            If something is missing or damaged.
        InputError
            If it needs a pretrained encoder that cannot be loaded.
        """
        try:
            about = json.loads(contents.header[_ABOUT])
            if contents.kind != cls.kind or not isinstance(about, dict):
                raise ValueError
            parser = SetParser.from_arrays(*contents.part(PARSER)[1:])
            tagger = None
            if parser.settings.tags == "gold":
                tagger = Tagger.from_arrays(*contents.part(TAGGER)[1:])
        except (KeyError, ValueError, OverflowError):
            raise GrammarError("the set-based parser is damaged; train it again") from None
        return cls(parser, tagger, about, beam)

    def contents(self) -> ModelFile:
        """Return the parser and the tagger."""
        header = {_ABOUT: json.dumps(self._about, ensure_ascii=False)}
        parts: dict[str, Part] = {PARSER: self.parser}
        return ModelFile.of(
            self.kind, header, parts | ({TAGGER: self.tagger} if self.tagger else {})
        )

    def _found(self, sentences: Sequence[Sentence], number: int) -> list[list[SetParse]]:
        tokens = [self._tokens(sentence) for sentence in sentences]
        return self.parser.k_best(tokens, number, self.beam)

    def _tokens(self, sentence: Sentence) -> list[Token]:
        """Return the tokens with given tags; without any, the tagger or the parser finds them."""
        return sentence.best_tagged(self.tagger or (lambda words: [""] * len(words)))

    def _parsed(self, found: SetParse, sentence: Sentence, *, explained: bool) -> Parse:
        tree = remove_splits.in_place(found.tree)
        tree.id = sentence.id
        explanation = None
        if explained:
            scorer = self.parser.scorer(tree.tokens)
            labels = self.parser.vocabulary.labels
            rows = rows_of(sentence.words, found.derivation, labels, scorer)
            explanation = explain_transitions(sentence.words, rows)
        return Parse(
            tree,
            "parsed",
            score=found.score,
            meaning="log probability of the transitions",
            explanation=explanation,
        )


class SetBasedTrainer(Trainer[SetBasedModel]):
    """The training of a set-based parser, epoch by epoch.

    Parameters
    ----------
    trees : sequence of Tree
        Transformed trees.
    settings : Settings
    about : mapping of str to str
        How the trees were made, for people.

    Raises
    ------
    TreebankError
        If there are no trees.
    InputError
        If PyTorch is not installed, or word vectors or a pretrained encoder cannot be read.
    """

    unit = "epoch"
    can_resume = True

    def __init__(self, trees: Sequence[Tree], settings: Settings, about: Mapping[str, str]) -> None:
        require_torch()
        if not trees:
            raise TreebankError("no trees were selected: there is nothing to train on")
        from plcfrs.neural.training import Training

        self._settings = settings
        self._about = dict(about)
        self._checksum = checksum(trees)
        self.rounds = range(1, settings.epochs + 1)
        self.steps = len(trees)
        self.patience = settings.patience
        self.gold_tags = settings.tags == "gold"
        sentences = [tree.tokens for tree in trees]
        inputs = read_inputs(settings, sentences)
        self._tagger = Tagger.train(sentences, settings.seed) if self.gold_tags else None
        self._training = Training(trees, settings, inputs)

    @property
    def identity(self) -> Mapping[str, str]:
        """The settings on which an epoch depends, and the trees."""
        return {**self._settings.header(), "training set": self._checksum}

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once."""
        self._about |= {"epochs": str(number)}
        report = self._training.run_epoch(step)
        return {"loss": round(report.loss, 4), "seconds": round(report.seconds, 2)}

    def model(self) -> SetBasedModel:
        """Return a parser with the average of the weights so far."""
        return SetBasedModel(self._training.parser(), self._tagger, self._about)

    def state(self) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
        """Return the weights and the progress of the training."""
        return self._training.header(), self._training.arrays()

    def restore(self, texts: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the weights of a state."""
        self._training.resume(texts, arrays)

    def load(self, contents: ModelFile) -> SetBasedModel:
        """Return the model of a checkpoint."""
        return SetBasedModel.of(contents)


def _inspect(path: Path) -> Inspection:
    model = SetBasedModel.load(path)
    vocabulary = model.parser.vocabulary
    return Inspection(
        None,
        [
            *(f"  {key}: {value}" for key, value in model.about.items()),
            f"  words: {len(vocabulary.words)} seen at least twice",
            f"  characters: {len(vocabulary.characters)} seen at least twice",
            f"  tags: {len(vocabulary.tags)} ({some(vocabulary.tags)})",
            f"  labels: {len(vocabulary.labels) - 1} ({some(vocabulary.labels[1:])})",
            f"  weights: {model.parser.weights:,}",
            *(f"  {each.title}" for each in model.parser.inputs),
        ],
    )


FAMILIES = (
    Family(
        KIND,
        KIND,
        "a set-based parser with a neural network (Coavoux and Cohen 2019)",
        SetBasedModel.load,
        SetBasedTrainer,
        _inspect,
        Settings(),
        BeamOptions(),
        (),
        SetBasedModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
