"""The outline of a sentence without its sure constituents, and the better parts of two trees.

A tree maps each span to its categories, from the highest to the lowest. The last one over a single
token is its tag.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import exp, log1p
from typing import NamedTuple

from plcfrs.parsers.neural.configuration import nested
from plcfrs.parsing.parse import Constituent
from plcfrs.trees import Fixed, FixedConstituent, Node, Token, Tree
from plcfrs.trees.tree import positions, runs, span_of_runs

Chain = tuple[str, ...]
Chains = Mapping[int, Chain]


def constituents_of(span: int, chain: Chain) -> list[Constituent]:
    """Return the constituents over a span, without the tag of a token."""
    return [(category, span) for category in (chain if span & (span - 1) else chain[:-1])]


def chains_of(tree: Tree) -> dict[int, Chain]:
    """Return the chains of a tree, the inverse of `tree_of_chains`."""
    chains: dict[int, Chain] = {}
    for node, span in reversed(tree.yields().items()):
        chains[span] = (*chains.get(span, ()), node.category)
    for place, token in enumerate(tree.tokens):
        chains[1 << place] = (*chains.get(1 << place, ()), token.tag)
    return chains


def tree_of_chains(chains: Chains, tokens: list[Token], sentence: str) -> Tree:
    """Return the tree of chains over tokens; the tokens get its tags."""

    def node_of(span: int, children: list[Node | int]) -> Node | int:
        if span & (span - 1) == 0:
            tokens[span.bit_length() - 1].tag = chains[span][-1]
        for category, _ in reversed(constituents_of(span, chains[span])):
            children = [Node(category, children=children)]
        return children[0]

    return Tree(nested(len(tokens), chains, node_of), tokens, sentence)


class Outline(NamedTuple):
    """A sentence that has a single token in place of each sure constituent.

    Parameters
    ----------
    borders : list of int
        The first word of each token, and the number of words.
    joined : int
        All words except the first of each token, as a bitset.
    inside : dict of int to tuple of str
        The categories over all spans of words inside such tokens.
    """

    borders: list[int]
    joined: int
    inside: dict[int, Chain]

    @classmethod
    def of(cls, length: int, tree: Chains, sure: Collection[int]) -> Outline:
        """Return the outline of a tree, given its sure spans, which have no gaps.

        >>> tree = {0b111: ("ROOT", "S"), 0b11: ("NP",), 1: ("DT",), 2: ("NN",), 4: ("VP", "VBP")}
        >>> Outline.of(3, tree, {0b11})
        Outline(borders=[0, 2, 3], joined=2, inside={3: ('NP',), 1: ('DT',), 2: ('NN',)})
        """
        inside: dict[int, Chain] = {}
        opened = joined = 0
        for span in sorted(tree, key=int.bit_count):
            if span in sure and not span & opened:
                inside |= {span: tree[span]}
                inside |= {1 << word: tree[1 << word] for word in positions(span)}
                joined |= span & (span - 1)  # all words except the first
            elif constituents_of(span, tree[span]):
                opened |= span
        return cls([word for word in range(length + 1) if not joined >> word & 1], joined, inside)

    def has_whole(self, span: int) -> bool:
        """Whether some words are all words of their tokens."""
        return not (span ^ span << 1) & self.joined

    def narrowed(self, span: int) -> int:
        """Return the tokens for some words."""
        return span_of_runs(
            (bisect_left(self.borders, first), bisect_left(self.borders, end))
            for first, end in runs(span)
        )

    def widened(self, span: int) -> int:
        """Return the words for some tokens."""
        return span_of_runs((self.borders[first], self.borders[end]) for first, end in runs(span))

    def outside(self, tree: Chains) -> dict[int, Chain]:
        """Return a tree over the tokens; a sure constituent is the tag of its token."""
        chains = {}
        for span, chain in tree.items():
            if self.has_whole(span):
                chains[self.narrowed(span)] = chain[:1] if span in self.inside else chain
        return chains

    def fixed(self, fixed: Fixed) -> Fixed:
        """Return what is fixed of a tree over the tokens, without what is inside of them."""

        def narrowed(constituents: Iterable[FixedConstituent]) -> tuple[FixedConstituent, ...]:
            tokens = [each._replace(span=self.narrowed(each.span)) for each in constituents]
            pairs = zip(constituents, tokens, strict=True)
            return tuple(new for old, new in pairs if self.widened(new.span) == old.span)

        inside = [each for item in self.inside.items() for each in constituents_of(*item)]
        return Fixed(narrowed(fixed.missing(inside)), narrowed(fixed.forbidden))

    def restored(self, tree: Chains) -> dict[int, Chain]:
        """Return a tree over the words for a tree over the tokens."""
        chains = dict(self.inside)
        for tokens, chain in tree.items():
            span = self.widened(tokens)
            chains[span] = chain[:-1] + chains[span] if span in chains else chain
        return chains


def mixed(
    first: Chains, second: Chains, score: Callable[[Sequence[tuple[int, Chain]]], Sequence[float]]
) -> tuple[dict[int, Chain], float]:
    """Return the better parts of two trees, and the log probability of this choice.

    Spans with a category of both trees cut them into parts. Each part comes from the tree with the
    higher score there. `score` returns the scores of chains over spans, natural logarithms.
    """
    mixture = {span: chain for span, chain in first.items() if second.get(span) == chain}
    apart = [each for tree in (first, second) for each in tree.items() if each[0] not in mixture]
    cuts = [span for span, chain in first.items() if set(chain).intersection(second.get(span, ()))]
    cuts.sort(key=int.bit_count)
    part_of = {
        span: next((cut for cut in cuts if cut != span and cut & span == span), 0)
        for span, _ in apart
    }
    gains: dict[int, float] = defaultdict(float)
    for (span, chain), gain in zip(apart, score(apart), strict=True):
        gains[part_of[span]] += gain if first.get(span) == chain else -gain
    for span, part in part_of.items():
        better = first if gains[part] >= 0 else second
        if span in better:
            mixture[span] = better[span]
    return mixture, -sum(log1p(exp(-abs(gain))) for gain in gains.values())
