"""The most probable structures of a prefix, with the open constituents and the awaited gaps."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from math import exp, log
from typing import NamedTuple

from plcfrs.budget import Budget
from plcfrs.chart import ChartParser
from plcfrs.grammar import Derivation, Nonterminal, unbinarize, unbinarize_tree
from plcfrs.prefix import PrefixGrammar
from plcfrs.prefix.partial import Known, partial_grammar
from plcfrs.trees import ROOT, Node, Token, Tree, render_label
from plcfrs.trees.notation import renamed_root, render_discbracket
from plcfrs.trees.tree import positions


class Awaited(NamedTuple):
    """A constituent whose next part comes after a gap.

    Parameters
    ----------
    positions : tuple of int
        Of its words so far, from 0.
    """

    category: str
    positions: tuple[int, ...]


class Analysis(NamedTuple):
    """What is known of the structure of a sentence after its first words.

    Parameters
    ----------
    probability : float
        Given the words.
    tree : Tree
        Of these words: all constituents that have some of them.
    open : tuple of str
        The categories of the constituents that go on with the next word, the largest one first.
    awaited : tuple of Awaited
        The constituents that go on after a gap, the largest one first.
    open_nodes, awaited_nodes : tuple of int
        The places of these constituents in ``tree.nodes()``.
    """

    probability: float
    tree: Tree
    open: tuple[str, ...]
    awaited: tuple[Awaited, ...]
    open_nodes: tuple[int, ...]
    awaited_nodes: tuple[int, ...]


class PrefixParser:
    """Finds the most probable analyses of prefixes, exactly and in order.

    Parameters
    ----------
    budget : Budget
        For each prefix.
    """

    def __init__(self, grammar: PrefixGrammar, budget: Budget) -> None:
        partial = partial_grammar(grammar.rules, grammar.start)
        self._known = partial.known
        self._parser = ChartParser(partial.grammar, budget=budget)
        self._grammar = grammar

    def best(
        self,
        tokens: Sequence[Token],
        tags: Sequence[Mapping[Nonterminal, float]],
        log_probability: float,
        number: int,
    ) -> list[Analysis]:
        """Return the most probable analyses of a prefix, the best one first.

        Parameters
        ----------
        tokens : sequence of Token
            The words of the prefix.
        tags : sequence of mapping of Nonterminal to float
            The probability of each word given each of its tags.
        log_probability : float
            Of the prefix, as a natural logarithm.
        number : int
            How many; there are fewer if the prefix has fewer, or the budget is used up.
        """
        costs = [{tag: -log(p) for tag, p in chances.items() if p} for chances in tags]
        results = self._parser.parse_nbest(
            costs, number, lambda derivation: self._key(derivation, tokens)
        )
        return [
            self._analysis(each.derivation, tokens, exp(-each.cost - log_probability))
            for each in results
            if each.derivation is not None
        ]

    def _key(self, derivation: Derivation, tokens: Sequence[Token]) -> Hashable:
        analysis = self._analysis(derivation, tokens, 0.0)
        return render_discbracket(analysis.tree), analysis.open, analysis.awaited

    def _analysis(
        self, derivation: Derivation, tokens: Sequence[Token], probability: float
    ) -> Analysis:
        known: dict[Node, Known] = {}
        tree = self._tree(unbinarize(derivation.children[0]), tokens, known)
        tree.forget_splits()
        unbinarize_tree.in_place(tree)
        spans = tree.yields()
        nodes = tree.nodes()
        parts = [(i, known[node]) for i, node in enumerate(nodes) if node in known]
        is_open = [i for i, part in parts if part.is_open]
        is_awaited = [i for i, part in parts if part.components < part.symbol.fanout]
        return Analysis(
            probability,
            tree,
            tuple(render_label(nodes[i]) for i in is_open),
            tuple(
                Awaited(render_label(nodes[i]), tuple(positions(spans[nodes[i]])))
                for i in is_awaited
            ),
            tuple(is_open),
            tuple(is_awaited),
        )

    def _state(self, part: Derivation) -> Known:
        symbol = part.nonterminal
        return self._known.get(symbol, Known(symbol, symbol.fanout, False))

    def _tree(
        self, derivation: Derivation, tokens: Sequence[Token], known: dict[Node, Known]
    ) -> Tree:
        """Return the tree of a derivation, and enter the known part of each node in `known`."""
        position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
        leaves = count()
        tagged = [replace(token) for token in tokens]

        def node_or_position(part: Derivation, children: list[Node | int]) -> Node | int:
            if not part.children:
                position = position_of[next(leaves)]
                tagged[position].tag = part.nonterminal.category
                return position
            if self._state(part.children[0]).symbol in self._grammar.copies:
                return children[0]
            symbol = self._state(part).symbol
            original = self._grammar.originals.get(symbol, symbol)
            node = Node(original.category, original.functions, original.split, children=children)
            known[node] = self._state(part)
            return node

        root = renamed_root(derivation.fold(node_or_position), (ROOT,))
        tree = Tree(root, tagged)
        tree.sort_children()
        return tree
