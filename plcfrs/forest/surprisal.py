"""How surprising each word is, given the words before it, and what may follow.

Surprisal and entropy are in bits. The most probable structures of a prefix have open constituents
and awaited gaps.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from math import exp, log
from typing import Literal, NamedTuple, Protocol

from plcfrs.budget import Budget
from plcfrs.chart import ChartParser
from plcfrs.grammar import Derivation, Nonterminal, unbinarize, unbinarize_tree
from plcfrs.parsing.sentence import Input, Sentence
from plcfrs.prefix import PrefixGrammar
from plcfrs.prefix.partial import Known, partial_grammar
from plcfrs.trees import ROOT, Node, Token, Tree, render_label
from plcfrs.trees.notation import renamed_root, render_discbracket
from plcfrs.trees.tree import positions

PRECISION = 0.001
"""The largest difference between the bounds of a surprisal, in bits."""

END = "</s>"
"""The word that stands for the end of a sentence."""

Status = Literal[
    "read",
    "bounded",
    "no sentence",
    "unknown word",
    "out of time",
    "out of memory",
    "out of items",
    "crashed",
    "no words",
]


class Surprisal(NamedTuple):
    """How surprising a word is, given the words before it (Hale 2001).

    Parameters
    ----------
    surprisal : float
        ``-log2 P(word | words before)``, in bits; with given tags, of the tag. inf if no sentence
        of the grammar begins like this; None if the budget was used up.
    at_least, at_most : float
        Proven bounds of the surprisal; they differ by at most the precision if the status is
        "read". None as above.
    tag_surprisal, word_surprisal : float
        Two parts of the surprisal: that the next tag is one of the word (syntactic), and that it
        is this word of these tags (lexical; Roark et al. 2009).
    log_prefix_probability : float
        The natural logarithm of the probability of all sentences that begin like this; None as
        above.
    entropy : float
        Of the next tag or the end, after the word, in bits; None as above, or if no sentence
        begins like this.
    entropy_reduction : float
        How much the word lowered the entropy: the entropy before it minus the one after it, or 0
        if it rose (Hale 2006 has the entropy of whole derivations instead); None as above.
    derivation_entropy, derivation_entropy_reduction : float
        Of the whole derivation down to the tags, after the word, in bits, and how much the word
        lowered it, or 0 (Hale 2006); None unless it is wanted and the status is "read".
    analyses : tuple of Analysis
        The most probable structures after the word, the best one first.
    known : bool
        Whether the lexicon has the word; None if tags were read, and for the end of a sentence.
    status : str
        "read"; or "bounded": the sentence had used up most of its budget, so much was left out that
        the bounds differ by more than the precision, and all other numbers are estimates. With any
        other status there are no numbers: "no sentence", "unknown word" (the lexicon has neither
        the word nor signatures for unknown words), "out of time", "out of memory", "out of items",
        "crashed" or "no words".
    """

    word: str
    surprisal: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    tag_surprisal: float | None = None
    word_surprisal: float | None = None
    log_prefix_probability: float | None = None
    entropy: float | None = None
    entropy_reduction: float | None = None
    derivation_entropy: float | None = None
    derivation_entropy_reduction: float | None = None
    analyses: tuple[Analysis, ...] = ()
    known: bool | None = None
    status: Status = "out of time"


class PrefixReader(Protocol):
    """A model of a family with the capability "surprisal"."""

    @property
    def prefixes(self) -> PrefixGrammar:
        """The grammar of `surprisal`; ``prefixes.is_changed`` if probabilities were normalised."""

    def read(self, sentence: Input) -> Sentence:
        """Return a sentence as the model reads it."""

    def surprisal(
        self,
        sentence: Input,
        analyses: int = 0,
        at: Collection[int] | None = None,
        *,
        derivation_entropy: bool = False,
        end: bool = False,
        precision: float = PRECISION,
    ) -> list[Surprisal]:
        """Return how surprising each word is, and the `analyses` best structures at some places."""


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
