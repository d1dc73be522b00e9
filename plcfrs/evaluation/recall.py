"""Recall by kind: how many things the gold trees have, and how many of them a parser found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from plcfrs.evaluation.alignment import align_sentences
from plcfrs.evaluation.report import Cell
from plcfrs.trees import Tree
from plcfrs.trees.heads import HeadRules

Kinds = TypeVar("Kinds", bound="Recall")


@dataclass
class Recall(ABC):
    """How many things of each kind there are, and how many of them a parser found."""

    gold: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls: type[Kinds],
        gold: Iterable[Tree],
        parses: Iterable[Tree],
        rules: HeadRules | None = None,
    ) -> Kinds:
        """Compare parses with gold trees, which are transformed; one pair is held at a time."""
        scores = cls()
        for tree, parse in align_sentences({"gold tree": gold, "parse": parses}, {}):
            scores.add(tree, parse, rules)
        return scores

    @abstractmethod
    def add(self, gold: Tree, parse: Tree, rules: HeadRules | None = None) -> None:
        """Count one more sentence."""

    def recall(self, *kinds: str) -> float:
        """Return the percentage of things found, of some kinds or of all."""
        gold = sum(self.gold[kind] for kind in kinds or self.gold)
        found = sum(self.found[kind] for kind in kinds or self.found)
        return 100 * found / gold if gold else 100.0


def count_rows(parsers: Mapping[str, Recall], kinds: Iterable[str]) -> dict[str, list[Cell]]:
    """Return the counts of each kind: in the gold trees, and found by each parser."""
    counts = [next(iter(parsers.values())).gold, *(scores.found for scores in parsers.values())]
    return {kind: [column[kind] for column in counts] for kind in kinds}
