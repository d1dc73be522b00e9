"""The family of combined parsers: its settings and options, and how its weights are learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from plcfrs.budget import DEFAULT
from plcfrs.errors import InputError, TreebankError
from plcfrs.forest.grammar_parser import FallbackOptions
from plcfrs.forest.posteriors import Calibration
from plcfrs.forest.votes import WeightSettings
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.runner import Step, Trainer
from plcfrs.parsers.combined.members import TRANSFORMATION, Members, Voters
from plcfrs.parsers.combined.model import TAGGER, CombinedModel
from plcfrs.parsers.combined.weights import ROUNDS, WeightExample, calibrate, learn_weights
from plcfrs.parsing import Family, Sentence
from plcfrs.settings import setting
from plcfrs.transformation import Options
from plcfrs.trees import Tree


@dataclass(frozen=True)
class CombinedSettings(WeightSettings):
    """Settings of combining parsers."""

    members: tuple[str, ...] = setting(
        (), "The files of the parsers; the first one with a grammar makes the forests."
    )


@dataclass(frozen=True)
class CombinedOptions(FallbackOptions):
    """Options of parsing with a combined parser."""

    without: tuple[str, ...] = setting(
        (), "Members to leave out, by the names of their files; this is faster."
    )
    votes: tuple[str, ...] = setting(
        (), "Parses of the input by the other programs that vote: NAME=FILE, as in combining."
    )


class CombinedTrainer(Trainer[CombinedModel]):
    """Learns the weights in one round, from trees that no member has learned from."""

    unit = "weights"

    def __init__(
        self,
        trees: Sequence[Tree],
        settings: CombinedSettings,
        about: Mapping[str, str],
        transformation: Options = TRANSFORMATION,
    ) -> None:
        super().__init__(trees, settings, {**about, "tags": settings.tags})
        if len(settings.members) + len(settings.votes) < 2:
            raise InputError("name at least two models to combine")
        self._trees = trees
        self.gold_tags = settings.tags == "given"
        voters = Voters.read(settings.votes, transformation)
        voters.check(trees)
        self._members = Members.load(settings.members, DEFAULT, voters)
        number = len(self._members.names)
        self._weights = np.full(2 * number, 1.0 / number)
        self._calibration = Calibration()
        self.steps = len(trees) + ROUNDS

    def run(self, number: int, step: Step) -> Mapping[str, float]:  # noqa: ARG002 (there is one)
        """Judge the forests of all trees, and learn the weights; then calibrate."""
        if not self.gold_tags and (tagger := self._best_tagger()):
            self.about |= {TAGGER: tagger}
        trees_and_examples = list(self._examples(step))
        if not trees_and_examples:
            raise TreebankError("no tree has a forest: there is nothing to learn weights from")
        examples = [example for _, example in trees_and_examples]
        self._weights = learn_weights(examples, self._members.kinds, step)
        temperature, self._calibration = calibrate(
            [
                (forest, self._weights @ scores, tree)
                for tree, (forest, scores, _) in trees_and_examples
            ]
        )
        self._weights /= temperature
        names = self._members.names
        means = np.split(self._weights, 2)[0]
        return {"forests": len(examples), **dict(zip(names, means.tolist(), strict=True))}

    def model(self) -> CombinedModel:
        """Return the members with their weights."""
        return CombinedModel(self._members, self._weights, self._calibration, self.about)

    def _best_tagger(self) -> str | None:
        """Return the member whose tags are right most often; None for the grammar's lexicon."""
        lexicon = self._members.base.lexicon
        best, highest = None, self._right_tags(lambda each: lexicon.tags(each.words))
        for member in self._members.all:
            right = self._right_tags(member.parser.find_tags)
            if right > highest:
                best, highest = member.name, right
        return best

    def _right_tags(self, find: Callable[[Sentence], Sequence[Mapping[Any, float]] | None]) -> int:
        """Return how many tokens have the right tag, if each gets its best one."""
        return sum(
            str(min(tags, key=tags.__getitem__, default="")) == token.tag
            for sentence in map(Sentence.of, self._trees)
            for tags, token in zip(find(sentence) or [], sentence.tokens, strict=False)
        )

    def _examples(self, step: Step) -> Iterator[tuple[Tree, WeightExample]]:
        """Yield the trees with forests, and their examples."""
        parser = self.model()
        for tree in self._trees:
            sentence = Sentence.of(tree)
            if not self.gold_tags:
                sentence = replace(sentence, tags=None)
            example = parser.example(sentence, tree)
            if example is not None:
                yield tree, example
            step()


def _inspect(path: Path) -> Inspection:
    model = CombinedModel.load(path)
    return Inspection(model.grammar, model.weight_lines)


FAMILIES = (
    Family(
        CombinedModel.kind,
        CombinedModel.kind,
        "several parsers that judge one forest together",
        CombinedModel.load,
        CombinedTrainer,
        _inspect,
        CombinedSettings(),
        CombinedOptions(),
        CombinedModel.objectives,
        CombinedModel.capabilities,
        transformation=TRANSFORMATION,
        is_annotated=False,
    ),
)
