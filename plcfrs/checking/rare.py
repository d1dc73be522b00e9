"""Rare rules: a label below another one, or neighbours below a node, that hardly occur elsewhere.

What is rare because its labels are rare says nothing: the pair would be frequent if labels were
mixed at random (compare Dickinson 2008, "Ad hoc treebank structures").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from plcfrs.checking.finding import Finding
from plcfrs.stopping import until_stopped
from plcfrs.trees import Tree
from plcfrs.trees.editing import Part
from plcfrs.trees.heads import is_punctuation
from plcfrs.wording import counted

_MOST = 2  # times that a rare pair occurs
_EXPECTED = 10  # times that it would occur by chance
_HIGHEST = 0.15
_EDGE = ""  # before the first child, and behind the last one


class _Pair(NamedTuple):
    """A label and one below it, or two neighbours below a label."""

    below: str
    first: str
    second: str

    def __str__(self) -> str:
        if not self.below:
            return f"{self.second} below {self.first}"
        if self.first and self.second:
            return f"{self.first} before {self.second} below {self.below}"
        return f"{self.first or self.second} {'last' if self.first else 'first'} below {self.below}"


def find_rare_rules(trees: Sequence[Tree]) -> Iterator[Finding]:
    """Yield the parts of trees that stand where their labels hardly ever stand.

    >>> usual, odd = "(S (NP (NN a)) (VP (VBZ c)))", "(S (NP (NN a)) (VP (NN c)))"
    >>> for found in find_rare_rules([Tree.from_string(text) for text in [usual] * 60 + [odd]]):
    ...     print(found.words, found.message, sep=": ")
    c: NN below VP only 1 time; by chance, it would be 12 times
    """
    pairs = [list(_pairs(tree)) for tree in until_stopped(trees)]
    counts = Counter(pair for each in pairs for _, pair in each)
    firsts, seconds, totals = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for (below, first, second), count in counts.items():
        firsts[below, first] += count
        seconds[below, second] += count
        totals[below] += count
    for tree, its_pairs in zip(trees, pairs, strict=True):
        rarest: dict[Part, tuple[float, _Pair]] = {}
        for part, pair in its_pairs:
            below, first, second = pair
            expected = firsts[below, first] * seconds[below, second] / totals[below]
            if counts[pair] <= _MOST and expected >= max(_EXPECTED, rarest.get(part, (0.0,))[0]):
                rarest[part] = expected, pair
        for part, (expected, pair) in rarest.items():
            message = f"{pair} only {counted(counts[pair], 'time')}; by chance, it would be "
            message += counted(round(expected), "time")
            score = _HIGHEST * (1 - counts[pair] / expected)
            yield Finding.at(tree, part, "rare", message, score)


def _pairs(tree: Tree) -> Iterator[tuple[Part, _Pair]]:
    """Yield the parts of a tree with the pairs that they are in; punctuation has none."""
    for node in tree.nodes():
        children: list[Part] = []
        labels = []
        for child in node.children:
            if not isinstance(child, int):
                label = child.category
            elif tree.tokens[child].is_null or is_punctuation(tree.tokens[child]):
                continue
            else:
                label = tree.tokens[child].tag
            children.append(child)
            labels.append(label)
            yield child, _Pair("", node.category, label)
        if labels and node is not tree.root:
            for first, second in pairwise([_EDGE, *labels, _EDGE]):
                yield node, _Pair(node.category, first, second)
