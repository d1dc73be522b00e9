"""The parses of treebanks by the models of the server, a few sentences at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from time import perf_counter

from plcfrs.pipeline.sentence import Sentence
from plcfrs.trees import Tree
from plcfrs.web.store import NamedModel
from plcfrs.web.treebanks import Treebank

_SECONDS = 1.0  # of parsing, until a request is answered


@dataclass(eq=False)
class Parses:
    """The parses of the first sentences of a treebank, as many as were asked for.

    Parameters
    ----------
    named : NamedModel
    treebank : Treebank
    transformed : bool
        Whether its traces become crossing branches.
    own_tags : bool
        Whether the parser finds the tags, instead of those of the trees.
    """

    named: NamedModel
    treebank: Treebank
    transformed: bool
    own_tags: bool
    trees: list[Tree] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def go_on(self, first: int) -> int:
        """Parse for a second at most, or one sentence; return how many sentences there are.

        Parameters
        ----------
        first : int
            How many sentences there will be in the end.
        """
        gold = self.treebank.trees(transformed=self.transformed)[:first]
        end = perf_counter() + _SECONDS
        with self._lock:
            while len(self.trees) < len(gold) and perf_counter() < end:
                self.trees.append(self._parse(gold[len(self.trees)]))
        return len(gold)

    def _parse(self, tree: Tree) -> Tree:
        sentence = Sentence.of(tree)
        if self.own_tags:
            sentence = replace(sentence, tags=None)
        return self.named.model.parse(sentence).tree


@lru_cache(8)
def parses_of(named: NamedModel, treebank: Treebank, transformed: bool, own_tags: bool) -> Parses:
    """Return the parses of a treebank by a model, of which the last few are kept."""
    return Parses(named, treebank, transformed, own_tags)
