"""Transition parsers: beam search with averaged weights, and trees from what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.learning.kernel.learned import Averages
from plcfrs.learning.weights import weights_of
from plcfrs.parsers.transition.features import (
    compile_templates,
    enlarge_search,
    for_sentence,
    new_search,
    texts_of,
)
from plcfrs.parsers.transition.kernel import arrays
from plcfrs.parsers.transition.kernel.arrays import Search, Templates
from plcfrs.parsers.transition.kernel.beam import parse
from plcfrs.parsers.transition.kernel.results import A_PART, A_TOKEN, COLUMNS, collect_tree, trace
from plcfrs.parsers.transition.settings import Settings, find_system
from plcfrs.parsers.transition.system import Transition
from plcfrs.parsers.transition.vocabulary import Vocabulary
from plcfrs.trees import Node, Token, Tree
from plcfrs.trees.labels import parse_chain
from plcfrs.trees.tree import nodes_of


class TransitionParse(NamedTuple):
    """A tree with heads, and its derivation; the scores of transitions add up to the score."""

    tree: Tree
    score: float
    transitions: list[Transition]
    scores: list[float]


@dataclass(eq=False, repr=False)
class TransitionParser:
    """A trained transition parser.

    Raise a ValueError if the averages of the weights are damaged, or transitions that complete
    trees are missing.
    """

    settings: Settings
    vocabulary: Vocabulary
    averages: Averages

    def __post_init__(self) -> None:
        vocabulary, settings = self.vocabulary, self.settings
        if not find_system(settings.system).can_complete(vocabulary.transitions):
            raise ValueError("the transition parser lacks transitions that complete trees")
        self.weights = weights_of(self.averages, len(vocabulary.actions))
        self._builder = TreeBuilder(
            {number: label for number, (label, _) in vocabulary.symbols.items()}
        )
        self._actions = vocabulary.compile(is_left=settings.order == "left")
        self._templates = compile_settings(settings)
        self._idle: dict[int, list[Search]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the memory of searches when a parser is pickled."""
        return {**self.__dict__, "_idle": {}}

    def parse(self, tokens: list[Token], beam: int | None = None) -> TransitionParse:
        """Return the best parse that beam search finds for tagged tokens.

        Without a beam, that of the settings is used. Raise an InputError if there are no tokens.
        """
        return self.k_best(tokens, 1, beam)[0]

    def k_best(
        self, tokens: list[Token], number: int, beam: int | None = None
    ) -> list[TransitionParse]:
        """Return the complete parses in the last beam, the best first, at most `number`.

        In a system with a queue the search ends when the best one is complete. Without a beam, that
        of the settings is used, or a wider one for so many parses.
        """
        if not tokens:
            raise InputError("the sentence has no words")
        beam = beam or max(number, self.settings.beam)
        idle = self._idle.setdefault(beam, [])
        search = idle.pop() if idle else new_search(self._actions, self._templates, beam)
        words, tags = self.vocabulary.words_and_tags(tokens)
        search = for_sentence(search, self._templates, words, tags)
        while parse(self._actions, self._templates, self.weights, search) != arrays.DONE:
            search = enlarge_search(search)
        last = search.beam[: search.counters[arrays.BEAM]]
        final = [state for state in last if search.states[state]["is_final"]]
        parses = [self._parse_of(search, state, tokens) for state in final[:number]]
        idle.append(search)
        return parses

    def _parse_of(self, search: Search, state: int, tokens: list[Token]) -> TransitionParse:
        numbers = np.empty(search.states[state]["steps"], np.int32)
        scores = np.empty(len(numbers), np.float64)
        trace(search, state, numbers, scores)
        transitions = [self.vocabulary.actions[number] for number in numbers.tolist()]
        tree = self._builder.build(search, state, tokens)
        return TransitionParse(
            tree, float(search.states[state]["score"]), transitions, scores.tolist()
        )


def compile_settings(settings: Settings) -> Templates:
    """Return the templates of settings as arrays for the kernels."""
    system = find_system(settings.system)
    return compile_templates(
        texts_of(system.templates, settings.features), is_split=system.is_split
    )


class TreeBuilder:
    """Makes trees from final states, the inverse of `prepare`, given the labels of symbols."""

    def __init__(self, labels: dict[int, str]) -> None:
        self._chains = {
            symbol: (label._replace(chain=()), *label.chain)
            for symbol, label in ((symbol, parse_chain(text)) for symbol, text in labels.items())
        }

    def build(self, search: Search, state: int, tokens: list[Token]) -> Tree:
        """Return the tree of a final state, without intermediate nodes and with unary chains."""
        rows = np.empty((3 * len(tokens), COLUMNS), np.int32)
        lines = rows[: collect_tree(search, state, rows)].tolist()
        lines.sort()  # children by their first token, after their mothers
        lowest: dict[int, Node] = {}
        for first, number, symbol, mother, is_head, _ in lines:
            if symbol == A_PART:
                continue
            child: Node | int = first - 1
            if symbol != A_TOKEN:
                chain = nodes_of(self._chains[symbol])
                child, lowest[number] = chain[0], chain[-1]
            if mother >= 0:
                if is_head:
                    lowest[mother].head = len(lowest[mother].children)
                lowest[mother].children.append(child)
            else:
                root = child
        assert isinstance(root, Node)
        return Tree(root, tokens)
