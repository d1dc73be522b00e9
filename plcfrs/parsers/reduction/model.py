"""The family of parsing as reduction to dependencies (Fernández-González and Martins 2015).

The backbone, a parser of dependencies, finds the head of each word, and the labeler finds the
relations. Heads and relations encode a constituent tree. A classifier restores its unary nodes,
unless the relations encode them, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from plcfrs.budget import DEFAULT, Budget
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.runner import Step, Trainer
from plcfrs.learning.sequences import Tagger, jackknifed_trees
from plcfrs.learning.weights import count_averages
from plcfrs.parsers.reduction.backbone import (
    Backbone,
    BackboneSettings,
    BackboneState,
    BackboneTraining,
    HeadChoice,
)
from plcfrs.parsers.reduction.labeler import Labeler
from plcfrs.parsers.reduction.unaries import UnaryClassifier
from plcfrs.parsing import Family, LearnedParser, Sentence
from plcfrs.parsing.explanation import SCORE, Cell, Column, Explanation, Row, sum_line
from plcfrs.parsing.parse import Parse, Task
from plcfrs.settings import Checked, setting
from plcfrs.transformation import Encoding, Options, from_dependencies, to_dependencies
from plcfrs.trees import DependencyTree, Token, Tree
from plcfrs.wording import some

Restorer = Literal["classifier", "labels"]


@dataclass(frozen=True)
class ReductionSettings(BackboneSettings):
    """Settings of parsing as reduction; `plcfrs.to_dependencies` explains the encodings."""

    encoding: Encoding = setting(
        "direct", "How relations say in which order a head gets its dependents."
    )
    unaries: Restorer = setting(
        "classifier", "What restores unary nodes: a classifier, or the labels of relations."
    )
    tags: Literal["given", "own"] = setting(
        "given",
        "The tags to learn from: given, as in the trees; or own, from taggers that did not see the "
        "sentence, for parsing words without tags.",
    )

    def dependencies(self, trees: Sequence[Tree]) -> list[DependencyTree]:
        """Return the dependencies of trees to learn from."""
        unaries: Literal["dropped", "labels"] = "labels" if self.unaries == "labels" else "dropped"
        return [to_dependencies(tree, self.encoding, unaries) for tree in trees]


@dataclass(frozen=True)
class ReductionOptions(Checked):
    """Options of parsing as reduction."""

    nested: bool = setting(
        False,
        "Attach nearer dependents before farther ones: no gaps but those of crossing dependencies.",
    )


class ReductionContents(NamedTuple):
    """What a model file of a reduction parser contains."""

    settings: ReductionSettings
    backbone: Backbone
    labeler: Labeler
    unaries: UnaryClassifier | None
    tagger: Tagger
    about: Mapping[str, str]

    def check(self) -> None:
        """Raise a ValueError if the settings do not fit the parts."""
        if (self.unaries is not None) != (self.settings.unaries == "classifier"):
            raise ValueError("the settings belong to another model")


class ReductionModel(LearnedParser):
    """A parser of dependencies, a labeler, a classifier of unary nodes, and a tagger.

    Every sentence has exactly one parse.

    Parameters
    ----------
    unaries : UnaryClassifier or None
        None if relations encode unary nodes.
    about : mapping of str to str
        How the model was made, for people.
    nested : bool
        Whether nearer dependents are attached before farther ones.
    """

    kind = "reduction"
    contents_type = ReductionContents

    def __init__(
        self,
        settings: ReductionSettings,
        backbone: Backbone,
        labeler: Labeler,
        unaries: UnaryClassifier | None,
        tagger: Tagger,
        about: Mapping[str, str],
        nested: bool = False,
    ) -> None:
        self.settings = settings
        self.backbone = backbone
        self.labeler = labeler
        self.unaries = unaries
        self.tagger = tagger
        self.nested = nested
        self._about = dict(about)

    @property
    def words(self) -> Collection[str]:
        """No words: each part of the model has its own."""
        return ()

    @property
    def tags(self) -> Collection[str]:
        """The tags of the training set."""
        return self.tagger.tags

    @property
    def about(self) -> Mapping[str, str]:
        """The settings, and how the model was made."""
        return {
            **{name: str(value) for name, value in asdict(self.settings).items()},
            **self._about,
        }

    @classmethod
    def of(
        cls,
        contents: ReductionContents,
        nested: bool = False,
        budget: Budget = DEFAULT,  # noqa: ARG003 (its time grows with the sentence alone)
    ) -> ReductionModel:
        """Return the parser with these contents."""
        return cls(*contents, nested=nested)

    @property
    def contents(self) -> ReductionContents:
        """All parts of the model."""
        parts = self.backbone, self.labeler, self.unaries, self.tagger
        return ReductionContents(self.settings, *parts, self._about)

    def dependencies(self, sentence: Sentence) -> DependencyTree:
        """Return the dependencies that the parser finds in a sentence, with their relations."""
        tokens = sentence.best_tagged(self.tagger)
        return self._labelled(tokens, self.backbone.parse(tokens).heads, sentence.id)

    def constituents(self, dependencies: DependencyTree) -> Tree:
        """Return the tree of dependencies, with unary nodes."""
        tree = from_dependencies(dependencies, self.settings.encoding, nested=self.nested)
        return (self.unaries(tree) if self.unaries else tree).forget_splits()

    def _parse(self, sentences: Sequence[Sentence], task: Task) -> Iterator[list[Parse]]:
        for sentence in sentences:
            tokens = sentence.best_tagged(self.tagger)
            best = self.backbone.parse(tokens)
            dependencies = self._labelled(tokens, best.heads, sentence.id)
            explanation = None
            if task.explained:
                explanation = explain_arcs(dependencies, self.backbone.head_choices(tokens))
            parse = Parse(
                self.constituents(dependencies),
                "parsed",
                score=best.score,
                meaning="sum of the weights of the dependencies",
                explanation=explanation,
            )
            yield [parse]

    def _labelled(self, tokens: list[Token], heads: list[int], id: str) -> DependencyTree:
        return DependencyTree(tokens, heads, self.labeler(tokens, heads), id)


_COLUMNS = (
    SCORE,
    Column("head -> word"),
    Column("relation"),
    Column("next best head"),
    Column("   costs", is_number=True),
)


def explain_arcs(dependencies: DependencyTree, choices: list[HeadChoice]) -> Explanation:
    """Return the score of each dependency, and what the next best head would cost."""
    words = dependencies.words()
    names = ["ROOT", *(f"{place}={word}" for place, word in enumerate(words))]
    rows = []
    for number, (head, relation, choice) in enumerate(
        zip(dependencies.heads, dependencies.relations, choices, strict=True), start=1
    ):
        clause = f"{names[head]} -> {names[number]}"
        next_best: tuple[str, Cell] = ("", "")
        if choice.second is not None:
            next_best = names[choice.second], choice.cost
        positions = [place - 1 for place in (number, head) if place]
        cells = (choice.score, clause, relation, *next_best)
        details = {
            column.title.strip(): column.printed(cell)
            for column, cell in zip(_COLUMNS[2:], cells[2:], strict=True)
        }
        rows.append(Row(relation, clause, choice.score, positions, cells, (), details))
    text = [sum_line(rows)]
    return Explanation(words, "dependency", "score", _COLUMNS, rows, text, dependencies)


class ReductionTrainer(Trainer[ReductionModel]):
    """The training of the backbone, epoch by epoch, and of the other parts, all at once."""

    unit = "epoch"
    parser = ReductionModel
    can_resume = True
    settings: ReductionSettings

    def __init__(
        self, trees: Sequence[Tree], settings: ReductionSettings, about: Mapping[str, str]
    ) -> None:
        super().__init__(trees, settings, about)
        self.gold_tags = settings.tags == "given"
        self._tagged = [tree.tokens for tree in trees]
        self._trees = trees if self.gold_tags else jackknifed_trees(trees, settings.seed)
        self._dependencies = settings.dependencies(self._trees)
        self._training = BackboneTraining(self._dependencies, settings)
        self.rounds, self.steps = self._training.rounds, self._training.steps

    def run(self, number: int, step: Step) -> Mapping[str, float]:
        """Learn from all trees once."""
        self.about |= {"epochs": str(number)}
        return self._training.run_epoch(step)

    def model(self) -> ReductionModel:
        """Return a parser with the average of the weights so far."""
        backbone = self._training.model()
        return ReductionModel(self.settings, backbone, *self._other_parts, self.about)

    @cached_property
    def _other_parts(self) -> tuple[Labeler, UnaryClassifier | None, Tagger]:
        """The parts that are trained in one go."""
        seed, has_classifier = self.settings.seed, self.settings.unaries == "classifier"
        return (
            Labeler.train(self._dependencies, seed),
            UnaryClassifier.train(self._trees, seed) if has_classifier else None,
            Tagger.train(self._tagged, seed),
        )

    @property
    def state(self) -> BackboneState:
        """The weights and the progress of the training."""
        return self._training.state

    def restore(self, state: BackboneState) -> None:
        """Continue from the weights of a state."""
        self._training.resume(state)


def _inspect(path: Path) -> Inspection:
    model = ReductionModel.load(path)
    relations = model.labeler.relations
    parts = {"relations": model.labeler, "unary nodes": model.unaries, "tags": model.tagger}
    return Inspection(
        None,
        [
            *(f"  {key}: {value}" for key, value in model.about.items()),
            f"  relations: {len(relations)} ({some(relations)})",
            f"  tags: {len(model.tags)} ({some(model.tagger.tags)})",
            *(
                "  weights of {}: {}, of {} features".format(name, *count_averages(part.weights))
                for name, part in parts.items()
                if part is not None
            ),
        ],
    )


FAMILIES = (
    Family(
        "reduction",
        "reduction",
        "a parser of dependencies for constituents (Fernández-González and Martins 2015)",
        ReductionModel.load,
        ReductionTrainer,
        _inspect,
        ReductionSettings(),
        ReductionOptions(),
        capabilities=frozenset({"resume"}),
        # The features include the words around, which say more than category splits.
        transformation=Options(splits=()),
    ),
)
