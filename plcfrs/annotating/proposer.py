"""What a parser proposes for a sentence, given what a person has decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from plcfrs.forest.preparation import easy_sentence
from plcfrs.parsing import Sentence, SentenceParser
from plcfrs.parsing.parse import Parse, Task
from plcfrs.trees import Fixed, Node, Token, Tree, restore_traces

_NBEST = 10


@dataclass(frozen=True, eq=False)
class Guess:
    """A parse, complete with functions and perhaps null elements.

    Parameters
    ----------
    tree : Tree
    chances : dict of Node to float
        How probable constituents of the tree are; empty if the parser cannot say.
    cost : float or None
        How much less it scores than the best parse without decisions.
    parse : Parse
    """

    tree: Tree
    chances: dict[Node, float]
    cost: float | None
    parse: Parse


class Proposer:
    """A parser that proposes trees.

    Parameters
    ----------
    model : SentenceParser
    nulls : bool
        Whether trees have null elements and indices in place of crossing branches.
    """

    def __init__(self, model: SentenceParser, *, nulls: bool) -> None:
        self.model, self._nulls = model, nulls

    def warm_up(self) -> None:
        """Parse a short sentence: the first one takes long."""
        words = easy_sentence(self.model).tokens
        self.guess(words, Fixed())
        self.best(words, Fixed())

    def guess(
        self, tokens: Sequence[Token], fixed: Fixed, free: Guess | None = None
    ) -> Guess | None:
        """Return the best parse with all that is fixed, or None if there is no parse.

        The guess without anything fixed tells the cost.
        """
        task = Task(posteriors="sums" in self.model.capabilities, functions=False)
        sentence = _sentence(tokens, fixed)
        ((parse,),) = self.model.parse_together([sentence], task)
        if parse.status != "parsed":
            return None
        marked = parse.tree.copy()
        if parse.posteriors:
            for node, posterior in zip(marked.nodes(), parse.posteriors, strict=True):
                node.note = str(posterior.probability)  # copies of a node keep its note
        tree = self.completed(marked, fixed)
        chances = {}
        for node in tree.nodes():
            if node.note:
                chances[node], node.note = float(node.note), ""
        cost = 0.0
        if free and fixed != Fixed():
            cost = self.model.cost_of_fixed(replace(sentence, fixed=None), free.parse, parse)
        return Guess(tree, chances, cost if isfinite(cost) else None, parse)

    def best(self, tokens: Sequence[Token], fixed: Fixed) -> list[Parse]:
        """Return the best parses with all that is fixed, with categories alone."""
        if "nbest" not in self.model.capabilities:
            return []
        (parses,) = self.model.parse_together(
            [_sentence(tokens, fixed)], Task(nbest=_NBEST, functions=False)
        )
        return [parse for parse in parses if isfinite(parse.score)]

    def completed(self, tree: Tree, fixed: Fixed) -> Tree:
        """Return a parse with functions, those that are fixed included, and with null elements."""
        completed = self.model.completion(tree) if self.model.completion else tree
        completed = fixed.hold(completed)
        if self._nulls:
            return restore_traces(completed)
        completed.annotation = None
        return completed


def _sentence(tokens: Sequence[Token], fixed: Fixed) -> Sentence:
    words = [replace(token, tag="") for token in tokens if not token.is_null]
    return Sentence(words, fixed=replace(fixed, functions={}))
