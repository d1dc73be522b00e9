"""Why a sentence has its dependencies: their scores, and what the next best heads would cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import ClassVar, NamedTuple

from plcfrs.dependency.explanation import Attachment
from plcfrs.pipeline.explanation import numbered
from plcfrs.trees import DependencyTree


class ArcStep(NamedTuple):
    """A word with its head.

    Parameters
    ----------
    word, head : str
        The head is ROOT for the head of the sentence.
    relation : str
    positions : list of int
        The position of the word, and that of its head.
    attachment : Attachment
    next_head : str
        The next best head of the word; empty if there is none.
    """

    word: str
    head: str
    relation: str
    positions: list[int]
    attachment: Attachment
    next_head: str

    @property
    def text(self) -> str:
        """The relation."""
        return self.relation

    @property
    def clause(self) -> str:
        """The head and the word."""
        return f"{self.head} -> {self.word}"

    @property
    def score(self) -> float:
        """The score of the head, with siblings and grandparents."""
        return self.attachment.score

    @property
    def categories(self) -> tuple[str, ...]:
        """None: a constituent comes from several dependencies."""
        return ()

    @property
    def details(self) -> dict[str, str]:
        """The relation, the next best head and what it would cost."""
        return {
            "relation": self.relation,
            "next best head": self.next_head,
            "costs": _cost(self).strip(),
        }


@dataclass(frozen=True, slots=True)
class ArcExplanation:
    """The dependencies of a parse.

    Parameters
    ----------
    dependencies : DependencyTree
    steps : list of ArcStep
        In the order of the words.
    """

    dependencies: DependencyTree
    steps: list[ArcStep]
    noun: ClassVar[str] = "dependency"
    measure: ClassVar[str] = "score"

    def lines(self, *, binarized: bool = False) -> list[str]:  # noqa: ARG002 (there are no rules)
        """Return the dependencies with their scores as text, and the sum."""
        rows = [["head -> word", "relation", "next best head"]]
        rows += [[step.clause, step.relation, step.next_head] for step in self.steps]
        scores = ["    score", *(f"{step.score:9.2f}" for step in self.steps)]
        costs = ["   costs", *(_cost(step) for step in self.steps)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([score, *map(str.ljust, row, widths), cost]).rstrip()
            for score, row, cost in zip(scores, rows, costs, strict=True)
        ]
        total = fsum(step.score for step in self.steps)
        return [numbered(self.dependencies.words()), "", *lines, f"{total:9.2f}  the sum"]


def arcs_of(dependencies: DependencyTree, attachments: list[Attachment]) -> list[ArcStep]:
    """Return the steps of an explanation.

    Parameters
    ----------
    dependencies : DependencyTree
    attachments : list of Attachment
        For each word.
    """
    names = ["ROOT", *(f"{place}={word}" for place, word in enumerate(dependencies.words()))]
    return [
        ArcStep(
            names[number],
            names[head],
            relation,
            [place - 1 for place in (number, head) if place],
            attachment,
            names[attachment.second] if attachment.second is not None else "",
        )
        for number, (head, relation, attachment) in enumerate(
            zip(dependencies.heads, dependencies.relations, attachments, strict=True), start=1
        )
    ]


def _cost(step: ArcStep) -> str:
    return f"{step.attachment.cost:8.2f}" if step.next_head else ""
