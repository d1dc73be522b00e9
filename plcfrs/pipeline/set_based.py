"""A set-based parser with a neural network (Coavoux and Cohen 2019), and its training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.summary import some
from plcfrs.neural.parser import SetParse, SetParser
from plcfrs.neural.requirement import require_torch
from plcfrs.neural.settings import Settings
from plcfrs.pipeline.beam import BeamModel, BeamOptions, explain_transitions
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.parse import Parse
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.set_steps import rows_of
from plcfrs.tagging.tagger import Tagger
from plcfrs.transformation import Options, remove_splits
from plcfrs.trees import Token

if TYPE_CHECKING:
    from plcfrs.pipeline.set_based_training import SetBasedTrainer

KIND = "set-based"


class Contents(NamedTuple):
    """What is stored; there is a tagger if tags are the input of the parser."""

    parser: SetParser
    tagger: Tagger | None
    about: Mapping[str, str]

    def check(self) -> None:
        """Raise a ValueError if the tagger is missing."""
        if self.tagger is None and self.parser.settings.tags == "given":
            raise ValueError("the tagger is missing")


class SetBasedModel(BeamModel[SetParser, SetParse]):
    """A set-based parser and, if tags are its input, a tagger for words without tags.

    Every sentence has a parse. The n-best parses are those in the beam, the most probable first, so
    there are at most as many as the beam is wide. There are no objectives to choose from.

    Parameters
    ----------
    tagger : Tagger or None
        None if the parser itself finds the tags.
    about : mapping of str to str
        How the model was made, for people.
    beam : int, optional
        The width of the beam; by default that of the settings.
    """

    kind = KIND
    contents_type = Contents
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

    @property
    def contents(self) -> Contents:
        """The parser and the tagger."""
        return Contents(self.parser, self.tagger, self._about)

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


def _trainer(*given: Any) -> SetBasedTrainer:  # noqa: ANN401
    require_torch()
    from plcfrs.pipeline.set_based_training import SetBasedTrainer

    return SetBasedTrainer(*given)


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
        _trainer,
        _inspect,
        Settings(),
        BeamOptions(),
        (),
        SetBasedModel.capabilities | {"resume"},
        # The network sees the whole sentence, which is more informative than category splits.
        transformation=Options(splits=()),
    ),
)
