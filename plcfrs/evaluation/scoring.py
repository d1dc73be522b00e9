"""All counts of gold trees and parses, in one pass: for reports, experiments and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from plcfrs.evaluation.alignment import align_with_reference, have_same_letters
from plcfrs.evaluation.attachment import (
    AttachmentScores,
    ConstructionScores,
    DependencyScores,
    attachment_table,
    construction_table,
    dependency_table,
)
from plcfrs.evaluation.bracketing import Evaluation, Scores, Sentence, compare_trees, has_parse
from plcfrs.evaluation.errors_by_type import (
    BracketError,
    ErrorSummary,
    error_table,
    errors_of,
    example_table,
)
from plcfrs.evaluation.prm import FIELD, Settings
from plcfrs.evaluation.report import Table
from plcfrs.treebank import EVERYTHING, Selection
from plcfrs.trees import DependencyTree, Tree
from plcfrs.trees.heads import HeadRules

Compare = Callable[[int, Tree, Tree, Tree, Settings], Sentence]
"""Compares a gold tree, its parse, and the tree that decides the gap degree."""


class Scored(NamedTuple):
    """A sentence with its trees, its scores, and its errors if they are counted."""

    gold: Tree
    parse: Tree
    sentence: Sentence
    scores: Scores
    errors: list[BracketError]

    @property
    def name(self) -> str:
        """The identifier of the sentence, or its number."""
        return self.sentence.id or str(self.sentence.number)

    @property
    def wrong(self) -> int:
        """How many constituents are missed or spurious."""
        return sum(self.sentence.wrong)

    @property
    def kinds(self) -> set[str]:
        """The kinds of its errors."""
        return {error.type for error in self.errors}

    @property
    def has_same_letters(self) -> bool:
        """Whether its trees have the same characters, or it has no parse."""
        return not self.sentence.parsed_at_all or have_same_letters(self.gold, self.parse)

    @property
    def f1(self) -> float:
        """The F1 of labelled constituents."""
        return self.scores.labelled.f1


@dataclass
class Scoring:
    """The scores of all sentences, and the counts besides brackets.

    `to_dependencies` makes the dependencies that `attachment` counts; `compare` scores brackets.
    """

    settings: Settings = FIELD
    rules: HeadRules | None = None
    dependencies: DependencyScores | None = None
    constructions: ConstructionScores | None = None
    errors: ErrorSummary | None = None
    attachment: AttachmentScores | None = None
    to_dependencies: Callable[[Tree], DependencyTree] | None = None
    compare: Compare = compare_trees
    evaluation: Evaluation = field(init=False)
    is_reattached: bool = False
    """Whether any node of the gold trees is marked as moved."""

    def __post_init__(self) -> None:
        self.evaluation = Evaluation(self.settings.cutoff)

    def run(
        self,
        gold: Iterable[Tree | None],
        parses: Iterable[Tree | None],
        reference: Iterable[Tree | None] | None = None,
        selection: Selection = EVERYTHING,
    ) -> Iterator[Scored]:
        """Count and yield one sentence after another; None stands for a malformed tree."""
        for trees in align_with_reference(gold, parses, reference, self.settings, selection):
            yield self.add(*trees)

    def add(self, number: int, gold: Tree, parse: Tree, reference: Tree) -> Scored:
        """Count one more sentence, whose trees are aligned."""
        sentence = self.compare(number, gold, parse, reference, self.settings)
        scores = sentence.scores(self.settings.discontinuous_only)
        scored = Scored(gold, parse, sentence, scores, errors=[])
        self.evaluation.add(sentence, scores)
        for recall in filter(None, (self.dependencies, self.constructions)):
            self.is_reattached = self.is_reattached or any(node.moved for node in gold.nodes())
            recall.add(gold, parse, self.rules)
        if self.attachment is not None and self.to_dependencies is not None and gold.tokens:
            parsed = self.to_dependencies(parse) if has_parse(parse) else None
            self.attachment.add(self.to_dependencies(gold), parsed)
        # Finding heads takes long, and many sentences have no errors.
        if self.errors is not None and sentence.gold != sentence.parsed:
            scored.errors.extend(errors_of(scored.name, gold, parse, self.settings, self.rules))
            self.errors.add(scored.errors)
        return scored

    def tables(self) -> list[Table]:
        """Return the tables of all counts besides brackets."""
        tables = []
        if self.dependencies is not None:
            tables.append(dependency_table({"found": self.dependencies}))
        if self.attachment is not None:
            tables.append(attachment_table(self.attachment))
        if self.constructions is not None:
            tables.append(construction_table({"found": self.constructions}))
        if self.errors is not None:
            tables.append(error_table(self.errors))
            tables += [example_table(self.errors)] if self.errors.examples else []
        return tables
