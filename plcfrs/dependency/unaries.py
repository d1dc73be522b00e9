"""The classifier that restores unary nodes (Fernández-González and Martins 2015, section 4.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plcfrs.dependency.unary_features import Item, items_of, keys_of
from plcfrs.errors import InputError
from plcfrs.linear.kernel.arrays import Averages
from plcfrs.linear.sequences import CandidateLists, Steps, check_lists, find, train
from plcfrs.linear.weights import weights_of
from plcfrs.reduction import without_unaries
from plcfrs.trees import Node, Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.labels import Label, parse_chain, render_chain

# The numbers of the chains seen above a label; the second part is whether the label is a tag.
Seen = Mapping[tuple[str, bool], Sequence[int]]

_NO_NODES = ""
_NOT_SEEN = "not seen"


@dataclass(eq=False, repr=False)
class UnaryClassifier:
    """A trained classifier.

    Parameters
    ----------
    chains : tuple of str
        The chains of unary nodes, such as ``S+VP``, from the top down. The first one is empty.
    seen : mapping of (label, whether it is a tag) to numbers of chains
    averages : Averages
        Of the weights, over the training.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> classifier = UnaryClassifier.train([tree] * 2)
    >>> print(classifier(without_unaries(tree)))
    (ROOT (S (NP (PRP 0=They)) (VP (VBP 1=sing))))
    """

    chains: tuple[str, ...]
    seen: Seen
    averages: Averages

    def __post_init__(self) -> None:
        if self.chains[:1] != (_NO_NODES,):
            raise ValueError("the first chain has no nodes")
        check_lists(self.seen.values(), len(self.chains))
        self.weights = weights_of(self.averages, len(self.chains))
        self._labels = list(map(_labels_of, self.chains))
        self._candidates = _candidate_lists(self.seen)

    @classmethod
    def train(cls, trees: Sequence[Tree], seed: int = 1) -> UnaryClassifier:
        """Train a classifier on trees with unary nodes; the same seed gives the same classifier.

        The trees have no null elements. Only categories and their splits are learned.
        """
        if not trees:
            raise InputError("there are no trees to train a classifier of unary nodes on")
        gold = [list(_unary_chains(tree)) for tree in trees]
        bare = list(map(without_unaries, trees))
        items = list(map(items_of, bare))
        chains = tuple(sorted({_NO_NODES}.union(*gold)))
        numbers = {chain: number for number, chain in enumerate(chains)}
        found = [numbers[chain] for above in gold for chain in above]
        seen = _seen((item for each in items for item in each), found)
        candidates = _candidate_lists(seen)
        steps = Steps.joined([_steps(*pair, candidates) for pair in zip(bare, items, strict=True)])
        weights = train(steps, found, candidates.arrays, len(chains), seed)
        return cls(chains, seen, weights.averages)

    def __call__(self, tree: Tree) -> Tree:
        """Return a copy of a tree with its unary nodes restored; marked heads are used and stay."""
        return on_copy(self._restore)(tree)

    def _restore(self, tree: Tree) -> Tree:
        items = items_of(tree)
        steps = _steps(tree, items, self._candidates)
        found = find(self.weights, steps, self._candidates.arrays, len(self.chains))
        for item, number in zip(items, found, strict=True):
            for label in reversed(self._labels[number]):
                below = item.mother.children[item.place]
                item.mother.children[item.place] = Node(*label, children=[below], head=0)
        return tree


def _unary_chains(tree: Tree) -> Iterator[str]:
    """Yield the chain of unary nodes above each item of the tree without unary nodes."""
    for node in tree.root.preorder():
        if node is tree.root or len(node.children) > 1:
            yield from map(_chain_of, node.children)


def _chain_of(child: Node | int) -> str:
    labels = []
    while isinstance(child, Node) and len(child.children) == 1:
        labels.append(Label(child.category, split=child.split))
        child = child.children[0]
    if not labels:
        return _NO_NODES
    return render_chain(labels[0]._replace(chain=tuple(labels[1:])), is_top=False)


def _labels_of(chain: str) -> list[Label]:
    """Return the labels of the nodes of a chain, from the top down."""
    if chain == _NO_NODES:
        return []
    top = parse_chain(chain)
    return [top._replace(chain=()), *top.chain]


def _seen(items: Iterable[Item], chains: Sequence[int]) -> Seen:
    found: dict[tuple[str, bool], set[int]] = defaultdict(set)
    for item, chain in zip(items, chains, strict=True):
        found[item.label, item.is_token].add(chain)
    return {key: sorted(found[key]) for key in sorted(found)}


def _candidate_lists(seen: Seen) -> CandidateLists:
    """Return the candidates for each label; above a label that is not known there is nothing."""
    lists: dict[Any, Sequence[int]] = {**seen, _NOT_SEEN: [0]}
    return CandidateLists(lists)


def _steps(tree: Tree, items: list[Item], candidates: CandidateLists) -> Steps:
    """Return the items as chains of one step: each is classified alone."""
    return Steps(
        list(range(len(items) + 1)),
        keys_of(tree, items),
        np.zeros((len(items), 0), np.uint64),
        [candidates.find([(item.label, item.is_token), _NOT_SEEN]) for item in items],
    )
