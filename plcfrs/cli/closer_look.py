"""What ``plcfrs eval`` counts besides brackets, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from plcfrs.cli.dependencies import Reduction
from plcfrs.cli.report import Largest, Passing
from plcfrs.drawing import draw_svg
from plcfrs.evaluation import (
    AttachmentScores,
    ConstructionScores,
    DependencyScores,
    Drawing,
    ErrorSummary,
    Sentence,
    Settings,
    Table,
    attachment_table,
    construction_table,
    dependency_table,
    draw_differences,
    error_table,
    errors_of,
    example_table,
)
from plcfrs.evaluation.sentences import has_parse
from plcfrs.trees import Tree
from plcfrs.trees.heads import HeadRules


@dataclass
class CloserLook:
    """The counts that were asked for, and the sentences with most errors."""

    settings: Settings
    rules: HeadRules
    dependencies: DependencyScores | None
    constructions: ConstructionScores | None
    errors: ErrorSummary | None
    attachment: AttachmentScores | None
    worst: Largest[tuple[Sentence, Tree, Tree]] | None
    reattached: bool = False
    """Whether any node of the gold trees is marked as moved."""

    def watch(
        self, sentences: Iterable[Sentence], gold: Passing[Tree], parses: Passing[Tree]
    ) -> Iterator[Sentence]:
        """Yield the sentences and count their trees."""
        for sentence in sentences:
            tree, parse = gold.last, parses.last
            if self.dependencies or self.constructions:
                self.reattached = self.reattached or any(node.moved for node in tree.nodes())
            if self.dependencies:
                self.dependencies.add(tree, parse, self.rules)
            if self.attachment:
                self._add_attachment(self.attachment, tree, parse)
            if self.constructions:
                self.constructions.add(tree, parse, self.rules)
            if self.errors:
                name = sentence.id or str(sentence.number)
                self.errors.add(errors_of(name, tree, parse, self.settings, self.rules))
            if self.worst and sentence.parsed_at_all:
                self.worst.add(sum(sentence.wrong), (sentence, tree, parse))
            yield sentence

    def _add_attachment(self, scores: AttachmentScores, tree: Tree, parse: Tree) -> None:
        reduction = Reduction("direct", self.rules)
        gold, found = reduction.reduce([tree, parse])
        scores.add(gold, found if has_parse(parse) else None)

    def tables(self) -> list[Table]:
        """Return the tables that were asked for."""
        found = [dependency_table({"found": self.dependencies})] if self.dependencies else []
        found += [attachment_table(self.attachment)] if self.attachment else []
        found += [construction_table({"found": self.constructions})] if self.constructions else []
        if self.errors:
            found.append(error_table(self.errors))
            found += [example_table(self.errors)] if self.errors.examples else []
        return found

    def drawings(self) -> list[Drawing]:
        """Return the trees of the sentences with most errors."""
        found = []
        for sentence, tree, parse in self.worst.items if self.worst else []:
            missed, spurious = sentence.wrong
            heading = f"{sentence.id or sentence.number}: {missed} missed, {spurious} spurious"
            found.append(draw_differences(heading, tree, {"parse": parse}, self.settings, draw_svg))
        return found

    def report(self) -> None:
        """Say on stderr if the types of traces are unknown."""
        if (self.dependencies or self.constructions) and not self.reattached:
            click.echo(
                "no phrase of the gold trees was reattached, so the types of dependencies and "
                "constructions are unknown: they need gold trees with traces, and --transform",
                err=True,
            )
