"""Constituents as dependencies and back, for ``convert`` and ``eval``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import click

from plcfrs.errors import InputError
from plcfrs.reduction import Encoding, Unaries, from_dependencies, to_dependencies
from plcfrs.text import counted
from plcfrs.treebank import has_dependencies
from plcfrs.trees import DependencyTree, Tree, mark_heads
from plcfrs.trees.heads import HeadRules


@dataclass
class Reduction:
    """How constituents become dependencies, and what was lost."""

    encoding: Encoding
    rules: HeadRules
    unaries: Unaries = "dropped"
    nested: bool = False
    _trees: int = 0
    _lost: Counter[str] = field(default_factory=Counter)

    def reduce(self, trees: Iterable[Tree]) -> Iterator[DependencyTree]:
        """Yield trees as dependencies."""
        for tree in trees:
            self._trees += 1
            self._lost.update(self._losses(tree))
            yield to_dependencies(mark_heads(tree, self.rules), self.encoding, self.unaries)

    def restore(self, trees: Iterable[DependencyTree]) -> Iterator[Tree]:
        """Yield dependencies as trees."""
        for tree in trees:
            yield from_dependencies(tree, self.encoding, nested=self.nested)

    def report(self) -> None:
        """Say on stderr what the dependencies do not keep, if anything."""
        if self._lost:
            losses = (f"{what} (in {count})" for what, count in self._lost.items())
            trees = counted(self._trees, "tree")
            click.echo(f"{trees}; lost in the dependencies: {', '.join(losses)}", err=True)

    def _losses(self, tree: Tree) -> Iterator[str]:
        nodes = tree.nodes()
        kept = self.unaries == "labels" or self.encoding == "hall-nivre"
        if not kept and any(len(node.children) == 1 for node in nodes[1:]):
            yield "unary nodes"
        if any(node.functions for node in nodes) or any(token.function for token in tree.tokens):
            yield "functions"
        if any(node.index is not None or node.gap_index is not None for node in nodes):
            yield "indices"
        if tree.secondary_edges:
            yield "secondary edges"


def refuse_dependencies(treebanks: Sequence[str], format: str | None) -> None:
    """Raise if there are no constituents to learn from."""
    if has_dependencies(treebanks, format):
        raise InputError(
            f"{treebanks[0]}: has dependencies, not constituents: first turn them into "
            "constituents with plcfrs convert --encoding"
        )
